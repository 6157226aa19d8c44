"""Says what declarations of attackers and blockers do, and who has priority after them (fivewells 5)."""

from collections import Counter
from collections.abc import Sequence

from domain.card_sets.cards.card_kinds import Keyword
from domain.core.cards import Seat
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.events import AttackersDeclared, BlockersDeclared
from domain.games.fivewells.handles import Handles
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.state import State
from domain.games.fivewells.windows import holder


def attackers_declared(s: State, seat: Seat, attackers: Handles) -> AttackersDeclared:
    """Say what declaring these attackers does: they tap, unless they are steadfast."""
    if not attackers:
        # There is no window without attackers.
        return AttackersDeclared(seat, (), (), seat, 2)
    things = board(s).things
    tapped = tuple(handle for handle in attackers if Keyword.STEADFAST not in things[handle].keywords)
    return AttackersDeclared(seat, attackers, tapped, *first_asked(s, "attack"))


def blockers_declared(s: State, seat: Seat, blocks: Sequence[Blocks], *, forced: bool = False) -> BlockersDeclared:
    """Say what declaring these blockers does; where some are to be put in order, the window begins after that."""
    count = Counter(pair.attacker for pair in blocks)
    blocked = tuple(sorted(count))
    unordered = tuple(handle for handle in blocked if count[handle] > 1)
    first = (s.active, 0) if unordered else first_asked(s, "block")
    return BlockersDeclared(seat, tuple(blocks), blocked, unordered, *first, forced)


def first_asked(s: State, step: str) -> tuple[Seat, int]:
    """Give who has priority first after a declaration, and how many have passed by themselves; 2 if nobody stops."""
    seat, passes = holder(s, step, s.active, 0)
    return (s.active if seat is None else seat), passes
