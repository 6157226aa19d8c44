"""Writes decks as plain text, a line `4 Name` for each card, and reads them from it.

The sideboard follows a line `Sideboard`. Empty lines, and lines that begin with `#`, say nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from domain.card_sets.cards.library import CARDS
from domain.card_sets.decks.deck import MOST_CARDS
from domain.core.collectible import Deck, LineFault

MOST_LINES: Final = 500
"""Maximum number of lines in a list, a protection against abuse."""

MOST_FAULTS: Final = 20
"""The number of faults after which the rest of a list is not read."""

LONGEST_NAME: Final = 40
"""Maximum length of a card name in characters."""

LINE: Final = re.compile(r"([0-9]{1,4})x? +(.+)")
SIDEBOARD: Final = "Sideboard"

_SPELLED = {card.name.casefold(): card.id for card in CARDS.values()}


def write_list(deck: Deck) -> str:
    """Write a deck as text, its cards in the order of their sets and numbers."""
    main, side = ("".join(f"{line}\n" for line in _lines(part)) for part in (deck.main, deck.sideboard))
    return f"{main}\n{SIDEBOARD}\n{side}" if side else main


def _lines(cards: tuple[str, ...]) -> Iterator[str]:
    counts = Counter(cards)
    return (f"{counts[card.id]} {card.name}" for card in CARDS.values() if counts[card.id])


def read_list(text: str) -> tuple[Deck, tuple[LineFault, ...]]:
    """Read a deck from text: the deck, and the faults of the other lines.

    Case and surrounding spaces do not matter. The caller checks whether the deck fits a format.
    """
    parts: tuple[list[str], list[str]] = ([], [])
    found: list[LineFault] = []
    side = 0
    for n, raw in enumerate(text.splitlines(), 1):
        line = " ".join(raw.split())
        if n > MOST_LINES:
            found.append(LineFault(n, f"A list has at most {MOST_LINES} lines."))
        elif line.casefold().rstrip(":") == SIDEBOARD.casefold() and not side:
            side = 1
        elif line and not line.startswith("#"):
            read = _read_line(line, MOST_CARDS - len(parts[0]) - len(parts[1]))
            if isinstance(read, str):
                found.append(LineFault(n, read))
            else:
                parts[side].extend(read)
        if n > MOST_LINES or len(found) == MOST_FAULTS:
            break
    return Deck(tuple(sorted(parts[0])), tuple(sorted(parts[1]))), tuple(found)


def _read_line(line: str, room: int) -> list[str] | str:
    """Read the cards of a line, or return its fault. `room` is the number of cards that the list may still have."""
    written = LINE.fullmatch(line)
    if written is None:
        return "Write a number and the name of a card, as 4 Bramble Boar."
    count, name = int(written[1]), written[2].replace("’", "'")
    card = _SPELLED.get(name.casefold())
    if card is None:
        return _unknown(name)
    if count == 0:
        return "Write the number of copies, at least 1. For none, leave the line out."
    if count > room:
        return f"A list names at most {MOST_CARDS} cards."
    return [card] * count


def _unknown(name: str) -> str:
    if len(name) > LONGEST_NAME:
        return f"No card has a name of more than {LONGEST_NAME} characters."
    near = get_close_matches(name.casefold(), _SPELLED, n=1)
    asked = f" Did you mean {CARDS[_SPELLED[near[0]]].name}?" if near else ""
    return f"There is no card {name!r}.{asked}"
