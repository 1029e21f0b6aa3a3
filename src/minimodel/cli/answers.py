"""From a prompt to its completions, written as they are drawn."""

from collections.abc import Iterator

from minimodel.cli.catalogue import Texts
from minimodel.cli.completion import Completion
from minimodel.cli.settings import Settings
from minimodel.cli.terminal import Screen, composed
from minimodel.cli.voice import Voice
from minimodel.cli.writers import writer_for


def answers(prompt: str, settings: Settings, screen: Screen, texts: Texts) -> Iterator[Completion]:
    """Write the completions of ``prompt``; yield each once it is written.

    Raises:
        ValueError: the prompt cannot be continued; the message is one line in the language of ``texts``.
    """
    voice = Voice.load(settings.lang)
    ids = voice.encode(composed(prompt), texts)
    writer = writer_for(settings, screen, texts)
    for seed in settings.seeds():
        completion = Completion(voice, ids, settings, seed)
        writer.write(completion)
        yield completion
