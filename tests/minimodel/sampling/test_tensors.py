"""Torch tensors in and out: same rules, same kind, dtype and device; and the rules once more for accelerators."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import minimodel
from minimodel import Chain, Greedy, Temperature, TopK, TopP, on_device, softmax, top_k_filter
from minimodel.sampling import tensors

INF = np.inf
CALLS = {
    "softmax": {},
    "log_softmax": {},
    "apply_temperature": {"tau": 0.7},
    "top_k_filter": {"k": 3},
    "top_p_filter": {"p": 0.6},
    "min_p_filter": {"min_p": 0.3},
    "typical_filter": {"mass": 0.5},
    "apply_repetition_penalty": {"token_ids": [0, 2, 2], "penalty": 1.3},
    "apply_frequency_penalty": {"token_ids": [0, 2, 2], "penalty": 0.5},
    "apply_presence_penalty": {"token_ids": [0, 2, 2], "penalty": 0.5},
    "apply_logit_bias": {"bias": {1: 2.0, 3: -INF}},
    "allow_only": {"token_ids": [1, 3]},
}
calls = pytest.mark.parametrize("name", CALLS)
ROWS = [
    np.array([1.0, -0.5, 2.0, 2.0, 0.25, -1.0]),
    np.array([0.0, -INF, 0.0, 0.0, 0.0, -INF]),
    np.random.default_rng(0).standard_normal((2, 3, 6)),
    np.random.default_rng(1).integers(0, 3, (4, 6)).astype(float),
]


@calls
@pytest.mark.parametrize("row", ROWS, ids=["row", "masked", "batch", "ties"])
@pytest.mark.parametrize("home", [minimodel, on_device])
def test_a_tensor_gives_what_an_array_gives(name, row, home):
    tensor = torch.tensor(row)
    before = tensor.clone()
    result = getattr(home, name)(tensor, **CALLS[name])
    assert isinstance(result, torch.Tensor)
    np.testing.assert_allclose(result.numpy(), getattr(minimodel, name)(row, **CALLS[name]), rtol=1e-12, atol=1e-15)
    assert torch.equal(tensor, before)
    result[...] = 7.0  # nor do they share their memory
    assert torch.equal(tensor, before)


@calls
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_the_dtype_is_kept(name, dtype):
    result = getattr(minimodel, name)(torch.tensor(ROWS[0], dtype=dtype), **CALLS[name])
    assert result.dtype == dtype
    assert result.device.type == "cpu"


@calls
@pytest.mark.parametrize("bad", [[0.0, np.nan, 0, 0], [-INF] * 4])
@pytest.mark.parametrize("home", [minimodel, on_device])
def test_bad_rows_are_refused(name, bad, home):
    with pytest.raises(ValueError, match="a row of logits is"):
        getattr(home, name)(torch.tensor(bad), **CALLS[name])


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("apply_temperature", {"tau": 0}, "temperature is 0"),
        ("top_k_filter", {"k": 0}, "k is 0"),
        ("top_p_filter", {"p": 0}, "p is 0"),
        ("min_p_filter", {"min_p": 2}, "min_p is 2"),
        ("typical_filter", {"mass": 2}, "mass is 2"),
        ("apply_repetition_penalty", {"token_ids": [9], "penalty": 1.2}, "token id 9"),
        ("apply_repetition_penalty", {"token_ids": [0], "penalty": 0}, "penalty is 0"),
        ("apply_frequency_penalty", {"token_ids": [0], "penalty": INF}, "penalty is inf"),
        ("apply_presence_penalty", {"token_ids": [0], "penalty": INF}, "penalty is inf"),
        ("apply_logit_bias", {"bias": {9: 1.0}}, "token id 9"),
        ("allow_only", {"token_ids": []}, "no token is allowed"),
    ],
)
@pytest.mark.parametrize("home", [minimodel, on_device])
def test_bad_arguments_are_refused(name, arguments, said, home):
    with pytest.raises(ValueError, match=said):
        getattr(home, name)(torch.zeros(4), **arguments)


def test_a_cpu_tensor_shares_its_memory():
    tensor = torch.zeros(5, requires_grad=True)
    array = tensors.as_array(tensor)
    array[0] = 1.0
    assert tensor[0] == 1.0


def test_a_tensor_elsewhere_is_computed_there(monkeypatch):
    """No accelerator here: a stand-in says that it lives on one, and the function for that must be the one called."""
    elsewhere = SimpleNamespace(device=SimpleNamespace(type="cuda"))
    monkeypatch.setattr(tensors, "is_tensor", lambda values: values is elsewhere)
    monkeypatch.setattr(on_device, "top_k_filter", lambda logits, k: (logits, k))
    assert minimodel.top_k_filter(elsewhere, k=3) == (elsewhere, 3)


@pytest.mark.parametrize(
    "strategy", [Greedy(), Temperature(0.7), TopK(2), Chain(Temperature(0.7), TopP(0.9))], ids=repr
)
def test_strategies_draw_from_tensors_too(strategy):
    for seed in range(5):
        draw = partial(strategy, rng=np.random.default_rng(seed))
        assert draw(torch.tensor(ROWS[0])) == partial(strategy, rng=np.random.default_rng(seed))(ROWS[0])


@pytest.mark.parametrize("home", [minimodel, on_device])
def test_many_ties_go_by_lowest_index_and_boundaries_are_kept(home):
    tied = torch.tensor(np.random.default_rng(3).integers(0, 3, 1500).astype(float))
    for name, arguments in (("top_k_filter", {"k": 700}), ("top_p_filter", {"p": 0.75})):
        expected = getattr(minimodel, name)(tied.numpy(), **arguments)
        np.testing.assert_array_equal(getattr(home, name)(tied, **arguments).numpy(), expected)
    halves = torch.log(torch.tensor([0.5, 0.25, 0.125, 0.125], dtype=torch.float64))
    assert torch.isfinite(home.min_p_filter(halves, 0.5)).tolist() == [True, True, False, False]


def test_a_tensor_of_whole_numbers_becomes_one_of_floats():
    z = torch.tensor([3, 2, 1])
    torch.testing.assert_close(softmax(z), torch.from_numpy(softmax([3, 2, 1])))
    torch.testing.assert_close(top_k_filter(z, 2), torch.tensor([3.0, 2.0, -torch.inf], dtype=torch.float64))


def test_a_tensor_may_come_by_its_name():
    z = torch.tensor([3.0, 2.0, 1.0])
    torch.testing.assert_close(softmax(logits=z), softmax(z))
    torch.testing.assert_close(top_k_filter(k=2, logits=z), top_k_filter(z, 2))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_another_device_keeps_the_same_at_the_edge_of_min_p_and_of_a_precision(dtype):
    z = np.log([0.5, 0.25, 0.25, 0.125]).astype(dtype)
    elsewhere = torch.from_numpy(z)
    np.testing.assert_array_equal(on_device.min_p_filter(elsewhere, 0.5).numpy(), minimodel.min_p_filter(z, 0.5))
    for tau in (5e-324, 1e-46, 1e-4, 1e46):
        tempered = on_device.apply_temperature(elsewhere, tau)
        assert tempered.dtype == elsewhere.dtype
        np.testing.assert_allclose(softmax(tempered).numpy(), softmax(minimodel.apply_temperature(z, tau)), atol=1e-3)
