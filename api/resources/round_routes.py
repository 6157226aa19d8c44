"""Serves the rounds, the standings and the events of tournaments."""

import csv
from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import islice
from typing import Any, Final

from flask import Blueprint, Response, request
from msgspec import Raw, json

from api.http.app_state import here
from api.http.auth import caller
from api.http.bodies import query
from api.http.feed_stream import LAST_EVENT_ID, Feed, last_event_id, stream_feed
from api.http.openapi_operations import ETAG, JSON, NOT_MODIFIED, PREFERENCE_APPLIED, UNBUFFERED, Operation, Reply, text
from api.http.present import FOR_THE_CALLER, IF_NONE_MATCH, answer, marked, tagged
from api.http.problems import Problem
from api.http.waiting import PREFER, SSE, ServerSentEvent, answer_after, example, preferred, waiting
from api.resources.tournament_answer import (
    RoundAnswer,
    RoundListAnswer,
    StandingAnswer,
    StandingsAnswer,
    TournamentEventAnswer,
    TournamentEventsAnswer,
    round_list,
    round_seen,
    standings,
)
from api.resources.tournament_request import TournamentEventsQuery
from api.resources.tournament_routes import ROUND, TOURNAMENT_ID, read
from events.log.commits import as_served
from events.service import tournaments
from events.service.tournament_rounds import rounds_of
from events.service.tournaments import HeldTournament

bp = Blueprint("rounds", __name__, url_prefix="/v1/tournaments/<tournament_id>")

CSV: Final = "text/csv"
NDJSON: Final = "application/x-ndjson"
COLUMNS: Final = (
    "place", "entrant", "handle", "name", "points", "opponents", "games", "opponents_games", "rounds", "byes", "left",
    "chips",
)  # fmt: skip

GREETING: Final = "the events of a tournament, until it has ended"
PAUSED: Final = json.encode(
    TournamentEventAnswer(
        v=1,
        seq=41,
        commit=41,
        type="TournamentPaused",
        data={"by": "3jc9mhf6ktn4n1gzhahe", "reason": "Supper."},
        at="2026-11-21T10:00:00.000Z",
        cause="move",
        seals={},
        digest="e3fd37cdd22155e43fec061ef6d666f84102a266358bfb710de7cdbb0d9e3da6",
    )
)
"""An event, as an example."""


@bp.get("/standings")
@Operation(
    id="getStandings",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID,),
    replies={
        200: Reply(
            "How the entrants stand.",
            {
                JSON: StandingsAnswer,
                CSV: text(f"{','.join(COLUMNS)}\r\n1,0,ann,Ann,6,2/3,1,1/2,2,0,false,\r\n", "A line for each entrant."),
                NDJSON: text('{"place":1,"entrant":0,"points":6}\n', "A StandingAnswer on each line."),
            },
            headers=(ETAG,),
        )
    },
    refuses=("not_found",),
)
def table(tournament_id: str) -> Response:
    """Show the standings, after the last closed round.

    The place is by the format. In a Swiss, a round robin and a league it follows from the points; where these are
    level, from the opponents' rate of points, the own rate of games, the opponents' rate of games, and the result
    between two. In a league those have no points who have missed more than half of their tables, nor has anybody from
    them.
    With `Accept: text/csv` or `application/x-ndjson` it is a line for each entrant.
    """
    found = read(tournament_id, caller())
    shown = standings(found.state)
    form = request.accept_mimetypes.best_match((JSON, CSV, NDJSON))
    if form == CSV:
        response = Response(_lines(shown.items), headers=FOR_THE_CALLER, content_type=f"{CSV}; charset=utf-8")
    elif form == NDJSON:
        response = Response(json.Encoder().encode_lines(shown.items), headers=FOR_THE_CALLER, content_type=NDJSON)
    else:
        response = answer(shown)
    return marked(response, found.head.version)


