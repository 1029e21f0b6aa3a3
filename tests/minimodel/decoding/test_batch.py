"""Many prompts at once give what each gives alone."""

import numpy as np
import pytest
import torch

from minimodel import Chain, FoldedGPT, Grammar, Greedy, MiniGPT, RepetitionPenalty, TopK, TopP, sample, sample_batch
from minimodel.decoding.batch import row_seed

EN = MiniGPT.load("en")
ENCODE = Grammar.load("en").tokenizer.encode
PROMPTS = [ENCODE(text) for text in ("Tomorrow she", "Yesterday I", "He", "Today they", "Now we sing and", "She")]
STRATEGIES = [Greedy(), TopP(0.9), TopK(5, tau=1.5), Chain(RepetitionPenalty(1.3), TopP(0.95))]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
@pytest.mark.parametrize("model", [EN, FoldedGPT(EN)], ids=["any model", "rows together"])
def test_a_row_is_what_its_prompt_gives_alone(model, strategy):
    completions = sample_batch(model, PROMPTS, max_tokens=70, seed=5, strategy=strategy)
    for i, (prompt, completion) in enumerate(zip(PROMPTS, completions, strict=True)):
        assert completion == sample(EN, prompt, max_tokens=70, seed=row_seed(5, i), strategy=strategy)


def test_texts_side_by_side_get_the_logits_that_each_gets_alone_up_to_the_end_of_the_context():
    texts = np.random.default_rng(0).integers(0, 64, (5, 64))
    folded = FoldedGPT(EN)
    read, cache = folded.prefill_rows(texts[:, :40].tolist())
    steps = [folded.decode_rows(tokens, cache) for tokens in texts[:, 40:].T]
    together = np.concatenate([read, np.stack(steps, axis=1)], axis=1)
    np.testing.assert_allclose(together, [EN(text) for text in texts], atol=2e-4)


def test_a_prompt_that_comes_often_is_read_once_and_goes_on_in_every_row(monkeypatch):
    folded, widths = FoldedGPT(EN), []
    read = folded.decode_rows
    monkeypatch.setattr(folded, "decode_rows", lambda tokens, cache: widths.append(len(tokens)) or read(tokens, cache))
    texts = np.array([[5, 12, 9], [8, 13, 2], [5, 12, 9], [8, 13, 2], [8, 13, 2]])
    *some, last = texts.tolist()
    logits, cache = folded.prefill_rows([*some, torch.tensor(last)])  # equal, whatever their numbers are
    assert widths == [2, 2, 2]
    np.testing.assert_allclose(logits, [EN(text) for text in texts], atol=2e-4)
    after = np.array([1, 2, 3, 4, 2])
    whole = np.column_stack([texts, after])
    np.testing.assert_allclose(folded.decode_rows(after, cache), [EN(text)[-1] for text in whole], atol=2e-4)


def test_a_row_does_not_depend_on_its_neighbours():
    folded, options = FoldedGPT(EN), {"max_tokens": 20, "seed": 1, "strategy": TopP(0.9)}
    assert sample_batch(folded, PROMPTS[:2], **options) == sample_batch(folded, PROMPTS, **options)[:2]


def test_a_random_stream_is_made_where_one_is_asked_for(monkeypatch):
    monkeypatch.setattr("minimodel.decoding.batch.row_seed", lambda _seed, row: pytest.fail(f"row {row} asks"))
    sample_batch(FoldedGPT(EN), PROMPTS, max_tokens=3, seed=0, strategy=Greedy())
    with pytest.raises(pytest.fail.Exception, match="row 0 asks"):
        sample_batch(FoldedGPT(EN), PROMPTS[5:] * 6, max_tokens=3, seed=0, strategy=TopP(1.0))


def test_rows_differ_where_their_prompts_do_not():
    completions = sample_batch(FoldedGPT(EN), [PROMPTS[5]] * 20, max_tokens=12, seed=0, strategy=TopP(1.0))
    assert len({tuple(completion) for completion in completions}) > 10


def test_a_row_stops_at_its_end_of_text():
    for completion in sample_batch(FoldedGPT(EN), PROMPTS * 5, max_tokens=60, seed=0, strategy=TopP(1.0)):
        assert 0 not in completion[:-1]


@pytest.mark.parametrize(
    ("prompts", "max_tokens", "said"),
    [([[1], []], 3, "prompt is empty"), ([[1], [99]], 3, "token 99"), ([[1]], -1, "max_tokens is -1")],
)
def test_bad_input_is_named(prompts, max_tokens, said):
    with pytest.raises(ValueError, match=said):
        sample_batch(FoldedGPT(EN), prompts, max_tokens=max_tokens, seed=0, strategy=Greedy())


def test_nothing_is_asked_for():
    assert sample_batch(FoldedGPT(EN), [], max_tokens=3, seed=0, strategy=Greedy()) == []
    assert sample_batch(FoldedGPT(EN), PROMPTS[:2], max_tokens=0, seed=0, strategy=Greedy()) == [[], []]


def test_prompts_of_two_lengths_have_no_common_cache():
    with pytest.raises(ValueError, match=r"prompts have \[1, 2\] tokens"):
        FoldedGPT(EN).prefill_rows([[1], [1, 2]])


def test_rows_past_the_context_are_refused():
    folded = FoldedGPT(EN)
    _, cache = folded.prefill_rows([[1] * 64])
    with pytest.raises(ValueError, match="at most 64"):
        folded.decode_rows(np.array([1]), cache)
