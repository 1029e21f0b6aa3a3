"""FLOPs against torch's counter on transformers' models, and the sums against each other."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from minimodel import (
    GPT2,
    LLAMA_3_8B,
    Flops,
    GPTConfig,
    ModelShape,
    decode_flops,
    decode_step_flops,
    prefill_flops,
)

MINI = ModelShape.of(GPTConfig())


def counted(run):
    """FLOPs that torch sees: products with weights as (add)mm, those of attention as batched products."""
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        result = run()
    counts = counter.get_flop_counts()["Global"]
    attention = counts.pop(torch.ops.aten.bmm, 0) + counts.pop(torch.ops.aten.baddbmm, 0)
    assert set(counts) <= {torch.ops.aten.mm, torch.ops.aten.addmm}
    return result, Flops(sum(counts.values()), attention)


@pytest.mark.parametrize("length", [1, 2, 7, 30])
def test_prefill_is_what_torch_counts(small, length):
    shape, model = small
    ids = torch.ones(1, length, dtype=torch.long)
    _, flops = counted(lambda: model(ids, logits_to_keep=1))
    assert prefill_flops(shape, length) == flops


@pytest.mark.parametrize("length", [2, 7])
def test_scoring_every_position_is_one_head_more_for_each(small, length):
    shape, model = small
    _, flops = counted(lambda: model(torch.ones(1, length, dtype=torch.long)))
    extra = flops.linear - prefill_flops(shape, length).linear
    assert extra == 2 * (length - 1) * shape.head_weights


@pytest.mark.parametrize("position", [1, 2, 9, 30])
def test_a_step_is_what_torch_counts(small, position):
    shape, model = small
    with torch.no_grad():
        cache = model(torch.ones(1, position, dtype=torch.long), use_cache=True).past_key_values
    _, flops = counted(lambda: model(torch.ones(1, 1, dtype=torch.long), past_key_values=cache))
    assert decode_step_flops(shape, position) == flops


@pytest.mark.parametrize("cached", [False, True])
def test_generation_is_what_torch_counts(small, cached):
    shape, model = small
    ids = torch.ones(1, 5, dtype=torch.long)
    options = {"max_new_tokens": 6, "do_sample": False, "eos_token_id": None, "pad_token_id": 0}
    _, flops = counted(lambda: model.generate(ids, use_cache=cached, **options))
    assert decode_flops(shape, 5, 6, cached=cached) == flops


@given(st.integers(1, 30), st.integers(0, 30), st.sampled_from([MINI, GPT2, LLAMA_3_8B]))
def test_decoding_is_the_sum_of_what_it_does(length, n, shape):
    fresh = [prefill_flops(shape, length + t) for t in range(n)]
    kept = [prefill_flops(shape, length), *(decode_step_flops(shape, length + t - 1) for t in range(1, n))][:n]
    for cached, parts in ((False, fresh), (True, kept)):
        expected = Flops(sum(part.linear for part in parts), sum(part.attention for part in parts))
        assert decode_flops(shape, length, n, cached=cached) == expected
        assert expected.total == sum(part.total for part in parts)


@given(st.integers(1, 99))
def test_a_cache_never_costs_more(n):
    fresh, kept = (decode_flops(MINI, 8, n, cached=cached) for cached in (False, True))
    assert (kept.linear, kept.attention) <= (fresh.linear, fresh.attention)
    assert (kept == fresh) is (n == 1)


def test_the_first_step_is_a_prefill_of_one():
    assert decode_step_flops(GPT2, 0) == prefill_flops(GPT2, 1)


def test_linear_layers_cost_two_flops_a_weight():
    """Twice the parameters a token, as the rule of thumb goes: norms and look-ups are the small rest."""
    looked_up = LLAMA_3_8B.width * LLAMA_3_8B.vocab_size
    assert decode_step_flops(LLAMA_3_8B, 0).linear == pytest.approx(
        2 * (LLAMA_3_8B.num_parameters - looked_up), rel=1e-4
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: prefill_flops(GPT2, 0), "length is 0: expected a whole number, 1 or more"),
        (lambda: prefill_flops(GPT2, -4), "length is -4: "),
        (lambda: decode_step_flops(GPT2, -1), "position is -1: expected a whole number, 0 or more"),
        (lambda: decode_step_flops(GPT2, 1.0), "position is 1.0: "),
        (lambda: decode_flops(GPT2, 0, 3, cached=True), "prompt_length is 0: "),
        (lambda: decode_flops(GPT2, 3, -1, cached=False), "n is -1: "),
    ],
)
def test_refuses_by_name(call, said):
    with pytest.raises(ValueError, match=said):
        call()
