"""Marks the file of an archive, so that no store opens and changes it.

The mark is the `application_id` that SQLite keeps in the header of a file.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

MARK: Final = 0x6465616C


class IsArchive(Exception):
    """The database is an archive; the message names the command that opens it."""

    def __init__(self) -> None:
        super().__init__(
            "is an archive of `dealt backup`, and archives are never changed. Load it into an empty database with"
            " `dealt restore`."
        )


class IsNoDatabase(Exception):
    """The file is not an SQLite database."""

    def __init__(self) -> None:
        super().__init__("is not an SQLite database.")


def mark(path: Path) -> None:
    """Mark an SQLite database as an archive, with all data in one file."""
    with closing(sqlite3.connect(path)) as whole:
        whole.execute("PRAGMA journal_mode=DELETE")
        whole.execute(f"PRAGMA application_id={MARK}")


def unmark(path: Path) -> None:
    """Turn a copy of an archive into an ordinary database."""
    with closing(sqlite3.connect(path)) as whole:
        whole.execute("PRAGMA application_id=0")


def refuse_file(url: str) -> None:
    """Raise `IsArchive` for the address of an archive, and `IsNoDatabase` for a folder or another kind of file.

    A missing or unreadable file passes.
    """
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return
    path = Path(address.database or "").absolute()
    if path.is_dir():
        raise IsNoDatabase
    found = None
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            (found,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise IsNoDatabase from None
    if found == MARK:
        raise IsArchive
