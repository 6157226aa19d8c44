"""Reads and shows what entrants of a tournament play before its first round, and bring the gains of to its tables."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from marshmallow import fields, validate

from api.http.common_fields import doc
from api.http.game_request_schemas import record_request_schema
from api.http.openapi_operations import Answer, Count, MatchClock, Ordinal, says
from api.http.problems import Problem
from api.http.request_parsing import invalid_request
from api.http.strict_fields import Whole
from api.resources.match_request import AlikeBody, clock_of, new_match
from domain.core.backing import OfMatch, OfTournament
from domain.core.clock import Clock
from domain.core.collectible import Collectibles
from domain.core.game import MOST_SEATS, gains_for
from domain.core.game import AnyGame as Rules
from domain.games.catalogue import GAMES
from domain.tournament.tournament_state import Tournament
from domain.tournament.tournament_terms import MatchTerms, Preparation

GAINED: Final = "Gains from a match cannot be used at tournament tables."
UNPREPARED: Final = "The tables use gains from before the first round. Describe them in `preparation`."


class PreparationRequestBody(AlikeBody):
    """Preparation of the entrants in pods before the first round; its gains count at all tables."""

    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **doc("The same for all pods; as in a match of that game."),
    )
    clock = fields.Nested(
        lambda: record_request_schema(Clock), required=True, **doc("The clock of each pod; it has one.")
    )
    seats = Whole(
        validate=validate.Range(2, MOST_SEATS), **doc("Maximum entrants of a pod; by default the usual number.")
    )


class PodAnswer(Answer):
    entrants: Annotated[list[int], says("The numbers of its entrants, seat by seat.")]
    over: Annotated[bool, says("Whether all there have prepared.")]


class PreparationAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    preset: Annotated[str | None, says("The preset that the options began with; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("Those of every pod, completed, as of a match of that game.")]
    clock: Annotated[MatchClock, says("The clock of each pod.")]
    seats: Annotated[Ordinal, says("Maximum entrants of a pod.")]
    fewest: Annotated[Count, says("The fewest seats with which it is played; bots have those that are left.")]
    pods: Annotated[list[PodAnswer], says("The pods; none before entries are closed.")]


def preparation_field() -> fields.Nested:
    """Return the field for the game before the first round."""
    return fields.Nested(
        PreparationRequestBody,
        allow_none=True,
        load_default=None,
        **doc("Preparation before the first round; its gains count at the tables. Null if there is none."),
    )


def check_brought(game: Rules, options: Any, asked: Mapping[str, Any]) -> None:
    """Raise 422 unless what is brought to the tables can be gained before the first round, if it is to be."""
    where = game.entry.backing(options) if game.entry is not None else None
    if isinstance(where, OfMatch):
        raise Problem("bad_options", GAINED)
    if isinstance(where, OfTournament) and asked["preparation"] is None:
        raise Problem("bad_options", UNPREPARED)
    if asked["preparation"] is not None and not isinstance(where, OfTournament):
        raise Problem("bad_options", "These tables use no gains from before the first round.")


def preparation_of(asked: Mapping[str, Any] | None, cards: Collectibles | None, visibility: str) -> Preparation | None:
    """Complete what was asked for; `cards` are those that the tables are played with. Raises 422."""
    if asked is None:
        return None
    game = GAMES[asked["game"]]
    seats = asked.get("seats") or game.setup.usual
    if not gains_for(game, cards):
        raise invalid_request({"preparation.game": [f"{game.words.title} brings no gains for these tables."]})
    if seats not in game.setup.seats:
        raise invalid_request({"preparation.seats": [f"{game.words.title} is not played by {seats}."]})
    if not clock_of(asked["clock"]).ticks:
        raise invalid_request({"preparation.clock": ["The match of a pod needs a clock, so that it ends."]})
    new = new_match(
        {
            **{name: asked[name] for name in ("game", "preset", "clock")},
            "series": {},
            "visibility": visibility,
            "seats": [{"kind": "open"}] * seats,
            "options": {**asked["options"], "seats_per_player": 1},
        }
    )
    terms = MatchTerms(game.name, new.options, new.preset, new.clock, new.series.best_of)
    return Preparation(terms, seats, min(*game.setup.seats, seats))


def preparation_seen(t: Tournament) -> PreparationAnswer | None:
    """Show what entrants play before the first round, and their pods; None where they play nothing."""
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
