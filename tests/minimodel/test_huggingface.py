"""Both ways between the course and transformers."""

import numpy as np
import pytest
import torch
from transformers import BloomConfig, BloomForCausalLM, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from minimodel import AllowOnly, Grammar, Greedy, MiniGPT, TopP, beam_search, sample, stream
from minimodel.huggingface import HuggingFaceModel

PROMPT = Grammar.load("en").tokenizer.encode("Tomorrow she")


@pytest.fixture(scope="module")
def llama():
    """A small Llama with random weights and grouped queries."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "vocab_size": 50}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 24}
    return LlamaForCausalLM(LlamaConfig(**sizes, **heads, eos_token_id=[7, 8], bos_token_id=None))


def test_to_transformers_gives_the_same_logits():
    model = MiniGPT.load("es")
    ids = np.arange(1, 40)
    with torch.no_grad():
        theirs = model.to_transformers()(torch.tensor(ids[None])).logits[0].numpy()
    np.testing.assert_allclose(model(ids), theirs, rtol=1e-4, atol=1e-4)


def test_generate_gives_the_same_greedy_text():
    model = MiniGPT.load("en")
    ids = torch.tensor([PROMPT])
    mask = torch.ones_like(ids)
    theirs = model.to_transformers().generate(ids, attention_mask=mask, max_new_tokens=30, do_sample=False)
    assert theirs[0, len(PROMPT) :].tolist() == sample(model, PROMPT, max_tokens=30, seed=0, strategy=Greedy())


def test_a_wrapped_model_is_the_model():
    model = MiniGPT.load("en")
    wrapped = HuggingFaceModel(model.to_transformers())
    assert (wrapped.vocab_size, wrapped.context_length, wrapped.eos_id) == (64, 64, 0)
    for strategy in (Greedy(), TopP(0.9)):
        options = {"max_tokens": 30, "seed": 2, "strategy": strategy}
        assert sample(wrapped, PROMPT, **options) == sample(model, PROMPT, **options)


def test_the_cache_of_a_wrapped_model_gives_the_same_tokens(llama):
    wrapped = HuggingFaceModel(llama)
    assert wrapped.eos_id == 7
    options = {"max_tokens": 20, "seed": 0, "strategy": TopP(0.9)}
    assert sample(wrapped, [1, 2, 3], use_cache=True, **options) == sample(wrapped, [1, 2, 3], **options)


def test_loads_from_a_folder(tmp_path, llama):
    llama.save_pretrained(tmp_path)
    loaded = HuggingFaceModel.from_pretrained(str(tmp_path))
    np.testing.assert_allclose(loaded(np.arange(9)), HuggingFaceModel(llama)(np.arange(9)), rtol=1e-5, atol=1e-5)


def test_a_name_that_leads_nowhere_is_an_error(tmp_path):
    with pytest.raises(OSError, match="nothing-here"):
        HuggingFaceModel.from_pretrained(str(tmp_path / "nothing-here"), local_files_only=True)


def test_a_model_without_an_end_has_none():
    config = GPT2Config(vocab_size=5, n_positions=8, n_embd=8, n_layer=1, n_head=1, eos_token_id=None)
    assert HuggingFaceModel(GPT2LMHeadModel(config)).eos_id is None


def test_a_model_may_have_no_longest_text():
    config = BloomConfig(vocab_size=31, hidden_size=16, n_layer=1, n_head=2)
    model = HuggingFaceModel(BloomForCausalLM(config))
    options = {"max_tokens": 5, "seed": 0, "strategy": AllowOnly([7])}
    assert sample(model, [5, 6], use_cache=True, **options) == sample(model, [5, 6], **options) == [7] * 5


def test_each_of_several_ends_ends_a_text():
    sizes = {"vocab_size": 31, "hidden_size": 16, "intermediate_size": 16}
    config = LlamaConfig(**sizes, num_hidden_layers=1, num_attention_heads=2, eos_token_id=[7, 9])
    model = HuggingFaceModel(LlamaForCausalLM(config))
    for token, completion in ((7, [7]), (9, [9]), (8, [8, 8])):
        strategy = AllowOnly([token])
        assert sample(model, [1], max_tokens=2, seed=0, strategy=strategy) == completion
        assert [step.reason for step in stream(model, [1], max_tokens=2, seed=0, strategy=strategy)][-1] == (
            "length" if token == 8 else "eos"
        )
    assert {beam.ended for beam in beam_search(model, [1], beams=31, max_tokens=1)} == {True, False}
    assert sum(beam.ended for beam in beam_search(model, [1], beams=31, max_tokens=1)) == 2
