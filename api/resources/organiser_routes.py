"""Serves what organisers and helpers of tournaments do to run them."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import ETAG, REPLAYED, Body, Operation, Parameter, Reply
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import expected_version, load, read_body
from api.resources import tournament_routes
from api.resources.announcement_request import check_names_nobody, players_of
from api.resources.tournament_answer import TournamentAnswer
from api.resources.tournament_request import DisqualificationBody, InvitationsBody, ReasonBody, RulingBody
from domain.core.game import Refused
from domain.tournament.entrants import BarPlayer, CloseEntries, Disqualify
from domain.tournament.organiser import CancelTournament, InvitePlayers, Pause, Resume
from domain.tournament.round_tables import RuleTable
from events.errors import Conflict
from events.service import blocks, players
from events.service import tournaments as service
from events.service.tournaments import HeldTournament
from events.store.records import Remembered

RULES: Final = ("not_found", "forbidden", "wrong_phase", "match_over", "version_mismatch")
"""The refusals that the organisers of a tournament may get."""

IF_MATCH: Final = Parameter(
    "If-Match",
    "header",
    "The `ETag` of the version that you know; 412 if the tournament has moved on.",
    example='"24"',
)
ASKED: Final = (tournament_routes.TOURNAMENT_ID, IDEMPOTENCY_KEY, IF_MATCH)
"""The parameters of all these calls."""

DONE: Final = {200: Reply("The updated tournament.", TournamentAnswer, headers=(ETAG, REPLAYED))}


@Operation(
    tag="tournaments",
    searches=("invite to tournament", "private tournament"),
    parameters=ASKED,
    body=Body(InvitationsBody, example={"players": ["ann", "ben"]}),
    replies=DONE,
    refuses=(*RULES, "player_blocked"),
)
def invite_players(tournament_id: str) -> Response:
    """Invite players.

    For the organiser and co-organisers. Invited players can see a private tournament, and enter one that needs an
    invitation. A tournament can have 2,048 invited players.
    """

    def command(found: HeldTournament) -> InvitePlayers:
        asked = load(InvitationsBody, read_body())
        _check_runs(found)
        organiser, invited = require_player().player_id, players_of("players", asked.players)
        blocks.check_no_block(app_state().context, organiser, invited)
        return InvitePlayers(organiser, invited)

    return _once(tournament_id, command)


@Operation(
    tag="tournaments",
    searches=("start tournament", "close registration"),
    parameters=ASKED,
    body=Body(NothingBody, required=False, example={}),
    replies=DONE,
    refuses=(*RULES, "already_started"),
)
def close_entries(tournament_id: str) -> Response:
    """Close entries.

    Starts the tournament: draws the order and pairs the first round. For the organiser and co-organisers.
    """
    return _once(tournament_id, _plainly(CloseEntries))


@Operation(
    tag="tournaments",
    searches=("adjudicate", "set result"),
    parameters=(*ASKED, tournament_routes.ROUND, tournament_routes.TABLE),
    body=Body(RulingBody, example={"places": [1, 2], "reason": "Seat 1 has conceded at the club."}),
    replies=DONE,
    refuses=(*RULES, "no_such_object"),
)
def rule_table(tournament_id: str, round: int, table: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Set a table's result.

    For a table of the open round, even if it is over, until the round is closed. For the organiser and co-organisers.
    The table then has points but no games, and its match no longer counts. Everyone can see who ruled, and why.
    """

    def command(found: HeldTournament) -> RuleTable:
        asked = load(RulingBody, read_body())
        reason = _reason(found, asked.reason)
        if round != found.state.round or not found.state.open:
            raise Refused("no_such_object", "This round is not in progress.")
        return RuleTable(require_player().player_id, table, asked.places, reason)

    try:
        return _once(tournament_id, command)
    except Refused as no:
        if no.code == "bad_arguments":
            raise wrong_fields({"places": [no.sentence]}) from None
        raise


