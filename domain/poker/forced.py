"""Posts forced bets, antes and blinds, up to each seat's chips."""

from collections.abc import Iterator

from domain.core.cards import NOBODY, Seat
from domain.poker.betting_events import AntePosted, BigBlindAntePosted, BlindPosted
from domain.poker.betting_table import State


def antes(s: State, order: list[Seat]) -> Iterator[AntePosted]:
    """Post an ante for each seat, up to its chips."""
    for seat in order:
        amount = min(s.stakes.ante, s.stacks[seat])
        yield AntePosted(seat, amount, amount == s.stacks[seat])


def post_forced_bets(s: State, order: list[Seat], small: Seat, big: Seat) -> Iterator[BlindPosted | BigBlindAntePosted]:
    """Post the forced bets, up to each stack: antes of all first, that of the big blind last."""
    left, stakes = list(s.stacks), s.stakes
    antes = [] if s.rules.big_ante else [(seat, "ante", stakes.ante) for seat in order]
    blinds = [(small, "small", stakes.small), (big, "big", stakes.big)]
    for seat, kind, due in (*antes, *blinds):
        if amount := take_due(left, seat, due):
            yield BlindPosted(seat, kind, amount, left[seat] == 0)  # type: ignore[arg-type]
    if s.rules.big_ante and (amount := take_due(left, big, stakes.ante)):
        yield BigBlindAntePosted(big, amount, left[big] == 0)


def take_due(left: list[int], seat: Seat, due: int) -> int:
    """Deduct a payment from a seat's stack, as far as it goes, and return it; 0 for `NOBODY`."""
    amount = 0 if seat == NOBODY else min(due, left[seat])
    left[seat] -= amount
    return amount
