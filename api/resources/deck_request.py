"""Reads decks as they are sent: as JSON, or as lists of cards."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields, validate, validates_schema

from api.http.common_fields import NAME_LENGTH, Name, choice_field, doc
from api.http.request_parsing import invalid_request
from api.http.strict_fields import Strict, Whole
from domain.core.collectible import Deck
from domain.games.catalogue import CARDS

LONGEST_LIST: Final = 20_000
"""A list of cards has at most this many characters."""

_SOME: Final = [card for card in CARDS.cards.values() if not card.basic][:2]
EXAMPLE: Final = "".join(f"4 {card.name}\n" for card in _SOME)
"""A list of cards, as an example."""


class CardCountBody(Strict):
    """A number of copies of a card."""

    card = fields.String(
        required=True,
        validate=validate.OneOf(CARDS.cards, error="There is no such card. `GET /v1/cards` lists all cards."),
        **doc("The id of the card.", example="fw1-007"),
    )
    count = Whole(required=True, validate=validate.Range(1, CARDS.most_cards), **doc("How many copies."))


def _rows(description: str) -> fields.List[Any]:
    most = len(CARDS.cards)
    return fields.List(
        fields.Nested(CardCountBody), validate=validate.Length(max=most), **doc(description, maxItems=most)
    )


class DeckRequestBody(Strict):
    """A deck: its cards by their ids in `main` and `sideboard`, or as a list of lines as `4 Name`."""

    name = Name(required=True, **doc("Its name, to distinguish it from others.", minLength=1, maxLength=NAME_LENGTH))
    sets = fields.List(
        choice_field(*CARDS.sets),
        load_default=list,
        **doc("The sets that it means to be built of, by which it is judged; none: all of them."),
    )
    main = _rows("The cards that are played.")
    sideboard = _rows("The sideboard, whose cards may come in between games.")
    list = fields.String(
        validate=validate.Length(max=LONGEST_LIST),
        **doc(
            "The cards as text, a line `4 Name` for each; the sideboard follows a line `Sideboard`.",
            maxLength=LONGEST_LIST,
            example=EXAMPLE,
        ),
    )

    @validates_schema
    def _in_one_form(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if "list" in data and not {"main", "sideboard"}.isdisjoint(data):
            raise ValidationError("Send the cards as `list`, or as `main` and `sideboard`.", "list")
        for part in ("main", "sideboard"):
            named = [row["card"] for row in data.get(part, ())]
            if len(set(named)) < len(named):
                raise ValidationError("Use each card only once, with its count.", part)
        if sum(row["count"] for part in ("main", "sideboard") for row in data.get(part, ())) > CARDS.most_cards:
            raise ValidationError(f"A deck has at most {CARDS.most_cards} cards, including the sideboard.", "main")


class DeckQuery(Strict):
    collection = choice_field(
        "free",
        "owned",
        load_default="free",
        **doc("`owned` needs the format `constructed`."),
    )


LIST: Final[Mapping[str, Any]] = {
    "type": "string",
    "maxLength": LONGEST_LIST,
    "description": "A line `4 Name` for each card; the sideboard follows a line `Sideboard`.",
}


def deck_of(wanted: Mapping[str, Any]) -> Deck:
    """Build a deck from the request, in either form."""
    if "list" in wanted:
        return read_list(wanted["list"], "list")
    main, side = ([row["card"] for row in wanted.get(part, ()) for _ in range(row["count"])] for part in PARTS)
    return Deck(tuple(sorted(main)), tuple(sorted(side)))


PARTS: Final = ("main", "sideboard")


def read_list(written: str, field: str) -> Deck:
    """Read a list of cards. Raises 422 with a sentence for each line that cannot be read."""
    deck, faults = CARDS.read_list(written)
    if faults:
        raise invalid_request({field: [f"Line {fault.line}: {fault.sentence}" for fault in faults]})
    return deck
