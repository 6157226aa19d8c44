"""Pays costs: from the pool, and from sources that are tapped for mana, by themselves or by hand (fivewells 3)."""

from collections.abc import Collection, Iterator, Sequence
from operator import add

from domain.card_sets.cards.card_kinds import COLORS, Mana
from domain.card_sets.cards.costs import ManaCost
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.characteristics import Board, board
from domain.games.fivewells.records import Handle, Paid, Pool
from domain.games.fivewells.state import EMPTY, State

Bill = tuple[int, ...]
"""The mana that is to be paid: of each colour, and last of any kind."""


@value
class ManaSource:
    """A permanent that can be tapped for mana: of this kind, or of a colour to choose if that is None."""

    id: Handle
    mana: Mana | None
    amount: int
    rank: int


def sources(s: State, seat: Seat) -> tuple[ManaSource, ...]:
    """Return what a seat may tap for mana, in the order in which it is used."""
    b = board(s)
    if ("mana", seat) not in b.known:
        b.known["mana", seat] = tuple(_sources(b, seat))
    known: tuple[ManaSource, ...] = b.known["mana", seat]
    return known


def _sources(b: Board, seat: Seat) -> list[ManaSource]:
    found = []
    for thing in b.things.values():
        printed = thing.printed
        if thing.controller != seat or not printed.mana or thing.permanent.tapped or not thing.may_act:
            continue
        for _, ability in printed.mana:
            if ability.cost.tap and ability.cost.sacrifice is None:
                mana = None if ability.add == "any" else ability.add
                rank = (1 if mana is None else 0) if printed.land else 2 if printed.artifact else 3
                found.append(ManaSource(thing.object, mana, ability.amount, rank))
    return sorted(found, key=lambda one: (one.rank, one.mana is None, one.id))


def bill(cost: ManaCost, x: int = 0) -> Bill:
    """Return what is to be paid for a cost with this X."""
    return (*cost.colored, cost.generic + x)


def pay_from_pool(pool: Pool, due: Bill, more: Pool = EMPTY) -> Pool | None:
    """Pay from a pool, and then with more mana; give what is left of both, or None if it does not suffice."""
    left = [[*pool], [*more]]
    for mana in COLORS:
        if _taken(left, mana, due[mana]):
            return None
    owed = due[-1]
    for one in left:
        for mana in (Mana.N, *COLORS):
            owed = _taken([one], mana, owed)
    return None if owed else tuple(map(add, *left))


def _taken(left: Sequence[list[int]], mana: Mana, owed: int) -> int:
    """Take what is owed of a kind of mana, from the first of these to the last, and give what is owed still."""
    for one in left:
        taken = min(owed, one[mana])
        one[mana] -= taken
        owed -= taken
    return owed


def pool_with(pool: Pool, paid: Sequence[tuple[Mana, int]]) -> Pool:
    """Return a pool with the mana of sources added."""
    after = list(pool)
    for mana, amount in paid:
        after[mana] += amount
    return tuple(after)


def most(s: State, seat: Seat, barred: Collection[Handle] = ()) -> int:
    """Return how much mana a seat could spend at once."""
    return sum(s.pools[seat]) + sum({one.id: one.amount for one in sources(s, seat) if one.id not in barred}.values())


def automatic(s: State, seat: Seat, due: Bill, barred: Collection[Handle] = ()) -> tuple[Paid, ...] | None:
    """Choose the sources that pay a bill with the pool, in the order of the rules; None if nothing pays it."""
    return choose_sources(s.pools[seat], sources(s, seat), due, barred)


def choose_sources(
    pool: Pool, free: Sequence[ManaSource], due: Bill, barred: Collection[Handle] = ()
) -> tuple[Paid, ...] | None:
    """Choose among these sources."""
    left = tuple(one for one in free if one.id not in barred) if barred else tuple(free)
    if sum(pool) + sum([one.amount for one in left]) < sum(due):
        return None
    symbols = [color for color in COLORS for _ in range(due[color])]
    ways = _colored(symbols, list(pool), left, ())
    return next((paid for way in ways for paid in [_generic(*way, due[-1])] if paid is not None), None)


Way = tuple[list[int], tuple[ManaSource, ...], tuple[Paid, ...]]
"""The rest of the pool and of the sources, and the sources that pay so far."""


