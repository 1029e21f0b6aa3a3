"""How a language model's output becomes text: samplers, a decode loop, a Mini-GPT and the grammar it learned from.

Names are imported when they are first used, so that ``import minimodel`` costs nothing and the core needs NumPy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minimodel.corpus.grammar import Grammar as Grammar
    from minimodel.corpus.judge import Verdict as Verdict
    from minimodel.corpus.tokenizer import Tokenizer as Tokenizer
    from minimodel.decoding.batch import sample_batch as sample_batch
    from minimodel.decoding.beam import beam_search as beam_search
    from minimodel.decoding.loop import Step as Step
    from minimodel.decoding.loop import sample as sample
    from minimodel.decoding.loop import stream as stream
    from minimodel.decoding.model import Model as Model
    from minimodel.folded import FoldedGPT as FoldedGPT
    from minimodel.gpt import GPTConfig as GPTConfig
    from minimodel.gpt import MiniGPT as MiniGPT
    from minimodel.measures import entropy as entropy
    from minimodel.measures import kl_divergence as kl_divergence
    from minimodel.sampling.draws import draw as draw
    from minimodel.sampling.draws import greedy as greedy
    from minimodel.sampling.draws import gumbel_draw as gumbel_draw
    from minimodel.sampling.softmax import log_softmax as log_softmax
    from minimodel.sampling.softmax import softmax as softmax
    from minimodel.sampling.strategies import AllowOnly as AllowOnly
    from minimodel.sampling.strategies import Chain as Chain
    from minimodel.sampling.strategies import FrequencyPenalty as FrequencyPenalty
    from minimodel.sampling.strategies import Greedy as Greedy
    from minimodel.sampling.strategies import LogitBias as LogitBias
    from minimodel.sampling.strategies import MinP as MinP
    from minimodel.sampling.strategies import PresencePenalty as PresencePenalty
    from minimodel.sampling.strategies import RepetitionPenalty as RepetitionPenalty
    from minimodel.sampling.strategies import Strategy as Strategy
    from minimodel.sampling.strategies import Temperature as Temperature
    from minimodel.sampling.strategies import TopK as TopK
    from minimodel.sampling.strategies import TopP as TopP
    from minimodel.sampling.strategies import Typical as Typical
    from minimodel.sampling.transforms import allow_only as allow_only
    from minimodel.sampling.transforms import apply_frequency_penalty as apply_frequency_penalty
    from minimodel.sampling.transforms import apply_logit_bias as apply_logit_bias
    from minimodel.sampling.transforms import apply_presence_penalty as apply_presence_penalty
    from minimodel.sampling.transforms import apply_repetition_penalty as apply_repetition_penalty
    from minimodel.sampling.transforms import apply_temperature as apply_temperature
    from minimodel.sampling.transforms import min_p_filter as min_p_filter
    from minimodel.sampling.transforms import top_k_filter as top_k_filter
    from minimodel.sampling.transforms import top_p_filter as top_p_filter
    from minimodel.sampling.transforms import typical_filter as typical_filter

_HOME = {
    "corpus.grammar": ("Grammar",),
    "corpus.judge": ("Verdict",),
    "corpus.tokenizer": ("Tokenizer",),
    "decoding.batch": ("sample_batch",),
    "decoding.beam": ("beam_search",),
    "decoding.loop": ("Step", "sample", "stream"),
    "decoding.model": ("Model",),
    "folded": ("FoldedGPT",),
    "gpt": ("GPTConfig", "MiniGPT"),
    "measures": ("entropy", "kl_divergence"),
    "sampling.draws": ("draw", "greedy", "gumbel_draw"),
    "sampling.softmax": ("log_softmax", "softmax"),
    "sampling.strategies": (
        "AllowOnly", "Chain", "FrequencyPenalty", "Greedy", "LogitBias", "MinP", "PresencePenalty",
        "RepetitionPenalty", "Strategy", "Temperature", "TopK", "TopP", "Typical",
    ),
    "sampling.transforms": (
        "allow_only", "apply_frequency_penalty", "apply_logit_bias", "apply_presence_penalty",
        "apply_repetition_penalty", "apply_temperature", "min_p_filter", "top_k_filter", "top_p_filter",
        "typical_filter",
    ),
}  # fmt: skip
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE)  # noqa: PLE0605 - the names above, in one place


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'minimodel' has no attribute {name!r}")
    return getattr(import_module(f"minimodel.{_MODULE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
