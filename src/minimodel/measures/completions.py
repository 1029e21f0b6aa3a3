"""What to measure on texts: how varied they are, whether they go round in a loop, and how many are right."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

import numpy as np

from minimodel.corpus.judge import Verdict
from minimodel.counts import check_count

Judge: TypeAlias = Callable[[Sequence[int], Sequence[int]], bool | Verdict]
"""Says of a prompt and a completion whether it is right: True or False, or a verdict."""


def distinct(completions: Sequence[Sequence[Hashable]]) -> float:
    """Return distinct completions / completions, each compared as a whole; 0.0 where there are none.

    The more completions, the more repeat one another: compare only figures at the same number.

    Args:
        completions: token ids of each, without its prompt.

    Examples:
        >>> distinct([[5, 7], [5, 7], [5], [7, 5]])
        0.75
    """
    return _share_distinct([tuple(completion) for completion in completions])


def distinct_n(completions: Sequence[Sequence[Hashable]], n: int) -> float:
    """Return distinct n-grams / n-grams over all completions; 0.0 where none is long enough to hold one.

    An n-gram lies within one completion, never across the border between two.

    Args:
        completions: token ids of each, without its prompt.
        n: how many tokens in a row make an n-gram.

    Raises:
        ValueError: ``n`` is not a whole number of 1 or more.

    Source:
        Li et al. (2016), "A diversity-promoting objective function for neural conversation models".

    Examples:
        >>> distinct_n([[1, 2, 1], [1, 2]], 2)  # (1, 2), (2, 1), (1, 2)
        0.6666666666666666
    """
    check_count("n", n)
    grams = [tuple(text[at : at + n]) for text in completions for at in range(len(text) - n + 1)]
    return _share_distinct(grams)


def type_token_ratio(tokens: Sequence[Hashable]) -> float:
    """Return distinct tokens / tokens of one text; 0.0 where it is empty. A text that loops has a low one.

    Source:
        Johnson (1944), "Studies in language behavior: a program of research".

    Examples:
        >>> type_token_ratio([5, 7, 5, 7])
        0.5
    """
    return _share_distinct(tokens)


def loop_length(tokens: Sequence[Hashable]) -> int:
    """Return the length of the loop that a text ends in, 0 where it ends in none.

    That is the smallest c of 1 or more for which the last 2c tokens are one block of c tokens twice.

    Examples:
        >>> loop_length([9, 5, 7, 5, 7])
        2
        >>> loop_length([5, 7, 9])
        0
    """
    text = list(tokens)
    for c in range(1, len(text) // 2 + 1):
        if text[-c:] == text[-2 * c : -c]:
            return c
    return 0


def accuracy(prompts: Sequence[Sequence[int]], completions: Sequence[Sequence[int]], judge: Judge) -> float:
    """Return the share of completions that are right; every one counts, duplicates included.

    Args:
        prompts: token ids of the prompt of each completion.
        completions: token ids of each, without its prompt.
        judge: called as ``judge(prompt, completion)``; a verdict other than ``Verdict.RIGHT`` is not right.

    Raises:
        ValueError: there are no completions, or not as many prompts as completions.
        TypeError: the judge says something other than True, False or a verdict.

    Examples:
        >>> from minimodel import Grammar
        >>> en = Grammar.load("en")
        >>> she, sang = en.tokenizer.encode("Yesterday she"), en.tokenizer.encode("sang")
        >>> accuracy([she, she], [sang, en.tokenizer.encode("will sing")], en.judge)
        0.5
    """
    if len(prompts) != len(completions):
        raise ValueError(f"{len(prompts)} prompts, {len(completions)} completions: expected one prompt for each")
    if not len(completions):
        raise ValueError("there are no completions: expected at least one to judge")
    right = [_accepts(judge(prompt, completion)) for prompt, completion in zip(prompts, completions, strict=True)]
    return float(np.mean(right))


def diversity(completions: Sequence[Sequence[Sequence[Hashable]]], *, n: int) -> float:
    """Return distinct completions / completions for each prompt, averaged over the prompts.

    Args:
        completions: for each prompt its completions, token ids without the prompt.
        n: how many completions each prompt has. Diversity falls as this rises, so it has to be stated.

    Returns:
        From 1 / n, where every prompt has a single completion, to 1.0, where no two are the same.

    Raises:
        ValueError: there are no prompts, ``n`` is not a whole number of 1 or more, or a prompt has another number
            of completions.

    Examples:
        >>> diversity([[[5], [5]], [[5], [7]]], n=2)
        0.75
    """
    check_count("n", n)
    if not len(completions):
        raise ValueError("there are no prompts: expected the completions of at least one")
    for place, of_prompt in enumerate(completions):
        if len(of_prompt) != n:
            raise ValueError(f"prompt {place} has {len(of_prompt)} completions: expected n = {n}, the same for all")
    return float(np.mean([distinct(of_prompt) for of_prompt in completions]))


def _share_distinct(things: Sequence[Hashable]) -> float:
    return len(set(things)) / len(things) if len(things) else 0.0


def _accepts(answer: object) -> bool:
    """Whether a judge's answer means right. Not its truth value: every verdict is true to Python, wrong ones too."""
    if isinstance(answer, Verdict):
        return answer is Verdict.RIGHT
    if isinstance(answer, bool | np.bool_):
        return bool(answer)
    raise TypeError(f"the judge said {answer!r}: expected True, False or a Verdict")
