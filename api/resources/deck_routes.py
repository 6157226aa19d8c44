"""Serves the decks that a player has saved: as JSON and as lists of cards, with what each format says of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any, Final

from flask import Blueprint, Response, request
from marshmallow import ValidationError, fields, validate, validates_schema
from msgspec import json

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load, query, refused
from api.http.fields import Strict, Whole
from api.http.idempotency import IDEMPOTENCY_KEY, key, once
from api.http.openapi_operations import (
    ETAG,
    JSON,
    LOCATION,
    NOT_MODIFIED,
    REPLAYED,
    Answer,
    Body,
    Count,
    Operation,
    Ordinal,
    Parameter,
    Reply,
    Timestamp,
    among,
    says,
    text,
)
from api.http.prefix import address_of
from api.http.present import FOR_THE_CALLER, IF_NONE_MATCH, answer, marked, nothing, tagged
from api.http.problems import Problem
from api.http.schemas import NAME_LENGTH, Name, one_of, said
from api.resources.card_answer import Set
from domain.core.collectible import Counts, Deck
from domain.games.catalogue import CARDS
from events.service import collections, saved_decks
from events.store.records import Remembered, SavedDeck
from events.times import write_time

bp = Blueprint("decks", __name__, url_prefix="/v1/decks")

PLAIN: Final = "text/plain"
LONGEST_LIST: Final = 20_000
"""A list of cards has at most this many characters."""

DECK_ID: Final = Parameter("deck_id", "path", "The id of one of your decks.", example="8n9y4jktn4n1gzhahebf")
IF_MATCH: Final = Parameter("If-Match", "header", "The `ETag` of the deck as you know it; 412 if it is another by now.")

_SOME: Final = [card for card in CARDS.cards.values() if not card.basic][:2]
_EXAMPLE: Final = "".join(f"4 {card.name}\n" for card in _SOME)


# --- What is sent -----------------------------------------------------------------------------------------


class CardCountBody(Strict):
    """So many copies of a card."""

    card = fields.String(
        required=True,
        validate=validate.OneOf(CARDS.cards, error="There is no such card; `GET /v1/cards` lists them."),
        **said("The id of the card.", example="fw1-007"),
    )
    count = Whole(required=True, validate=validate.Range(1, CARDS.most_cards), **said("How many copies."))


def _rows(description: str) -> fields.List[Any]:
    most = len(CARDS.cards)
    return fields.List(
        fields.Nested(CardCountBody), validate=validate.Length(max=most), **said(description, maxItems=most)
    )


class NewDeckBody(Strict):
    """A deck: its cards by their ids in `main` and `sideboard`, or as a list of lines as `4 Name`."""

    name = Name(required=True, **said("Its name, for you to tell it from others.", minLength=1, maxLength=NAME_LENGTH))
    sets = fields.List(
        one_of(*CARDS.sets),
        load_default=list,
        **said("The sets that it means to be built of, by which it is judged; none: all of them."),
    )
    main = _rows("The cards that are played.")
    sideboard = _rows("The cards beside them, which may come in between games.")
    list = fields.String(
        validate=validate.Length(max=LONGEST_LIST),
        **said(
            "The cards as text, a line `4 Name` for each; the sideboard follows a line `Sideboard`.",
            maxLength=LONGEST_LIST,
            example=_EXAMPLE,
        ),
    )

    @validates_schema
    def _in_one_form(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if "list" in data and not {"main", "sideboard"}.isdisjoint(data):
            raise ValidationError("Send the cards as `list`, or as `main` and `sideboard`.", "list")
        for part in ("main", "sideboard"):
            named = [row["card"] for row in data.get(part, ())]
            if len(set(named)) < len(named):
                raise ValidationError("Name each card once, with its count.", part)
        if sum(row["count"] for part in ("main", "sideboard") for row in data.get(part, ())) > CARDS.most_cards:
            raise ValidationError(f"A deck has at most {CARDS.most_cards} cards, with the sideboard.", "main")


class DeckQuery(Strict):
    collection = one_of(
        "free",
        "owned",
        load_default="free",
        **said("`owned`: decks that are built freely are judged by the cards of your collection."),
    )


LIST: Final[Mapping[str, Any]] = {
    "type": "string",
    "maxLength": LONGEST_LIST,
    "description": "A line `4 Name` for each card; the sideboard follows a line `Sideboard`.",
}


# --- What is answered -------------------------------------------------------------------------------------


class CountedCardAnswer(Answer):
    card: Annotated[str, says("The id of the card.", examples=["fw1-007"])]
    name: Annotated[str, says("Its name.", examples=["Lantern Acolyte"])]
    count: Annotated[Ordinal, says("How many copies.")]


class DeckFaultAnswer(Answer):
    code: Annotated[str, says("The code with which a match would refuse it.", examples=["deck_too_small"])]
    detail: Annotated[str, says("The same about this deck, in a sentence.")]


class DeckFormatAnswer(Answer):
    format: Annotated[str, among(CARDS.formats), says("The format.")]
    fits: Annotated[bool, says("Whether the deck may be played in it.")]
    faults: Annotated[list[DeckFaultAnswer], says("All that is wrong with it; empty if it fits.")]


class DeckSizeAnswer(Answer):
    main: Annotated[Count, says("The cards that are played.")]
    sideboard: Annotated[Count, says("The cards beside them.")]


class ListedDeckAnswer(Answer):
    id: Annotated[str, says("The id of the deck.")]
    name: Annotated[str, says("Its name.", examples=["Larks and boars"])]
    sets: Annotated[list[Set], says("The sets that it means to be built of; none: all of them.")]
    size: Annotated[DeckSizeAnswer, says("How many cards it has.")]
    created_at: Annotated[Timestamp, says("When it was first saved.")]
    changed_at: Annotated[Timestamp, says("When it was last changed.")]


class SavedDeckAnswer(ListedDeckAnswer):
    """A deck that was saved, and whether it may be played."""

    main: Annotated[list[CountedCardAnswer], says("The cards that are played, by set and number.")]
    sideboard: Annotated[list[CountedCardAnswer], says("The cards beside them.")]
    list: Annotated[str, says("The same as text, as it can be sent again.", examples=[_EXAMPLE])]
    formats: Annotated[
        Sequence[DeckFormatAnswer],
        says("What each format says of it. Of opened or drafted cards it is not asked here whether they are yours."),
    ]


class DeckListAnswer(Answer):
    items: Annotated[list[ListedDeckAnswer], says("Your decks, those that were changed last first.")]
    next: Annotated[None, says("Always null: all of them are here.")]


# --- The calls --------------------------------------------------------------------------------------------


@bp.post("")
@Operation(
    id="createDeck",
    tag="cards",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(NewDeckBody(), example={"name": "Larks and boars", "list": _EXAMPLE}),
    replies={201: Reply("The deck.", SavedDeckAnswer, headers=(ETAG, LOCATION, REPLAYED))},
    refuses=("not_found", "too_many_decks"),
)
def create() -> Response:
    """Save a deck.

    It is saved whether or not it may be played: `formats` says what each format finds wrong. A card that there is not
    is refused. A player has at most 100 decks. They are for you alone until you bring one to a match, and go when you
    are erased. A repeat with the same `Idempotency-Key` gives the deck as it is now.
    """
    player, given = me().player_id, body()
    asked = key(given)

    def do() -> Response:
        wanted = load(NewDeckBody(), given)
        named, sets = (player, wanted["name"]), tuple(dict.fromkeys(wanted["sets"]))
        return _made(saved_decks.save(here().context, named, sets, _deck(wanted), asked))

    def again(_: Remembered) -> Response:
        assert asked is not None
        return _made(saved_decks.saved_before(here().context, player, asked))

    return once(asked, do, again)


@bp.get("")
@Operation(
    id="listDecks",
    tag="cards",
    replies={200: Reply("Your decks.", DeckListAnswer)},
)
def index() -> Response:
    """List your decks.

    Their cards are shown with each deck alone.
    """
    found = saved_decks.of_player(here().context, me().player_id)
    return answer(DeckListAnswer([ListedDeckAnswer(**_head(one)) for one in found], None))


@bp.get("/<deck_id>")
@Operation(
    id="getDeck",
    tag="cards",
    parameters=(DECK_ID, IF_NONE_MATCH),
    query=DeckQuery(),
    replies={
        200: Reply(
            "The deck, as JSON or as a list of cards.",
            {JSON: SavedDeckAnswer, PLAIN: text(_EXAMPLE, "A line `4 Name` for each card.")},
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def show(deck_id: str) -> Response:
    """Show one of your decks, with what each format says of it.

    With `Accept: text/plain` it comes as a list, which other programs read and `PUT …/list` takes.
    """
    player = me().player_id
    found = saved_decks.of_id(here().context, player, deck_id)
    if query(DeckQuery())["collection"] == "owned":
        return marked(answer(_shown(found, collections.owned(here().context, player))), _mark(found))
    if request.accept_mimetypes.best_match([JSON, PLAIN]) == PLAIN:
        listed = Response(CARDS.write_list(found.deck), headers=FOR_THE_CALLER, content_type=f"{PLAIN}; charset=utf-8")
        return tagged(listed, _mark(found))
    return tagged(answer(_shown(found)), _mark(found))


@bp.put("/<deck_id>")
@Operation(
    id="replaceDeck",
    tag="cards",
    parameters=(DECK_ID, IF_MATCH),
    body=Body(NewDeckBody(), example={"name": "Larks and boars", "list": _EXAMPLE}),
    replies={200: Reply("The deck.", SavedDeckAnswer, headers=(ETAG,))},
    refuses=("not_found", "deck_changed"),
)
def change(deck_id: str) -> Response:
    """Put another deck in the place of one of yours.

    A match that has begun keeps the deck that was brought to it.
    """
    player, given = me().player_id, body()
    found = saved_decks.of_id(here().context, player, deck_id)
    wanted = load(NewDeckBody(), given)
    sets = tuple(dict.fromkeys(wanted["sets"]))
    return _changed(replace(found, name=wanted["name"], sets=sets, deck=_deck(wanted)))


@bp.put("/<deck_id>/list")
@Operation(
    id="importDeck",
    tag="cards",
    parameters=(DECK_ID, IF_MATCH),
    body=Body(LIST, example=_EXAMPLE, forms=(PLAIN,)),
    replies={200: Reply("The deck.", SavedDeckAnswer, headers=(ETAG,))},
    refuses=("not_found", "deck_changed"),
)
def take_list(deck_id: str) -> Response:
    """Put the cards of a list, sent as text, in the place of those of one of your decks.

    Case, empty lines and lines that begin with `#` do not matter. Its name stays.
    """
    found = saved_decks.of_id(here().context, me().player_id, deck_id)
    if request.mimetype != PLAIN:
        raise Problem("unsupported_media_type", "Send the list as text, with `Content-Type: text/plain`.")
    try:
        written = request.get_data().decode()
    except UnicodeDecodeError:
        raise refused({"_schema": ["Write the list in UTF-8."]}) from None
    if len(written) > LONGEST_LIST:
        raise refused({"_schema": [f"A list has at most {LONGEST_LIST:,} characters."]})
    return _changed(replace(found, deck=_read(written, "_schema")))


@bp.delete("/<deck_id>")
@Operation(
    id="deleteDeck",
    tag="cards",
    parameters=(DECK_ID, IF_MATCH),
    replies={204: Reply("It is gone.")},
    refuses=("not_found", "deck_changed"),
)
def delete(deck_id: str) -> Response:
    """Delete one of your decks.

    Matches to which it was brought keep it.
    """
    saved_decks.delete(here().context, me().player_id, deck_id, _admitted)
    return nothing()


# --- What they share --------------------------------------------------------------------------------------


def _deck(wanted: Mapping[str, Any]) -> Deck:
    if "list" in wanted:
        return _read(wanted["list"], "list")
    main, side = ([row["card"] for row in wanted.get(part, ()) for _ in range(row["count"])] for part in PARTS)
    return Deck(tuple(sorted(main)), tuple(sorted(side)))


PARTS: Final = ("main", "sideboard")


def _read(written: str, field: str) -> Deck:
    """Read a list of cards. Raises 422 with a sentence for each line that cannot be read."""
    deck, faults = CARDS.read_list(written)
    if faults:
        raise refused({field: [f"Line {fault.line}: {fault.sentence}" for fault in faults]})
    return deck


def _made(saved: SavedDeck) -> Response:
    headers = {"Location": address_of(f"/v1/decks/{saved.deck_id}")}
    return tagged(answer(_shown(saved), 201, headers=headers), _mark(saved))


def _changed(after: SavedDeck) -> Response:
    saved = saved_decks.change(here().context, after, _admitted)
    return tagged(answer(_shown(saved)), _mark(saved))


def _admitted(found: SavedDeck) -> bool:
    return "If-Match" not in request.headers or request.if_match.contains(_mark(found))


def _mark(saved: SavedDeck) -> str:
    return sha256(json.encode(_shown(saved))).hexdigest()[:32]


def _head(saved: SavedDeck) -> dict[str, Any]:
    return {
        "id": saved.deck_id,
        "name": saved.name,
        "sets": list(saved.sets),
        "size": DeckSizeAnswer(len(saved.deck.main), len(saved.deck.sideboard)),
        "created_at": write_time(saved.created_ms),
        "changed_at": write_time(saved.changed_ms),
    }


def _shown(saved: SavedDeck, owned: Counts | None = None) -> SavedDeckAnswer:
    return SavedDeckAnswer(
        **_head(saved),
        main=card_counts(Counter(saved.deck.main)),
        sideboard=card_counts(Counter(saved.deck.sideboard)),
        list=CARDS.write_list(saved.deck),
        formats=[_judged(name, saved, owned) for name in CARDS.formats],
    )


def card_counts(counts: Counts) -> list[CountedCardAnswer]:
    """Show counted cards by set and number, those that are here any longer."""
    known = (card for card in CARDS.cards.values() if counts.get(card.id))
    return [CountedCardAnswer(card.id, card.name, counts[card.id]) for card in known]


def _judged(name: str, saved: SavedDeck, owned: Counts | None) -> DeckFormatAnswer:
    faults = CARDS.formats[name](saved.deck, saved.sets or tuple(CARDS.sets), owned)
    return DeckFormatAnswer(name, not faults, [DeckFaultAnswer(fault.code, fault.sentence) for fault in faults])
