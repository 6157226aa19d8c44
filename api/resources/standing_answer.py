"""Shows how the entrants of a tournament stand."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from api.http.app_state import app_state
from api.http.openapi_operations import Answer, Count, NextCursor, Ordinal, says
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from api.resources.tournament_answer import EntrantNumber
from domain.tournament.formats.duplicate import scores_of
from domain.tournament.formats.format_catalogue import format_of, ground_of
from domain.tournament.tournament_standings import Standing
from domain.tournament.tournament_state import Tournament
from events.service import players
from events.service.ranking_cache import ranking_of
from events.service.tournament_rounds import current_stacks
from events.service.tournaments import HeldTournament
from events.store.player_records import Identity


class StandingAnswer(Answer):
    place: Annotated[Ordinal, says("The place, from 1, by the format; some formats share places.")]
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("The player.")]
    points: Annotated[Count, says("The points.")]
    score: Annotated[
        str | None,
        says("In a duplicate, the exact margin over the average of the other tables; null in other formats."),
    ]
    opponents: Annotated[str, says("The average of the opponents' rates of points, exactly.", examples=["5/12"])]
    games: Annotated[str, says("The own rate of games, exactly.", examples=["2/3"])]
    opponents_games: Annotated[str, says("The average of the opponents' rates of games, exactly.", examples=["1/3"])]
    rounds: Annotated[Count, says("The rounds played, with byes.")]
    byes: Annotated[Count, says("The byes.")]
    left: Annotated[bool, says("Whether the entrant has left, or was taken out.")]
    chips: Annotated[int | None, says("The stack after that round; null: no stacks go from table to table.")]


class StandingsAnswer(Answer):
    round: Annotated[Count, says("After which closed round; in an arena tables count as they end.")]
    items: Annotated[list[StandingAnswer], says("The entrants, the first place first; none before entries are closed.")]
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