def _colored(
    symbols: Sequence[Mana], pool: list[int], free: tuple[ManaSource, ...], paid: tuple[Paid, ...]
) -> Iterator[Way]:
    """Return the ways to pay coloured symbols, the first with the sources that are to be used first."""
    if not symbols:
        yield pool, free, paid
        return
    color, rest = symbols[0], symbols[1:]
    if pool[color]:
        yield from _colored(rest, _with(pool, color, -1), free, paid)
        return
    tried = set()
    for one in free:
        # Sources that are alike pay alike.
        kind = (one.mana, one.amount, one.rank)
        if (one.mana is None or one.mana is color) and kind not in tried:
            tried.add(kind)
            left = tuple(other for other in free if other.id != one.id)
            yield from _colored(rest, _with(pool, color, one.amount - 1), left, (*paid, Paid(one.id, color)))


def _with(pool: Sequence[int], mana: Mana, more: int) -> list[int]:
    after = list(pool)
    after[mana] += more
    return after


def _generic(
    pool: list[int], free: tuple[ManaSource, ...], paid: tuple[Paid, ...], owed: int
) -> tuple[Paid, ...] | None:
    """Add the sources that pay for mana of any kind."""
    owed -= sum(pool)
    added: list[Paid] = []
    used = set()
    for one in free:
        if owed <= 0:
            break
        if one.id not in used:
            used.add(one.id)
            added.append(Paid(one.id, Mana.S if one.mana is None else one.mana))
            owed -= one.amount
    return (*paid, *added) if owed <= 0 else None


def paid_by_hand(
    pool: Pool, free: Sequence[ManaSource], due: Bill, pay: Sequence[Paid], barred: Collection[Handle]
) -> tuple[Paid, ...] | str:
    """Take the sources that a seat names, each with its colour, or give the code of their fault."""
    gives: list[tuple[Paid, Mana, int]] = []
    named = {one.id for one in pay}
    of: dict[Handle, list[ManaSource]] = {}
    for source in free:
        if source.id in named and source.id not in barred:
            of.setdefault(source.id, []).append(source)
    for one in pay:
        fit = next((source for source in of.get(one.id, ()) if gives_color(source, one.color)), None)
        color = fit.mana if fit and fit.mana is not None else one.color
        if fit is None or color is None:
            return "bad_choice"
        gives.append((Paid(one.id, color), color, fit.amount))
    mana = pool_with(pool, [(color, amount) for _, color, amount in gives])
    if len(named) < len(pay):
        return "bad_choice"
    if pay_from_pool(mana, due) is None:
        return "cannot_pay"
    if any(pay_from_pool(tuple(_with(mana, color, -amount)), due) is not None for _, color, amount in gives):
        return "bad_choice"
    return tuple([one for one, _, _ in gives])


def needed_sources(pool: Pool, free: Sequence[ManaSource], due: Bill, paid: Sequence[Paid]) -> tuple[Paid, ...]:
    """Leave out the sources without which a bill is paid as well."""
    gives = _gives(free, paid)
    mana, kept = pool_with(pool, gives), []
    for one, (color, amount) in zip(paid, gives, strict=True):
        rest = tuple(_with(mana, color, -amount))
        if pay_from_pool(rest, due) is None:
            kept.append(one)
        else:
            mana = rest
    return tuple(kept)


def _gives(free: Sequence[ManaSource], paid: Sequence[Paid]) -> list[tuple[Mana, int]]:
    amounts = {(one.id, one.mana): one.amount for one in free}
    return [(Mana(one.color or 0), amounts.get((one.id, one.color)) or amounts.get((one.id, None), 0)) for one in paid]


def gives_color(source: ManaSource, color: Mana | None) -> bool:
    """Return whether a source gives mana of this kind; None asks for the only kind that it gives."""
    if source.mana is None:
        return color in COLORS
    return color in (None, source.mana)


def pool_after(s: State, seat: Seat, due: Bill, paid: Sequence[Paid]) -> Pool:
    """Return what is left of the pool once these sources have paid a bill with it."""
    left = pay_from_pool(s.pools[seat], due, pool_with(EMPTY, _gives(sources(s, seat), paid)))
    assert left is not None
    return left
