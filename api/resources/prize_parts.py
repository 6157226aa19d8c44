"""Reads and shows the prizes of tournaments: boosters by their set, and promo cards, by place."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from marshmallow import fields, validate

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import doc
from api.http.openapi_operations import Answer, Count, Ordinal, says
from api.http.problems import Problem
from api.http.request_parsing import invalid_request
from api.http.strict_fields import Strict, Whole
from domain.core.game import AnyGame
from domain.games.catalogue import CARDS
from domain.tournament.tournament_state import Tournament
from domain.tournament.tournament_terms import PlacePrize

MOST_PLACES: Final = 16
MOST_BOOSTERS: Final = 36
"""Maximum boosters in all prizes of a tournament."""

USUAL: Final = (4, 2, 1, 1)
"""The boosters of the first places where the announcement does not say, for eight entrants (tournament 11)."""


MAY_NOT: Final = (
    "Only players whom the operator of this server has named in DEALT_PRIZE_ORGANISERS may award prizes. Leave `prizes`"
    " out, or ask the operator to add your id, {player}."
)
"""The refusal for other players who announce prizes."""


class PrizeRequestBody(Strict):
    """The prize for a place; tied entrants share the prizes of their places."""

    place = Whole(required=True, validate=validate.Range(1, 1_000), **doc("The place, from 1."))
    boosters = fields.Dict(
        keys=fields.String(validate=validate.OneOf(tuple(CARDS.sets))),
        values=Whole(validate=validate.Range(1, MOST_BOOSTERS)),
        allow_none=True,
        load_default=None,
        **doc("How many boosters of which set; null: 4, 2, 1 and 1 of the core set for the first four places."),
    )
    promo = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(tuple(CARDS.cards)),
        **doc("The id of a card of which a promo copy is awarded, which is never traded; null if there is none."),
    )


class PrizeAnswer(Answer):
    place: Annotated[Ordinal, says("The place, from 1.")]
    boosters: Annotated[Mapping[str, Ordinal], says("How many boosters of which set.")]
    promo: Annotated[str | None, says("The id of a card of which a promo copy is awarded; null if there is none.")]


class AwardedPrizeAnswer(Answer):
    entrant: Annotated[Count, says("The number of the entrant, from 0.")]
    prize: Annotated[
        PrizeAnswer, says("The entrant's prize for the collection; entrants who share the place share it.")
    ]


def prizes_field() -> fields.List[Any]:
    """Return the field for the prizes of a tournament."""
    return fields.List(
        fields.Nested(PrizeRequestBody),
        load_default=list,
        validate=validate.Length(0, MOST_PLACES),
        **doc(
            f"Prizes by place, at most {MOST_BOOSTERS} boosters. Only for games with collectible cards, and for"
            " organisers whom the operator has authorised (403).",
            maxItems=MOST_PLACES,
        ),
    )


def may_award(player_id: str | None) -> bool:
    """Say whether a player may announce prizes: only those whom the operator has named, since cards come from nothing.

    None is a stranger.
    """
    named = app_state().settings.dealt_prize_organisers
    return player_id is not None and (named == "*" or player_id in named.split(","))


def prizes_of(game: AnyGame, asked: Sequence[Mapping[str, Any]]) -> tuple[PlacePrize, ...]:
    """Return the requested prizes. Raise 422, or 403 if the caller may not award any."""
    if asked and game.setup.cards is None:
        raise invalid_request({"prizes": [f"{game.words.title} has no collectible cards."]})
    if asked and not may_award(require_player().player_id):
        raise Problem("forbidden", MAY_NOT.format(player=require_player().player_id))
    found = tuple(PlacePrize(one["place"], _boosters(one), one["promo"]) for one in asked)
    if sum(count for one in found for count in one.boosters.values()) > MOST_BOOSTERS:
        raise invalid_request({"prizes": [f"All prizes together may have at most {MOST_BOOSTERS} boosters."]})
    return found


def _boosters(one: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the boosters of a prize, by default the usual ones."""
    if one["boosters"] is not None:
        return {**one["boosters"]}
    usual = USUAL[one["place"] - 1 :][:1]
    return {next(iter(CARDS.sets)): usual[0]} if usual else {}


def prizes_seen(t: Tournament) -> list[PrizeAnswer]:
    """Show what is awarded by place."""
    return [_seen(one) for one in t.prizes]


def awarded_seen(t: Tournament) -> list[AwardedPrizeAnswer]:
    """Show what was awarded."""
    return [AwardedPrizeAnswer(one.entrant, _seen(one.prize)) for one in t.awarded]


def _seen(prize: PlacePrize) -> PrizeAnswer:
    return PrizeAnswer(prize.place, prize.boosters, prize.promo)
