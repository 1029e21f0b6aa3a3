"""Small models of transformers with the shapes that `minimodel.cost` counts, and torch's own FLOP counter."""

import pytest
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from minimodel import GPTConfig, ModelShape

SMALL_GPT2 = ModelShape.of(GPTConfig(vocab_size=37, width=24, layers=3, heads=4, context_length=32))
SMALL_LLAMA = ModelShape(
    vocab_size=41,
    width=42,
    layers=2,
    heads=6,
    kv_heads=2,
    head_size=8,  # 6 heads of 8 are wider than the model
    mlp_width=28,
    gated_mlp=True,
    tied_head=False,
    positions=0,
    bias=False,
)


def as_gpt2(shape):
    c = GPT2Config(
        vocab_size=shape.vocab_size,
        n_positions=shape.positions,
        n_embd=shape.width,
        n_layer=shape.layers,
        n_head=shape.heads,
        n_inner=shape.mlp_width,
        attn_implementation="eager",
    )
    return GPT2LMHeadModel(c).eval()


def as_llama_config(shape):
    return LlamaConfig(
        vocab_size=shape.vocab_size,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_size,
        intermediate_size=shape.mlp_width,
        tie_word_embeddings=shape.tied_head,
        attention_bias=shape.bias,
        mlp_bias=shape.bias,
        bos_token_id=None,
        eos_token_id=None,
        attn_implementation="eager",
    )


@pytest.fixture(scope="session")
def llama_config():
    """Makes transformers' configuration of a shape."""
    return as_llama_config


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def small(request):
    """A shape and a model of that shape."""
    if request.param == "gpt2":
        return SMALL_GPT2, as_gpt2(SMALL_GPT2)
    return SMALL_LLAMA, LlamaForCausalLM(as_llama_config(SMALL_LLAMA)).eval()
