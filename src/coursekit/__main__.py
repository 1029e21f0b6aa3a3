"""The course's verbs: `python -m coursekit <verb>`; without one, a list of them."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from coursekit.words import teach_argparse
from coursekit.words import translated as _
from minimodel.language import LANGUAGES, check_language

if TYPE_CHECKING:
    from collections.abc import Sequence

# Each verb imports what it needs when it is called, so that none waits for the others' libraries.


def build(arguments: argparse.Namespace) -> int:
    """Build the book in both languages, strictly, and check it."""
    from coursekit.site.build import build as build_site  # noqa: PLC0415

    return 0 if build_site(arguments.root, [arguments.lang] if arguments.lang else LANGUAGES, _say) else 1


def serve(arguments: argparse.Namespace) -> int:
    """Build the book and serve it on this machine."""
    from coursekit.site.serve import serve as serve_site  # noqa: PLC0415

    if built := build(arguments):
        return built
    serve_site(arguments.root / "site", arguments.port)
    return 0


def links(arguments: argparse.Namespace) -> int:
    """Check every link and anchor of the built site."""
    from coursekit.site.links import check_links  # noqa: PLC0415

    site = arguments.root.resolve() / "site"
    if not site.is_dir():
        raise ValueError(f"{site} does not exist: run `python -m coursekit build` first")
    count, problems = check_links(site)
    print(*problems, f"{count} links checked, {len(problems)} bad", sep="\n")
    return 1 if problems else 0


def lighthouse(arguments: argparse.Namespace) -> int:
    """Hold the built site's chapters against Google's Lighthouse."""
    from coursekit.site.layout import Layout  # noqa: PLC0415
    from coursekit.site.lighthouse import lighthouse as look_at_site  # noqa: PLC0415

    return 0 if look_at_site(Layout(arguments.root.resolve()), _say) else 1


def stamp(arguments: argparse.Namespace) -> int:
    """Record that Spanish sections were checked against the English ones as they are now."""
    from coursekit.site.layout import Layout  # noqa: PLC0415
    from coursekit.site.review import renew  # noqa: PLC0415

    renewed = renew(Layout(arguments.root.resolve()), arguments.sections)
    print(*renewed, f"{len(renewed)} sections stamped", sep="\n")
    return 0


def labs(arguments: argparse.Namespace) -> int:
    """Derive every lab's notebooks from its one source."""
    from coursekit.labs.derive import derive_all  # noqa: PLC0415

    derive_all(arguments.root.resolve())
    return 0


def grade(arguments: argparse.Namespace) -> int:
    """Grade a lab's submissions: whatever is new or has changed."""
    from coursekit.grading import verbs  # noqa: PLC0415

    return verbs.grade(arguments)


def status(arguments: argparse.Namespace) -> int:
    """Show what is handed in, graded, and returned."""
    from coursekit.grading import verbs  # noqa: PLC0415

    return verbs.status(arguments)


def feedback(arguments: argparse.Namespace) -> int:
    """Write every graded student's feedback, in the student's language."""
    from coursekit.grading import verbs  # noqa: PLC0415

    return verbs.feedback(arguments)


def export(arguments: argparse.Namespace) -> int:
    """Write a lab's marks as CSV and JSON."""
    from coursekit.grading import verbs  # noqa: PLC0415

    return verbs.export(arguments)


def report(arguments: argparse.Namespace) -> int:
    """Write a report on how the class did in a lab."""
    from coursekit.grading import verbs  # noqa: PLC0415

    return verbs.report(arguments)


def collect(arguments: argparse.Namespace) -> int:
    """Bring what a class handed in as a zip file or a folder to where it is graded."""
    from coursekit.grading.lms.collect import collect as collect_files  # noqa: PLC0415

    collected = collect_files(arguments.root.resolve(), arguments.lab, arguments.origin)
    print(*collected.table(), sep="\n")
    return 1 if collected.unknown or collected.refused else 0


def return_(arguments: argparse.Namespace) -> int:
    """Pack everybody's feedback into a zip file that the system takes back."""
    from coursekit.grading.lms.give_back import give_back  # noqa: PLC0415
    from coursekit.grading.messages import say  # noqa: PLC0415

    students = give_back(arguments.root.resolve(), arguments.lab, arguments.archive)
    print(say("given_back", path=arguments.archive, count=len(students)))
    return 0


def instructor_book(arguments: argparse.Namespace) -> int:
    """Build the labs' solution pages with teaching notes, for instructors alone."""
    from coursekit.labs.instructor_book import build_instructor_book  # noqa: PLC0415

    return 0 if build_instructor_book(arguments.root.resolve(), _say) else 1


def _become_jupyterlab(notebook: Path) -> NoReturn:
    """Go on as JupyterLab, in the notebook's folder, so that Ctrl-C is for it to answer.

    It prints its address and errors, and not what it does at every moment.
    """
    os.chdir(notebook.parent)
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", "--log-level=ERROR", notebook.name])  # noqa: S606


