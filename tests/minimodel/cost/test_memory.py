"""Bytes against the tensors of transformers' models, and what batching does to the intensity."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from minimodel import (
    GPT2,
    LLAMA_3_8B,
    LLAMA_3_70B,
    GPTConfig,
    ModelShape,
    arithmetic_intensity,
    decode_step_bytes,
    decode_step_flops,
    kv_cache_bytes,
)
from minimodel.gpt import KVCache

GIB = 2**30
MEASURES = [kv_cache_bytes, decode_step_bytes, arithmetic_intensity]


@pytest.mark.parametrize(("batch", "length"), [(1, 1), (3, 7)])
def test_the_cache_is_as_large_as_transformers(small, batch, length):
    shape, model = small
    with torch.no_grad():
        cache = model(torch.ones(batch, length, dtype=torch.long), use_cache=True).past_key_values
    tensors = [tensor for layer in cache.layers for tensor in (layer.keys, layer.values)]
    assert kv_cache_bytes(shape, batch, length, 4) == sum(t.numel() * t.element_size() for t in tensors)


def test_the_cache_is_as_large_as_the_mini_gpts():
    config = GPTConfig()
    cache = KVCache(config)
    held = cache.keys.nbytes + cache.values.nbytes
    assert kv_cache_bytes(ModelShape.of(config), 1, config.context_length, 4) == held


def test_caches_of_real_models():
    assert kv_cache_bytes(LLAMA_3_8B, 1, 8192, 2) == GIB
    assert kv_cache_bytes(LLAMA_3_70B, 1, 8192, 2) == 2.5 * GIB
    assert kv_cache_bytes(GPT2, 1, 1024, 2) == 36 * 2**20
    assert kv_cache_bytes(GPT2, 4, 0, 2) == 0


def test_grouped_queries_make_the_cache_smaller_by_as_many_as_share():
    ungrouped = replace(LLAMA_3_70B, kv_heads=64)
    assert kv_cache_bytes(ungrouped, 2, 100, 2) == 8 * kv_cache_bytes(LLAMA_3_70B, 2, 100, 2)


@given(st.integers(1, 9), st.integers(0, 99), st.sampled_from([1, 2, 4]))
def test_the_cache_grows_in_proportion(batch, length, size):
    one = kv_cache_bytes(LLAMA_3_8B, 1, 1, 1)
    assert kv_cache_bytes(LLAMA_3_8B, batch, length, size) == batch * length * size * one
    assert isinstance(kv_cache_bytes(LLAMA_3_8B, batch, length, size), int)
    assert kv_cache_bytes(LLAMA_3_8B, batch, length, 0.5) * 2 == batch * length * one


@pytest.mark.parametrize(("batch", "length"), [(1, 1), (3, 7)])
def test_a_step_reads_what_is_there_but_for_tables_that_are_looked_up(small, batch, length):
    shape, model = small
    head = model.get_output_embeddings().weight
    read = sum(
        parameter.numel()
        for name, parameter in model.named_parameters()
        if parameter is head or not any(table in name for table in ("wpe", "wte", "embed_tokens"))
    )
    assert decode_step_bytes(shape, batch, length, 2) == 2 * read + kv_cache_bytes(shape, batch, length, 2)


def test_intensity_is_flops_over_bytes():
    flops, moved = decode_step_flops(LLAMA_3_8B, 1023).total, decode_step_bytes(LLAMA_3_8B, 16, 1024, 2)
    assert arithmetic_intensity(LLAMA_3_8B, 16, 1024, 2) == 16 * flops / moved


@pytest.mark.parametrize("shape", [GPT2, LLAMA_3_8B, LLAMA_3_70B])
def test_one_text_alone_gets_about_one_flop_a_byte_of_float16(shape):
    assert arithmetic_intensity(shape, 1, 1, 2) == pytest.approx(1, rel=1e-3)
    assert arithmetic_intensity(shape, 1, 1, 1) == pytest.approx(2, rel=1e-3)


@given(st.integers(1, 500), st.integers(2, 5), st.integers(1, 8192))
def test_batching_helps_less_than_in_proportion(batch, factor, length):
    one, many = (arithmetic_intensity(LLAMA_3_8B, b, length, 2) for b in (batch, factor * batch))
    assert one < many < factor * one


def test_the_caches_set_the_limit():
    """However many texts step together, each still reads its own cache."""
    own = decode_step_flops(LLAMA_3_8B, 8191).total / kv_cache_bytes(LLAMA_3_8B, 1, 8192, 2)
    assert arithmetic_intensity(LLAMA_3_8B, 10**6, 8192, 2) == pytest.approx(own, rel=1e-3)
    ungrouped = replace(LLAMA_3_8B, kv_heads=32)
    assert arithmetic_intensity(ungrouped, 10**6, 8192, 2) < 0.3 * own


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0, 8, 2), "batch is 0: expected a whole number, 1 or more"),
        ((1, -1, 2), "length is -1: "),
        ((1, 2.5, 2), "length is 2.5: "),
        ((1, 8, 0), "bytes_per_value is 0: expected a number above 0"),
        ((1, 8, -2), "bytes_per_value is -2: "),
        ((1, 8, float("nan")), "bytes_per_value is nan: "),
        ((1, 8, float("inf")), "bytes_per_value is inf: "),
    ],
)
def test_refuses_by_name(measure, arguments, said):
    with pytest.raises(ValueError, match=said):
        measure(GPT2, *arguments)


@pytest.mark.parametrize("measure", [decode_step_bytes, arithmetic_intensity])
def test_a_step_looks_at_one_position_or_more(measure):
    with pytest.raises(ValueError, match="length is 0: expected a whole number, 1 or more"):
        measure(GPT2, 1, 0, 2)
