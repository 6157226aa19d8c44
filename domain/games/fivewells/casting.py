"""Decides which cards and abilities a seat can use, with which targets and mana (fivewells 3, 4, 7).

Casting and activating are acts: something goes on the stack for a cost. An act is computed once, and its choice, its
refusal and its events all follow from it. Costs are paid from the pool, and from sources tapped for mana, automatically
or by hand.
"""

from collections.abc import Collection, Iterator, Sequence
from operator import add

from domain.card_sets.cards.abilities import ActivatedAbility
from domain.card_sets.cards.card_kinds import COLORS, Keyword, Mana, TargetKind
from domain.card_sets.cards.costs import Cost, ManaCost
from domain.card_sets.cards.filters import EVERYTHING, Itself, TargetRule
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.characteristics import PRINTED, Board, Thing, board, is_theirs, matches_filter
from domain.games.fivewells.events import AbilityActivated, SpellCast
from domain.games.fivewells.moves import ActivateAbility, CastSpell
from domain.games.fivewells.records import (
    BACK,
    LETTERS,
    NO_TARGETS,
    Handle,
    Handles,
    Paid,
    Pool,
    Targets,
    of_item,
    of_seat,
)
from domain.games.fivewells.state import EMPTY, State

Bill = tuple[int, ...]
"""The mana to pay: of each colour, then of any kind."""


@value
class ManaSource:
    """A permanent that can be tapped for mana: of this kind, or of a colour to choose if that is None."""

    id: Handle
    mana: Mana | None
    amount: int
    rank: int


def sources(s: State, seat: Seat) -> tuple[ManaSource, ...]:
    """Return the sources that a seat can tap for mana, in the order of use."""
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
    """Return the mana to pay for a cost with this X."""
    return (*cost.colored, cost.generic + x)


def pay_from_pool(pool: Pool, due: Bill, more: Pool = EMPTY) -> Pool | None:
    """Pay from a pool, and then with more mana; return the rest of both, or None if they do not suffice."""
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
    """Take owed mana from its kinds, in order; return the amount still owed."""
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
    """Return the maximum mana that a seat could spend now."""
    return sum(s.pools[seat]) + sum({one.id: one.amount for one in sources(s, seat) if one.id not in barred}.values())


def automatic(s: State, seat: Seat, due: Bill, barred: Collection[Handle] = ()) -> tuple[Paid, ...] | None:
    """Choose the sources that pay a bill with the pool, in the order of the rules; None if nothing pays it."""
    return choose_sources(s.pools[seat], sources(s, seat), due, barred)


def choose_sources(
    pool: Pool, free: Sequence[ManaSource], due: Bill, barred: Collection[Handle] = ()
) -> tuple[Paid, ...] | None:
    """Choose the sources that pay a bill with the pool, from these; None if they cannot pay it."""
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
    """Return the ways to pay coloured symbols; the first one uses the preferred sources."""
    if not symbols:
        yield pool, free, paid
        return
    color, rest = symbols[0], symbols[1:]
    if pool[color]:
        yield from _colored(rest, _with(pool, color, -1), free, paid)
        return
    tried = set()
    for one in free:
        # Equal sources give equal payments.
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
    """Return the sources that a seat names, each with its colour, or the code of their fault."""
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
    """Leave out the sources that a bill does not need."""
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
    """Return the rest of the pool after it has paid a bill with these sources."""
    left = pay_from_pool(s.pools[seat], due, pool_with(EMPTY, _gives(sources(s, seat), paid)))
    assert left is not None
    return left


# --- Targets (fivewells 7) ---------------------------------------------------------------------------------


CREATURES = (TargetKind.CREATURE, TargetKind.CREATURE_OR_PLAYER)
OTHER_PERMANENTS = (TargetKind.ARTIFACT, TargetKind.LAND, TargetKind.PERMANENT)
PLAYERS = (TargetKind.PLAYER, TargetKind.CREATURE_OR_PLAYER)


@value
class Candidates:
    """The objects and seats that can be chosen under a letter, and their number."""

    id: str
    of: Handles
    least: int
    most: int

    @property
    def ways(self) -> int:
        """Return the number of ways to choose: 0 with too few candidates, 1, or 2 for any greater number."""
        if len(self.of) < self.least:
            return 0
        return 1 if not self.of or self.least == len(self.of) else 2


def candidates(s: State, rule: TargetRule, you: Seat, source: Handle) -> Candidates:
    """Return the candidates for a target: objects by their handles, then the opponent, then the player."""
    found: list[Handle] = []
    if rule.what in CREATURES or rule.what in OTHER_PERMANENTS:
        found += permanents_for(s, rule, you, source)
    elif rule.what is TargetKind.SPELL:
        found = [
            one.item
            for one in s.stack
            if one.spell and one.source != source and is_theirs(rule.controller, one.controller, you)
        ]
    elif rule.what is TargetKind.CREATURE_CARD_IN_GRAVEYARD:
        piles = [pile for seat, pile in enumerate(s.graveyards) if is_theirs(rule.controller, seat, you)]
        found = sorted(card for pile in piles for card in pile if PRINTED[s.cards[card]].creature)
    if rule.what in PLAYERS:
        found += [of_seat(seat) for seat in (1 - you, you) if is_theirs(rule.controller, seat, you)]
    return Candidates(rule.id, tuple(found), rule.min, rule.max)