def lab(arguments: argparse.Namespace) -> int:
    """Open your copy of a lab in JupyterLab; without a name, list the labs."""
    from coursekit.labs.desk import language_at_work, list_of_labs, take_out  # noqa: PLC0415
    from coursekit.labs.language import speak  # noqa: PLC0415
    from coursekit.labs.messages import say  # noqa: PLC0415

    root = arguments.root.resolve()
    speak(lang := language_at_work(root, arguments.name, arguments.lang))
    if not arguments.name:
        print(list_of_labs(root))
        return 0
    copy = take_out(root, lang, arguments.name, again=arguments.again)
    _say(say("opening", path=copy.relative_to(root)))
    return _become_jupyterlab(copy)


def check(arguments: argparse.Namespace) -> int:
    """Look over your copy of a lab before you hand it in."""
    from coursekit.labs.desk import language_at_work, list_of_labs, released, working_copy  # noqa: PLC0415
    from coursekit.labs.hand_in import look_over  # noqa: PLC0415
    from coursekit.labs.hand_in_report import shown  # noqa: PLC0415
    from coursekit.labs.language import speak  # noqa: PLC0415
    from coursekit.labs.messages import say  # noqa: PLC0415

    root = arguments.root.resolve()
    speak(lang := language_at_work(root, arguments.name, arguments.lang))
    if not arguments.name:
        print(list_of_labs(root))
        return 0
    original, copy = released(root, lang, arguments.name), working_copy(root, lang, arguments.name)
    _say(say("running", path=copy.relative_to(root)))
    report = look_over(original, copy)
    print(shown(report))
    return 1 if report.lost else 0


GRADING = (grade, status, feedback, export, report)
VERBS = (build, serve, links, lighthouse, stamp, labs, instructor_book, lab, check, collect, *GRADING, return_)


def parser() -> argparse.ArgumentParser:
    """The command line, a subcommand a verb, in the language in use."""
    teach_argparse()
    command = argparse.ArgumentParser(prog="python -m coursekit", description=_(__doc__ or ""))
    verbs = command.add_subparsers(metavar=_("verb"))
    sub = {}
    for verb in VERBS:
        name = verb.__name__.rstrip("_").replace("_", "-")
        sub[verb] = verbs.add_parser(name, help=_(verb.__doc__ or ""), description=_(verb.__doc__ or ""))
        sub[verb].add_argument("--root", type=Path, default=Path(), help=_("the course's folder (default: this one)"))
        sub[verb].set_defaults(verb=verb)
    sub[serve].set_defaults(lang=None)
    sub[build].add_argument("--lang", type=_language, help=_(f"only this language ({' or '.join(LANGUAGES)})"))
    sub[serve].add_argument("--port", type=int, default=8000, help=_("default: %(default)s"))
    sub[stamp].add_argument("sections", nargs="*", metavar="PAGE#LABEL", help=_("default: all that are stale"))
    _add_work_on_labs(sub)
    _add_grading(sub)
    return command


Subcommands: TypeAlias = "dict[Any, argparse.ArgumentParser]"


def _add_work_on_labs(sub: Subcommands) -> None:
    for verb in (lab, check):
        sub[verb].add_argument("name", nargs="?", default="", help=_("for example 01-temperature-sweep"))
        spoken = os.environ.get("COURSE_LANG")
        sub[verb].add_argument(
            "--lang", type=_language, default=spoken, help=_("default: COURSE_LANG, else your copy's")
        )
    sub[lab].add_argument("--again", action="store_true", help=_("start over; the old copy is kept, with its date"))


def _add_grading(sub: Subcommands) -> None:
    for verb in GRADING:
        number = "?" if verb is status else None
        sub[verb].add_argument("lab", metavar="LAB", nargs=number, help=_("for example 01-temperature-sweep"))
    _add_ways_to_grade(sub[grade])
    sub[report].add_argument("--lang", type=_language, help=_("of the page (default: both)"))
    for each in (collect, return_):
        sub[each].add_argument("lab", metavar="LAB", help=_("for example 01-temperature-sweep"))
    sub[collect].add_argument("origin", type=Path, metavar="FILE.zip|FOLDER", help=_("as the system hands it out"))
    sub[return_].add_argument("archive", type=Path, metavar="FILE.zip", help=_("to be written"))


def _add_ways_to_grade(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=int, metavar="N", help=_("processes of this machine (default: one a core)"))
    command.add_argument("--scheduler", metavar="ADDRESS", help=_("of a running Dask cluster, in place of them"))
    command.add_argument("--dry-run", action="store_true", help=_("say what there is to do, and do nothing"))
    command.add_argument(
        "--no-sandbox", action="store_true", help=_("run student code as yourself: it can do what you can")
    )


def _language(text: str) -> str:
    try:
        return check_language(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _say(line: str) -> None:
    print(line, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; an error of the caller's making is said in a line."""
    try:
        command = parser()
        arguments = command.parse_args(argv)
        if "verb" not in arguments:
            command.print_help()
            return 0
        return int(arguments.verb(arguments))
    except (ValueError, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:  # the wheel that students install has the labs' checks and no more
        said = _("there is no {name} here: run this in a clone of the course, after `make setup`")
        print(f"error: {said.format(name=error.name)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
