"""A player of High Card: it trades a low card once, and lays its highest."""

from random import Random

from domain.core.cards import RANK_OF, RANKS, Seat
from domain.core.levels import any_of, player
from high_card.play import Lay, Move, Table, Trade, height, legal


def steady(s: Table, seat: Seat, rng: Random) -> Move:
    """Trade the lowest card while the highest is below a queen; else lay the highest."""
    low, high = min(s.fans[seat], key=height), max(s.fans[seat], key=height)
    return Trade(low) if RANK_OF[high] < RANKS.index("Q") and not s.traded[seat] else Lay(high)


choose = player(steady, any_of(legal))
