"""How a language model's output becomes text: samplers, a decode loop, a Mini-GPT and the grammar it learned from.

Names are imported when they are first used, so that ``import minimodel`` costs nothing and the core needs NumPy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minimodel.corpus.grammar import Grammar as Grammar
    from minimodel.corpus.judge import Verdict as Verdict
    from minimodel.corpus.tokenizer import Tokenizer as Tokenizer
    from minimodel.cost import GPT2 as GPT2
    from minimodel.cost import LLAMA_3_8B as LLAMA_3_8B
    from minimodel.cost import LLAMA_3_70B as LLAMA_3_70B
    from minimodel.cost import Flops as Flops
    from minimodel.cost import ModelShape as ModelShape
    from minimodel.cost import arithmetic_intensity as arithmetic_intensity
    from minimodel.cost import attended_pairs as attended_pairs
    from minimodel.cost import decode_flops as decode_flops
    from minimodel.cost import decode_positions as decode_positions
    from minimodel.cost import decode_step_bytes as decode_step_bytes
    from minimodel.cost import decode_step_flops as decode_step_flops
    from minimodel.cost import kv_cache_bytes as kv_cache_bytes
    from minimodel.cost import prefill_flops as prefill_flops
    from minimodel.decoding.batch import sample_batch as sample_batch
    from minimodel.decoding.beam import beam_search as beam_search
    from minimodel.decoding.loop import Step as Step
    from minimodel.decoding.loop import sample as sample
    from minimodel.decoding.loop import stream as stream
    from minimodel.decoding.model import Model as Model
    from minimodel.folded import FoldedGPT as FoldedGPT
    from minimodel.gpt import GPTConfig as GPTConfig
    from minimodel.gpt import MiniGPT as MiniGPT
    from minimodel.measures import accuracy as accuracy
    from minimodel.measures import cross_entropy as cross_entropy
    from minimodel.measures import distinct as distinct
    from minimodel.measures import distinct_n as distinct_n
    from minimodel.measures import diversity as diversity
    from minimodel.measures import entropy as entropy
    from minimodel.measures import kl_divergence as kl_divergence
    from minimodel.measures import loop_length as loop_length
    from minimodel.measures import perplexity as perplexity
    from minimodel.measures import type_token_ratio as type_token_ratio
    from minimodel.measures.bands import Band as Band
    from minimodel.measures.bands import bootstrap_band as bootstrap_band
    from minimodel.measures.diversity_accuracy import Tradeoff as Tradeoff
    from minimodel.measures.diversity_accuracy import tradeoff as tradeoff
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
    "cost": (
        "GPT2", "LLAMA_3_8B", "LLAMA_3_70B", "Flops", "ModelShape", "arithmetic_intensity", "attended_pairs",
        "decode_flops", "decode_positions", "decode_step_bytes", "decode_step_flops", "kv_cache_bytes", "prefill_flops",
    ),
    "decoding.batch": ("sample_batch",),
    "decoding.beam": ("beam_search",),
    "decoding.loop": ("Step", "sample", "stream"),
    "decoding.model": ("Model",),
    "folded": ("FoldedGPT",),
    "gpt": ("GPTConfig", "MiniGPT"),
    "measures": (
        "accuracy", "cross_entropy", "distinct", "distinct_n", "diversity", "entropy", "kl_divergence", "loop_length",
        "perplexity", "type_token_ratio",
    ),
    "measures.bands": ("Band", "bootstrap_band"),
    "measures.diversity_accuracy": ("Tradeoff", "tradeoff"),
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
