"""Makes text from unknown sources fit for a terminal, and for a log that is read in one."""

import re
from collections.abc import Sequence
from typing import Any, Final

MOST: Final = 2_000
"""The maximum number of letters of a foreign text that are shown; no text of Dealt's is as long."""


def remove_controls(text: str) -> str:
    """Remove control characters for the terminal: a record may come from any source."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def escape_controls(text: str) -> str:
    """Escape characters that control a terminal, break a line or reorder it, so that logs show the original."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def clean_json(said: Any) -> Any:
    """Return JSON from another source with every text clean and within Dealt's limits."""
    match said:
        case str():
            return remove_controls(said if len(said) <= MOST else f"{said[:MOST]}…")
        case list():
            return [clean_json(each) for each in said]
        case dict():
            return {clean_json(key): clean_json(each) for key, each in said.items()}
    return said


SEATS: Final = re.compile(r"\b[Ss]eats? (\d{1,2}(?:(?:, | and )\d{1,2})*)\b")


def name_seats(text: str, names: Sequence[str]) -> str:
    """Replace `seat 2` and `seats 0 and 3` with the players' names; an empty seat stays a number."""

    def named(found: re.Match[str]) -> str:
        if any(int(seat) >= len(names) for seat in re.findall(r"\d+", found[1])):
            return found[0]
        return re.sub(r"\d+", lambda seat: names[int(seat[0])], found[1])

    return SEATS.sub(named, text)
