"""Serves the seats of a match: taking one, adding data to it, leaving it; and their invites."""

from typing import Annotated, Any, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import INVITE, require_caller
from api.http.common_fields import HashText, KeyProof, Nonce, NothingBody, PlayerKey
from api.http.game_refusals import OF_ENTRIES
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import ETAG, MATCH_ID, REPLAYED, Answer, Body, Operation, Parameter, Reply, says
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import IF_MATCH, expected_version, load, read_body, read_query
from api.http.request_records import Request
from api.http.responses import json_answer, no_content, set_etag
from api.http.seat_entries import EntryBody, SavedDeckId, entry_of, unasked_fields, with_entries
from api.http.sparse_fields import select_fields
from api.resources.match_answer import MatchAnswer
from api.resources.match_routes import MatchFieldsQuery, match_response
from api.resources.seat_answer import LinkOfInvite, link_of_invite
from domain.core.game import Refused
from domain.core.options import Length, Omissible
from events.service import access, lobby
from events.service.access import OpenedMatch
from events.store.records import Remembered

SEAT: Final = Parameter("seat", "path", "From 0, clockwise.", {"type": "integer", "minimum": 0}, 2)


@with_entries
class SitDownBody(Request):
    """Your entry for the seat, or an addition to it."""

    nonce: Omissible[Nonce] = None
    """Your random nonce for the shuffles."""
    nonce_hash: Omissible[HashText] = None
    """The SHA-256 of the nonce's text."""
    player_key: Omissible[PlayerKey] = None
    key_proof: Omissible[KeyProof] = None
    accept_known_deals: Omissible[bool] = None
    """Take the seat although others may know the deals. Required if `deal_known` is not null."""
    invite: Omissible[Annotated[str, Length(0, 200)]] = None
    """The invite code, if the seat is invited."""
    entry: Omissible[EntryBody] = None
    """The seat's entries for the game, by name."""
    deck_id: Omissible[SavedDeckId] = None


class IssuedInviteAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    invite: Annotated[str | None, says("The code; null if a repeat can no longer show it.")]
    link: LinkOfInvite


def _seat_of(opened: OpenedMatch, seat: int) -> int:
    if seat not in opened.seats:
        raise Problem("not_found")
    return seat


@Operation(
    tag="seats",
    searches=("join", "sit down"),
    parameters=(MATCH_ID, SEAT, INVITE, IF_MATCH),
    query=MatchFieldsQuery,
    body=Body(SitDownBody, required=False, example={"invite": "p7c2m4x9k1w8"}),
    replies={200: Reply("The match as you see it.", MatchAnswer, headers=(ETAG,))},
    refuses=(
        "bad_invite",
        "player_blocked",
        "not_found",
        "match_over",
        "already_started",
        "seat_taken",
        "too_many_seats",
        "at_another_table",
        "deals_known",
        "rating_not_admitted",
        "key_is_fixed",
        "game_not_installed",
        *OF_ENTRIES,
        "version_mismatch",
    ),
)
def take_seat(match_id: str, seat: int) -> Response:
    """Take a seat.

    Also adds data to your seat. Any player can take an open seat. An invited seat needs its code, in the body or the
    header. You can send one `nonce`, which becomes part of every shuffle. If the match has `nonce_commit`, send
    `nonce_hash` first and `nonce` later. Keep the receipt in `receipts`. A seat with a `player_key` accepts only moves
    signed by that key.
    """
    given, asked = read_body(optional=True), read_query(MatchFieldsQuery)
    who = require_caller(_invite(given))
    opened = access.open_checked(app_state().context, match_id, who)
    _seat_of(opened, seat)
    sent = load(SitDownBody, given)
    if strange := unasked_fields(opened.game, sent):
        why = f"{opened.game.words.title} does not use this. Leave it out."
        raise wrong_fields({name: [why] for name in strange})
    brought = lobby.Brought(
        nonce=sent.nonce,
        nonce_hash=sent.nonce_hash,
        player_key=sent.player_key,
        key_proof=sent.key_proof,
        entry=entry_of(opened.game, sent),
        accepts_known_deals=bool(sent.accept_known_deals),
    )
    try:
        seen = lobby.sit_down(app_state().context, match_id, who, seat, brought, expected_version(opened.version))
    except Refused as refused:
        usual = _LOBBY_PHASE if refused.code == "wrong_phase" else None
        raise Problem(refused.code, refused.sentence or usual) from None
    app_state().poller.hurry()
    return select_fields(match_response(seen, acknowledges=True), asked.fields)


_LOBBY_PHASE: Final = (
    "Send a nonce or its hash only once, while the match collects them. A nonce must match its hash. "
    "Send what you bring to the game before the start."
)


def _invite(given: dict[str, Any]) -> str | None:
    """Find the invite code before the body is checked: its holder may need it to see the match."""
    invite = given.get("invite")
    return invite if isinstance(invite, str) else None


@Operation(
    tag="seats",
    searches=("leave", "stand up"),
    parameters=(MATCH_ID, SEAT, INVITE, IF_MATCH),
    replies={204: Reply("Done.", headers=(ETAG,))},
    refuses=("not_seated", "not_found", "match_over", "already_started", "game_not_installed", "version_mismatch"),
)
def leave_seat(match_id: str, seat: int) -> Response:
    """Leave a seat.

    Only before the start. Later, make the move `resign`.
    """
    who = require_caller()
    opened = access.open_checked(app_state().context, match_id, who)
    version = lobby.leave_seat(
        app_state().context, match_id, who, _seat_of(opened, seat), expected_version(opened.version)
    )
    app_state().poller.hurry()
    return no_content(version)


@Operation(
    tag="seats",
    searches=("invite", "invite code"),
    parameters=(MATCH_ID, SEAT, IDEMPOTENCY_KEY, IF_MATCH),
    body=Body(NothingBody, required=False),
    replies={
        201: Reply(
            "The new code.",
            IssuedInviteAnswer,
            headers=(ETAG, REPLAYED),
        )
    },
    refuses=("forbidden", "not_found", "match_over", "already_started", "seat_taken", "version_mismatch"),
)
def reissue_invite(match_id: str, seat: int) -> Response:
    """Issue an invite code.

    For the creator, before the start. Invalidates the earlier code of the seat. A repeat returns the code again, or
    null if it is no longer valid or your token has changed.
    """
    given = read_body(optional=True)
    idempotency = idempotency_key(given)
    who, context = require_caller(), app_state().context
    opened = access.open_checked(context, match_id, who)
    _seat_of(opened, seat)

    def do() -> Response:
        load(NothingBody, given)
        code, version = lobby.issue_invite(context, match_id, who, seat, expected_version(opened.version), idempotency)
        return _issued(match_id, seat, code, version)

    def repeat_answer(done: Remembered) -> Response:
        assert idempotency is not None
        assert done.first is not None
        return _issued(
            match_id, seat, lobby.repeat_invite_answer(context, match_id, who, seat, idempotency), done.first
        )

    return run_once(idempotency, do, repeat_answer)


def _issued(match_id: str, seat: int, code: str | None, version: int) -> Response:
    return set_etag(json_answer(IssuedInviteAnswer(seat, code, link_of_invite(match_id, code)), 201), version)
