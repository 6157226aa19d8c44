"""Describes High Card for the tests of all games."""

from random import Random
from typing import Any

from high_card import GAME, bot, play

from domain.core.cards import PACK, Cards, Seat
from tests.laws.entry import Entry

TALON = 100
"""The first place of the talon; its cards belong to no seat."""


def everywhere(s: play.Table) -> list[Any]:
    """Return the cards in the fans, in the talon, and those that were laid."""
    return [*(c for fan in s.fans for c in fan), *s.talon, *(c for c in s.laid if c is not None)]


def pack(s: play.Table) -> Cards:
    """All cards are in the game once they are dealt; a reader sees some of them as backs."""
    return PACK if s.talon else ()


def probes(s: play.Table, seat: Seat, rng: Random) -> list[Any]:
    """Return every card as a move."""
    return [*map(play.Lay, PACK)]


def stacked(cards: Cards, rng: Random) -> Cards:
    """Stack cards of the same rank together, so that suits decide."""
    return tuple(sorted(cards, key=lambda card: (card % 13, rng.random())))


def owners(s: play.Table, ask: Any) -> list[Seat]:
    """The fans are dealt one card at a time."""
    seats = len(s.points)
    return [*(i % seats for i in range(play.FAN * seats)), *range(TALON, TALON + len(PACK) - play.FAN * seats)]


def in_view(view: Any) -> list[str]:
    """Return the reader's fan, and the cards that are face up."""
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
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"rounds": 1}
"""Options for a short match."""

RECORD: tuple[int, dict[str, Any], bool] = (3, {"rounds": 2}, False)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {}
"""Tables that the terminal draws."""
