"""Serves tournaments: announces, lists and shows them, lets players enter, and lets organisers run them."""

from typing import Any, Final

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.auth import caller, me, player, seated
from api.http.bodies import body, load, query, refused
from api.http.idempotency import IDEMPOTENCY_KEY, key, once
from api.http.openapi_operations import ETAG, LOCATION, REPLAYED, Body, Operation, Parameter, Reply
from api.http.prefix import address_of
from api.http.present import answer, marked
from api.http.rate_limits import charge_for_events
from api.http.schemas import NothingBody
from api.resources.search_query import cursor, read_cursor
from api.resources.tournament_answer import (
    EntrantListAnswer,
    TournamentAnswer,
    TournamentListAnswer,
    entrants,
    listed,
    tournament,
)
from api.resources.tournament_request import (
    DisqualificationBody,
    InvitationsBody,
    NewTournamentBody,
    ReasonBody,
    RulingBody,
    TournamentEntryBody,
    TournamentsQuery,
    announced,
    players_of,
    prepares,
)
from domain.core.game import Refused
from domain.tournament.tournament_commands import (
    CancelTournament,
    CloseEntries,
    ComeBack,
    Disqualify,
    InvitePlayers,
    Pause,
    Rest,
    Resume,
    RuleTable,
    Withdraw,
)
from events.service import tournaments as service
from events.service.access import Caller
from events.service.tournament_tables import give_up
from events.service.tournaments import HeldTournament
from events.store.records import PagePlace, Remembered, TournamentListing

bp = Blueprint("tournaments", __name__, url_prefix="/v1/tournaments")

TOURNAMENT_ID: Final = Parameter("tournament_id", "path", "The id of the tournament.", example="8n9y4jktn4n1gzhahebf")
ROUND: Final = Parameter("round", "path", "The number of the round, from 1.", {"type": "integer", "minimum": 1})
TABLE: Final = Parameter("table", "path", "The number of the table, from 0.", {"type": "integer", "minimum": 0})

SEEN: Final = {200: Reply("The tournament as it then is.", TournamentAnswer, headers=(ETAG,))}
RULES: Final = ("not_found", "forbidden", "wrong_phase", "match_over")
"""Whoever runs a tournament may be refused with these."""


# --- Announcing and finding -------------------------------------------------------------------------------


@bp.post("")
@Operation(
    id="announceTournament",
    makes="groups",
    tag="tournaments",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(
        NewTournamentBody(),
        examples={
            "an_evening": {
                "summary": "A Swiss of two-handed games, live",
                "value": {
                    "name": "Friday evening",
                    "game": "gin_rummy",
                    "format": "swiss",
                    "clock": {"per_decision_seconds": 60},
                    "closes_at": "2100-01-01T19:00:00Z",
                },
            },
            "an_arena": {
                "summary": "An arena of an hour: whoever is free is paired",
                "value": {
                    "name": "The lunch arena",
                    "game": "gin_rummy",
                    "format": "arena",
                    "clock": {"per_decision_seconds": 20},
                    "closes_at": "2100-01-01T12:00:00Z",
                    "ends_at": "2100-01-01T13:00:00Z",
                },
            },
            "a_duplicate": {
                "summary": "A duplicate of teams: all tables have the same deals",
                "value": {
                    "name": "The club duplicate",
                    "game": "hearts",
                    "format": "duplicate",
                    "teams": "tables",
                    "seats": 4,
                    "fill": "bots",
                    "clock": {"per_decision_seconds": 60},
                },
            },
            "a_season": {
                "summary": "Hearts by mail, four at a table",
                "value": {
                    "name": "The winter season",
                    "game": "hearts",
                    "format": "swiss",
                    "seats": 4,
                    "rounds": 5,
                    "fill": "bots",
                    "clock": {"per_decision_seconds": 86400},
                    "show_up_seconds": 259200,
                    "round_days": 21,
                },
            },
            "a_draft_weekend": {
                "summary": "A draft, and a Swiss with the decks that were built",
                "value": {
                    "name": "Draft weekend",
                    "game": "fivewells",
                    "options": {"format": "draft", "pool": "tournament"},
                    "format": "swiss",
                    "clock": {"per_decision_seconds": 60},
                    "preparation": {"game": "fivewells_draft", "clock": {"per_decision_seconds": 120}},
                    "prizes": [{"place": 1}, {"place": 2}, {"place": 3}, {"place": 4}],
                },
            },
        },
    ),
    replies={201: Reply("The tournament.", TournamentAnswer, headers=(LOCATION, ETAG, REPLAYED))},
    refuses=("bad_options", "forbidden"),
)
def announce() -> Response:
    """Announce a tournament.

    All of it is fixed then: how it is played, who may enter, and the chain of seeds from which all is drawn. Players
    enter until you close entries, or until `closes_at`. Then rounds follow by themselves: at each table a match is made
    whose seats are kept for its players, who take them within `show_up_seconds`. You run at most 20 tournaments at once
    (403).
    """
    seated()
    given = body()
    idempotency = key(given)

    def do() -> Response:
        asked = load(NewTournamentBody(), given)
        return _announced(service.announce(here().context, announced(asked), idempotency, prepares(asked)))

    def again(done: Remembered) -> Response:
        return _announced(service.announced_before(here().context, done))

    return once(idempotency, do, again)


