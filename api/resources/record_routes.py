"""Serves the record of a match: all of it that the caller may see, as one document to keep and to verify."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from flask import Blueprint, Response, request
from msgspec import UNSET, UnsetType, json, to_builtins

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.common_fields import LARGEST, SeatQuery, Status, Visibility, choice_field, doc, number_field
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
    alias,
    says,
    text,
)
from api.http.problems import Problem
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, client_has, not_modified, set_etag
from api.http.signed_answers import SignedHeadAnswer, add_log_proof, proof_tag, sign_seen_head
from api.resources.event_routes import (
    WRITTEN_PER_REQUEST,
    Cause,
    Disclosed,
    Keys,
    Seals,
    all_events,
    compress_if_disclosed,
)
from api.resources.match_answer import ResultAnswer, result_answer
from api.resources.seat_answer import BotLevel, SeatKind, seat_kind
from events.formats.phh import writer as phh
from events.log.imported_players import home_id
from events.proof import record
from events.service import players, views
from events.service.context import Context
from events.service.views import Seen
from events.store.player_records import Identity
from events.times import write_time

bp = Blueprint("record", __name__, url_prefix="/v1/matches/<match_id>/record")

AS_RECORD: Final = (record.MEDIA_TYPE, JSON)

DISPOSITION: Final = Header(
    "Content-Disposition", "A name for the file.", {"type": "string", "pattern": '^attachment; filename="'}
)


class RecordQuery(SeatQuery):
    format = choice_field("record", "phh", load_default="record", **doc("`phh` is only for poker games."))
    hand = number_field(
        1,
        LARGEST,
        **doc("The number of one hand, with `format=phh`. One that is not finished, or cannot be written, is 422."),
    )


class RecordedEventAnswer(Answer):
    """An event as feeds have it, without its text."""

    v: Annotated[int, says("The version of the event's own schema.")]
    seq: Annotated[Ordinal, says("The number of the event in the match, from 1.")]
    commit: Annotated[Ordinal, says("The first event of the same move.")]
    type: Annotated[str, says("The type of the event.")]
    data: Annotated[Mapping[str, Any], says("The fields of the event that the reader may see.")]
    at: Annotated[Timestamp, says("When it happened.")]
    cause: Annotated[Cause, says("The cause: a player, a bot, a clock, or the rules.")]
    seals: Seals
    digest: Annotated[Digest, says("The digest of the event and of all before it, in hex.")]
    unseal: Keys = UNSET
    disclosed: Disclosed = UNSET


class RecordedPlayerAnswer(Answer):
    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str | None, says("Null once the player has been erased, or where an import brought no name.")]


class RecordedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("The kind of seat: player, open, invited or bot.")]
    player: Annotated[RecordedPlayerAnswer | None, says("The player; null: none sits there.")]
    level: Annotated[BotLevel | None, says("How well the bot plays; null: no bot sits there.")]


class RecordedMatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    rules: Annotated[str, says("The version of the rules.")]
    preset: Annotated[str | None, says("The preset that the options began with; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("All of them, completed.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of the match.")]
    visibility: Annotated[Visibility, says("The readers of the match.")]
    created_at: Annotated[Timestamp, says("When it was created.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    status: Annotated[Status, says("How far the match is.")]
    result: Annotated[
        ResultAnswer | None, says("How the match came out; null until it has, or where it was never played.")
    ]
    reader: Annotated[str, says("The reader: a seat, or `spectators`.", pattern="^([0-9]{1,2}|spectators)$")]
    seats: Annotated[Sequence[RecordedSeatAnswer], says("The seats and their players.")]


class RevealedSeedAnswer(Answer):
    link: Annotated[Ordinal, says("The number of the hand in its epoch, from 1.")]
    hand_no: Annotated[Ordinal, says("The number of the hand in the match, from 1.")]
    seed: Annotated[Digest, says("The seed of its shuffles, in hex.")]


class EpochAnswer(Answer):
    epoch: Annotated[Ordinal, says("The number of the epoch, from 1.")]
    links: Annotated[Ordinal, says("How many hands the commitment covers.")]
    commitment: Annotated[Digest, says("The commitment, in hex.")]
    nonces: Annotated[Sequence[str], says("Seat by seat; empty: none.")]
    revealed: Annotated[Sequence[RevealedSeedAnswer], says("The hands that are disclosed.")]


class RecordedFairnessAnswer(Answer):
    """This is what the events say of the shuffles."""

    scheme: Annotated[Literal["ct1"], says("The scheme of the shuffles.")]
    epochs: Annotated[Sequence[EpochAnswer], says("The epochs, in order.")]
    contributed: Annotated[Sequence[int], says("Seats that gave a nonce.")]


class RecordAnswer(Answer):
    """All of a match that one reader may see; `docs/proof.md` says how it is verified."""

    format: Annotated[Literal["dealt-record/1"], says("The format of the record.")]
    match: Annotated[RecordedMatchAnswer, says("What the match is.")]
    events: Annotated[Sequence[Annotated[RecordedEventAnswer, alias("Event")]], says("All events, in order.")]
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


@bp.get("")
@Operation(
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=RecordQuery(),
    replies={
        200: Reply(
            "The record.",
            {
                record.MEDIA_TYPE: RecordAnswer,
                JSON: RecordAnswer,
                phh.MEDIA_TYPE: HANDS,
            },
            headers=(ETAG, DISPOSITION),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "not_found"),
)
def get_record(match_id: str) -> Response:
    """Export a match record.

    One document with all of the match that you may see, to keep, and to verify without this server (`dealt
    verify`, or `POST /v1/records/verify`). As long as a match is on it is your feed; once it is over, all that
    is disclosed. The same match gives the same bytes to the same reader. The record of a match of more than
    50,000 events or 16 MiB is given too, but `POST /v1/records/verify` refuses it. `ETag` is the version,
    followed by what else it follows from: keys that were rotated, the names of the players, and the proof from the
    transparency log, which is added a few seconds after the last event.

    `format=phh` exports the finished hands of a poker match, as far as you may see them, in the open format Poker Hand
    History. You get all hands, each as a table with its number (`.phhs`), or with `hand` only that hand as its own
    document (`.phh`). A card that you may not see is `??`. Data that the format cannot express is left out, with the
    reason in a comment.
    """
    who = request_caller()
    seen = views.see_match(app_state().context, match_id, who)
    asked = read_query(RecordQuery())
    if asked["format"] == "record" and "hand" in asked:
        raise Problem("bad_arguments", errors={"hand": ["Send this only with `format=phh`."]})
    if "seat" in asked:
        seen = views.see_from_seat(app_state().context, match_id, who, asked["seat"])
    match = recorded_match(app_state().context, seen)
    signed = add_log_proof(app_state().context, sign_seen_head(app_state().keys, seen))
    if client_has(tag := "-".join([_tag(seen, match), *proof_tag(signed)])):
        return not_modified(tag)
    charge_for_events(seen.version, WRITTEN_PER_REQUEST)
    if asked["format"] == "phh":
        response = _hands(seen, match, asked.get("hand"))
    else:
        pieces = record.write_record(match, all_events(app_state().context, seen, 0), signed)
        response = _named(pieces, _form(AS_RECORD), f"{match['game']}-{match['id']}.json")
    return compress_if_disclosed(set_etag(response, tag), seen)


def _hands(seen: Seen, match: dict[str, Any], number: int | None) -> Response:
    """Give all finished hands, or one, in the format PHH."""
    if not seen.match.game.words.hand_history:
        raise Problem("bad_arguments", errors={"format": ["Only poker hands are available in PHH."]})
    form, feed = _form((phh.MEDIA_TYPE,)), all_events(app_state().context, seen, 0)
    name = f"{match['game']}-{match['id']}"
    if number is None:
        return _named(phh.write_hands(match, feed), form, f"{name}.phhs")
    try:
        return _named(phh.write_hand(match, feed, number), form, f"{name}-{number}.phh")
    except phh.NoSuchHand as error:
        raise Problem("bad_arguments", errors={"hand": [str(error)]}) from None


def _form(forms: tuple[str, ...]) -> str:
    """Choose the media type that the request prefers. Raises 406."""
    if not request.accept_mimetypes:
        return forms[0]
    if (form := request.accept_mimetypes.best_match(forms)) is None:
        raise Problem("not_acceptable")
    return form


def _named(pieces: bytes | Iterator[bytes], form: str, name: str) -> Response:
    response = Response(pieces, headers=FOR_THE_CALLER, content_type=form)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def recorded_match(context: Context, seen: Seen) -> dict[str, Any]:
    """Give the match as its record shows it: what it shows to this reader, without what is the server's alone.

    The game is not asked for anything, so that a record can be had of a match whose game fails, or is gone.
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
    sat = seen.match.players  # for whom a seat is kept, and has not sat down, the first event says
    known = players.player_identities(context, [player for player in sat if player is not None])
    return [
        RecordedSeatAnswer(s, seat_kind(seen.match, s), _at_home(seen, sat[s], known), plan.level)
        for s, plan in enumerate(seen.match.created.seats)
    ]


def _at_home(seen: Seen, player: str | None, known: Mapping[str, Identity]) -> RecordedPlayerAnswer | None:
    """Give a player by the id that the log has, which must agree with the rest of an imported match too.

    Handles are of this server alone.
    """
    if player is None:
        return None
    return RecordedPlayerAnswer(home_id(seen.match_id, player), known.get(player, Identity()).name)


def _tag(seen: Seen, match: dict[str, Any]) -> str:
    """Give what a record follows from: the version, keys that were rotated, and the names of its players."""
    names = sha256(json.encode([seat["player"] and seat["player"]["name"] for seat in match["seats"]])).hexdigest()
    key = sum(1 for key in app_state().keys.keys if key.until is not None)
    return "-".join([str(seen.version), *[f"c{key}"] * bool(key), names[:8]])
