"""Makes text from unknown sources fit for a terminal."""

import re
from collections.abc import Sequence
from typing import Any, Final


def clean(text: str) -> str:
    """Take out what would speak to the terminal: a record may come from any source."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def cleaned(said: Any) -> Any:
    """Give JSON that somebody else has sent, every text in it clean, so that each may be shown."""
    match said:
        case str():
            return clean(said)
        case list():
            return [cleaned(each) for each in said]
        case dict():
            return {clean(key): cleaned(each) for key, each in said.items()}
    return said


SEATS: Final = re.compile(r"\b[Ss]eats? (\d{1,2}(?:(?:, | and )\d{1,2})*)\b")


def with_names(text: str, names: Sequence[str]) -> str:
    """Put the names of those who sit there for `seat 2`, `seats 0 and 3`; a seat that is not there stays a number."""

    def named(found: re.Match[str]) -> str:
        if any(int(seat) >= len(names) for seat in re.findall(r"\d+", found[1])):
            return found[0]
        return re.sub(r"\d+", lambda seat: names[int(seat[0])], found[1])

    return SEATS.sub(named, text)
