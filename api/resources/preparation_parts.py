"""Reads and shows the preparation for a tournament: a game before the first round, whose gains count at the tables."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Final

from api.http.openapi_operations import Answer, Count, MatchClock, Ordinal, says
from api.http.problems import Problem, wrong_fields
from api.resources.match_request import AlikeBody, MatchRequestBody, SeatPlanBody, clock_of, new_match
from domain.core.backing import OfMatch, OfTournament
from domain.core.clock import Clock
from domain.core.collectible import Collectibles
from domain.core.game import MOST_SEATS, gains_for
from domain.core.game import AnyGame as Rules
from domain.core.options import Omissible, Range
from domain.games.catalogue import GAMES
from domain.tournament.tournament_plan import MatchTerms, Preparation
from domain.tournament.tournament_state import Tournament

GAINED: Final = "Tournament tables cannot use gains, such as drafted cards, from other matches."
UNPREPARED: Final = (
    "These tables use gains, such as drafted cards, from before the first round. Describe them in `preparation`."
)


class PreparationRequestBody(AlikeBody):
    """Preparation of the entrants in pods before the first round; its gains count at all tables."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of all pods, as in a match of that game."""
    clock: Clock
    """The clock of each pod, which is required."""
    seats: Omissible[Annotated[int, Range(2, MOST_SEATS)]] = None
    """Maximum entrants of a pod; by default the usual number."""


class PodAnswer(Answer):
    entrants: Annotated[list[int], says("The numbers of its entrants, seat by seat.")]
    over: Annotated[bool, says("Whether all its entrants have prepared.")]


class PreparationAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    preset: Annotated[str | None, says("The preset behind the options; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("The options of every pod, with defaults.")]
    clock: Annotated[MatchClock, says("The clock of each pod.")]
    seats: Annotated[Ordinal, says("Maximum entrants of a pod.")]
    fewest: Annotated[Count, says("Minimum players of a pod; bots take the empty seats.")]
    pods: Annotated[list[PodAnswer], says("The pods; empty before entries close.")]


def check_brought(game: Rules, options: Any, asked: PreparationRequestBody | None) -> None:
    """Raise 422 unless the preparation provides the gains that the tables use."""
    where = game.entry.backing(options) if game.entry is not None else None
    if isinstance(where, OfMatch):
        raise Problem("bad_options", GAINED)
    if isinstance(where, OfTournament) and asked is None:
        raise Problem("bad_options", UNPREPARED)
    if asked is not None and not isinstance(where, OfTournament):
        raise Problem("bad_options", "These tables use no gains from before the first round. Leave `preparation` out.")


def preparation_of(
    asked: PreparationRequestBody | None, cards: Collectibles | None, visibility: str
) -> Preparation | None:
    """Complete the requested preparation; `cards` are those of the tables. Raises 422."""
    if asked is None:
        return None
    game = GAMES[asked.game]
    seats = asked.seats or game.setup.usual
    if not gains_for(game, cards):
        raise wrong_fields(
            {
                "preparation.game": [
                    f"{game.words.title} gives players nothing that these tables can use. Choose another game."
                ]
            }
        )
    if seats not in game.setup.seats:
        raise wrong_fields({"preparation.seats": [f"{game.words.title} is not played by {seats}."]})
    if not clock_of(asked.clock).ticks:
        raise wrong_fields({"preparation.clock": ["The match of a pod needs a clock, so that it ends."]})
    new = new_match(
        MatchRequestBody(
            game=asked.game,
            options={**asked.options, "seats_per_player": 1},
            preset=asked.preset,
            seats=(SeatPlanBody(kind="open"),) * seats,
            visibility=visibility,
            clock=asked.clock,
        )
    )
    terms = MatchTerms(game.name, new.options, new.preset, new.clock, new.series.best_of)
    return Preparation(terms, seats, min(*game.setup.seats, seats))


def preparation_seen(t: Tournament) -> PreparationAnswer | None:
    """Show what entrants play before the first round, and their pods; None if they play nothing."""
    if t.preparation is None:
        return None
    terms = t.preparation.terms
    return PreparationAnswer(
        game=terms.game,
        preset=terms.preset,
        options=terms.options,
        clock=terms.clock,
        seats=t.preparation.seats,
        fewest=t.preparation.fewest,
        pods=[PodAnswer(list(there), over) for there, over in zip(t.pods, t.pods_over, strict=True)],
    )
