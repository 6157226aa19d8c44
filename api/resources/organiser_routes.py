"""Serves what organisers and helpers of tournaments do to run them."""

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import ETAG, REPLAYED, Body, Operation, Parameter, Reply
from api.http.problems import Problem
from api.http.request_parsing import expected_version, invalid_request, load, read_body
from api.resources.announcement_request import check_names_nobody, players_of
from api.resources.tournament_answer import TournamentAnswer
from api.resources.tournament_request import DisqualificationBody, InvitationsBody, ReasonBody, RulingBody
from api.resources.tournament_routes import (
    ROUND,
    TABLE,
    TOURNAMENT_ID,
    command_tournament,
    open_tournament_as_player,
    tournament_response,
)
from domain.core.game import Refused
from domain.tournament.entrants import BarPlayer, CloseEntries, Disqualify
from domain.tournament.organiser import CancelTournament, InvitePlayers, Pause, Resume
from domain.tournament.round_tables import RuleTable
from events.errors import Conflict
from events.service import players
from events.service import tournaments as service
from events.service.stream_writer import Request
from events.service.tournaments import HeldTournament
from events.store.records import Remembered

bp = Blueprint("organisers", __name__, url_prefix="/v1/tournaments/<tournament_id>")

RULES: Final = ("not_found", "forbidden", "wrong_phase", "match_over", "version_mismatch")
"""The refusals that the organisers of a tournament may get."""

IF_MATCH: Final = Parameter(
    "If-Match",
    "header",
    "The `ETag` of the tournament as you know it; 412 if it has moved on: nothing is ruled that you have not seen.",
    example='"24"',
)
ASKED: Final = (TOURNAMENT_ID, IDEMPOTENCY_KEY, IF_MATCH)
"""The parameters of all these calls."""

DONE: Final = {200: Reply("The tournament as it then is.", TournamentAnswer, headers=(ETAG, REPLAYED))}


@bp.post("/invites")
@Operation(
    tag="tournaments",
    parameters=ASKED,
    body=Body(InvitationsBody(), example={"players": ["ann", "ben"]}),
    replies=DONE,
    refuses=RULES,
)
def invite_players(tournament_id: str) -> Response:
    """Invite players.

    For the organiser and co-organisers.
    Those who were invited may see a private tournament, and enter one whose entries are by invitation. At most 2,048
    players are invited.
    """

    def command(found: HeldTournament) -> InvitePlayers:
        asked = load(InvitationsBody(), read_body())
        _check_runs(found)
        return InvitePlayers(require_player().player_id, players_of("players", asked["players"]))

    return _once(tournament_id, command)


@bp.post("/close")
@Operation(
    tag="tournaments",
    parameters=ASKED,
    body=Body(NothingBody(), required=False, example={}),
    replies=DONE,
    refuses=(*RULES, "already_started"),
)
def close_entries(tournament_id: str) -> Response:
    """Close entries.

    The tournament begins. For the organiser and co-organisers.
    The order is drawn and the first round is paired.
    """
    return _once(tournament_id, _plainly(CloseEntries))


