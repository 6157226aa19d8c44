"""Serves the decks that a player has saved, as JSON and as lists of cards."""

from dataclasses import replace
from hashlib import sha256
from typing import Final

from flask import Response, request
from msgspec import json

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    JSON,
    LOCATION,
    NOT_MODIFIED,
    REPLAYED,
    Body,
    Operation,
    Parameter,
    Reply,
    text,
)
from api.http.path_prefix import public_link
from api.http.problems import wrong_fields
from api.http.request_parsing import check_media_type, load, read_body, read_query
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, answer_if_changed, json_answer, no_content, set_etag
from api.resources.deck_answer import (
    DeckListAnswer,
    ListedDeckAnswer,
    SavedDeckAnswer,
    listed_deck_answer,
    saved_deck_answer,
)
from api.resources.deck_request import EXAMPLE, LIST, LONGEST_LIST, DeckQuery, DeckRequestBody, deck_of, read_list
from domain.games.catalogue import CARDS
from events.service import collections, saved_decks
from events.store.player_records import SavedDeck
from events.store.records import Remembered

PLAIN: Final = "text/plain"
DECK_ID: Final = Parameter("deck_id", "path", "The id of one of your decks.", example="8n9y4jktn4n1gzhahebf")
IF_MATCH: Final = Parameter("If-Match", "header", "The `ETag` of the deck that you know; 412 if it has changed.")


@Operation(
    tag="cards",
    searches=("deck", "build a deck"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(DeckRequestBody, example={"name": "Larks and boars", "list": EXAMPLE}),
    replies={201: Reply("The deck.", SavedDeckAnswer, headers=(ETAG, LOCATION, REPLAYED))},
    refuses=("not_found", "too_many_decks"),
)
def create_deck() -> Response:
    """Create a deck.

    Saves the deck even if it is not legal; `formats` lists its faults by format. Unknown cards are refused. A player
    can have 100 decks. Only you see them until you bring one to a match. They are deleted when you are erased. A repeat
    with the same `Idempotency-Key` returns the deck in its current state.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)

    def do() -> Response:
        wanted = load(DeckRequestBody, given)
        named, sets = (player, wanted.name), tuple(dict.fromkeys(wanted.sets))
        return _deck_answer(saved_decks.save_deck(app_state().context, named, sets, deck_of(wanted), asked))

    def repeat_answer(_: Remembered) -> Response:
        assert asked is not None
        return _deck_answer(saved_decks.repeat_deck_answer(app_state().context, player, asked))

    return run_once(asked, do, repeat_answer)


@Operation(
    tag="cards",
    searches=("my decks", "saved decks"),
    replies={200: Reply("Your decks.", DeckListAnswer)},
)
def list_decks() -> Response:
    """List your decks.

    Only the answer for a single deck lists its cards.
    """
    found = saved_decks.decks_of_player(app_state().context, require_player().player_id)
    return json_answer(DeckListAnswer([ListedDeckAnswer(**listed_deck_answer(one)) for one in found], None))


@Operation(
    tag="cards",
    searches=("export deck", "is my deck legal"),
    parameters=(DECK_ID, IF_NONE_MATCH),
    query=DeckQuery,
    replies={
        200: Reply(
            "The deck, as JSON or as a list of cards.",
            {JSON: SavedDeckAnswer, PLAIN: text(EXAMPLE, "A line `4 Name` for each card.")},
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def get_deck(deck_id: str) -> Response:
    """Get a deck.

    Lists its faults by format. With `Accept: text/plain`, returns a list that other programs and `PUT …/list` can read.
    """
    player = require_player().player_id
    found = saved_decks.find_deck(app_state().context, player, deck_id)
    if read_query(DeckQuery).collection == "owned":
        return set_etag(
            json_answer(saved_deck_answer(found, collections.count_owned(app_state().context, player))), _mark(found)
        )
    if request.accept_mimetypes.best_match([JSON, PLAIN]) == PLAIN:
        listed = Response(CARDS.write_list(found.deck), headers=FOR_THE_CALLER, content_type=f"{PLAIN}; charset=utf-8")
        return answer_if_changed(listed, _mark(found))
    return answer_if_changed(json_answer(saved_deck_answer(found)), _mark(found))


@Operation(
    tag="cards",
    searches=("edit deck", "update deck"),
    parameters=(DECK_ID, IF_MATCH),
    body=Body(DeckRequestBody, example={"name": "Larks and boars", "list": EXAMPLE}),
    replies={200: Reply("The deck.", SavedDeckAnswer, headers=(ETAG,))},
    refuses=("not_found", "deck_changed"),
)
def replace_deck(deck_id: str) -> Response:
    """Replace a deck.

    Running matches keep the deck that was brought to them.
    """
    player, given = require_player().player_id, read_body()
    found = saved_decks.find_deck(app_state().context, player, deck_id)
    wanted = load(DeckRequestBody, given)
    sets = tuple(dict.fromkeys(wanted.sets))
    return _changed(replace(found, name=wanted.name, sets=sets, deck=deck_of(wanted)))


@Operation(
    tag="cards",
    searches=("import deck", "decklist"),
    parameters=(DECK_ID, IF_MATCH),
    body=Body(LIST, example=EXAMPLE, forms=(PLAIN,)),
    replies={200: Reply("The deck.", SavedDeckAnswer, headers=(ETAG,))},
    refuses=("not_found", "deck_changed"),
)
def import_deck(deck_id: str) -> Response:
    """Import a deck list.

    Replaces the cards of a deck with a text list. Case, empty lines and lines that begin with `#` are ignored. The name
    stays.
    """
    found = saved_decks.find_deck(app_state().context, require_player().player_id, deck_id)
    check_media_type(PLAIN)
    try:
        written = request.get_data().decode()
    except UnicodeDecodeError:
        raise wrong_fields({"_schema": ["Write the list in UTF-8."]}) from None
    if len(written) > LONGEST_LIST:
        raise wrong_fields({"_schema": [f"A list has at most {LONGEST_LIST:,} characters."]})
    return _changed(replace(found, deck=read_list(written, "_schema")))


@Operation(
    tag="cards",
    searches=("delete deck", "remove deck"),
    parameters=(DECK_ID, IF_MATCH),
    replies={204: Reply("It was deleted.")},
    refuses=("not_found", "deck_changed"),
)
def delete_deck(deck_id: str) -> Response:
    """Delete a deck.

    Matches keep the deck that was brought to them.
    """
    saved_decks.delete_deck(app_state().context, require_player().player_id, deck_id, _admitted)
    return no_content()


def _deck_answer(saved: SavedDeck) -> Response:
    headers = {"Location": public_link(f"/v1/decks/{saved.deck_id}")}
    return answer_if_changed(json_answer(saved_deck_answer(saved), 201, headers=headers), _mark(saved))


def _changed(after: SavedDeck) -> Response:
    saved = saved_decks.change_deck(app_state().context, after, _admitted)
    return answer_if_changed(json_answer(saved_deck_answer(saved)), _mark(saved))


def _admitted(found: SavedDeck) -> bool:
    return "If-Match" not in request.headers or request.if_match.contains(_mark(found))


def _mark(saved: SavedDeck) -> str:
    return sha256(json.encode(saved_deck_answer(saved))).hexdigest()[:32]
