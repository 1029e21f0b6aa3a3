"""How many bytes decoding keeps and moves, and how many FLOPs it gets out of each."""

from minimodel.cost.flops import decode_step_flops
from minimodel.cost.shape import ModelShape
from minimodel.counts import check_count


def kv_cache_bytes(config: ModelShape, batch: int, length: int, bytes_per_value: float) -> float:
    """Return the size of a KV cache: 2 (K and V) · layers · KV heads · head size · length · batch · bytes.

    Args:
        config: the model's shape.
        batch: how many texts.
        length: positions kept of each.
        bytes_per_value: 4 for float32, 2 for float16 and bfloat16, 1 for int8, 0.5 for 4 bits.

    Returns:
        Bytes, a whole number where ``bytes_per_value`` is one.

    Raises:
        ValueError: ``batch`` is not a whole number of 1 or more, ``length`` not one of 0 or more, or
            ``bytes_per_value`` is not above 0.

    Source:
        Pope et al. (2022), "Efficiently scaling transformer inference".

    Examples:
        >>> from minimodel.cost.shape import LLAMA_3_8B
        >>> kv_cache_bytes(LLAMA_3_8B, 1, 8192, 2) / 2**30  # GiB
        1.0
    """
    check_count("batch", batch)
    check_count("length", length, least=0)
    if not 0 < bytes_per_value < float("inf"):
        raise ValueError(f"bytes_per_value is {bytes_per_value}: expected a number above 0, such as 2 for float16")
    return 2 * config.layers * config.kv_heads * config.head_size * length * batch * bytes_per_value


def decode_step_bytes(config: ModelShape, batch: int, length: int, bytes_per_value: float) -> float:
    """Return the bytes that one decode step reads: all weights once for the whole batch, and every text's cache.

    Of an embedding that is only looked up (learned positions, and tokens where the head is not tied to them) a step
    reads one row a text; that is left out, as are activations and the writing of the new key and value.

    Args:
        config: the model's shape.
        batch: how many texts take the step together.
        length: positions that each looks at, the new one included.
        bytes_per_value: of weights and cache.

    Raises:
        ValueError: ``batch`` or ``length`` is not a whole number of 1 or more, or ``bytes_per_value`` not above 0.

    Examples:
        >>> from minimodel.cost.shape import LLAMA_3_8B
        >>> decode_step_bytes(LLAMA_3_8B, 1, 8192, 2) / 2**30  # GiB: 1 of cache, the rest of weights
        14.979011535644531
    """
    check_count("length", length)
    looked_up = config.positions + (0 if config.tied_head else config.vocab_size)
    weights = config.num_parameters - looked_up * config.width
    return weights * bytes_per_value + kv_cache_bytes(config, batch, length, bytes_per_value)


def arithmetic_intensity(config: ModelShape, batch: int, length: int, bytes_per_value: float) -> float:
    """Return the FLOPs of one decode step for each byte that it reads.

    A batch of one does about 2 FLOPs for each weight it reads, where an accelerator could do hundreds in that time:
    memory sets the pace. Texts that step together share the reading of the weights, so that intensity grows nearly
    with the batch, until their caches, which nobody shares, are most of what is read.

    Args:
        config: the model's shape.
        batch: how many texts take the step together.
        length: positions that each looks at, the new one included.
        bytes_per_value: of weights and cache.

    Raises:
        ValueError: ``batch`` or ``length`` is not a whole number of 1 or more, or ``bytes_per_value`` not above 0.

    Source:
        Williams, Waterman & Patterson (2009), "Roofline: an insightful visual performance model"; Pope et al. (2022).

    Examples:
        >>> from minimodel.cost.shape import LLAMA_3_8B
        >>> [round(arithmetic_intensity(LLAMA_3_8B, batch, 1024, 2)) for batch in (1, 32, 1024)]
        [1, 26, 104]
    """
    moved = decode_step_bytes(config, batch, length, bytes_per_value)
    return batch * decode_step_flops(config, length - 1).total / moved
