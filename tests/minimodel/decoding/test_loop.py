"""The decode loop's promises, on models made for the purpose."""

from dataclasses import dataclass, field

import numpy as np
import pytest
import torch

from minimodel import Chain, FoldedGPT, Greedy, MiniGPT, RepetitionPenalty, Temperature, sample, sample_batch, stream


@dataclass
class Counter:
    """A model that always wants the token after the last one, and notes what it was shown."""

    vocab_size: int = 10
    context_length: int = 4
    eos_id: int | None = None
    seen: list[list[int]] = field(default_factory=list)

    def __call__(self, token_ids):
        self.seen.append(token_ids.tolist())
        return np.eye(self.vocab_size, dtype=np.float32)[(token_ids + 1) % self.vocab_size]


def generate(model, prompt, max_tokens=5, **options):
    return sample(model, prompt, **({"max_tokens": max_tokens, "seed": 0, "strategy": Greedy()} | options))


def test_returns_what_was_generated_and_leaves_the_prompt_alone():
    prompt = [1, 2]
    assert generate(Counter(), prompt) == [3, 4, 5, 6, 7]
    assert prompt == [1, 2]


@pytest.mark.parametrize("n", [0, 1, 7])
def test_n_tokens_cost_n_calls_of_the_model(n):
    model = Counter()
    assert len(generate(model, [1], n)) == n == len(model.seen)


def test_the_model_sees_the_last_context_length_tokens():
    model = Counter(context_length=3)
    generate(model, [1, 2], 4)
    assert model.seen == [[1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]


@pytest.mark.parametrize("eos_id", [0, 5])
def test_stops_at_eos_and_includes_it(eos_id):
    start = (eos_id - 2) % 10
    steps = list(stream(Counter(eos_id=eos_id), [start], max_tokens=5, seed=0, strategy=Greedy()))
    assert [step.token for step in steps] == [(eos_id - 1) % 10, eos_id]
    assert [step.reason for step in steps] == [None, "eos"]


def test_an_eos_in_the_prompt_stops_nothing():
    assert generate(Counter(eos_id=2), [2, 2], 3) == [3, 4, 5]


def test_the_reason_is_length_at_max_tokens_and_eos_where_both_come_together():
    steps = list(stream(Counter(eos_id=3), [1], max_tokens=1, seed=0, strategy=Greedy()))
    assert steps[-1].reason == "length"
    steps = list(stream(Counter(eos_id=3), [1], max_tokens=2, seed=0, strategy=Greedy()))
    assert steps[-1].reason == "eos"


def digits(tokens):
    return "".join(map(str, tokens))


@pytest.mark.parametrize(("strings", "expected"), [(["45"], [3, 4, 5]), (["5", "4"], [3, 4]), (["9"], [3, 4, 5, 6, 7])])
def test_stops_at_a_string_in_the_accumulated_text(strings, expected):
    assert generate(Counter(), [2], stop=strings, decode=digits) == expected


def test_a_stop_string_in_the_prompt_does_not_count():
    assert generate(Counter(), [4, 5], 2, stop=["45"], decode=digits) == [6, 7]


def test_the_reason_is_stop():
    *_, last = stream(Counter(), [2], max_tokens=9, seed=0, strategy=Greedy(), stop=["5"], decode=digits)
    assert last.reason == "stop"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stop": "45", "decode": digits}, "stop is '45': expected a list"),
        ({"stop": [""], "decode": digits}, "none of them empty"),
        ({"stop": ["4"]}, "decode is None"),
    ],
)
def test_stop_strings_that_cannot_be_looked_for_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        generate(Counter(), [1], **options)


@pytest.mark.parametrize(
    ("prompt", "max_tokens", "said"),
    [
        ([], 1, "prompt is empty"),
        ([10], 1, "token 10 is outside"),
        ([-1], 1, "token -1"),
        ([1], -1, "max_tokens is -1"),
    ],
)
def test_bad_input_is_named_before_anything_runs(prompt, max_tokens, said):
    model = Counter()
    with pytest.raises(ValueError, match=said):
        stream(model, prompt, max_tokens=max_tokens, seed=0, strategy=Greedy())
    assert not model.seen


