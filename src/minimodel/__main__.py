"""Continue a text on the command line: ``python -m minimodel "Tomorrow she" --top-p 0.9 --seed 7``."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from minimodel.corpus.grammar import Grammar
from minimodel.corpus.tokenizer import Tokenizer
from minimodel.decoding.loop import sample
from minimodel.gpt import MiniGPT
from minimodel.language import LANGUAGES
from minimodel.sampling.strategies import Chain, MinP, RepetitionPenalty, Strategy, Temperature, TopK, TopP


def main(arguments: Sequence[str] | None = None) -> int:
    """Continue a text with the Mini-GPT of a language; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        print(continuation(options))
    except ValueError as error:
        print(f"minimodel: {error}", file=sys.stderr)
        return 2
    return 0


def continuation(options: argparse.Namespace) -> str:
    """Return the prompt and what follows it, up to the end of the text or ``max_tokens``.

    Raises:
        ValueError: an option's value is refused, or a word of the prompt is not in the vocabulary.
    """
    tokenizer, model = Grammar.load(options.lang).tokenizer, MiniGPT.load(options.lang)
    prompt = _encode(tokenizer, options)
    strategy = Chain(*_strategies(options))
    tokens = sample(model, prompt, max_tokens=options.max_tokens, seed=options.seed, strategy=strategy)
    return tokenizer.decode(token for token in prompt + tokens if token != tokenizer.eos_id)


def _strategies(options: argparse.Namespace) -> Iterator[Strategy]:
    """The contract's order; what was not asked for is left out."""
    if options.repetition_penalty is not None:
        yield RepetitionPenalty(options.repetition_penalty)
    yield Temperature(options.temperature)
    if options.top_k is not None:
        yield TopK(options.top_k)
    if options.top_p is not None:
        yield TopP(options.top_p)
    if options.min_p is not None:
        yield MinP(options.min_p)


def _encode(tokenizer: Tokenizer, options: argparse.Namespace) -> list[int]:
    """The prompt's ids; a prompt that another language has all the words of gets a hint."""
    try:
        return tokenizer.encode(options.prompt)
    except ValueError as error:
        for other in LANGUAGES:
            if other != options.lang and _knows(Grammar.load(other).tokenizer, options.prompt):
                raise ValueError(
                    f"{options.prompt!r} is not in language {options.lang!r}: add --lang {other}"
                ) from error
        raise


def _knows(tokenizer: Tokenizer, text: str) -> bool:
    try:
        tokenizer.encode(text)
    except ValueError:
        return False
    return True


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m minimodel",
        description="Continue a text with the Mini-GPT, one sampled word at a time.",
        epilog='for example: python -m minimodel "Tomorrow she" --top-p 0.9 --seed 7',
    )
    parser.add_argument("prompt", help='the text to continue, such as "Tomorrow she" (or "Mañana ella" with --lang es)')
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the model (%(default)s)")
    parser.add_argument("--temperature", type=float, default=1.0, metavar="τ", help="0 is greedy (%(default)s)")
    parser.add_argument("--top-k", type=int, metavar="K", help="draw from the K most probable words only")
    parser.add_argument("--top-p", type=float, metavar="P", help="draw from the nucleus of mass P only")
    parser.add_argument("--min-p", type=float, metavar="P", help="drop words below P times the top probability")
    parser.add_argument("--repetition-penalty", type=float, metavar="ρ", help="above 1: repeat less")
    parser.add_argument("--max-tokens", type=int, default=24, metavar="N", help="words to add at most (%(default)s)")
    parser.add_argument("--seed", type=int, help="the same seed gives the same text (a new one each time)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
