"""How many floating-point operations decoding takes: two for each multiply-add, matrix products only.

Every count has two terms. *Linear* layers (the projections of attention, the MLP, the head) cost the same at every
position, 2 FLOPs a weight; *attention* (scores and the mixing of values) grows with the number of positions looked at.
"""

from dataclasses import dataclass

from minimodel.cost.positions import attended_pairs, decode_positions
from minimodel.cost.shape import ModelShape
from minimodel.counts import check_count


@dataclass(frozen=True)
class Flops:
    """A number of FLOPs, by where they are spent.

    Attributes:
        linear: in matrices of weights: the projections of attention, the MLP, the head.
        attention: in scores (queries with keys) and in mixing the values by them.
    """

    linear: int
    attention: int

    @property
    def total(self) -> int:
        """Both together."""
        return self.linear + self.attention


def prefill_flops(config: ModelShape, length: int) -> Flops:
    r"""Return what it costs to read ``length`` = T tokens at once and score what comes next.

    With W the matrix weights of a layer, s the head size:

    * linear: :math:`2\,T \cdot \text{layers} \cdot W + 2\,d\,V`. The head scores the last position only, which is all
      that decoding needs; a model that scores every position, as in training, spends 2·d·V more for each of the others.
    * attention: :math:`4\,T^2 \cdot \text{layers} \cdot \text{heads} \cdot s`, 2 for scores and 2 for values. The whole
      square is computed and half of it masked, as plain code does; a kernel that skips that half spends about half.

    Args:
        config: the model's shape.
        length: T, in tokens.

    Raises:
        ValueError: ``length`` is not a whole number of 1 or more.

    Source:
        Kaplan et al. (2020), "Scaling laws for neural language models", table 1; Pope et al. (2022), "Efficiently
        scaling transformer inference".

    Examples:
        >>> from minimodel.cost.shape import GPT2
        >>> prefill_flops(GPT2, 1024)
        Flops(linear=174023370240, attention=38654705664)
    """
    check_count("length", length)
    return _flops(config, positions=length, pairs=length**2, scored=1)


def decode_step_flops(config: ModelShape, position: int) -> Flops:
    r"""Return what it costs, with a cache, to read the one token at ``position`` and score what comes next.

    It looks at ``position`` + 1 keys, its own included: :math:`2 \cdot \text{layers} \cdot W + 2\,d\,V` for linear
    layers and :math:`4\,(\text{position} + 1) \cdot \text{layers} \cdot \text{heads} \cdot s` for attention. Grouped
    queries save bytes, not FLOPs: every query head still meets every key.

    Args:
        config: the model's shape.
        position: place of the token in the text, from 0.

    Raises:
        ValueError: ``position`` is not a whole number of 0 or more.

    Examples:
        >>> from minimodel.cost.shape import LLAMA_3_8B
        >>> decode_step_flops(LLAMA_3_8B, 8191)
        Flops(linear=15009316864, attention=4294967296)
    """
    check_count("position", position, least=0)
    return _flops(config, positions=1, pairs=position + 1, scored=1)


def decode_flops(config: ModelShape, prompt_length: int, n: int, *, cached: bool) -> Flops:
    """Return what it costs to generate ``n`` tokens after a prompt.

    Without a cache that is a prefill of the whole text for every token, so that linear layers cost O(n²·d²) and
    attention O(n³·d). With one it is a prefill of the prompt and n - 1 steps, since nothing reads the last token:
    O(n·d²) and O(n²·d). It holds as long as the text fits into the context.

    Args:
        config: the model's shape.
        prompt_length: in tokens.
        n: tokens to generate.
        cached: whether keys and values are kept.

    Raises:
        ValueError: ``prompt_length`` is not a whole number of 1 or more, or ``n`` not one of 0 or more.

    Examples:
        >>> from minimodel.cost.shape import GPT2
        >>> fresh, kept = (decode_flops(GPT2, 24, 1000, cached=cached) for cached in (False, True))
        >>> round(fresh.total / kept.total)
        378
    """
    positions = decode_positions(prompt_length, n, cached=cached)
    return _flops(config, positions=positions, pairs=attended_pairs(prompt_length, n, cached=cached), scored=n)


def _flops(config: ModelShape, *, positions: int, pairs: int, scored: int) -> Flops:
    """FLOPs of positions read, pairs of query and key attended to, and positions whose logits are computed."""
    layer = config.attention_weights + config.mlp_weights
    linear = positions * config.layers * layer + scored * config.head_weights
    attention = 2 * pairs * config.layers * config.heads * config.head_size
    return Flops(2 * linear, 2 * attention)
