"""The grammar of a language: its data file made into a vocabulary, a table of verb forms and an automaton."""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from minimodel.corpus.automaton import Automaton, Belief, words_after
from minimodel.corpus.judge import FormTable, Owed, Verdict, judge_form
from minimodel.corpus.tokenizer import Tokenizer
from minimodel.language import check_language

TENSES = ("past", "present", "future")
Key = TypeVar("Key")


class Cell(NamedTuple):
    """A place in the table of verb forms."""

    verb: str
    tense: str
    person: str


class State(NamedTuple):
    """Where in a sentence we are: the slot to be filled next, and what the sentence has settled so far."""

    slot: str
    tense: str = ""
    subject: str = ""
    rest: tuple[str, ...] = ()  # words still to come of a verb form


class Branch(NamedTuple):
    """One way on from a state: a word, its probability, the state it leads to."""

    word: str
    prob: float
    state: State


class Position(NamedTuple):
    """Where a text stands: the tenses and persons of a verb form due there, and the position after each next word."""

    owed: frozenset[Owed]
    next: dict[int, int]


class Grammar:
    """A probabilistic grammar, of sentences such as "Tomorrow she will eat and then she will sleep".

    Because it is a grammar, the true distribution of the next word is known exactly, and whether a completion is
    right is a matter of looking it up.

    Args:
        data: what a grammar's TOML file holds (see ``en.toml`` for the parts).
        unsaid: cells of the table that its texts never use; the judge knows them all the same.
    """

    def __init__(self, data: dict[str, Any], unsaid: Collection[Cell] = ()) -> None:
        self._data, self.unsaid = data, frozenset(unsaid)
        self.forms = FormTable(data["verbs"], TENSES, data["persons"])
        self.tokenizer = Tokenizer(list(dict.fromkeys(self._vocabulary())), data["full_stop"])
        self._automaton = Automaton(State("opening"), self._edges, len(self.tokenizer.words))

    @classmethod
    @cache
    def load(cls, lang: str) -> Self:
        """Return the grammar of a language, "en" or "es".

        Raises:
            ValueError: the language is unknown.
        """
        text = (files("minimodel.corpus") / f"{check_language(lang)}.toml").read_text(encoding="utf-8")
        return cls(tomllib.loads(text))

    def split(self, *, seed: int = 0, share: float = 0.05) -> tuple[Self, frozenset[Cell]]:
        """Return a grammar to train on, whose texts never use some cells, and these held-out cells.

        Every word of a held-out form is still said in other cells ("she will swim" may be held out as long as others
        "will swim" and she "will" do something): a model that gets such a form right has learned the rule.

        Args:
            seed: of the choice.
            share: of all cells, how many are held out, from 0 up to 1; fewer where too few can be.

        Raises:
            ValueError: ``share`` is outside [0, 1).
        """
        if not 0 <= share < 1:
            raise ValueError(f"share is {share}: expected a number from 0 up to, not including, 1")
        cells = list(self.cells())
        held_out: set[Cell] = set()
        for number in np.random.default_rng(seed).permutation(len(cells)):
            if len(held_out) < int(share * len(cells)) and self._sayable_without({*held_out, cells[number]}):
                held_out.add(cells[number])
        return type(self)(self._data, held_out), frozenset(held_out)

    def cells(self) -> Iterator[Cell]:
        """Every cell of the table of verb forms."""
        for verb in self._data["verbs"]:
            for tense in TENSES:
                yield from (Cell(verb["name"], tense, person) for person in self._data["persons"])

    def form(self, cell: Cell) -> list[str]:
        """Return the words of the form in ``cell``."""
        verb = next(verb for verb in self._data["verbs"] if verb["name"] == cell.verb)
        words: list[str] = verb[cell.tense][self._data["persons"].index(cell.person)].split()
        return words

    def prompt_for(self, cell: Cell) -> list[int]:
        """Return the ids of a text that calls for a form of this tense and person: a time word and a subject.

        Raises:
            ValueError: there is no time word that goes with this tense alone.

        Examples:
            >>> en = Grammar.load("en")
            >>> en.tokenizer.decode(en.prompt_for(Cell("sing", "future", "3sg")))
            'Tomorrow he'
        """
        times, subjects = self._data["times"], self._data["subjects"]
        calling = [word for word, time in times.items() if {*time} & {*TENSES} == {cell.tense}]
        if not calling:
            raise ValueError(f"no time word goes with {cell.tense!r} alone: expected one in the grammar's file")
        time = max(calling, key=lambda word: float(times[word]["weight"]))
        subject = next(word for word, about in subjects.items() if about["person"] == cell.person)
        return [self.tokenizer.words.index(word) for word in (time, subject)]

    def _sayable_without(self, cells: Collection[Cell]) -> bool:
        """Whether every word of the forms in ``cells`` occurs in the same verb's other cells or is an auxiliary.

        And whether every tense and person still has a verb.
        """
        kept = {(cell.verb, word) for cell in self.cells() if cell not in cells for word in self.form(cell)}
        auxiliary = {(cell.person, word) for cell in self.cells() if cell not in cells for word in self.form(cell)[:-1]}
        called_for = {cell[1:] for cell in self.cells()}
        return called_for == {cell[1:] for cell in self.cells() if cell not in cells} and all(
            (cell.verb, word) in kept or (cell.person, word) in auxiliary for cell in cells for word in self.form(cell)
        )

    def next_word_probs(self, token_ids: Sequence[int]) -> NDArray[np.float64]:
        """Return the true distribution of the next word after a text, shape ``(V,)``.

        Args:
            token_ids: the text from its start; an ``<eos>`` in it starts a new one.

        Raises:
            ValueError: the text is not one the grammar can make; the message names the first word that cannot come.
        """
        return self._automaton.next_word_probs(self._belief(token_ids))

    def next_word_probs_along(self, token_ids: Sequence[int]) -> NDArray[np.float64]:
        """Return the true distribution after every word of a text, shape ``(T, V)``.

        Raises:
            ValueError: the text is not one the grammar can make.
        """
        belief, rows = self._automaton.start(), []
        for token in token_ids:
            belief = self._automaton.after(belief, token)
            rows.append(self._automaton.next_word_probs(belief))
        self._belief(token_ids)
        return np.array(rows)

    def grammatical_length(self, token_ids: Sequence[int]) -> int:
        """Return how many words of a text, from its start, the grammar could have written: all, or those before a slip.

        Args:
            token_ids: the text from its start; an ``<eos>`` in it starts a new one.

        Examples:
            >>> en = Grammar.load("en")
            >>> en.grammatical_length(en.tokenizer.encode("Tomorrow she will swam."))
            3
        """
        belief = self._automaton.start()
        for length, token in enumerate(token_ids):
            belief = self._automaton.after(belief, token)
            if not belief.any():
                return length
        return len(token_ids)

    def sample(self, rng: np.random.Generator) -> list[int]:
        """Return one text, ids with the final ``<eos>``."""
        belief = self._automaton.start()
        text: list[int] = []
        while not text or text[-1] != self.tokenizer.eos_id:
            probs = self._automaton.next_word_probs(belief)
            text.append(int(rng.choice(len(probs), p=probs / probs.sum())))
            belief = self._automaton.after(belief, text[-1])
        return text

    def sample_rows(self, rng: np.random.Generator, rows: int, length: int) -> NDArray[np.intp]:
        """Return ``rows`` rows of ``length`` ids: texts one after the other, each row starting with a new one."""
        return self._automaton.sample(rng, rows, length)

    def judge(self, prompt: Sequence[int], completion: Sequence[int]) -> Verdict:
        """Say whether ``completion`` gives ``prompt`` the verb form it calls for.

        The form is looked up in the grammar's table: never guessed from its ending.

        Args:
            prompt: ids of a text that stops where a verb form is due, such as "Tomorrow she" or "Tomorrow she will".
            completion: the ids that follow.

        Raises:
            ValueError: the prompt is not grammatical, or no verb form is due after it.

        Examples:
            >>> en = Grammar.load("en")
            >>> en.judge(en.tokenizer.encode("Tomorrow she"), en.tokenizer.encode("sings")).value
            'wrong tense'
        """
        owed = list(self._owed(self._belief(prompt)))
        if not owed:
            text = self.tokenizer.decode(prompt)
            raise ValueError(f"no verb form is due after {text!r}: end the prompt with a subject")
        words = self.tokenizer.words
        spoken = [words[token] for token in prompt[_last(prompt, self.subject_ids()) + 1 :]]
        return judge_form(self.forms, owed, spoken + [words[token] for token in completion])

    def positions(self) -> list[Position]:
        """Return where a text can stand, the empty text first: all that judging it depends on, as a table."""
        supports, ways = self._automaton.supports()
        size = len(self._automaton.states)
        beliefs = [np.isin(np.arange(size), list(support)).astype(np.float64) for support in supports]
        return [Position(frozenset(self._owed(belief)), way) for belief, way in zip(beliefs, ways, strict=True)]

    def _owed(self, belief: Belief) -> Iterator[Owed]:
        """The tense and person of every verb form that may be due."""
        for number in np.flatnonzero(belief):
            state = self._automaton.states[number]
            if state.slot in ("verb", "form"):
                yield Owed(state.tense, self._data["subjects"][state.subject]["person"])

    def subject_ids(self) -> set[int]:
        """Return the ids of the words that can be a subject."""
        return {self.tokenizer.words.index(subject) for subject in self._data["subjects"]}

    def _belief(self, token_ids: Sequence[int]) -> Belief:
        belief = words_after(self._automaton, token_ids)
        if belief.any():
            return belief
        good, text = self.grammatical_length(token_ids), self.tokenizer.decode
        word, before = text(token_ids[good : good + 1], sentence_start=False), text(token_ids[:good])
        raise ValueError(f"{word!r} cannot follow {before!r}: the grammar has no such sentence")

    def _vocabulary(self) -> Iterator[str]:
        """Every word, most general first; some come up more than once."""
        d = self._data
        yield from (d["eos"], d["full_stop"], d["join"], d["then"], *d["times"], *d["subjects"])
        for verb in d["verbs"]:
            for tense in TENSES:
                for form in verb[tense]:
                    yield from form.split()
        yield from d["adverbs"]

    def _edges(self, state: State) -> Iterator[tuple[int, float, State]]:
        for word, prob, to in getattr(self, f"_{state.slot}")(state):
            if prob > 0:
                yield self.tokenizer.words.index(word), prob, to

    # What can come in each slot of a sentence. -----------------------------------------------------------------------

    def _opening(self, _: State, scale: float = 1.0) -> Iterator[Branch]:
        """A sentence starts with a time word, which settles its tense, or with its subject."""
        with_time = scale * self._data["joints"]["time_word"]
        for word, time in self._data["times"].items():
            share = with_time * time["weight"] / _total(t["weight"] for t in self._data["times"].values())
            for tense, p in _shares({tense: time.get(tense, 0) for tense in TENSES}):
                yield Branch(word, share * p, State("subject", tense))
        for tense, p in _shares(self._data["tenses"]):
            yield from self._subject(State("subject", tense), (scale - with_time) * p)

    def _subject(self, state: State, scale: float = 1.0) -> Iterator[Branch]:
        for subject, p in _shares({name: s["weight"] for name, s in self._data["subjects"].items()}):
            yield Branch(subject, scale * p, State("verb", state.tense, subject))

    def _verb(self, state: State) -> Iterator[Branch]:
        person = self._data["subjects"][state.subject]["person"]
        weights = {Cell(verb["name"], state.tense, person): verb["weight"] for verb in self._data["verbs"]}
        for cell, share in _shares({cell: weight for cell, weight in weights.items() if cell not in self.unsaid}):
            first, *rest = self.form(cell)
            yield Branch(first, share, self._said(state, rest))

    def _form(self, state: State) -> Iterator[Branch]:
        first, *rest = state.rest
        yield Branch(first, 1.0, self._said(state, rest))

    def _said(self, state: State, rest: Sequence[str]) -> State:
        """The state after a word of a verb form: the rest of the form, or what may follow a whole one."""
        slot = "form" if rest else "after"
        return State(slot, state.tense, state.subject, tuple(rest))

    def _after(self, state: State) -> Iterator[Branch]:
        adverb = self._data["joints"]["adverb"]
        for word, p in _shares(self._data["adverbs"]):
            yield Branch(word, adverb * p, state._replace(slot="end"))
        yield from self._end(state, 1.0 - adverb)

    def _end(self, state: State, scale: float = 1.0) -> Iterator[Branch]:
        another = self._data["joints"]["and_another"]
        yield Branch(self._data["join"], scale * another, state._replace(slot="joined"))
        yield Branch(self._data["full_stop"], scale * (1.0 - another), State("stopped"))

    def _joined(self, state: State) -> Iterator[Branch]:
        then = self._data["joints"]["then"]
        yield Branch(self._data["then"], then, state._replace(slot="next_subject"))
        yield from self._next_subject(state, 1.0 - then)

    def _next_subject(self, state: State, scale: float = 1.0) -> Iterator[Branch]:
        """The same subject again, or another one by its weight."""
        same = self._data["joints"]["same_subject"]
        yield Branch(state.subject, scale * same, state._replace(slot="verb"))
        others = {name: s["weight"] for name, s in self._data["subjects"].items() if name != state.subject}
        for subject, p in _shares(others):
            yield Branch(subject, scale * (1.0 - same) * p, State("verb", state.tense, subject))

    def _stopped(self, state: State) -> Iterator[Branch]:
        more = self._data["joints"]["another_sentence"]
        yield Branch(self._data["eos"], 1.0 - more, State("opening"))
        yield from self._opening(state, more)


def _total(weights: Iterable[float]) -> float:
    return float(sum(weights))


def _shares(weights: Mapping[Key, float]) -> list[tuple[Key, float]]:
    """Weights as probabilities."""
    total = _total(weights.values())
    return [(name, weight / total) for name, weight in weights.items()]


def _last(tokens: Sequence[int], wanted: set[int]) -> int:
    """The place of the last of ``tokens`` that is ``wanted``."""
    return max(place for place, token in enumerate(tokens) if token in wanted)
