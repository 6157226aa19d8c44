"""Serves the record of a match: all of it that the caller may see, as one document to keep and to verify."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from flask import Response, request
from msgspec import UNSET, UnsetType, json, to_builtins

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.common_fields import LARGEST, SeatQuery, Status, Visibility
from api.http.openapi_operations import (
    ETAG,
    JSON,
    MATCH_ID,
    NOT_MODIFIED,
    Answer,
    AnyGame,
    Digest,
    Header,
    MatchClock,
    MatchSeries,
    Operation,
    Ordinal,
    Reply,
    Timestamp,
    component,
    says,
    text,
)
from api.http.problems import Problem, wrong_fields
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, client_has, not_modified, set_etag
from api.http.signed_answers import SignedHeadAnswer, add_log_proof, proof_tag, sign_seen_head
from api.resources import event_routes
from api.resources.match_answer import ResultAnswer, result_answer
from api.resources.record_examples import MATCH_RECORD
from api.resources.seat_answer import BotLevel, SeatKind, seat_kind
from domain.core.options import Omissible, Range
from events.formats.phh import writer as phh
from events.log.imported_players import home_id
from events.proof import record
from events.service import players, views
from events.service.context import Context
from events.service.views import Seen
from events.store.player_records import Identity
from events.times import write_time

AS_RECORD: Final = (record.MEDIA_TYPE, JSON)

DISPOSITION: Final = Header(
    "Content-Disposition", "A name for the file.", {"type": "string", "pattern": '^attachment; filename="'}
)


class RecordQuery(SeatQuery):
    format: Literal["record", "phh"] = "record"
    """`phh` is only for poker games."""
    hand: Omissible[Annotated[int, Range(1, LARGEST)]] = None
    """With `format=phh`: the number of one hand; 422 if it is unfinished or cannot be written."""


class RecordedEventAnswer(Answer):
    """An event as feeds have it, without its text."""

    v: Annotated[int, says("The version of the event's own schema.")]
    seq: Annotated[Ordinal, says("The number of the event in the match, from 1.")]
    commit: Annotated[Ordinal, says("The first event of the same move.")]
    type: Annotated[str, says("The type of the event.")]
    data: Annotated[Mapping[str, Any], says("The fields of the event that the reader may see.")]
    at: Annotated[Timestamp, says("When it happened.")]
    cause: Annotated[event_routes.Cause, says("The cause: a player, a bot, a clock, or the rules.")]
    seals: event_routes.Seals
    digest: Annotated[Digest, says("The digest of the event and of all before it, in hex.")]
    unseal: event_routes.Keys = UNSET
    disclosed: event_routes.Disclosed = UNSET


class RecordedPlayerAnswer(Answer):
    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str | None, says("Null if the player was erased, or an import had no name.")]


class RecordedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("The kind of seat: player, open, invited or bot.")]
    player: Annotated[RecordedPlayerAnswer | None, says("The player; null for a bot or an empty seat.")]
    level: Annotated[BotLevel | None, says("The level of the bot; null for no bot.")]


class RecordedMatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    rules: Annotated[str, says("The version of the rules.")]
    preset: Annotated[str | None, says("The preset behind the options; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("All options, with defaults.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of the match.")]
    visibility: Annotated[Visibility, says("The readers of the match.")]
    created_at: Annotated[Timestamp, says("Creation time.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    status: Annotated[Status, says("The status of the match.")]
    result: Annotated[ResultAnswer | None, says("The result; null until the match ends, or if it was never played.")]
    reader: Annotated[str, says("The reader: a seat, or `spectators`.", pattern="^([0-9]{1,2}|spectators)$")]
    seats: Annotated[Sequence[RecordedSeatAnswer], says("The seats and their players.")]


class RevealedSeedAnswer(Answer):
    link: Annotated[Ordinal, says("The number of the hand in its epoch, from 1.")]
    hand_no: Annotated[Ordinal, says("The number of the hand in the match, from 1.")]
    seed: Annotated[Digest, says("The seed of its shuffles, in hex.")]


class EpochAnswer(Answer):
    epoch: Annotated[Ordinal, says("The number of the epoch, from 1.")]
    links: Annotated[Ordinal, says("Hands that the commitment covers.")]
    commitment: Annotated[Digest, says("The commitment, in hex.")]
    nonces: Annotated[Sequence[str], says("The nonces, seat by seat; empty for none.")]
    revealed: Annotated[Sequence[RevealedSeedAnswer], says("The disclosed hands.")]


class RecordedFairnessAnswer(Answer):
    """The shuffles according to the events."""

    scheme: Annotated[Literal["ct1"], says("The scheme of the shuffles.")]
    epochs: Annotated[Sequence[EpochAnswer], says("The epochs, in order.")]
    contributed: Annotated[Sequence[int], says("Seats that gave a nonce.")]


class RecordAnswer(Answer):
    """All that one reader can see of a match; `docs/proof.md` says how to verify it."""

    format: Annotated[Literal["dealt-record/1"], says("The format of the record.")]
    match: Annotated[RecordedMatchAnswer, says("The match.")]
    events: Annotated[Sequence[Annotated[RecordedEventAnswer, component("Event")]], says("All events, in order.")]
    fairness: Annotated[RecordedFairnessAnswer, says("The shuffles, from the events.")]
    signed: Annotated[
        SignedHeadAnswer | UnsetType, says("The head with the signature of the server that ran the match.")
    ] = UNSET


HANDS: Final = text(
    example="""\
