"""High Card under the laws."""

from random import Random
from typing import Any

from high_card import GAME, bot, play
from high_card.options import Options

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
    """Every card laid, and traded."""
    return [make(card) for card in PACK for make in (play.Lay, play.Trade)]


def stacked(cards: Cards, rng: Random) -> Cards:
    """Put cards of one rank together, so that suits decide."""
    return tuple(sorted(cards, key=lambda card: (card % 13, rng.random())))


def owners(s: play.Table, ask: Any) -> list[Seat]:
    """The fans are dealt in the order of the seats."""
    share = s.n * s.opts.fan_size
    return [*(i // s.opts.fan_size for i in range(share)), *range(TALON, TALON + len(ask.items) - share)]


ENTRIES = tuple(
    Entry(
        game=GAME,
        seats=seats,
        blocks={f"high card for {seats}": [Options(rounds, size) for rounds in (1, 3) for size in (2, 3, 6)]},
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
        secret_moves=(play.Lay, play.Trade),
        facts=frozenset({play.CardsTurned}),
    )
    for seats in (2, 3, 6)
)

SETUPS: list[tuple[int, dict[str, Any]]] = [(2, {"rounds": 1}), (4, {"fan_size": 6})]
"""Seats and options of whole matches that are played over HTTP."""
