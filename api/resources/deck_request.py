"""Reads decks as they are sent: as JSON, or as lists of cards."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from api.http.common_fields import Name
from api.http.problems import wrong_fields
from api.http.request_records import Request, choice, sample
from domain.core.collectible import Deck
from domain.core.options import Length, Omissible, Range
from domain.games.catalogue import CARDS

LONGEST_LIST: Final = 20_000
"""Maximum characters of a list of cards."""

_SOME: Final = [card for card in CARDS.cards.values() if not card.basic][:2]
EXAMPLE: Final = "".join(f"4 {card.name}\n" for card in _SOME)
"""A list of cards, as an example."""


class CardCountBody(Request):
    """A number of copies of a card."""

    card: Annotated[
        str,
        choice(CARDS.cards, "There is no such card. `GET /v1/cards` lists all cards."),
        sample(example="fw1-007"),
    ]
    """The id of the card."""
    count: Annotated[int, Range(1, CARDS.most_cards)]
    """How many copies."""


Rows = Annotated[tuple[CardCountBody, ...], Length(0, len(CARDS.cards))]


class DeckRequestBody(Request):
    """A deck: its cards by their ids in `main` and `sideboard`, or as a list of lines as `4 Name`."""

    name: Name
    """Its name, to distinguish it from others."""
    sets: tuple[Annotated[str, choice(CARDS.sets)], ...] = ()
    """The sets that its cards must come from; empty for all sets."""
    main: Omissible[Rows] = None
    """The cards to play with."""
    sideboard: Omissible[Rows] = None
    """The sideboard, for swapping cards between games."""
    list: Omissible[Annotated[str, Length(0, LONGEST_LIST), sample(example=EXAMPLE)]] = None
    """The cards as text, a line `4 Name` for each; the sideboard follows a line `Sideboard`."""

    def faults(self) -> Mapping[str, str]:
        """Return the faults of cards in two forms, named twice, or too many."""
        if self.list is not None and (self.main, self.sideboard) != (None, None):
            return {"list": "Send the cards as `list`, or as `main` and `sideboard`."}
        parts = {"main": self.main or (), "sideboard": self.sideboard or ()}
        for part, rows in parts.items():
            if len({row.card for row in rows}) < len(rows):
                return {part: "Use each card only once, with its count."}
        if sum(row.count for rows in parts.values() for row in rows) > CARDS.most_cards:
            return {"main": f"A deck has at most {CARDS.most_cards} cards, including the sideboard."}
        return {}


class DeckQuery(Request):
    collection: Literal["free", "owned"] = "free"
    """`owned` needs the format `constructed`."""


LIST: Final[Mapping[str, Any]] = {
    "type": "string",
    "maxLength": LONGEST_LIST,
    "description": "A line `4 Name` for each card; the sideboard follows a line `Sideboard`.",
}


def deck_of(wanted: DeckRequestBody) -> Deck:
    """Build a deck from the request, in either form."""
    if wanted.list is not None:
        return read_list(wanted.list, "list")
    main, side = (
        [row.card for row in rows or () for _ in range(row.count)] for rows in (wanted.main, wanted.sideboard)
    )
    return Deck(tuple(sorted(main)), tuple(sorted(side)))


def read_list(written: str, field: str) -> Deck:
    """Read a list of cards. Raises 422 with a sentence for each line that cannot be read."""
    deck, faults = CARDS.read_list(written)
    if faults:
        raise wrong_fields({field: [f"Line {fault.line}: {fault.sentence}" for fault in faults]})
    return deck