@Operation(
    tag="tournaments",
    searches=("disqualify", "kick"),
    parameters=ASKED,
    body=Body(DisqualificationBody, example={"entrant": 3, "reason": "Two accounts."}),
    replies=DONE,
    refuses=(*RULES, "no_such_object", "already_done"),
)
def disqualify_entrant(tournament_id: str) -> Response:
    """Disqualify a player.

    For the organiser and co-organisers. Works for entrants and for waiting or invited players, and for players who left
    until the tournament is over. They are not paired again, cannot return and get no prize. Everyone can see who ruled,
    and why.
    """

    def command(found: HeldTournament) -> Disqualify | BarPlayer:
        asked = load(DisqualificationBody, read_body())
        entrant, handle = asked.entrant, asked.player
        if (entrant is None) == (handle is None):
            raise wrong_fields({"entrant": ["Send either `entrant` or `player`."]})
        reason = _reason(found, asked.reason)
        if handle is None:
            assert entrant is not None
            return Disqualify(require_player().player_id, entrant, reason)
        _check_runs(found)
        player = players.find_by_handle(app_state().context, handle)
        if player is None:
            raise wrong_fields({"player": ["No player has this handle."]})
        numbers = [one for one, who in enumerate(found.state.players) if who == player.player_id]
        if numbers:
            return Disqualify(require_player().player_id, numbers[-1], reason)
        return BarPlayer(require_player().player_id, player.player_id, reason)

    return _once(tournament_id, command)


@Operation(
    tag="tournaments",
    searches=("pause tournament", "suspend tournament"),
    parameters=ASKED,
    body=Body(ReasonBody, example={"reason": "Supper."}),
    replies=DONE,
    refuses=RULES,
)
def pause_tournament(tournament_id: str) -> Response:
    """Pause a tournament.

    For the organiser and co-organisers. Matches continue, but no round is closed or paired until you resume.
    """
    return _once(tournament_id, _for_a_reason(Pause))


@Operation(
    tag="tournaments",
    searches=("resume tournament", "continue tournament"),
    parameters=ASKED,
    body=Body(NothingBody, required=False, example={}),
    replies=DONE,
    refuses=RULES,
)
def resume_tournament(tournament_id: str) -> Response:
    """Resume a tournament.

    For the organiser and co-organisers. If all tables of a round are over, it is closed and the next is paired.
    """
    return _once(tournament_id, _plainly(Resume))


@Operation(
    tag="tournaments",
    searches=("cancel tournament", "abort tournament"),
    parameters=ASKED,
    body=Body(ReasonBody, example={"reason": "Too few players showed up."}),
    replies=DONE,
    refuses=RULES,
)
def cancel_tournament(tournament_id: str) -> Response:
    """Cancel a tournament.

    Ends it without a result. For the organiser and co-organisers. Running matches continue, but do not count.
    """
    return _once(tournament_id, _for_a_reason(CancelTournament))


Asks = Callable[[HeldTournament], Any]
"""The functions that read the command to a tournament off the request."""


def _once(tournament_id: str, command: Asks) -> Response:
    """Send a tournament a command, once; a repeat gets the first answer."""
    found = tournament_routes.open_tournament_as_player(tournament_id)
    idempotency = idempotency_key(read_body(optional=True))
    if_match = expected_version(found.head.version)

    def do() -> Response:
        return tournament_routes.command_tournament(found, command(found), idempotency, if_match)

    def repeat_answer(done: Remembered) -> Response:
        return tournament_routes.tournament_response(service.repeat_tournament_answer(app_state().context, done))

    try:
        return run_once(idempotency, do, repeat_answer)
    except Conflict as moved:
        etag = {"ETag": f'"{moved.version}"'}
        raise Problem("version_mismatch", "The tournament has changed. Read it again.", headers=etag) from None


def _plainly(command: Callable[[str], Any]) -> Asks:
    """Send a command that names only its sender."""

    def asks(found: HeldTournament) -> Any:
        load(NothingBody, read_body(optional=True))
        return command(require_player().player_id)

    return asks


def _for_a_reason(command: Callable[[str, str], Any]) -> Asks:
    """Send a command that names its sender and a reason."""
    return lambda found: command(require_player().player_id, _reason(found, load(ReasonBody, read_body()).reason))


def _reason(found: HeldTournament, reason: str) -> str:
    """Return the reason of an organiser. Raise `Refused`, even if it names one of the tournament's players."""
    _check_runs(found)
    t = found.state
    check_names_nobody("reason", reason, service.players_concerned(t), "say which entrant, by the number")
    return reason


def _check_runs(found: HeldTournament) -> None:
    """Raise `Refused` for all callers who do not run the tournament."""
    if require_player().player_id not in (found.state.organiser, *found.state.helpers):
        raise Refused("forbidden", "Only the organiser and co-organisers can do this.")