def permanents_for(s: State, rule: TargetRule, you: Seat, source: Handle) -> Handles:
    """Return the permanents that may be chosen for a target; they are searched once for all sources of a board."""
    b = board(s)
    key = ("targets", rule, you)
    if key not in b.known:
        b.known[key] = tuple(sorted([one for one, thing in b.things.items() if _is_target(rule, thing, you)]))
    known: Handles = b.known[key]
    return leave_out(known, source) if rule.filter.other else known


def leave_out(handles: Handles, source: Handle) -> Handles:
    """Return the handles without this one."""
    return tuple([handle for handle in handles if handle != source])


def _is_target(rule: TargetRule, thing: Thing, you: Seat) -> bool:
    """Return whether a permanent may be chosen for a target, by a source other than itself."""
    return (
        _is_kind(rule.what, thing)
        and is_theirs(rule.controller, thing.controller, you)
        and (thing.controller == you or Keyword.WARDED not in thing.keywords)
        and (rule.filter == EVERYTHING or matches_filter(rule.filter, thing, you, BACK))
    )


def _is_kind(what: TargetKind, thing: Thing) -> bool:
    match what:
        case TargetKind.ARTIFACT:
            return thing.printed.artifact
        case TargetKind.LAND:
            return thing.printed.land
        case TargetKind.PERMANENT:
            return True
        case _:
            return thing.printed.creature


def fault(known: Sequence[Candidates], chosen: Targets) -> str | None:
    """Return the fault of chosen targets."""
    letters = {one.id for one in known}
    rows = [(one, chosen.of(one.id)) for one in known]
    if any(set(row) - set(one.of) for one, row in rows):
        return "illegal_target"
    extra = any(chosen.of(letter) for letter in LETTERS if letter not in letters)
    if extra or any(not one.least <= len(row) <= one.most or len(set(row)) < len(row) for one, row in rows):
        return "wrong_target_count"
    return None


def still_legal(s: State, rules: Sequence[TargetRule], chosen: Targets, you: Seat, source: Handle) -> Targets:
    """Keep the targets that are still legal."""
    kept: dict[str, Handles] = {}
    for rule in rules:
        legal = candidates(s, rule, you, source).of
        kept[rule.id] = tuple(handle for handle in chosen.of(rule.id) if handle in legal)
    return Targets(**kept)


def all_targets(chosen: Targets) -> Handles:
    """Return all targets."""
    if chosen == NO_TARGETS:
        return ()
    return tuple([handle for letter in LETTERS for handle in chosen.of(letter)])


# --- Acts --------------------------------------------------------------------------------------------------


MAIN = ("main1", "main2")


@value
class Act:
    """A card to cast, or an ability to activate, with its targets and its cost."""

    seat: Seat
    source: Handle
    mana: ManaCost
    options: tuple[Candidates, ...]
    sacrifices: Handles | None = None
    """The permanents that may be sacrificed for it; None if there is no such choice."""
    barred: Handles = ()
    """The permanents that cannot be tapped for mana, since the cost taps or sacrifices them."""


def is_main(s: State, seat: Seat) -> bool:
    """Return whether the seat is in a main step of its own turn, with an empty stack."""
    return s.active == seat and s.step in MAIN and not s.stack


def may_cast_now(s: State, seat: Seat, card: Handle) -> bool:
    """Return whether this card can be cast at this moment."""
    printed = PRINTED[s.cards[card]]
    if printed.land:
        return False
    quick = not printed.permanent and any(kind.value == "instant" for kind in printed.types)
    return quick or Keyword.AMBUSH in printed.keywords or is_main(s, seat)


def options_of(s: State, rules: Sequence[TargetRule], seat: Seat, source: Handle) -> tuple[Candidates, ...]:
    """Return the candidates for all targets."""
    return tuple(candidates(s, rule, seat, source) for rule in rules)


def casting(s: State, seat: Seat, card: Handle) -> Act:
    """Return the act of casting a card."""
    printed = PRINTED[s.cards[card]]
    rules = printed.spell.targets if printed.spell else ()
    return Act(seat, card, printed.cost, options_of(s, rules, seat, card))


def activated_ability(s: State, source: Handle, number: int) -> ActivatedAbility | None:
    """Return an activated ability of a permanent."""
    thing = board(s).things.get(source)
    return next((one for i, one in thing.printed.activated if i == number), None) if thing else None