def _lines(rows: Sequence[StandingAnswer]) -> str:
    """Write standings as CSV. A name that a spreadsheet would take for a formula begins with an apostrophe."""
    out = StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for row in rows:
        who: dict[str, Any] = {"handle": row.player.handle or "", "name": _harmless(row.player.name or "")}
        lines.writerow(
            str(value).lower() if isinstance(value, bool) else value
            for value in (who[name] if name in who else getattr(row, name) for name in COLUMNS)
        )
    return out.getvalue()


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name


@bp.get("/rounds")
@Operation(
    id="listRounds",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID,),
    replies={200: Reply("The rounds that were paired.", RoundListAnswer, headers=(ETAG,))},
    refuses=("not_found",),
)
def index(tournament_id: str) -> Response:
    """List the rounds that were paired, from the first.

    The last one is open until all its tables are over.
    """
    found = read(tournament_id, caller())
    return marked(answer(round_list(rounds_of(found))), found.head.version)


@bp.get("/rounds/<int:round>")
@Operation(
    id="getRound",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, ROUND),
    replies={200: Reply("The round.", RoundAnswer, headers=(ETAG,))},
    refuses=("not_found",),
)
def show(tournament_id: str, round: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Show a round: its tables with their matches and results, who has a bye, and why it was paired so.

    Each seat has its points before the round, and each table says who there had met before. Anybody can pair the round
    again from its seed.
    """
    found = read(tournament_id, caller())
    rounds = rounds_of(found)
    if not 1 <= round <= len(rounds):
        raise Problem("not_found", "This round has not been paired.")
    return marked(answer(round_seen(found.state, rounds[round - 1])), found.head.version)


@bp.get("/events")
@Operation(
    id="listTournamentEvents",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, PREFER, LAST_EVENT_ID, IF_NONE_MATCH),
    query=TournamentEventsQuery(),
    replies={
        200: Reply(
            "Events, in order.",
            {
                JSON: TournamentEventsAnswer,
                SSE: text(
                    example(GREETING, ServerSentEvent(41, "TournamentPaused", PAUSED)),
                    "`id` is the number of the event, `event` its type, `data` a TournamentEvent.",
                ),
            },
            headers=(ETAG, PREFERENCE_APPLIED, UNBUFFERED),
        ),
        204: Reply("The tournament has ended and you have all of it.", headers=(ETAG,)),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def events(tournament_id: str) -> Response:
    """Read the events of a tournament, from which all else follows.

    Nothing of them is secret. Each is bound to those before it by its digest. With `wait` it answers as soon as there
    is one after `after`. `Accept: text/event-stream` gives a stream of server-sent events that ends with the
    tournament; its ids are the numbers of the events, and `Last-Event-ID` is honoured. A stream that is taken up again
    after the end is answered 204, which tells clients to stop; one for which there is no place now ends at once, and
    `retry` says when to ask again.
    """
    who, asked = caller(), query(TournamentEventsQuery())
    form = request.accept_mimetypes.best_match((JSON, SSE))
    found = read(tournament_id, who)
    after, limit, seconds = asked["after"], asked["limit"], waiting(asked)
    if form == SSE:
        context = here().context
        return stream_feed(
            GREETING,
            lambda: _feed(tournaments.see(context, tournament_id, who)),
            _feed(found),
            last_event_id(after),
            asked,
        )
    version = found.head.version
    if seconds and after >= version and not found.state.ended:
        return answer_after(here().watch.match(found.head.match_no, version, seconds))
    items = [Raw(item) for item in islice(_events(found, after), limit)]
    last = max(after, min(after + limit, version))
    # The events are JSON already.
    page = TournamentEventsAnswer(items, last)  # type: ignore[arg-type]
    return preferred(tagged(answer(page), version))


def _feed(found: HeldTournament) -> Feed:
    return Feed(found.head.match_no, found.head.version, found.state.ended, partial(_events, found))


def _events(found: HeldTournament, after: int) -> Iterator[bytes]:
    """Give the events of a tournament after one of them, each as JSON."""
    rows = [row for row in found.rows if row.first + row.n - 1 > after]
    first = rows[0].first if rows else 0
    return (item for seq, item in enumerate(as_served(rows), first) if seq > after)
