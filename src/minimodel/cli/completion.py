"""A text in the making."""

from collections.abc import Iterator, Sequence

from minimodel.cli.settings import Settings
from minimodel.cli.voice import Voice
from minimodel.corpus.judge import Verdict
from minimodel.decoding.loop import Reason, Step, stream


class Completion:
    """What follows a prompt: iterate over it for its steps; those drawn so far stay in ``steps``.

    Args:
        voice: the model and its words.
        prompt: ids to continue.
        settings: how.
        seed: of this completion.
    """

    def __init__(self, voice: Voice, prompt: Sequence[int], settings: Settings, seed: int) -> None:
        self.voice, self.prompt, self.settings, self.seed = voice, list(prompt), settings, seed
        self.steps: list[Step] = []
        self._stream = stream(
            voice.model,
            self.prompt,
            max_tokens=settings.max_tokens,
            seed=seed,
            strategy=settings.strategy(),
            stop=settings.stop,
            decode=voice.tokenizer.decode,
            use_cache=True,
        )

    def __iter__(self) -> Iterator[Step]:
        for step in self._stream:
            self.steps.append(step)
            yield step

    @property
    def tokens(self) -> list[int]:
        """The ids drawn; an end of text comes last."""
        return [step.token for step in self.steps]

    @property
    def words(self) -> list[str]:
        """The same as words."""
        return [self.voice.tokenizer.words[token] for token in self.tokens]

    @property
    def prompt_text(self) -> str:
        """The prompt as the tokenizer spells it."""
        return self.voice.tokenizer.decode(self.prompt)

    @property
    def text(self) -> str:
        """Prompt and completion, the end of text not written out."""
        return self.prompt_text + "".join(map(self.shown, self.steps))

    def shown(self, step: Step) -> str:
        """Return what ``step`` adds to the text: nothing for the end of text."""
        return "" if step.token == self.voice.tokenizer.eos_id else step.text

    @property
    def reason(self) -> Reason:
        """Why the text ended."""
        return (self.steps[-1].reason if self.steps else None) or "length"

    @property
    def verdict(self) -> Verdict | None:
        """What the grammar says of the verb form; None where the prompt does not call for one."""
        try:
            return self.voice.grammar.judge(self.prompt, self.tokens)
        except ValueError:
            return None
