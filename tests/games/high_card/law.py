"""High Card under the laws."""

from random import Random
from typing import Any

from high_card import GAME, bot, play

from domain.core.cards import PACK, Cards, Seat
from tests.laws.entry import Entry

TALON = 100
"""The places of the talon, from this number on; they belong to no seat."""


def everywhere(s: play.Table) -> list[Any]:
    """The cards in the fans, in the talon, and those that were laid."""
    return [*(c for fan in s.fans for c in fan), *s.talon, *(c for c in s.laid if c is not None)]


def pack(s: play.Table) -> Cards:
    """All cards are in the game once they are dealt; a reader sees some from behind."""
    return PACK if s.talon else ()


def probes(s: play.Table, seat: Seat, rng: Random) -> list[Any]:
    """Every card laid."""
    return [*map(play.Lay, PACK)]


def stacked(cards: Cards, rng: Random) -> Cards:
    """Put cards of one rank together, so that suits decide."""
    return tuple(sorted(cards, key=lambda card: (card % 13, rng.random())))


def owners(s: play.Table, ask: Any) -> list[Seat]:
    """The fans are dealt one card at a time."""
    seats = len(s.points)
    return [*(i % seats for i in range(play.FAN * seats)), *range(TALON, TALON + len(PACK) - play.FAN * seats)]


def in_view(view: Any) -> list[str]:
    """The reader's fan, and the cards that lie face up."""
    return [*view["mine"], *(card for card in view["laid"] if card not in (None, "??"))]


ENTRIES = tuple(
    Entry(
        game=GAME,
        seats=seats,
        blocks={f"high card for {seats}": [play.Options(rounds) for rounds in (1, 2, 3)]},
        policies={
            "random": lambda s, seat, rng: bot.choose("random", s, seat, (), rng),
            "steady": lambda s, seat, rng: bot.choose("steady", s, seat, (), rng),
            "clock": lambda s, seat, rng: play.default(s, seat),
        },
        stack=stacked,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=owners,
        secret_moves=(play.Lay,),
        facts=frozenset({play.RoundWon}),
        in_view=in_view,
    )
    for seats in (2, 3, 6)
)

SETUPS: list[tuple[int, dict[str, Any]]] = [(2, {"rounds": 1}), (4, {"rounds": 2})]
"""Seats and options of whole matches that are played over HTTP."""

SHORT: dict[str, Any] = {"rounds": 1}
"""Options that make a match end soon."""

RECORD: tuple[int, dict[str, Any], bool] = (3, {"rounds": 2}, False)
"""Seats and options of a match that is recorded whole, and whether seat 0 gives up."""

PICTURES: dict[str, Any] = {}
"""Tables that the terminal draws."""
