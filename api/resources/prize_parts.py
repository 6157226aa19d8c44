"""Reads and shows the prizes of tournaments: boosters by their set, and promo cards, by place."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.openapi_operations import Answer, Count, Ordinal, says
from api.http.problems import Problem, wrong_fields
from api.http.request_records import Request, choice
from domain.core.game import AnyGame
from domain.core.options import Length, Range
from domain.core.types import Doc
from domain.games.catalogue import CARDS
from domain.tournament.tournament_plan import PlacePrize
from domain.tournament.tournament_state import Tournament

MOST_PLACES: Final = 16
MOST_BOOSTERS: Final = 36
"""Maximum boosters in all prizes of a tournament."""

USUAL: Final = (4, 2, 1, 1)
"""The default boosters of the first places, for eight entrants (tournament 11)."""


MAY_NOT: Final = (
    "Only players in the server's setting DEALT_PRIZE_ORGANISERS can award prizes. Leave `prizes` out,"
    " or ask the operator to add your id, {player}."
)
"""The refusal for other players who announce prizes."""


class PrizeRequestBody(Request):
    """The prize for a place; tied entrants share the prizes of their places."""

    place: Annotated[int, Range(1, 1_000)]
    """The place, from 1."""
    boosters: Mapping[Annotated[str, choice(CARDS.sets)], Annotated[int, Range(1, MOST_BOOSTERS)]] | None = None
    """The number of boosters by set; null: 4, 2, 1 and 1 of the core set for the first four places."""
    promo: Annotated[str, choice(CARDS.cards)] | None = None
    """The card of which a promo copy is awarded, which cannot be traded; null for none."""


class PrizeAnswer(Answer):
    place: Annotated[Ordinal, says("The place, from 1.")]
    boosters: Annotated[Mapping[str, Ordinal], says("The number of boosters by set.")]
    promo: Annotated[str | None, says("The card of which a promo copy is awarded; null for none.")]


class AwardedPrizeAnswer(Answer):
    entrant: Annotated[Count, says("The number of the entrant, from 0.")]
    prize: Annotated[PrizeAnswer, says("The entrant's prize; entrants who share a place share the prize.")]


Prizes = Annotated[
    tuple[PrizeRequestBody, ...],
    Length(0, MOST_PLACES),
    Doc(
        f"Prizes by place, at most {MOST_BOOSTERS} boosters. Only for games with collectible cards, and for"
        " organisers whom the operator has authorised (403)."
    ),
]
"""The field for the prizes of a tournament."""


def may_award(player_id: str | None) -> bool:
    """Return whether a player may award prizes: only players authorised by the operator, since prizes create cards.

    None is an anonymous caller.
    """
    named = app_state().settings.dealt_prize_organisers
    return player_id is not None and (named == "*" or player_id in named.split(","))


def prizes_of(game: AnyGame, asked: Sequence[PrizeRequestBody]) -> tuple[PlacePrize, ...]:
    """Return the requested prizes. Raise 422, or 403 if the caller may not award any."""
    if asked and game.setup.cards is None:
        raise wrong_fields({"prizes": [f"{game.words.title} has no collectible cards."]})
    if asked and not may_award(require_player().player_id):
        raise Problem("forbidden", MAY_NOT.format(player=require_player().player_id))
    found = tuple(PlacePrize(one.place, _boosters(one), one.promo) for one in asked)
    if sum(count for one in found for count in one.boosters.values()) > MOST_BOOSTERS:
        raise wrong_fields({"prizes": [f"All prizes together may have at most {MOST_BOOSTERS} boosters."]})
    return found


def _boosters(one: PrizeRequestBody) -> Mapping[str, int]:
    """Return the boosters of a prize, by default the usual ones."""
    if one.boosters is not None:
        return {**one.boosters}
    usual = USUAL[one.place - 1 :][:1]
    return {next(iter(CARDS.sets)): usual[0]} if usual else {}


def prizes_seen(t: Tournament) -> list[PrizeAnswer]:
    """Show the prizes by place."""
    return [_prize_answer(one) for one in t.prizes]


def awarded_seen(t: Tournament) -> list[AwardedPrizeAnswer]:
    """Show the awarded prizes."""
    return [AwardedPrizeAnswer(one.entrant, _prize_answer(one.prize)) for one in t.awarded]


def _prize_answer(prize: PlacePrize) -> PrizeAnswer:
    return PrizeAnswer(prize.place, prize.boosters, prize.promo)
