"""What a page needs to run a language's Mini-GPT itself: its weights, its words and the grammar's judge as tables.

A static site holds this in one script a language, however many pages and widgets use it. In a notebook the first
widget that needs it asks for it, and the page keeps it for the others.
"""

import json
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from typing import Any

from minimodel.corpus.grammar import TENSES, Grammar
from minimodel.corpus.judge import Owed
from minimodel.gpt import MiniGPT
from minimodel.widgets.markup import json_text

USERS = ("decode_stepper", "four_samplers")
"""The widgets that run the model in the page."""


def model_script_name(lang: str) -> str:
    """Return what the static site calls the file of `static_model_script`.

    Examples:
        >>> model_script_name("es")
        'minimodel-model-es.js'
    """
    return f"minimodel-model-{lang}.js"


@cache
def static_model_script(lang: str) -> str:
    """Return the model of ``lang`` as a classic script, which a page opened from disk may load too.

    Raises:
        ValueError: the language is unknown.
    """
    data = json_text(model_data(lang) | {"weights": b64encode(weights(lang)).decode()})
    return (
        f"(globalThis.minimodel ??= {{}})[{json.dumps(lang)}] = {data};\n"
        f'document.dispatchEvent(new Event("minimodel"));\n'
    )


@cache
def model_data(lang: str) -> dict[str, Any]:
    """Return all but the weights, as JSON can hold it.

    Returns:
        ``heads``, ``context`` and ``eos`` of the model; ``layout``, the names and lengths of the weights in their
        order; ``words``; ``stop``, the id of the full stop; ``judge``, see `judge_tables`.

    Raises:
        ValueError: the language is unknown.
    """
    model, tokenizer = MiniGPT.load(lang), Grammar.load(lang).tokenizer
    return {
        "heads": model.config.heads,
        "context": model.context_length,
        "eos": model.eos_id,
        "layout": [[name, weight.size] for name, weight in model.weights.items()],
        "words": list(tokenizer.words),
        "stop": tokenizer.encode(".")[0],
        "judge": judge_tables(Grammar.load(lang)),
    }


@cache
def weights(lang: str) -> bytes:
    """Return all weights one after the other in float16, little-endian: as exact as the file that they come from."""
    return b"".join(weight.astype("<f2").tobytes() for weight in MiniGPT.load(lang).weights.values())


def judge_tables(grammar: Grammar) -> dict[str, Any]:
    """Return what ``Grammar.judge`` knows, as look-up tables.

    Returns:
        ``next``, for each position of a text ``[word, position, word, position, …]``; ``owed``, for each position the
        tenses and persons due; ``forms``, each verb form as ``[tenses and persons, word, word, …]``; ``subjects``,
        ids; ``persons``, their number P. Tenses and persons are a number whose bit tense · P + person is 1.
    """
    positions, ids = grammar.positions(), {word: number for number, word in enumerate(grammar.tokenizer.words)}
    persons = list(dict.fromkeys(cell.person for cell in grammar.cells()))

    def bits(cells: Iterable[Owed]) -> int:
        return sum(1 << TENSES.index(tense) * len(persons) + persons.index(person) for tense, person in cells)

    return {
        "next": [[number for pair in position.next.items() for number in pair] for position in positions],
        "owed": [bits(position.owed) for position in positions],
        "forms": [[bits(cells), *(ids[word] for word in form)] for form, cells in grammar.forms.items()],
        "subjects": sorted(grammar.subject_ids()),
        "persons": len(persons),
    }
