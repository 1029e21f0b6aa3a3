"""Where the marks are: a file of SQLite's by default, a PostgreSQL server by one setting."""

from pathlib import Path

WAIT = 120  # s, for another writer of the file


def gradebook_url(setting: str | None, folder: Path) -> str:
    """The gradebook's address as SQLAlchemy has it.

    Args:
        setting: ``postgresql://user:password@host/database``; none or nothing for ``gradebook.db`` in ``folder``.
        folder: where the file is.

    >>> gradebook_url("postgresql://ada@db.example.org/marks", Path("grading"))
    'postgresql+psycopg://ada@db.example.org/marks'
    >>> gradebook_url(None, Path("/course/grading"))
    'sqlite:////course/grading/gradebook.db?timeout=120'

    Raises:
        ValueError: it is the address of something else.
    """
    if not setting:
        return f"sqlite:///{folder / 'gradebook.db'}?timeout={WAIT}"
    scheme, found, rest = setting.partition("://")
    if not found or scheme not in ("postgresql", "postgres"):
        raise ValueError(
            f"COURSE_GRADEBOOK is {scheme!r}://…: expected postgresql://user:password@host/database, "
            "or nothing for grading/gradebook.db"
        )
    return f"postgresql+psycopg://{rest}"
