"""The judge: is this the verb form that was called for? A table look-up, never a guess from the ending."""

from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from typing import Any, NamedTuple


class Verdict(Enum):
    """What the judge says of a completion."""

    RIGHT = "right"
    WRONG_TENSE = "wrong tense"
    WRONG_PERSON = "wrong person"
    NOT_A_VERB = "not a verb form"
    UNFINISHED = "unfinished"


class Owed(NamedTuple):
    """The tense and person that a verb form must have."""

    tense: str
    person: str


class FormTable:
    """Every verb form of a grammar, with the tenses and persons it can stand for ("read" has nine of them).

    Args:
        verbs: for each verb and each tense its forms, one a person, as a grammar's data file has them.
        tenses: the tenses.
        persons: the persons, in the order of the forms.
    """

    def __init__(self, verbs: Sequence[dict[str, Any]], tenses: Sequence[str], persons: Sequence[str]) -> None:
        self._cells: dict[tuple[str, ...], set[Owed]] = {}
        for verb in verbs:
            for tense in tenses:
                for person, form in zip(persons, verb[tense], strict=True):
                    self._cells.setdefault(tuple(form.split()), set()).add(Owed(tense, person))

    def cells(self, form: Sequence[str]) -> set[Owed]:
        """Return what ``form``, word by word, can stand for; nothing where it is not a verb form."""
        return self._cells.get(tuple(form), set())

    def items(self) -> Iterable[tuple[tuple[str, ...], set[Owed]]]:
        """Return every form, as its words, with what it can stand for."""
        return self._cells.items()

    def begins(self, words: Sequence[str]) -> bool:
        """Whether ``words`` are the first words of a longer form, as "will" is."""
        return any(form[: len(words)] == tuple(words) and len(form) > len(words) for form in self._cells)


def judge_form(table: FormTable, owed: Collection[Owed], words: Sequence[str]) -> Verdict:
    """Judge the verb form that ``words`` start with against the tenses and persons that are owed.

    A form in the wrong tense counts as that, whatever its person.
    """
    end = 0
    while table.begins(words[:end]) and not table.cells(words[:end]):
        if end == len(words):
            return Verdict.UNFINISHED
        end += 1
    cells = table.cells(words[:end])
    if not cells:
        return Verdict.NOT_A_VERB
    if cells & set(owed):
        return Verdict.RIGHT
    tenses = {tense for tense, _ in owed}
    return Verdict.WRONG_PERSON if any(cell.tense in tenses for cell in cells) else Verdict.WRONG_TENSE