def _announced(found: HeldTournament) -> Response:
    response = answer(tournament(found, me().player_id, None), 201)
    response.headers["Location"] = address_of(f"/v1/tournaments/{found.head.match_id}")
    return marked(response, found.head.version)


@bp.get("")
@Operation(
    id="listTournaments",
    tag="tournaments",
    access="optional",
    query=TournamentsQuery(),
    replies={200: Reply("A page of tournaments.", TournamentListAnswer)},
)
def index() -> Response:
    """List tournaments, the latest first.

    Public ones, and those that you have to do with: that you run, have entered, wait for, or were invited to.
    """
    asked = query(TournamentsQuery())
    mine = asked["mine"] == "true"
    viewer = me().player_id if mine else _viewer()
    before, limit = read_cursor(asked.get("cursor")), asked["limit"]
    listing = TournamentListing(asked.get("status"), asked.get("game"), mine)
    behind = None if before is None else (before.at_ms, before.match_id)
    rows = service.find(here().context, viewer, listing, behind, limit + 1)
    page = rows[:limit]
    more = PagePlace(page[-1].created_ms, page[-1].tournament_id) if len(rows) > limit else None
    return answer(listed(page, cursor(more)))


@bp.get("/<tournament_id>")
@Operation(
    id="getTournament",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID,),
    replies={200: Reply("The tournament.", TournamentAnswer, headers=(ETAG,))},
    refuses=("not_found",),
)
def show(tournament_id: str) -> Response:
    """Show a tournament.

    A private one is shown to its organisers, to those who were invited, and to its entrants; for all others it is not
    found.
    """
    return shown(read(tournament_id, caller()))


READ_PER_REQUEST: Final = 500
"""To read so many events of a tournament takes about as long as a request, and so does to rank its entrants."""


def read(tournament_id: str, who: Caller) -> HeldTournament:
    """Give a tournament that a caller may see; a long one counts as many requests. Raises `NotFound`, and 429."""
    found = service.see(here().context, tournament_id, who)
    charge_for_events(found.head.version, READ_PER_REQUEST)
    return found


def _viewer() -> str | None:
    known = player()
    return None if known is None else known.player_id


def shown(found: HeldTournament) -> Response:
    """Answer with a tournament as the caller sees it."""
    table = service.table_of(found, _viewer())
    return marked(answer(tournament(found, _viewer(), table)), found.head.version)


# --- Coming and going -------------------------------------------------------------------------------------


@bp.get("/<tournament_id>/entries")
@Operation(
    id="listEntrants",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID,),
    replies={200: Reply("Who plays, and who waits.", EntrantListAnswer)},
    refuses=("not_found",),
)
def entries(tournament_id: str) -> Response:
    """List who has entered, and who waits for a place.

    Who was erased has no name any longer; results stay.
    """
    return answer(entrants(read(tournament_id, caller()).state))


