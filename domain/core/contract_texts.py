"""Checks whether the names and texts of a game can be stored, sent and shown."""

import re
from typing import Final

from domain.core.type_faults import name_value

MOST_OF_A_NAME: Final = 60
MOST_OF_A_VERSION: Final = 20
MOST_OF_A_TITLE: Final = 80
MOST_OF_A_SENTENCE: Final = 500
"""Names, versions, titles and sentences have at most this many characters."""

NAME: Final = f"[a-z][a-z0-9_]{{0,{MOST_OF_A_NAME - 1}}}"
"""The names of games, moves and options are of this form."""

NO_NAME: Final = f"The name is not made of small letters, digits and underscores, {MOST_OF_A_NAME} at most."


def is_name(text: str) -> bool:
    """Return whether a text is a name that clients can send."""
    return re.fullmatch(NAME, text) is not None


def unfit_line(text: str, most: int) -> str | None:
    """Return why a text is not a printable line; None if it is one."""
    if not text.strip():
        return "It is empty."
    if len(text) > most or text != text.strip() or not text.isprintable():
        return f"{name_value(text)} is not one line of at most {most} printable characters."
    return None
