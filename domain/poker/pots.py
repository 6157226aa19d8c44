"""Forms pots from the seats' contributions, and splits them among the best hands (poker 2.10)."""

from collections.abc import Mapping, Sequence

from domain.core.cards import Seat
from domain.core.values import value
from domain.poker.betting import Chips, clockwise


@value
class Pot:
    """A pot: its chips, and the seats that may win them."""

    amount: int
    """The chips of the pot."""
    eligible: tuple[Seat, ...]
    """The seats that may win it."""


Pots = tuple[Pot, ...]
"""Pots are in order, the main pot first."""


@value
class Share:
    """A seat's share of a pot."""

    seat: Seat
    amount: int
    """The chips that the seat gets."""


def uncalled_bet(contributions: Chips) -> Share | None:
    """Return the unmatched part of the largest contribution, and its seat, folded or not."""
    first, second = sorted(contributions, reverse=True)[:2]
    return Share(contributions.index(first), first - second) if first > second else None


def form_pots(contributions: Chips, live: Sequence[bool], dead: int = 0) -> Pots:
    """Build the pots from all contributions; `dead` is money in the main pot that counts for no level.

    Each level of an unfolded seat closes a pot, so no two pots have the same seats. Contributions of folded seats above
    the highest level join the last pot.
    """
    unfolded = [seat for seat, here in enumerate(live) if here]
    levels = sorted({contributions[seat] for seat in unfolded})
    pots, before = [], 0
    for level in levels:
        amount = sum([min(paid, level) - min(paid, before) for paid in contributions])
        pots.append(Pot(amount, tuple([seat for seat in unfolded if contributions[seat] >= level])))
        before = level
    above = sum([max(0, paid - before) for paid in contributions])
    pots[0] = Pot(pots[0].amount + dead, pots[0].eligible)
    pots[-1] = Pot(pots[-1].amount + above, pots[-1].eligible)
    return tuple([pot for pot in pots if pot.amount])


def split_pot(pot: Pot, strengths: Mapping[Seat, int], button: Seat, seats: int) -> tuple[Share, ...]:
    """Split a pot among its best hands; odd chips go one each to the winners from the left of the button."""
    best = max(strengths[seat] for seat in pot.eligible)
    winners = clockwise([seat for seat in pot.eligible if strengths[seat] == best], button, seats)
    each, odd = divmod(pot.amount, len(winners))
    return tuple(Share(seat, each + (i < odd)) for i, seat in enumerate(winners))