def activating(s: State, thing: Thing, ability: ActivatedAbility) -> Act:
    """Return the act of activating an ability."""
    cost, seat, source = ability.cost, thing.controller, thing.object
    own = (source,) if cost.tap or isinstance(cost.sacrifice, Itself) else ()
    options = options_of(s, ability.targets, seat, source)
    return Act(seat, source, cost.mana, options, sacrifices_for(s, cost, seat, source), own)


def sacrifices_for(s: State, cost: Cost, seat: Seat, source: Handle) -> Handles | None:
    """Return the permanents that may be sacrificed for a cost; None if there is no such choice."""
    if cost.sacrifice is None or isinstance(cost.sacrifice, Itself):
        return None
    b, of = board(s), cost.sacrifice
    key = ("sacrifices", of, seat)
    if key not in b.known:
        own = sorted([one for one, thing in b.things.items() if thing.controller == seat])
        b.known[key] = tuple([one for one in own if matches_filter(of, b.things[one], seat, BACK)])
    known: Handles = b.known[key]
    return leave_out(known, source) if of.other else known


def can_tap(thing: Thing, cost: Cost) -> str | None:
    """Return why the source cannot be tapped for the cost; None if it can, or need not be."""
    if not cost.tap:
        return None
    if thing.permanent.tapped:
        return "not_untapped"
    return None if thing.may_act else "new_creature"


# --- Faults of an act --------------------------------------------------------------------------------------


def act_fault(s: State, act: Act, move: CastSpell | ActivateAbility) -> str | None:
    """Return the fault of performing an act this way."""
    wrong = fault(act.options, move.targets or NO_TARGETS)
    if wrong:
        return wrong
    if move.pay is not None and not is_for_mana(act.mana):
        return "bad_choice"
    paid = paid_for(s, act, move)
    if paid == "cannot_pay":
        return paid
    if (move.x is not None) != act.mana.x or (move.x or 0) < 0:
        return "bad_choice"
    chosen = move.sacrifice if isinstance(move, ActivateAbility) else None
    if (act.sacrifices is None) != (chosen is None) or (chosen is not None and len(chosen) != 1):
        return "bad_choice"
    if act.sacrifices is not None and not set(chosen or ()) <= set(act.sacrifices):
        return "bad_choice"
    return paid if isinstance(paid, str) else None


def paid_for(s: State, act: Act, move: CastSpell | ActivateAbility) -> tuple[Paid, ...] | str:
    """Return the sources that pay for this act, or the code of its fault."""
    chosen = move.sacrifice if isinstance(move, ActivateAbility) else None
    barred = {*act.barred, *all_targets(move.targets or NO_TARGETS), *(chosen or ())}
    due = bill(act.mana, max(0, move.x or 0) if act.mana.x else 0)
    if move.pay is not None:
        return paid_by_hand(s.pools[act.seat], sources(s, act.seat), due, move.pay, barred)
    paid = automatic(s, act.seat, due, barred) if sum(due) else ()
    return "cannot_pay" if paid is None else paid


def is_for_mana(cost: ManaCost) -> bool:
    """Return whether a cost can require mana."""
    return bool(cost.mana_value or cost.x)


def payable(s: State, act: Act, barred: Collection[Handle] = ()) -> bool:
    """Return whether an act can be paid, with X 0, without these sources."""
    due = bill(act.mana)
    return not sum(due) or automatic(s, act.seat, due, {*act.barred, *barred}) is not None


def highest_x(s: State, act: Act, barred: Collection[Handle] = ()) -> int:
    """Return the highest X that can be paid; the caller has checked X 0."""
    return most(s, act.seat, {*act.barred, *barred}) - sum(bill(act.mana))


# --- Events of an act --------------------------------------------------------------------------------------


def cast(s: State, seat: Seat, move: CastSpell) -> SpellCast:
    """Return the event of casting a card."""
    act = casting(s, seat, move.card)
    paid = paid_for(s, act, move)
    assert not isinstance(paid, str)
    pool = pool_after(s, seat, bill(act.mana, move.x or 0), paid)
    targets = move.targets or NO_TARGETS
    item, by_hand = of_item(s.next_item), move.pay is not None
    return SpellCast(seat, item, move.card, s.cards[move.card], targets, move.x, paid, by_hand, pool)


def activate(s: State, seat: Seat, move: ActivateAbility) -> AbilityActivated:
    """Return the event of activating an ability, without a sacrifice."""
    thing, ability = board(s).things[move.object], activated_ability(s, move.object, move.ability)
    assert ability is not None
    act = activating(s, thing, ability)
    paid = paid_for(s, act, move)
    assert not isinstance(paid, str)
    return AbilityActivated(
        seat,
        of_item(s.next_item),
        move.object,
        thing.permanent.card,
        move.ability,
        move.targets or Targets(),
        move.x,
        paid,
        move.pay is not None,
        pool_after(s, seat, bill(act.mana, move.x or 0), paid),
        (move.object,) if ability.cost.tap else (),
        move.sacrifice or ((move.object,) if isinstance(ability.cost.sacrifice, Itself) else ()),
    )