# holdem 8n9y4jktn4n1gzhahebf, hand by hand, as seat 0 may see it

[1]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
ante_trimming_status = true
min_bet = 2
starting_stacks = [200, 200]
actions = [
  "d dh p1 2hAh",
  "d dh p2 ????",
  "p2 f",
]
time = 10:00:00
time_zone = "UTC"
day = 21
month = 11
year = 2026
hand = 1
seats = [1, 2]
seat_count = 2
table = "8n9y4jktn4n1gzhahebf"
players = [
  "Ann",
  "Ben",
]
finishing_stacks = [201, 199]
winnings = [2, 0]
_seen_by = "seat 0"
""",
    description="Hands in the format Poker Hand History.",
)


@Operation(
    tag="history",
    searches=("export", "download match"),
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=RecordQuery,
    replies={
        200: Reply(
            "The record.",
            {
                record.MEDIA_TYPE: RecordAnswer,
                JSON: RecordAnswer,
                phh.MEDIA_TYPE: HANDS,
            },
            headers=(ETAG, DISPOSITION),
            example=MATCH_RECORD,
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "not_found"),
)
def get_record(match_id: str) -> Response:
    """Export a match record.

    Returns all that you can see of the match in one document. Verify it without this server with `dealt verify`, or
    with `POST /v1/records/verify`. Until the match is over, it is your feed; then it has all that is disclosed. The
    same match gives the same reader the same bytes. The `ETag` is the version, followed by what else can change:
    rotated keys, names of players, and the proof from the transparency log, which follows seconds after the last event.

    With `format=phh`, returns the finished hands of a poker match, as far as you can see them, in the open format Poker
    Hand History: all hands as numbered tables (`.phhs`), or with `hand` only that hand (`.phh`). Hidden cards are `??`.
    Data that the format cannot express is omitted, with the reason in a comment.
    """
    who = request_caller()
    seen = views.see_match(app_state().context, match_id, who)
    asked = read_query(RecordQuery)
    if asked.format == "record" and asked.hand is not None:
        raise wrong_fields({"hand": ["Send this only with `format=phh`."]})
    if asked.seat is not None:
        seen = views.see_from_seat(app_state().context, match_id, who, asked.seat)
    match = recorded_match(app_state().context, seen)
    signed = add_log_proof(app_state().context, sign_seen_head(app_state().keys, seen))
    if client_has(tag := "-".join([_tag(seen, match), *proof_tag(signed)])):
        return not_modified(tag)
    charge_for_events(seen.version, event_routes.WRITTEN_PER_REQUEST)
    if asked.format == "phh":
        response = _hands(seen, match, asked.hand)
    else:
        pieces = record.write_record(match, event_routes.all_events(app_state().context, seen, 0), signed)
        response = _download_answer(pieces, _form(AS_RECORD), f"{match['game']}-{match['id']}.json")
    return event_routes.compress_if_disclosed(set_etag(response, tag), seen)


def _hands(seen: Seen, match: dict[str, Any], number: int | None) -> Response:
    """Return all finished hands, or one, in the format PHH."""
    if not seen.match.game.words.hand_history:
        raise wrong_fields({"format": ["Only poker hands are available in PHH."]})
    form, feed = _form((phh.MEDIA_TYPE,)), event_routes.all_events(app_state().context, seen, 0)
    name = f"{match['game']}-{match['id']}"
    if number is None:
        return _download_answer(phh.write_hands(match, feed), form, f"{name}.phhs")
    try:
        return _download_answer(phh.write_hand(match, feed, number), form, f"{name}-{number}.phh")
    except phh.NoSuchHand as error:
        raise wrong_fields({"hand": [str(error)]}) from None


def _form(forms: tuple[str, ...]) -> str:
    """Choose the media type that the request prefers. Raises 406."""
    if not request.accept_mimetypes:
        return forms[0]
    if (form := request.accept_mimetypes.best_match(forms)) is None:
        raise Problem("not_acceptable")
    return form


def _download_answer(pieces: bytes | Iterator[bytes], form: str, name: str) -> Response:
    response = Response(pieces, headers=FOR_THE_CALLER, content_type=form)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def recorded_match(context: Context, seen: Seen) -> dict[str, Any]:
    """Return the match as its record shows it to this reader, without the server's private data.

    Never calls the game, so that the record is available even if the game fails or is not installed.
    """
    m = seen.match
    answer = RecordedMatchAnswer(
        id=seen.match_id,
        game=m.game.name,
        rules=m.created.rules,
        preset=m.created.preset,
        options=m.created.options,
        series=m.created.series,
        clock=m.created.clock,
        visibility=m.created.visibility,
        created_at=write_time(seen.created),
        version=seen.version,
        head=seen.head,
        status=m.status,
        result=result_answer(m),
        reader=seen.reader,
        seats=_seats(context, seen),
    )
    written: dict[str, Any] = to_builtins(answer)
    return written


def _seats(context: Context, seen: Seen) -> list[RecordedSeatAnswer]:
    sat = seen.match.players  # the first event names invited players who have not sat down
    known = players.player_identities(context, [player for player in sat if player is not None])
    return [
        RecordedSeatAnswer(s, seat_kind(seen.match, s), _at_home(seen, sat[s], known), plan.level)
        for s, plan in enumerate(seen.match.created.seats)
    ]


def _at_home(seen: Seen, player: str | None, known: Mapping[str, Identity]) -> RecordedPlayerAnswer | None:
    """Return a player by the id in the log, which must agree with the rest of an imported match.

    Handles are only of this server.
    """
    if player is None:
        return None
    return RecordedPlayerAnswer(home_id(seen.match_id, player), known.get(player, Identity()).name)


def _tag(seen: Seen, match: dict[str, Any]) -> str:
    """Return what a record follows from: the version, rotated keys, and the names of its players."""
    names = sha256(json.encode([seat["player"] and seat["player"]["name"] for seat in match["seats"]])).hexdigest()
    key = sum(1 for key in app_state().keys.keys if key.until is not None)
    return "-".join([str(seen.version), *[f"c{key}"] * bool(key), names[:8]])