@bp.post("/<tournament_id>/entries")
@Operation(
    id="enterTournament",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(
        TournamentEntryBody(), required=False, example={"club": "Bridge Club Bonn", "nonce": "00112233445566778899aabb"}
    ),
    replies=SEEN,
    refuses=("not_found", "forbidden", "rating_not_admitted", "already_done", "wrong_phase", "match_over"),
)
def enter(tournament_id: str) -> Response:
    """Enter a tournament.

    Where all places are taken you wait for one, and have the next that becomes free. After entries were closed you may
    enter a Swiss up to `late` paired rounds later, and an arena until its end, without a nonce. Who has left may enter
    again before entries are closed, three times in all.
    """
    found = _found(tournament_id)
    asked = load(TournamentEntryBody(), body(optional=True))
    return shown(service.enter(here().context, found, me().player_id, asked["club"], asked["nonce"]))


@bp.delete("/<tournament_id>/entries/mine")
@Operation(
    id="leaveTournament",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "match_over"),
)
def leave(tournament_id: str) -> Response:
    """Leave a tournament.

    You are paired no more, and keep your points; a match that is on goes on. Who leaves after entries were closed does
    not come back.
    """
    found = _found(tournament_id)
    return _told(found, Withdraw(me().player_id))


@bp.post("/<tournament_id>/entries/mine/rest")
@Operation(
    id="restInArena",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def rest(tournament_id: str) -> Response:
    """Rest in an arena.

    You are not paired until you are back, and keep your points; a match that is on goes on. Who has not come to a table
    rests too.
    """
    found = _found(tournament_id)
    load(NothingBody(), body(optional=True))
    return _told(found, Rest(me().player_id))


@bp.post("/<tournament_id>/entries/mine/return")
@Operation(
    id="returnToArena",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def come_back(tournament_id: str) -> Response:
    """Be paired again in an arena, having rested.

    So is who has not come to a table. You get a table at once if whoever is free fills some.
    """
    found = _found(tournament_id)
    load(NothingBody(), body(optional=True))
    return _told(found, ComeBack(me().player_id))


# --- Running it -------------------------------------------------------------------------------------------


@bp.post("/<tournament_id>/invites")
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
    found = _found(tournament_id)
    asked = load(InvitationsBody(), body())
    _check_runs(found)
    return _told(found, InvitePlayers(me().player_id, players_of("players", asked["players"])))


@bp.post("/<tournament_id>/close")
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
    found = _found(tournament_id)
    load(NothingBody(), body(optional=True))
    return _told(found, CloseEntries(me().player_id))


@bp.post("/<tournament_id>/rounds/<int:round>/tables/<int:table>/ruling")
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
    found = _found(tournament_id)
    asked = load(RulingBody(), body())
    _check_runs(found)
    if round != found.state.round or not found.state.open:
        raise Refused("no_such_object", "This round is not open.")
    return _told(found, RuleTable(me().player_id, table, tuple(asked["places"]), asked["reason"]))


@bp.post("/<tournament_id>/disqualifications")
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
    found = _found(tournament_id)
    asked = load(DisqualificationBody(), body())
    return _told(found, Disqualify(me().player_id, asked["entrant"], asked["reason"]))


@bp.post("/<tournament_id>/pause")
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
    found = _found(tournament_id)
    return _told(found, Pause(me().player_id, load(ReasonBody(), body())["reason"]))


@bp.post("/<tournament_id>/resume")
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
    found = _found(tournament_id)
    load(NothingBody(), body(optional=True))
    return _told(found, Resume(me().player_id))


@bp.post("/<tournament_id>/cancel")
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
    found = _found(tournament_id)
    return _told(found, CancelTournament(me().player_id, load(ReasonBody(), body())["reason"]))


def _found(tournament_id: str) -> HeldTournament:
    """Give a tournament that the caller may see, who is a player. Raises `NotFound`."""
    return read(tournament_id, seated())


def _check_runs(found: HeldTournament) -> None:
    """Raise `Refused` for all but those who run a tournament."""
    if me().player_id not in (found.state.organiser, *found.state.helpers):
        raise Refused("forbidden", "Only the organiser of the tournament and the helpers may do this.")


def _told(found: HeldTournament, command: Any) -> Response:
    """Tell a tournament something; answers with it as it then is."""
    context = here().context
    try:
        after = service.tell(context, found.head.match_id, [command])
        give_up(context, found, after)
        return shown(after)
    except Refused as no:
        if no.code == "bad_arguments":
            raise refused({"places": [no.sentence]}) from None
        raise