@bp.post("/rounds/<int:round>/tables/<int:table>/ruling")
@Operation(
    tag="tournaments",
    parameters=(*ASKED, ROUND, TABLE),
    body=Body(RulingBody(), example={"places": [1, 2], "reason": "Seat 1 has conceded at the club."}),
    replies=DONE,
    refuses=(*RULES, "no_such_object"),
)
def rule_table(tournament_id: str, round: int, table: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Set a table's result.

    For a table of the open round. For the organiser and co-organisers.
    A table that is over may be ruled too, until the round is closed. It then has points and no games, and what its
    match says afterwards is not taken in. All see who has ruled it, and why.
    """

    def command(found: HeldTournament) -> RuleTable:
        asked = load(RulingBody(), read_body())
        reason = _reason(found, asked)
        if round != found.state.round or not found.state.open:
            raise Refused("no_such_object", "This round is not in progress.")
        return RuleTable(require_player().player_id, table, tuple(asked["places"]), reason)

    try:
        return _once(tournament_id, command)
    except Refused as no:
        if no.code == "bad_arguments":
            raise invalid_request({"places": [no.sentence]}) from None
        raise


@bp.post("/disqualifications")
@Operation(
    tag="tournaments",
    parameters=ASKED,
    body=Body(DisqualificationBody(), example={"entrant": 3, "reason": "Two accounts."}),
    replies=DONE,
    refuses=(*RULES, "no_such_object", "already_done"),
)
def disqualify_entrant(tournament_id: str) -> Response:
    """Disqualify a player.

    An entrant, or a player who waits or is invited. For the organiser and co-organisers. They are paired no more,
    cannot come back and get no prize. Players who left can be disqualified until the tournament is over. All see who
    has ruled it, and why.
    """

    def command(found: HeldTournament) -> Disqualify | BarPlayer:
        asked = load(DisqualificationBody(), read_body())
        entrant, handle = asked["entrant"], asked["player"]
        if (entrant is None) == (handle is None):
            raise invalid_request({"entrant": ["Send either `entrant` or `player`."]})
        reason = _reason(found, asked)
        if entrant is not None:
            return Disqualify(require_player().player_id, entrant, reason)
        _check_runs(found)
        player = players.find_by_handle(app_state().context, handle)
        if player is None:
            raise invalid_request({"player": ["No player has this handle."]})
        numbers = [one for one, who in enumerate(found.state.players) if who == player.player_id]
        if numbers:
            return Disqualify(require_player().player_id, numbers[-1], reason)
        return BarPlayer(require_player().player_id, player.player_id, reason)

    return _once(tournament_id, command)


@bp.post("/pause")
@Operation(
    tag="tournaments",
    parameters=ASKED,
    body=Body(ReasonBody(), example={"reason": "Supper."}),
    replies=DONE,
    refuses=RULES,
)
def pause_tournament(tournament_id: str) -> Response:
    """Pause a tournament.

    For the organiser and co-organisers.
    Matches go on; no round is closed or paired until the tournament does.
    """
    return _once(tournament_id, _for_a_reason(Pause))


@bp.post("/resume")
@Operation(
    tag="tournaments",
    parameters=ASKED,
    body=Body(NothingBody(), required=False, example={}),
    replies=DONE,
    refuses=RULES,
)
def resume_tournament(tournament_id: str) -> Response:
    """Resume a tournament.

    For the organiser and co-organisers.
    A round whose tables are all over is closed, and the next is paired.
    """
    return _once(tournament_id, _plainly(Resume))


@bp.post("/cancel")
@Operation(
    tag="tournaments",
    parameters=ASKED,
    body=Body(ReasonBody(), example={"reason": "Too few have come."}),
    replies=DONE,
    refuses=RULES,
)
def cancel_tournament(tournament_id: str) -> Response:
    """Cancel a tournament.

    It ends without a result. For the organiser and co-organisers.
    Matches that are on go on, and count for nothing in it.
    """
    return _once(tournament_id, _for_a_reason(CancelTournament))


Asks = Callable[[HeldTournament], Any]
"""The functions that read the command to a tournament off the request."""


def _once(tournament_id: str, command: Asks) -> Response:
    """Send a tournament a command, once; a repeat gets the first answer."""
    found = open_tournament_as_player(tournament_id)
    idempotency = idempotency_key(read_body(optional=True))
    request = Request(expected_version(found.head.version), idempotency)

    def do() -> Response:
        return command_tournament(found, command(found), request)

    def again(done: Remembered) -> Response:
        return tournament_response(service.repeat_tournament_answer(app_state().context, done))

    try:
        return run_once(idempotency, do, again)
    except Conflict as moved:
        etag = {"ETag": f'"{moved.version}"'}
        raise Problem("version_mismatch", "The tournament has changed. Read it again.", headers=etag) from None


def _plainly(command: Callable[[str], Any]) -> Asks:
    """Send a command that names only its sender."""

    def asks(found: HeldTournament) -> Any:
        load(NothingBody(), read_body(optional=True))
        return command(require_player().player_id)

    return asks


def _for_a_reason(command: Callable[[str, str], Any]) -> Asks:
    """Send a command that names its sender and a reason."""
    return lambda found: command(require_player().player_id, _reason(found, load(ReasonBody(), read_body())))


def _reason(found: HeldTournament, asked: dict[str, Any]) -> str:
    """Return the reason of an organiser. Raise `Refused`, even if it names one of the tournament's players."""
    _check_runs(found)
    reason: str = asked["reason"]
    t = found.state
    check_names_nobody("reason", reason, service.players_concerned(t), "say which entrant, by the number")
    return reason


def _check_runs(found: HeldTournament) -> None:
    """Raise `Refused` for all but those who run a tournament."""
    if require_player().player_id not in (found.state.organiser, *found.state.helpers):
        raise Refused("forbidden", "Only the organiser and co-organisers can do this.")
