"""Hugging Face's transformers: the Mini-GPT as one of its models, and its models in the course's decode loop."""

import sys
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel, PreTrainedModel

from minimodel.gpt import MiniGPT

LENGTHS = ("max_position_embeddings", "max_seq_len", "n_positions", "seq_length")
"""What configurations call the longest text that a model can read; one that names none has no such end."""


def as_gpt2(model: MiniGPT) -> GPT2LMHeadModel:
    """Return transformers' GPT-2 with the Mini-GPT's weights, ready to generate."""
    c = model.config
    config = GPT2Config(
        vocab_size=c.vocab_size,
        n_positions=c.context_length,
        n_embd=c.width,
        n_layer=c.layers,
        n_head=c.heads,
        bos_token_id=c.eos_id,
        eos_token_id=c.eos_id,
        pad_token_id=c.eos_id,
    )
    gpt2 = GPT2LMHeadModel(config)
    weights = {f"transformer.{name}": torch.from_numpy(weight.copy()) for name, weight in model.weights.items()}
    gpt2.load_state_dict(weights, strict=False)  # what is missing is the head, tied to the embedding
    gpt2.eval()  # type: ignore[no-untyped-call]
    return gpt2


class HuggingFaceModel:
    """A causal language model of transformers as a model of the decode loop, with its cache.

    Args:
        model: the transformers model; what it computes with (device, type) stays as it is.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        self.model = model
        model.eval()  # type: ignore[no-untyped-call]
        config: Any = model.config
        eos = config.eos_token_id
        self.vocab_size: int = config.vocab_size
        self.context_length: int = next(
            (getattr(config, name) for name in LENGTHS if hasattr(config, name)), sys.maxsize
        )
        self.eos_ids: list[int] = eos if isinstance(eos, list) else [] if eos is None else [eos]
        self.eos_id: int | None = self.eos_ids[0] if self.eos_ids else None

    @classmethod
    def from_pretrained(cls, name: str, **options: Any) -> Self:
        """Load a model by its name on the Hugging Face hub or from a folder; options go to transformers.

        Raises:
            OSError: there is no such model, or it cannot be reached.
        """
        return cls(AutoModelForCausalLM.from_pretrained(name, **options))

    def __call__(self, token_ids: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return logits of shape ``(T, V)`` for ids of shape ``(T,)``."""
        return self._logits(token_ids.tolist(), None)[0]

    def prefill(self, token_ids: NDArray[np.intp]) -> tuple[NDArray[np.float32], Any]:
        """Read a text: its logits, shape ``(T, V)``, and transformers' cache."""
        return self._logits(token_ids.tolist(), None)

    def decode_step(self, token: int, cache: Any) -> NDArray[np.float32]:
        """Read one token more: the logits after it, shape ``(V,)``; the cache grows by it."""
        logits: NDArray[np.float32] = self._logits([token], cache)[0][-1]
        return logits

    @torch.inference_mode()
    def _logits(self, token_ids: list[int], cache: Any) -> tuple[NDArray[np.float32], Any]:
        ids = torch.tensor([token_ids], device=self.model.device)
        output = self.model(input_ids=ids, past_key_values=cache, use_cache=True)
        return output.logits[0].float().cpu().numpy(), output.past_key_values
