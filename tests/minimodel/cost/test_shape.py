"""Parameters against the published numbers and transformers' models on the meta device."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import GPT2Config, GPT2LMHeadModel, LlamaForCausalLM

from minimodel import GPT2, LLAMA_3_8B, LLAMA_3_70B, GPTConfig, MiniGPT, ModelShape


def count(make, config):
    with torch.device("meta"):
        return sum(p.numel() for p in make(config).parameters())  # a tied head comes up once


@pytest.mark.parametrize(
    ("shape", "parameters"), [(GPT2, 124_439_808), (LLAMA_3_8B, 8_030_261_248), (LLAMA_3_70B, 70_553_706_496)]
)
def test_the_published_numbers(shape, parameters):
    assert shape.num_parameters == parameters


def test_gpt2_is_transformers_gpt2():
    assert GPT2.num_parameters == count(GPT2LMHeadModel, GPT2Config())
    c = GPT2Config()
    assert (
        ModelShape.of(
            GPTConfig(
                vocab_size=c.vocab_size, width=c.n_embd, layers=c.n_layer, heads=c.n_head, context_length=c.n_positions
            )
        )
        == GPT2
    )


@pytest.mark.parametrize("shape", [LLAMA_3_8B, LLAMA_3_70B])
def test_llama_3_is_transformers_llama(shape, llama_config):
    assert shape.num_parameters == count(LlamaForCausalLM, llama_config(shape))


@st.composite
def llama_shapes(draw):
    small = st.integers(1, 9)
    kv_heads = draw(small)
    heads = kv_heads * draw(st.integers(1, 4))
    return ModelShape(
        vocab_size=draw(small),
        width=heads * draw(small),  # transformers wants a multiple
        layers=draw(st.integers(1, 3)),
        heads=heads,
        kv_heads=kv_heads,
        head_size=2 * draw(small),  # rotary positions turn pairs
        mlp_width=draw(small),
        gated_mlp=True,
        tied_head=draw(st.booleans()),
        positions=0,
        bias=False,
    )


@settings(max_examples=25, deadline=None)
@given(shape=llama_shapes())
def test_any_llama(llama_config, shape):
    assert shape.num_parameters == count(LlamaForCausalLM, llama_config(shape))


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.integers(1, 6)] * 4), st.integers(1, 4), st.integers(1, 40))
def test_any_gpt2(sizes, heads, inner):
    vocab, size, layers, positions = sizes
    gpt = GPTConfig(vocab_size=vocab, width=size * heads, layers=layers, heads=heads, context_length=positions)
    c = GPT2Config(
        vocab_size=vocab,
        n_embd=size * heads,
        n_layer=layers,
        n_head=heads,
        n_positions=positions,
        n_inner=inner,
        bos_token_id=None,
        eos_token_id=None,
    )
    assert replace(ModelShape.of(gpt), mlp_width=inner).num_parameters == count(GPT2LMHeadModel, c)


def test_a_gated_mlp_and_grouped_queries_with_biases(llama_config):
    """Layer norms have a bias where transformers' Llama has RMS norms without: 2 a layer and the last one."""
    shape = ModelShape(
        vocab_size=11,
        width=12,
        layers=2,
        heads=4,
        kv_heads=2,
        head_size=4,
        mlp_width=10,
        gated_mlp=True,
        tied_head=False,
        positions=0,
        bias=True,
    )
    assert shape.num_parameters == count(LlamaForCausalLM, llama_config(shape)) + (2 * shape.layers + 1) * shape.width


def test_the_mini_gpt():
    model = MiniGPT.load("en")
    assert ModelShape.of(model.config).num_parameters == model.num_parameters


NAMES = ("vocab_size", "width", "layers", "heads", "kv_heads", "head_size", "mlp_width")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0, -1, 2.0, True])
def test_a_number_that_is_no_count_is_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} is {value}: expected a whole number, 1 or more"):
        replace(GPT2, **{name: value})


def test_positions_may_be_none_but_not_fewer():
    assert replace(GPT2, positions=0).num_parameters == GPT2.num_parameters - 1024 * 768
    with pytest.raises(ValueError, match="positions is -1: expected a whole number, 0 or more"):
        replace(GPT2, positions=-1)


def test_heads_that_do_not_divide():
    with pytest.raises(ValueError, match="heads is 32: expected a multiple of kv_heads, 5"):
        replace(LLAMA_3_8B, kv_heads=5)
    with pytest.raises(ValueError, match="width is 64: expected a multiple of heads, 5"):
        ModelShape.of(GPTConfig(heads=5))
    with pytest.raises(ValueError, match="heads is 0"):
        ModelShape.of(GPTConfig(heads=0))
    with pytest.raises(ValueError, match="layers is 0"):
        ModelShape.of(GPTConfig(layers=0))
