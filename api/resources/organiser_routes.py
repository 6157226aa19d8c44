"""Serves what organisers and helpers of tournaments do to run them."""

from typing import Any, Final

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load, refused
from api.http.openapi_operations import Body, Operation
from api.http.schemas import NothingBody
from api.resources.announcement_request import players_of
from api.resources.tournament_request import DisqualificationBody, InvitationsBody, ReasonBody, RulingBody
from api.resources.tournament_routes import ROUND, SEEN, TABLE, TOURNAMENT_ID, found_by_player, told
from domain.core.game import Refused
from domain.tournament.tournament_commands import (
    CancelTournament,
    CloseEntries,
    Disqualify,
    InvitePlayers,
    Pause,
    Resume,
    RuleTable,
)
from events.service import players
from events.service.tournaments import HeldTournament

bp = Blueprint("organisers", __name__, url_prefix="/v1/tournaments/<tournament_id>")

RULES: Final = ("not_found", "forbidden", "wrong_phase", "match_over")
"""The refusals that the organisers of a tournament may get."""


@bp.post("/invites")
@Operation(
    id="invitePlayers",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(InvitationsBody(), example={"players": ["ann", "ben"]}),
    replies=SEEN,
    refuses=RULES,
)
def invite(tournament_id: str) -> Response:
    """Invite players, for the organiser and the helpers.

    Those who were invited may see a private tournament, and enter one whose entries are by invitation. At most 2,048
    players are invited.
    """
    found = found_by_player(tournament_id)
    asked = load(InvitationsBody(), body())
    _check_runs(found)
    return told(found, InvitePlayers(me().player_id, players_of("players", asked["players"])))


@bp.post("/close")
@Operation(
    id="closeEntries",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=(*RULES, "already_started"),
)
def close(tournament_id: str) -> Response:
    """Close entries and begin, for the organiser and the helpers.

    The order is drawn and the first round is paired.
    """
    found = found_by_player(tournament_id)
    load(NothingBody(), body(optional=True))
    return told(found, CloseEntries(me().player_id))


@bp.post("/rounds/<int:round>/tables/<int:table>/ruling")
@Operation(
    id="ruleTable",
    tag="tournaments",
    parameters=(TOURNAMENT_ID, ROUND, TABLE),
    body=Body(RulingBody(), example={"places": [1, 2], "reason": "Seat 1 has conceded at the club."}),
    replies=SEEN,
    refuses=(*RULES, "no_such_object"),
)
def rule(tournament_id: str, round: int, table: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Rule the result of a table of the open round, for the organiser and the helpers.

    A table that is over may be ruled too, until the round is closed. It then has points and no games, and what its
    match says afterwards is not taken in. All see who has ruled it, and why.
    """
    found = found_by_player(tournament_id)
    asked = load(RulingBody(), body())
    reason = _reason(found, asked)
    if round != found.state.round or not found.state.open:
        raise Refused("no_such_object", "This round is not open.")
    try:
        return told(found, RuleTable(me().player_id, table, tuple(asked["places"]), reason))
    except Refused as no:
        if no.code == "bad_arguments":
            raise refused({"places": [no.sentence]}) from None
        raise


@bp.post("/disqualifications")
@Operation(
    id="disqualifyEntrant",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(DisqualificationBody(), example={"entrant": 3, "reason": "Two accounts."}),
    replies=SEEN,
    refuses=(*RULES, "no_such_object"),
)
def disqualify(tournament_id: str) -> Response:
    """Take an entrant out of the tournament, for the organiser and the helpers.

    They are paired no more and cannot come back. All see who has ruled it, and why.
    """
    found = found_by_player(tournament_id)
    asked = load(DisqualificationBody(), body())
    return told(found, Disqualify(me().player_id, asked["entrant"], _reason(found, asked)))


@bp.post("/pause")
@Operation(
    id="pauseTournament",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(ReasonBody(), example={"reason": "Supper."}),
    replies=SEEN,
    refuses=RULES,
)
def pause(tournament_id: str) -> Response:
    """Pause a tournament, for the organiser and the helpers.

    Matches go on; no round is closed or paired until the tournament does.
    """
    found = found_by_player(tournament_id)
    return told(found, Pause(me().player_id, _reason(found, load(ReasonBody(), body()))))


@bp.post("/resume")
@Operation(
    id="resumeTournament",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=RULES,
)
def resume(tournament_id: str) -> Response:
    """Let a paused tournament go on, for the organiser and the helpers.

    A round whose tables are all over is closed, and the next is paired.
    """
    found = found_by_player(tournament_id)
    load(NothingBody(), body(optional=True))
    return told(found, Resume(me().player_id))


@bp.post("/cancel")
@Operation(
    id="cancelTournament",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(ReasonBody(), example={"reason": "Too few have come."}),
    replies=SEEN,
    refuses=RULES,
)
def cancel(tournament_id: str) -> Response:
    """End a tournament without an outcome, for the organiser and the helpers.

    Matches that are on go on, and count for nothing in it.
    """
    found = found_by_player(tournament_id)
    return told(found, CancelTournament(me().player_id, _reason(found, load(ReasonBody(), body()))))


NAMED: Final = "It names {}. What is written here stays when a player is erased; say which entrant, by the number."
"""The sentence of a refusal of a reason that names a player."""


def _reason(found: HeldTournament, asked: dict[str, Any]) -> str:
    """Give the reason of an organiser. Raises `Refused`, also where it names one of the tournament's players."""
    _check_runs(found)
    reason: str = asked["reason"]
    t = found.state
    name = players.named_in(here().context, reason, {t.organiser, *t.helpers, *t.players, *t.waiting})
    if name is not None:
        raise refused({"reason": [NAMED.format(name)]})
    return reason


def _check_runs(found: HeldTournament) -> None:
    """Raise `Refused` for all but those who run a tournament."""
    if me().player_id not in (found.state.organiser, *found.state.helpers):
        raise Refused("forbidden", "Only the organiser of the tournament and the helpers may do this.")
