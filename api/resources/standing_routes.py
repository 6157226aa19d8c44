"""Serves the standings of tournaments."""

import csv
from collections.abc import Sequence
from fractions import Fraction
from io import StringIO
from typing import Any, Final

from flask import Blueprint, Response, request
from msgspec import json

from api.http.openapi_operations import ETAG, JSON, NOT_MODIFIED, Operation, Reply, text
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, json_answer
from api.resources.standing_answer import StandingAnswer, StandingsAnswer, standings_answer
from api.resources.tournament_routes import TOURNAMENT_ID, answer_unless_known
from events.service.tournaments import HeldTournament

bp = Blueprint("standings", __name__, url_prefix="/v1/tournaments/<tournament_id>")

CSV: Final = "text/csv"
NDJSON: Final = "application/x-ndjson"
COLUMNS: Final = (
    "place", "entrant", "handle", "name", "points", "opponents", "games", "opponents_games", "rounds", "byes", "left",
    "chips",
)  # fmt: skip
CSV_EXAMPLE: Final = f"{','.join(COLUMNS)}\r\n1,0,ann,Ann,6,0.666667,1.000000,0.500000,2,0,false,\r\n"
RATES: Final = ("opponents", "games", "opponents_games")


@bp.get("/standings")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={
        200: Reply(
            "How the entrants stand.",
            {
                JSON: StandingsAnswer,
                CSV: text(
                    f"{','.join(COLUMNS)}\r\n1,0,ann,Ann,6,0.666667,1.000000,0.500000,2,0,false,\r\n",
                    "A line for each entrant.",
                ),
                NDJSON: text('{"place":1,"entrant":0,"points":6}\n', "A StandingAnswer on each line."),
            },
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def get_standings(tournament_id: str) -> Response:
    """Get standings.

    They are those after the last closed round. The place is by the format. In a Swiss, a round robin and a league, the
    points decide. Ties are broken by the opponents' rate of points, your rate of games, the opponents' rate of games
    and the direct result, in this order. In a league, players who missed more than half of their tables have no points,
    and their opponents get none from them. With `Accept: text/csv` or `application/x-ndjson` it is a line for each
    entrant. In CSV rates are decimals of six places, since spreadsheets take 1/2 for a date; the other forms have them
    exactly.
    """
    form = request.accept_mimetypes.best_match((JSON, CSV, NDJSON)) or JSON

    def shown(found: HeldTournament) -> Response:
        there = standings_answer(found)
        if form == CSV:
            return Response(_lines(there.items), headers=FOR_THE_CALLER, content_type=f"{CSV}; charset=utf-8")
        if form == NDJSON:
            return Response(json.Encoder().encode_lines(there.items), headers=FOR_THE_CALLER, content_type=NDJSON)
        return json_answer(there)

    return answer_unless_known(tournament_id, shown, lambda: form)


def _lines(rows: Sequence[StandingAnswer]) -> str:
    """Write standings as CSV. A name that a spreadsheet would take for a formula begins with an apostrophe."""
    out = StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for row in rows:
        written: dict[str, Any] = {"handle": row.player.handle or "", "name": _harmless(row.player.name or "")}
        written |= {rate: f"{float(Fraction(getattr(row, rate))):.6f}" for rate in RATES}
        lines.writerow(
            str(value).lower() if isinstance(value, bool) else value
            for value in (written[name] if name in written else getattr(row, name) for name in COLUMNS)
        )
    return out.getvalue()


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
