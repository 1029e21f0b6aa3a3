"""With a cache or without: the same logits and the same tokens, at every length, past the end of the context too."""

import numpy as np
import pytest

from minimodel import Chain, FoldedGPT, Grammar, Greedy, MiniGPT, RepetitionPenalty, Temperature, TopP, sample

EN = MiniGPT.load("en")
PROMPT = Grammar.load("en").tokenizer.encode("Tomorrow she")
MODELS = pytest.mark.parametrize("model", [EN, FoldedGPT(EN)], ids=["plain", "folded"])


def test_a_text_may_be_read_in_pieces():
    text = Grammar.load("en").sample_rows(np.random.default_rng(4), 1, 30)[0]
    _, cache = EN.prefill(text[:12])
    np.testing.assert_allclose(EN._forward(text[12:], cache), EN(text)[12:], rtol=1e-4, atol=1e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("loud_part", "factor"), [("c_attn", 40), ("c_fc", 100)], ids=["attention", "hidden layer"])
def test_large_numbers_do_not_overflow(loud_part, factor):
    loud = {name: weight * (factor if loud_part in name else 1) for name, weight in EN.weights.items()}
    model = MiniGPT(EN.config, loud)
    text = Grammar.load("en").sample_rows(np.random.default_rng(5), 1, 20)[0]
    folded = FoldedGPT(model)
    _, cache = folded.prefill(text[:1])
    _, columns = folded.prefill_rows([text[:1].tolist()])
    for position in range(1, 20):
        expected = model(text)[position]
        alone = folded.decode_step(int(text[position]), cache)
        among_others = folded.decode_rows(text[position : position + 1], columns)[0]
        np.testing.assert_allclose(alone, expected, rtol=1e-2, atol=1e-2)
        np.testing.assert_allclose(among_others, expected, rtol=1e-2, atol=1e-2)


@pytest.mark.filterwarnings("error")
def test_a_bias_of_the_keys_however_large_says_nothing():
    biased = {name: weight.copy() for name, weight in EN.weights.items()}
    for layer in range(EN.config.layers):
        biased[f"h.{layer}.attn.c_attn.bias"][64:128] += 1000
    text = Grammar.load("en").sample_rows(np.random.default_rng(5), 1, 20)[0]
    np.testing.assert_allclose(FoldedGPT(MiniGPT(EN.config, biased))(text), EN(text), rtol=1e-3, atol=1e-3)


class Endless:
    """The model without an end of text, so that every length is reached."""

    def __init__(self, model):
        self.model, self.eos_id = model, None
        self.vocab_size, self.context_length = model.vocab_size, model.context_length
        self.calls = 0

    def __call__(self, token_ids):
        self.calls += 1
        return self.model(token_ids)

    def prefill(self, token_ids):
        self.calls += 1
        return self.model.prefill(token_ids)

    def decode_step(self, token, cache):
        self.calls += 1
        return self.model.decode_step(token, cache)


@MODELS
def test_every_step_has_the_logits_of_the_whole_text(model):
    text = Grammar.load("en").sample_rows(np.random.default_rng(0), 1, 64)[0]
    expected = EN(text)
    logits, cache = model.prefill(text[:3])
    np.testing.assert_allclose(logits, expected[:3], rtol=1e-4, atol=1e-4)
    for position in range(3, 64):
        np.testing.assert_allclose(
            model.decode_step(int(text[position]), cache), expected[position], rtol=1e-4, atol=1e-4
        )
    with pytest.raises(ValueError, match="64"):
        model.decode_step(1, cache)


@MODELS
@pytest.mark.parametrize("strategy", [Greedy(), Temperature(1.3), Chain(RepetitionPenalty(1.2), TopP(0.9))], ids=repr)
def test_the_tokens_are_those_of_the_recomputing_loop(model, strategy):
    options = {"max_tokens": 80, "seed": 3, "strategy": strategy}
    cached = sample(Endless(model), PROMPT, use_cache=True, **options)
    assert cached == sample(Endless(EN), PROMPT, **options)
    assert len(cached) == 80


@pytest.mark.parametrize("n", [0, 1, 5, 70])
def test_n_tokens_cost_n_calls_with_a_cache_too(n):
    model = Endless(EN)
    sample(model, PROMPT, max_tokens=n, seed=0, strategy=Greedy(), use_cache=True)
    assert model.calls == n


def test_a_prompt_longer_than_the_context_is_cropped():
    long = [*PROMPT, *Grammar.load("en").sample_rows(np.random.default_rng(0), 1, 90)[0].tolist()]
    options = {"max_tokens": 3, "seed": 0, "strategy": Greedy()}
    assert sample(Endless(EN), long, use_cache=True, **options) == sample(Endless(EN), long, **options)


def test_a_model_without_a_cache_is_a_type_error():
    class Bare:
        vocab_size, context_length, eos_id = 4, 8, None

        def __call__(self, token_ids):
            return np.zeros((len(token_ids), 4))

    with pytest.raises(TypeError, match="Bare has no prefill and decode_step: call it with use_cache=False"):
        sample(Bare(), [1], max_tokens=1, seed=0, strategy=Greedy(), use_cache=True)


@pytest.mark.parametrize(("token", "said"), [(64, "token 64 is outside"), (-1, "token -1 is outside")])
@MODELS
def test_a_step_refuses_an_unknown_token(model, token, said):
    _, cache = model.prefill(np.array([1, 2]))
    with pytest.raises(ValueError, match=said):
        model.decode_step(token, cache)