def test_the_same_seed_gives_the_same_text_and_another_one_another():
    model, options = MiniGPT.load("en"), {"max_tokens": 20, "strategy": Temperature(1.5)}
    one = sample(model, [8, 13], seed=1, **options)
    assert one == sample(model, [8, 13], seed=1, **options)
    assert one != sample(model, [8, 13], seed=2, **options)


def test_global_random_state_is_neither_read_nor_changed():
    np.random.seed(0)  # noqa: NPY002 - the global state is what this is about
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one = generate(Counter(), [1], strategy=Temperature(5.0))
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    assert one == generate(Counter(), [1], strategy=Temperature(5.0))


def test_the_penalty_counts_prompt_and_generated_text():
    """Logits favour 1, then 2, then 3; a huge penalty takes each away once it was said."""

    class Favourite(Counter):
        def __call__(self, token_ids):
            return np.tile([0.0, 4.0, 3.0, 2.0, 1.0], (len(token_ids), 1))

    strategy = Chain(RepetitionPenalty(1e6), Greedy())
    assert generate(Favourite(vocab_size=5), [1], 3, strategy=strategy) == [2, 3, 4]


def test_generation_runs_on_beyond_the_end_of_the_context():
    model = MiniGPT.load("en")
    assert len(generate(model, [8, 13], model.context_length + 5)) == model.context_length + 5


def test_any_function_of_logits_and_generator_is_a_strategy():
    def last(logits, rng):
        return len(logits) - 1 - int(rng.random() < 0)

    steps = list(stream(Counter(), [1], max_tokens=2, seed=0, strategy=last))
    assert [step.token for step in steps] == [9, 9]
    assert [name for name, _ in steps[0].distributions()] == ["model"]


@pytest.mark.parametrize(("prompt", "said"), [("512", "'5'"), ([5.9], "5.9"), ([None], "None")])
def test_a_prompt_that_is_no_list_of_ids_is_refused(prompt, said):
    with pytest.raises(ValueError, match=f"prompt token {said} is no whole number"):
        sample(MiniGPT.load("en"), prompt, max_tokens=1, seed=0, strategy=Greedy())


def test_ids_of_any_kind_of_whole_number_are_taken():
    model = MiniGPT.load("en")
    logits = model(np.array([5, 12]))
    for ids in ([5, 12], np.array([5, 12], dtype=np.uint8), (5, 12)):
        np.testing.assert_array_equal(model(ids), logits)


@pytest.mark.parametrize(
    "wrong", [64, -1, 2.5, np.nan, np.inf, None, "7", [1, 2], np.array([1, 2]), torch.tensor([1, 2])]
)
@pytest.mark.parametrize("model", [MiniGPT.load("en"), FoldedGPT(MiniGPT.load("en"))], ids=["plain", "folded"])
def test_what_a_function_picks_that_is_no_token_is_said_to_be_none(model, wrong):
    options = {"max_tokens": 1, "seed": 0, "strategy": lambda logits, rng: wrong}
    for written in (lambda: sample(model, [5, 12], **options), lambda: sample_batch(model, [[5, 12]] * 2, **options)):
        with pytest.raises(
            ValueError, match=r"the strategy picked .*: expected the id of a token, one whole number from 0 to 63"
        ):
            written()


@pytest.mark.parametrize("right", [7, np.int8(7), 7.0, np.array(7), torch.tensor([7])])
def test_what_a_function_picks_is_a_plain_number(right):
    (token,) = sample(MiniGPT.load("en"), [5, 12], max_tokens=1, seed=0, strategy=lambda logits, rng: right)
    assert token == 7
    assert type(token) is int


def test_a_wrong_pick_is_named_in_a_line():
    with pytest.raises(ValueError, match="strategy picked") as caught:
        sample(Counter(), [1], max_tokens=1, seed=0, strategy=lambda logits, rng: [0.1] * 100_000)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("kind", [torch.from_numpy, np.ndarray.tolist])
def test_a_model_may_answer_with_tensors_or_lists(kind):
    class Answers(Counter):
        def __call__(self, token_ids):
            return kind(super().__call__(token_ids))

    for written in (generate(Answers(), [3]), *sample_batch(Answers(), [[3]], max_tokens=5, seed=0, strategy=Greedy())):
        assert written == [4, 5, 6, 7, 8]
