"""Serves the standings of tournaments."""

import csv
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import StringIO
from typing import Annotated, Any, Final

from flask import Response, request
from msgspec import json

from api.http.app_state import app_state
from api.http.openapi_operations import (
    ETAG,
    JSON,
    NOT_MODIFIED,
    Answer,
    Count,
    NextCursor,
    Operation,
    Ordinal,
    Reply,
    says,
    text,
)
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, json_answer
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from api.resources.tournament_answer import EntrantNumber
from api.resources.tournament_routes import TOURNAMENT_ID, answer_unless_known
from domain.tournament.formats.duplicate import scores_of
from domain.tournament.formats.format_catalogue import format_of, ground_of
from domain.tournament.tournament_standings import Standing
from domain.tournament.tournament_state import Tournament
from events.service import players
from events.service.tournament_rounds import current_stacks, ranking_of
from events.service.tournaments import HeldTournament
from events.store.player_records import Identity


class StandingAnswer(Answer):
    place: Annotated[Ordinal, says("The place, from 1; some formats have shared places.")]
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("The player.")]
    points: Annotated[Count, says("The points.")]
    score: Annotated[
        str | None,
        says("In a duplicate, the exact margin over the average of the other tables; null in other formats."),
    ]
    opponents: Annotated[str, says("The exact average of the opponents' rates of points.", examples=["5/12"])]
    games: Annotated[str, says("The entrant's exact rate of games.", examples=["2/3"])]
    opponents_games: Annotated[str, says("The exact average of the opponents' rates of games.", examples=["1/3"])]
    rounds: Annotated[Count, says("The rounds played, including byes.")]
    byes: Annotated[Count, says("The byes.")]
    left: Annotated[bool, says("Whether the entrant left or was disqualified.")]
    chips: Annotated[int | None, says("The stack after that round; null if players do not keep their stacks.")]


class StandingsAnswer(Answer):
    round: Annotated[Count, says("The last closed round; in an arena, tables count when they end.")]
    items: Annotated[list[StandingAnswer], says("The entrants by place; empty before entries close.")]
    next: NextCursor


def standings_answer(found: HeldTournament) -> StandingsAnswer:
    """Show how the entrants stand."""
    t, rows = found.state, ranking_of(found)
    stacks = current_stacks(t)
    known = players.player_identities(app_state().context, [t.players[row.entrant] for _, row in rows])
    scores = scores_of(ground_of(t)) if format_of(t).has_same_deals and rows else {}
    items = [_standing(t, place, row, known, stacks.get(row.entrant), scores.get(row.entrant)) for place, row in rows]
    return StandingsAnswer(len(t.played), items, None)


def _standing(
    t: Tournament, place: int, row: Standing, known: Mapping[str, Identity], stack: int | None, score: Fraction | None
) -> StandingAnswer:
    return StandingAnswer(
        place=place,
        entrant=row.entrant,
        player=person_answer(t.players[row.entrant], known),
        points=row.points,
        score=None if score is None else str(score),
        opponents=str(row.opponents),
        games=str(row.games),
        opponents_games=str(row.opponents_games),
        rounds=row.rounds,
        byes=row.byes,
        left=row.entrant in t.left,
        chips=stack,
    )


CSV: Final = "text/csv"
NDJSON: Final = "application/x-ndjson"
COLUMNS: Final = (
    "place", "entrant", "handle", "name", "points", "opponents", "games", "opponents_games", "rounds", "byes", "left",
    "chips",
)  # fmt: skip
RATES: Final = ("opponents", "games", "opponents_games")


@Operation(
    tag="tournaments",
    searches=("standings", "tie-break"),
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={
        200: Reply(
            "The standings.",
            {
                JSON: StandingsAnswer,
                CSV: text(
                    f"{','.join(COLUMNS)}\r\n1,0,ann,Ann,6,0.666667,1.000000,0.500000,2,0,false,\r\n",
                    "A line per entrant.",
                ),
                NDJSON: text('{"place":1,"entrant":0,"points":6}\n', "A StandingAnswer per line."),
            },
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def get_standings(tournament_id: str) -> Response:
    """Get standings.

    Returns the standings after the last closed round. The format determines the places: in a Swiss, a round robin and a
    league by points. Tie-breaks are the opponents' rate of points, your rate of games, the opponents' rate of games and
    the direct result, in this order. In a league, players who missed more than half of their tables have no points, and
    their opponents get none from them. `Accept: text/csv` or `application/x-ndjson` returns a line per entrant. CSV has
    rates as decimals with six places; the other forms have exact rates.
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
