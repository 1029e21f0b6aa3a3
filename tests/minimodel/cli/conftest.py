"""What the tests of the command line share."""

import pytest

from minimodel.cli.completion import Completion
from minimodel.cli.settings import Settings
from minimodel.cli.voice import Voice


@pytest.fixture
def completed():
    """Make a finished completion of a prompt."""

    def make(prompt, seed=0, **settings):
        chosen = Settings(**settings)
        voice = Voice.load(chosen.lang)
        completion = Completion(voice, voice.tokenizer.encode(prompt), chosen, seed)
        list(completion)
        return completion

    return make
