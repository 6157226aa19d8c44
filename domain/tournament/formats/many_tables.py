"""Pairs and ranks a tournament of many tables, which is played until one player has all chips (tournament 12).

A round is one hand at every table, and all begin it together. Between rounds, a table is broken as soon as the others
have seats for all its players. The remaining tables are balanced: when a hand begins, their numbers of players differ
by at most one. The last table is played to its end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, Final

from domain.core.staking import TableStakes
from domain.core.values import mutable, value
from domain.tournament.elimination import places_by
from domain.tournament.format import DUEL, TournamentFormat, TournamentPart
from domain.tournament.plan_faults import NOT_TAKEN
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.round_tables import RoundPaired
from domain.tournament.rounds import BOT, Ground, PairedRound, StackMove, TableResult, Words
from domain.tournament.tournament_plan import MOST_STAGES, TournamentPlan
from domain.tournament.tournament_state import EntrantNo, Payout, RoundNo, TableNo, Tournament


@value
class StackMoved:
    """An entrant moved with a stack to another table, to the seat that posts the big blind soonest."""

    round: RoundNo
    entrant: EntrantNo
    stack: int
    """The chips that the entrant brings."""
    before: TableNo
    """The number of the previous table, from 0."""
    table: TableNo


@value
class TableBroken:
    """The entrants of a table moved to other tables; `table` is its number in the round before."""

    round: RoundNo
    table: TableNo


@value
class TableStaked:
    """A table continues with these stacks, for this number of hands."""

    round: RoundNo
    table: TableNo
    stakes: TableStakes
    """The stacks, and the number of hands."""


@value
class PayoutMade:
    """An entrant gets a percentage of the prize pool, by place."""

    entrant: EntrantNo
    percent: str
    """The percentage, as a fraction such as `35/2`."""


TO_THE_END: Final = 0
"""The hands of the last table: it is played until one has all chips."""


HAND_FOR_HAND: Final = 1
"""The hands of a round at several tables, since a player may go out in any hand."""


AT_LAST: Final = 10**9
"""The hand that counts as the exit of a player who leaves between two rounds, later than all real hands."""


@mutable
class Ring:
    """The players of a table, in the order in which they will post the big blind; new players are first.

    `number` is that of the table in the round before. `last_gone` is true if the last player who posted it has left.
    """

    number: int
    players: list[int]
    last_gone: bool = False
    new: int = field(default=0)

    def take(self, one: int) -> None:
        """Seat a player in the worst remaining place, where the big blind is posted soonest."""
        self.players.insert(self.new, one)
        self.new += 1

    def give(self) -> int:
        """Remove and return the player who would post the big blind next."""
        self.last_gone |= self.new == len(self.players) - 1
        return self.players.pop(self.new)


@value
class BalancedTables:
    """The tables after they were balanced, and the players who moved, each with the table before."""

    rings: tuple[Ring, ...]
    moved: tuple[tuple[int, int, Ring], ...]
    """A player, the number of the table in the round before, and the new one."""
    broken: tuple[int, ...]
    """The numbers of the broken tables."""


def balance_tables(rings: Iterable[Ring], seats: int) -> BalancedTables:
    """Break and balance tables of at most `seats` seats. Changes the rings."""
    left, moved, broken = list(rings), list[tuple[int, int, Ring]](), list[Ring]()
    players = sum(len(ring.players) for ring in left)
    while len(left) > max(1, -(-players // seats)):
        gone = min(left, key=lambda ring: (len(ring.players), -ring.number))
        left.remove(gone)
        broken.append(gone)
    for gone in broken:
        for one in gone.players:
            to = _shortest(left)
            to.take(one)
            moved.append((one, gone.number, to))
    while len((long := _longest(left)).players) > len((short := _shortest(left)).players) + 1:
        one = long.give()
        short.take(one)
        moved.append((one, long.number, short))
    return BalancedTables(tuple(left), tuple(moved), tuple(gone.number for gone in broken))


def _shortest(rings: Sequence[Ring]) -> Ring:
    return min(rings, key=lambda ring: (len(ring.players), ring.number))


def _longest(rings: Sequence[Ring]) -> Ring:
    return max(rings, key=lambda ring: (len(ring.players), -ring.number))


# --- Rounds -------------------------------------------------------------------------------------------------
def pair_tables(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the tables of the next round with their stacks; None once one player is left."""
    if not ground.rounds:
        return _first(ground)
    rings = [_ring(ground, number, table) for number, table in enumerate(ground.rounds[-1].tables)]
    if sum(len(ring.players) for ring in rings) <= 1 or len(ground.rounds) == MOST_STAGES:
        return None
    stacks = stacks_of(ground)
    found = balance_tables(rings, ground.plan.seats)
    moves = tuple(StackMove(one, stacks[one], before, found.rings.index(to)) for one, before, to in found.moved)
    return _staked(ground, found.rings, stacks, moves, found.broken)


