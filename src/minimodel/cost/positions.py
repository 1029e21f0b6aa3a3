"""How often a decode loop reads a position: the sums that a cache makes one power of n smaller."""

from minimodel.counts import check_count


def decode_positions(prompt_length: int, n: int, *, cached: bool = False) -> int:
    r"""Return how many positions the model reads to generate ``n`` tokens after a prompt of L.

    Without a cache it reads the whole text for every token, :math:`\sum_{t=0}^{n-1} (L + t) = nL + n(n-1)/2`; with
    one, the prompt once and then each new token but the last, :math:`L + n - 1`. To generate none it reads none.

    Args:
        prompt_length: L, in tokens.
        n: tokens to generate.
        cached: whether keys and values are kept.

    Raises:
        ValueError: L is not a whole number of 1 or more, or n not one of 0 or more.

    Examples:
        >>> decode_positions(8, 20), decode_positions(8, 20, cached=True)
        (350, 27)
        >>> 64**2 * decode_positions(8, 20)  # multiply-adds of one 64 × 64 matrix
        1433600
    """
    _check_lengths(prompt_length, n)
    if cached:
        return prompt_length + n - 1 if n else 0
    return n * prompt_length + n * (n - 1) // 2


def attended_pairs(prompt_length: int, n: int, *, cached: bool = False) -> int:
    r"""Return how many pairs of a query and a key attention multiplies to generate ``n`` tokens after a prompt of L.

    Reading T positions at once takes T², those that the causal mask throws away included. Without a cache that is
    :math:`\sum_{t=0}^{n-1} (L + t)^2`; with one, L² for the prompt, then one row a token,
    :math:`L^2 + \sum_{t=1}^{n-1} (L + t)`.

    Args:
        prompt_length: L, in tokens.
        n: tokens to generate.
        cached: whether keys and values are kept.

    Raises:
        ValueError: L is not a whole number of 1 or more, or n not one of 0 or more.

    Examples:
        >>> attended_pairs(2, 3), attended_pairs(2, 3, cached=True)  # 4 + 9 + 16 and 4 + 3 + 4
        (29, 11)
    """
    _check_lengths(prompt_length, n)
    squares = [(prompt_length + t) ** 2 for t in range(n)]
    return sum(squares[:1]) + sum(prompt_length + t for t in range(1, n)) if cached else sum(squares)


def _check_lengths(prompt_length: int, n: int) -> None:
    check_count("prompt_length", prompt_length)
    check_count("n", n, least=0)
