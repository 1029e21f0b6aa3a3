"""The diversity-accuracy curve: on a model whose curve is known exactly, and on the Mini-GPT."""

import numpy as np
import pytest

from minimodel import FoldedGPT, Grammar, MiniGPT, Temperature, TopK, Verdict, sample, softmax, tradeoff
from minimodel.decoding.batch import row_seed

LADDER = np.array([3.0, 2.0, 1.0, 0.5])
PROMPTS = {
    "en": ["Tomorrow she", "Yesterday I", "Today she", "She", "He"],
    "es": ["Mañana ella", "Ayer yo", "Hoy ella", "Ella", "Yo"],
}


class Constant:
    """A model that always says the same, so that every completion of one token is an independent draw."""

    vocab_size, context_length, eos_id = 4, 16, None

    def __call__(self, token_ids):
        return np.tile(LADDER, (len(token_ids), 1))


def curve(taus, *, prompts=((0,), (1,), (2,), (3,)), n=50, seed=0, **rest):
    options = {"max_tokens": 1, "judge": lambda _, completion: completion == [0]} | rest
    return tradeoff(Constant(), prompts, taus, n=n, seed=seed, **options)


def test_the_means_are_those_of_the_known_distribution():
    taus, n, prompts = [0.5, 1.0, 3.0], 10, [[i % 4] for i in range(200)]
    got = curve(taus, prompts=prompts, n=n)
    probs = softmax(LADDER / np.array(taus)[:, np.newaxis])
    np.testing.assert_allclose(got.accuracy.mean, probs[:, 0], atol=0.03)
    np.testing.assert_allclose(got.diversity.mean, (1 - (1 - probs) ** n).sum(axis=1) / n, atol=0.01)
    for band in (got.accuracy, got.diversity):
        assert ((band.high - band.low > 0) & (band.high - band.low < 0.06)).all()


def test_a_point_is_what_its_completions_are():
    prompts, n = [[0], [1], [2]], 7
    got = curve([0.5, 2.0], prompts=prompts, n=n, max_tokens=2, judge=lambda prompt, text: prompt[0] == text[0])
    for k, point in enumerate(got.completions):
        assert [len(texts) for texts in point] == [n] * 3
        right = [text[0] == prompt[0] for prompt, texts in zip(prompts, point, strict=True) for text in texts]
        varied = [len({tuple(text) for text in texts}) / n for texts in point]
        assert got.accuracy.mean[k] == pytest.approx(np.mean(right))
        assert got.diversity.mean[k] == pytest.approx(np.mean(varied))
    assert (got.n, got.taus.tolist()) == (n, [0.5, 2.0])


def test_every_completion_can_be_made_again_from_its_own_stream():
    got = curve([0.7, 2.0], n=3, seed=5, max_tokens=4)
    for tau, point in zip(got.taus, got.completions, strict=True):
        for i, texts in enumerate(point):
            for j, text in enumerate(texts):
                stream = row_seed(5, i * 3 + j)
                assert text == sample(Constant(), [i], max_tokens=4, seed=stream, strategy=Temperature(tau))


def test_the_same_seed_gives_the_same_curve_and_another_one_another():
    one, again, other = curve([1.0]), curve([1.0]), curve([1.0], seed=1)
    assert one.completions == again.completions
    assert one.accuracy.low == again.accuracy.low
    assert one.completions != other.completions


def test_a_temperature_does_not_depend_on_the_others_on_the_curve():
    assert curve([0.5, 2.0]).completions[1] == curve([2.0]).completions[0]


def test_the_strategy_is_made_for_each_temperature():
    assert (curve([1.0, 9.0], strategy=lambda tau: TopK(1, tau)).accuracy.mean == 1).all()
    assert (curve([0.0]).diversity.mean == 1 / 50).all()


def test_the_band_is_that_of_prompts():
    """Completions of a prompt are right or wrong together: only another prompt says something new."""
    prompts = [[i % 4] for i in range(20)]
    got = curve([1.0], prompts=prompts, judge=lambda prompt, _: prompt[0] < 2)
    standard_error = 0.5 / np.sqrt(20)
    assert (got.accuracy.high - got.accuracy.low) / 2 == pytest.approx(1.96 * standard_error, rel=0.15)
    narrower = curve([1.0], prompts=prompts, judge=lambda prompt, _: prompt[0] < 2, level=0.5)
    assert narrower.accuracy.low > got.accuracy.low


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_mini_gpt_gets_more_varied_and_less_right(lang):
    grammar, model = Grammar.load(lang), FoldedGPT(MiniGPT.load(lang))
    prompts = [grammar.tokenizer.encode(text) for text in PROMPTS[lang]]
    got = tradeoff(model, prompts, [0.1, 1, 3], n=20, seed=0, max_tokens=4, judge=grammar.judge)
    assert (np.diff(got.diversity.mean) > 0).all()
    assert got.accuracy.mean[0] == 1
    assert got.accuracy.high[2] < got.accuracy.low[1]
    verdict = grammar.judge(prompts[0], got.completions[0][0][0])
    assert verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompts": [[1]]}, "prompts has 1: expected at least 2"),
        ({"n": 0}, "n is 0: expected a whole number, 1 or more"),
        ({"n": 2.0}, "n is 2.0"),
        ({"max_tokens": -1}, "max_tokens is -1"),
        ({"prompts": [[1], []]}, "the prompt is empty"),
        ({"level": 95}, "level is 95"),
    ],
)
def test_refuses_by_name(change, said):
    with pytest.raises(ValueError, match=said):
        curve([1.0], **change)


@pytest.mark.parametrize(("taus", "said"), [([], "taus is empty"), ([-1.0], "-1.0")])
def test_refuses_temperatures(taus, said):
    with pytest.raises(ValueError, match=said):
        curve(taus)