def _first(ground: Ground) -> PairedRound | None:
    """Deal all entrants to as few tables as possible, one to each in turn, in the order of the shuffle."""
    there = ground.active
    if len(there) <= 1:
        return None
    count = -(-len(there) // ground.plan.seats)
    rings = tuple(Ring(number, list(there[number::count])) for number in range(count))
    return _staked(ground, rings, dict.fromkeys(there, ground.plan.stack or 0), (), ())


def _staked(
    ground: Ground,
    rings: Sequence[Ring],
    stacks: Mapping[int, int],
    moves: tuple[StackMove, ...],
    broken: tuple[int, ...],
) -> PairedRound:
    before = sum(_hands_at(len(each.tables)) for each in ground.rounds)
    hands = _hands_at(len(rings))
    stakes = tuple(
        TableStakes(tuple(stacks[one] for one in ring.players), before, hands, ring.last_gone, ground.levels_from)
        for ring in rings
    )
    return PairedRound(tuple(tuple(ring.players) for ring in rings), (), stakes=stakes, moves=moves, broken=broken)


def _ring(ground: Ground, number: int, table: TableResult) -> Ring:
    """Return the players still at the table, from the next to post the big blind on."""
    rows = table.chips or ()
    there = [bool(row.stack) and table.seats[row.seat] not in ground.left for row in rows]
    players = [table.seats[row.seat] for row, stays in zip(rows, there, strict=True) if stays]
    return Ring(number, [one for one in players if one is not BOT], not there[-1])


def _hands_at(tables: int) -> int:
    """Return the number of hands in a round with this number of tables; 0 for the last table, which is played out."""
    return TO_THE_END if tables == 1 else HAND_FOR_HAND


# --- Places -------------------------------------------------------------------------------------------------
def stacks_of(ground: Ground) -> dict[int, int]:
    """Return the stack of each entrant at the end of the last round."""
    if not ground.rounds:
        return dict.fromkeys(ground.order, ground.plan.stack or 0)
    return {
        one: row.stack
        for table in ground.rounds[-1].tables
        for row in table.chips or ()
        if (one := table.seats[row.seat]) is not BOT
    }


def places_by_stack(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: by chips, then by the hand of the exit, then by the stack before that hand.

    Entrants who leave the tournament are behind all who play on, and ahead of all who went out in earlier rounds.
    Disqualified entrants are behind all others.
    """
    far = dict.fromkeys(ground.order, (0, 0, 0, 0))
    for number, each in enumerate(ground.rounds, 1):
        for table in each.tables:
            for row in table.chips or ():
                if (one := table.seats[row.seat]) is not BOT:
                    far[one] = (number, 0, row.hand, row.before) if row.hand else (number, 1, 0, row.stack)
    now = len(ground.rounds)
    is_last = now > 0 and len(ground.rounds[-1].tables) == 1
    behind = (max(row[2] for row in far.values()), -1) if is_last else None
    for one in far.keys() & ground.left.keys():
        if far[one][:2] == (now, 1):
            far[one] = (now, 0, *(behind or (AT_LAST, far[one][3])))
    return places_by({one: (int(one not in ground.barred), *mine) for one, mine in far.items()})


def entrants_without_chips(t: Tournament, ground: Ground) -> frozenset[int]:
    """Return the entrants whose stack is empty."""
    stacks = stacks_of(ground)
    for table in filter(None, t.results if t.open else ()):
        for row in table.chips or ():
            if (one := table.seats[row.seat]) is not BOT:
                stacks[one] = row.stack
    return frozenset(one for one in ground.order if not stacks.get(one))


# --- Payouts -----------------------------------------------------------------------------------------------


PAYOUTS: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (3, (100,)),
    (6, (65, 35)),
    (10, (50, 30, 20)),
    (20, (45, 28, 17, 10)),
    (30, (40, 25, 15, 12, 8)),
    (50, (35, 22, 15, 11, 8, 5, 4)),
    (100, (30, 20, 14, 10, 8, 6, 5, 4, 3)),
    (1024, (25, 16, 12, 9, 7, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1)),
)
"""The percentages that the places get, first place first, for at most this number of entrants."""


def payouts_of(entrants: int) -> tuple[int, ...]:
    """Return the percentages of the places, from the first; later places get nothing."""
    return next(parts for most, parts in PAYOUTS if entrants <= most)


def shares_of(places: Mapping[int, int]) -> dict[int, Fraction]:
    """Return the percentage of each entrant, by places; entrants who share a place get equal parts."""
    parts = (*payouts_of(len(places)), *[0] * len(places))
    row = list(places.values())
    return {
        one: Fraction(sum(parts[place - 1 : place - 1 + row.count(place)]), row.count(place))
        for one, place in places.items()
    }


def pay_out(t: Tournament, places: Mapping[int, int]) -> Iterator[PayoutMade]:
    """Yield the payout of each entrant in the money, except disqualified entrants."""
    paid = {one: share for one, share in shares_of(places).items() if share and t.players[one] not in t.barred}
    yield from (PayoutMade(entrant, str(share)) for entrant, share in paid.items())


# --- Course ------------------------------------------------------------------------------------------------


def bring_stacks(number: int, paired: PairedRound) -> Iterator[Any]:
    """Yield the events that bring stacks to the tables of a round."""
    for move in paired.moves:
        yield StackMoved(number, move.entrant, move.stack, move.before, move.table)
    for table in paired.broken:
        yield TableBroken(number, table)
    for table, stakes in enumerate(paired.stakes):
        yield TableStaked(number, table, stakes)


def evolve_stacks(t: Tournament, event: Any) -> None:
    """Assign the stacks at its tables, and the payouts, to the tournament."""
    match event:
        case RoundPaired():
            t.stakes, t.moved, t.broken = (), (), ()
        case StackMoved():
            t.moved = (*t.moved, StackMove(event.entrant, event.stack, event.before, event.table))
        case TableBroken():
            t.broken = (*t.broken, event.table)
        case TableStaked():
            t.stakes = (*t.stakes, event.stakes)
        case PayoutMade():
            t.payouts = (*t.payouts, Payout(event.entrant, event.percent))


PART: Final = TournamentPart(
    events=(StackMoved, TableBroken, TableStaked, PayoutMade),
    evolve=evolve_stacks,
)


def many_tables_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence for each field of a plan that a tournament of many tables does not support."""
    if plan.seats == DUEL or plan.fewest > DUEL:
        yield "A tournament of many tables needs more than two seats per table, and `fewest` 2."
    usual = TournamentPlan(plan.format, plan.seats, plan.fewest)
    same = ("rounds", "legs", "cut", "advance", "late", "round_days", "overdue", "ends", "teams", "better_score")
    if any(getattr(plan, name) != getattr(usual, name) for name in same):
        yield "A tournament of many tables has no legs, cut, late entries, teams or deadlines. Leave them out."
    if plan.fill != "short":
        yield "Many tables are balanced without byes or bots. Choose `fill` `short`."
    if plan.stack is None or plan.stack < 1:
        yield "With these options, stacks cannot move from table to table."


PAIRING_RULE: Final = (
    "Entrants move with their stacks. A table is broken when the others can seat everyone. Tables are balanced"
    " to within one player of each other: the player who would post the next big blind moves."
)

FORMAT: Final = TournamentFormat(
    pair_tables,
    places_by_stack,
    step_by_rounds,
    pairing_rule=lambda stage: PAIRING_RULE,
    takes=frozenset(NOT_TAKEN),
    faults=many_tables_faults,
    out=entrants_without_chips,
    part=PART,
    follow_pairing=bring_stacks,
    pay_out=pay_out,
    most_pairings=MOST_STAGES,
    least_seats=3,
    bot_sits_in=lambda t, one, seats: False,
    has_stacks=True,
)
