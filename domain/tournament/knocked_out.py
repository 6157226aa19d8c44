"""Says who plays no more in a tournament that knocks out, also while others of the round still play.

Who has left plays no more either, but was not knocked out for that.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from domain.core.values import changed
from domain.tournament.double_elimination import losses_after
from domain.tournament.knockout import through
from domain.tournament.many_tables import stacks_of
from domain.tournament.played_rounds import BOT, is_last
from domain.tournament.round_pairing import Ground
from domain.tournament.swiss_cut import seeds_of
from domain.tournament.tournament_state import Tournament

KnockedOut = Callable[[Tournament, Ground], frozenset[int]]
"""A rule of a format gives the entrants who are out, of those who were there when a round was paired."""

NOBODY: Final = frozenset[int]()


def after_losses(lives: int) -> KnockedOut:
    """Give the rule by which so many losses knock out."""

    def out(t: Tournament, ground: Ground) -> frozenset[int]:
        lost = losses_after(ground)[-1] + _losses_now(t, ground)
        return frozenset(one for one, count in lost.items() if count >= lives)

    return out


def _losses_now(t: Tournament, ground: Ground) -> Counter[int]:
    """Count who has not gone on from the tables of the open round that are over."""
    lost = Counter[int]()
    for table in filter(None, t.results if t.open else ()):
        on = through(ground, table, last=is_last(t.tables, t.byes)) or ()
        lost.update(one for one in table.seats if one is not BOT and one not in on)
    return lost


def behind_the_cut(t: Tournament, ground: Ground) -> frozenset[int]:
    """Give who has not come through a Swiss, or has lost after it, once the bracket has begun."""
    if t.stage != "elimination":
        return NOBODY
    seeds, begun = seeds_of(ground)
    lost = after_losses(1)(t, changed(ground, rounds=ground.rounds[begun:]))
    return lost | (frozenset(ground.order) - {*seeds})


def without_chips(t: Tournament, ground: Ground) -> frozenset[int]:
    """Give who has no stack any longer."""
    stacks = stacks_of(ground)
    for table in filter(None, t.results if t.open else ()):
        for row in table.chips or ():
            if (one := table.seats[row.seat]) is not BOT:
                stacks[one] = row.stack
    return frozenset(one for one in ground.order if not stacks.get(one))
