"""A probabilistic automaton: it emits one word a step, and what it will emit next is known exactly.

The state is hidden, since one word may lead to several (after "she will" any verb may be on its way). What a text
tells of it is a belief, a distribution over states, brought forward word by word (the forward algorithm, Rabiner 1989).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State", bound=Hashable)
Edge: TypeAlias = tuple[int, float, State]
"""A word id, the probability of emitting it, and the state it leads to."""

Belief: TypeAlias = NDArray[np.float64]


class Automaton(Generic[State]):
    """All states that can be reached from ``start``, and the edges between them as arrays.

    Args:
        start: the first state.
        edges: the edges that leave a state; their probabilities sum to 1.
        vocab_size: V; the words emitted are 0..V-1.

    Raises:
        ValueError: the edges of a state do not sum to 1.
    """

    def __init__(self, start: State, edges: Callable[[State], Iterable[Edge[State]]], vocab_size: int) -> None:
        self.states, self.vocab_size = [start], vocab_size
        number = {start: 0}
        source, word, prob, target = [], [], [], []
        for state in self.states:  # grows while it is walked
            for emitted, p, to in edges(state):
                if to not in number:
                    number[to] = len(self.states)
                    self.states.append(to)
                source.append(number[state])
                word.append(emitted)
                prob.append(p)
                target.append(number[to])
        self._source, self._word, self._target = (np.array(ids) for ids in (source, word, target))
        self._prob = np.array(prob)
        self._with_word = {word: np.flatnonzero(self._word == word) for word in range(vocab_size)}
        totals = _sums(self._source, self._prob, len(self.states))
        if not np.allclose(totals, 1):
            bad = self.states[int(np.abs(totals - 1).argmax())]
            raise ValueError(f"the edges of state {bad} sum to {totals[number[bad]]}: expected 1")

    def start(self) -> Belief:
        """Return the belief before the first word."""
        belief = np.zeros(len(self.states))
        belief[0] = 1.0
        return belief

    def next_word_probs(self, belief: Belief) -> NDArray[np.float64]:
        """Return the distribution of the next word, shape ``(V,)``."""
        return _sums(self._word, belief[self._source] * self._prob, self.vocab_size)

    def after(self, belief: Belief, word: int) -> Belief:
        """Return the belief once ``word`` is seen; all zero where that word cannot come."""
        edge = self._with_word.get(word, _NO_EDGE)
        moved = _sums(self._target[edge], belief[self._source[edge]] * self._prob[edge], len(self.states))
        total = float(moved.sum())
        return moved / total if total > 0 else moved

    def supports(self) -> tuple[list[frozenset[int]], list[dict[int, int]]]:
        """Return the sets of states that a text may leave possible, and how words lead from one set to another.

        The first is that of the empty text. ``after`` of any text is above 0 exactly on the set that its words lead
        to; a word that is missing in a set's ``{word: number of a set}`` cannot come there (the subset construction,
        Rabin & Scott 1959).
        """
        found, number, ways = [frozenset({0})], {frozenset({0}): 0}, []
        for support in found:  # grows while it is walked
            leaving = np.isin(self._source, list(support))
            way: dict[int, int] = {}
            for word in np.unique(self._word[leaving]):
                to = frozenset(self._target[leaving & (self._word == word)].tolist())
                if to not in number:
                    number[to] = len(found)
                    found.append(to)
                way[int(word)] = number[to]
            ways.append(way)
        return found, ways

    def sample(self, rng: np.random.Generator, rows: int, length: int) -> NDArray[np.intp]:
        """Return ``rows`` independent texts of ``length`` words from the start, shape ``(rows, length)``."""
        cumulative = np.cumsum(self._prob)  # edges are sorted by the state they leave, whose probabilities sum to 1
        first = np.searchsorted(self._source, np.arange(len(self.states)))
        last = np.append(first[1:], len(self._source)) - 1
        base = cumulative[first] - self._prob[first]
        state, words = np.zeros(rows, dtype=np.intp), np.empty((rows, length), dtype=np.intp)
        for t in range(length):
            edge = np.searchsorted(cumulative, base[state] + rng.random(rows), side="right")
            edge = np.clip(edge, first[state], last[state])  # where the sum has rounded over a border
            words[:, t], state = self._word[edge], self._target[edge]
        return words


_NO_EDGE = np.array([], dtype=np.intp)


def words_after(automaton: Automaton[State], words: Sequence[int]) -> Belief:
    """Return the belief once all of ``words`` are seen, from the start."""
    belief = automaton.start()
    for word in words:
        belief = automaton.after(belief, word)
    return belief


def _sums(groups: NDArray[np.intp], amounts: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The sum of the amounts in each group, shape ``(size,)``; zeros too where there is nothing to add."""
    return np.bincount(groups, amounts, size).astype(np.float64)
