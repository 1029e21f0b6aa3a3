"""What Tab completes."""

import io

from minimodel.cli.conversation import Conversation
from minimodel.cli.line_editing import completion
from minimodel.cli.settings import Settings
from minimodel.cli.terminal import Screen


def matches(text, vocabulary):
    found = []
    while (match := completion(text, len(found), vocabulary)) is not None:
        found.append(match)
    return found


def test_words_in_the_case_typed_and_commands():
    vocabulary = Conversation(Settings(), Screen(io.StringIO())).vocabulary
    assert matches("Tom", vocabulary) == ["Tomorrow "]
    assert matches("/top", vocabulary) == ["/top-k ", "/top-p "]
    assert set(matches("dance", vocabulary)) == {"dance ", "danced ", "dances "}
    assert matches("q", vocabulary) == []
