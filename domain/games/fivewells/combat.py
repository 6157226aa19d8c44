"""Decides which creatures can attack and block, and deals combat damage (fivewells 5)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from domain.card_sets.cards.card_kinds import Keyword, Restriction
from domain.core.cards import Seat
from domain.games.fivewells.characteristics import Thing, board
from domain.games.fivewells.records import Blocks, DamageStep, Handle, Handles, Hit, of_seat
from domain.games.fivewells.state import NO_HANDLE, State
from domain.games.fivewells.triggers import Telling, change_life
from domain.games.fivewells.turn_events import CombatDamageDealt

# --- Attackers ---------------------------------------------------------------------------------------------


def may_attack(thing: Thing) -> bool:
    """Return whether no effect forbids a creature to attack."""
    return (
        thing.printed.creature
        and Keyword.SENTINEL not in thing.keywords
        and Restriction.CANNOT_ATTACK not in thing.restrictions
    )


def possible_attackers(s: State, seat: Seat) -> Handles:
    """Return the creatures that a seat may attack with."""
    return tuple(
        sorted(
            [
                thing.object
                for thing in board(s).things.values()
                if thing.controller == seat and may_attack(thing) and not thing.permanent.tapped and thing.may_act
            ]
        )
    )


def attack_fault(s: State, seat: Seat, attackers: Handles) -> str | None:
    """Return the fault of these attacks."""
    things = [board(s).things.get(handle) for handle in attackers]
    own = [thing for thing in things if thing and thing.controller == seat and thing.printed.creature]
    if len(own) < len(things):
        return "no_such_object"
    if any(thing.permanent.tapped for thing in own):
        return "not_untapped"
    if not all(thing.may_act for thing in own):
        return "new_creature"
    return None if all(map(may_attack, own)) else "may_not_attack"


def attackers(s: State) -> tuple[Thing, ...]:
    """Return the creatures that are attacking."""
    things = board(s).things
    return tuple([things[p.object] for p in s.permanents if p.attacking])


# --- Blockers ----------------------------------------------------------------------------------------------


def may_block(thing: Thing) -> bool:
    """Return whether no effect forbids a creature to block."""
    return thing.printed.creature and Restriction.CANNOT_BLOCK not in thing.restrictions


def can_block(blocker: Thing, attacker: Thing) -> bool:
    """Return whether this creature can block that one."""
    return reaches(blocker) or Keyword.FLYING not in attacker.keywords


def reaches(blocker: Thing) -> bool:
    """Return whether a creature can block flyers; blockers differ in nothing else."""
    return not blocker.keywords.isdisjoint((Keyword.FLYING, Keyword.SKYGUARD))


def possible_blockers(s: State, seat: Seat) -> tuple[Thing, ...]:
    """Return the creatures of a seat that may block."""
    things = board(s).things
    return tuple(
        things[handle]
        for handle in sorted(things)
        if things[handle].controller == seat and not things[handle].permanent.tapped and may_block(things[handle])
    )


def possible_blocks(s: State, seat: Seat) -> dict[Handle, Handles]:
    """Return the creatures that may block, each with the attackers that it and enough others can block."""
    alike: dict[bool, list[Thing]] = {}
    for blocker in possible_blockers(s, seat):
        alike.setdefault(reaches(blocker), []).append(blocker)
    of: dict[Handle, Handles] = {}
    for blockers in alike.values():
        able = [one for one in attackers(s) if can_block(blockers[0], one) and are_enough(alike.values(), one)]
        if able:
            of |= dict.fromkeys([one.object for one in blockers], tuple([one.object for one in able]))
    return of


def are_enough(alike: Iterable[Sequence[Thing]], attacker: Thing) -> bool:
    """Return whether enough creatures can block an attacker; each row of them can block the same attackers."""
    least = 2 if Keyword.DAUNTING in attacker.keywords else 1
    return sum(len(blockers) for blockers in alike if can_block(blockers[0], attacker)) >= least


def block_fault(s: State, seat: Seat, blocks: Sequence[Blocks]) -> str | None:
    """Return the fault of these blocks."""
    things = board(s).things
    pairs = [(things.get(pair.blocker), things.get(pair.attacker)) for pair in blocks]
    known = [(b, a) for b, a in pairs if b and a and b.controller == seat and b.printed.creature]
    if len(known) < len(pairs):
        return "no_such_object"
    if any(b.permanent.tapped for b, _ in known):
        return "not_untapped"
    if not all(may_block(b) for b, _ in known):
        return "may_not_block"
    if not all(a.permanent.attacking and can_block(b, a) for b, a in known):
        return "illegal_block"
    count = Counter(a.object for _, a in known)
    alone = [a for _, a in known if Keyword.DAUNTING in a.keywords and count[a.object] == 1]
    return "illegal_block" if alone else None


def blockers_of(s: State, attacker: Handle) -> tuple[Thing, ...]:
    """Return the creatures that block an attacker, in their order."""
    things = board(s).things
    there = [p for p in s.permanents if p.blocks == attacker]
    there.sort(key=lambda p: p.place)
    return tuple([things[p.object] for p in there])


# --- Damage ------------------------------------------------------------------------------------------------


def has_first_damage(s: State) -> bool:
    """Return whether a creature with quickstrike is in combat, and an attacker is left (5.4).

    A creature that blocked a removed attacker still blocks (5.5).
    """
    there = attackers(s)
    blockers = [p.object for p in s.permanents if p.blocks != NO_HANDLE]
    things = board(s).things
    fighting = (*there, *(things[one] for one in blockers))
    return bool(there) and any(Keyword.QUICKSTRIKE in thing.keywords for thing in fighting)


def in_combat(s: State) -> tuple[Thing, ...]:
    """Return the creatures that attack, or block an attacking creature."""
    there = attackers(s)
    return (*there, *(thing for attacker in there for thing in blockers_of(s, attacker.object)))


def lethal(source: Thing, to: Thing) -> int:
    """Return the damage that suffices to destroy a creature."""
    if Keyword.VENOM in source.keywords:
        return 1
    return max(0, to.toughness - to.permanent.damage)


def assign_damage(attacker: Thing, blockers: Sequence[Thing]) -> tuple[list[tuple[Thing, int]], int]:
    """Assign an attacker's damage: lethal damage to its blockers in order, and the rest to the last one or beyond."""
    left = max(0, attacker.power)
    overrun = Keyword.OVERRUN in attacker.keywords
    if not attacker.permanent.blocked:
        return [], left
    rows = []
    for blocker in blockers:
        amount = min(left, lethal(attacker, blocker))
        rows.append((blocker, amount))
        left -= amount
    if overrun:
        return rows, left
    if rows:
        rows[-1] = (rows[-1][0], rows[-1][1] + left)
    return rows, 0


def combat_damage(s: State, step: DamageStep) -> CombatDamageDealt | None:
    """Return the simultaneous damage of creatures in a step of combat; None if there is none."""
    there = strikers(s, step)
    now = {thing.object for thing in there}
    rows: list[Hit] = []
    for attacker in attackers(s):
        blockers = blockers_of(s, attacker.object)
        if attacker.object in now:
            dealt, through = assign_damage(attacker, blockers)
            rows += [wound(attacker, blocker, amount) for blocker, amount in dealt if amount]
            rows += [Hit(attacker.object, of_seat(1 - attacker.controller), through, None)] * (through > 0)
        rows += [wound(one, attacker, one.power) for one in blockers if one.object in now and one.power > 0]
    struck = tuple(sorted({row.source for row in rows})) if step == "first_damage" else ()
    lost = Counter[Handle]()
    for row in rows:
        lost[row.to] += row.amount
    life = tuple([s.life[seat] - lost[of_seat(seat)] for seat in (0, 1)])
    return CombatDamageDealt(step, tuple(rows), struck, life) if rows else None


def deal_damage(t: Telling, event: CombatDamageDealt) -> None:
    """Deal combat damage by creatures; controllers of creatures with leech gain life."""
    things = board(t.state).things
    dealt = Counter[Handle]()
    for row in event.rows:
        dealt[row.source] += row.amount
    gains = [(things[source].controller, n) for source, n in dealt.items() if Keyword.LEECH in things[source].keywords]
    t.tell(event)
    for seat, amount in gains:
        change_life(t, seat, amount)


def wound(source: Thing, to: Thing, amount: int) -> Hit:
    """Return the damage of a creature to another."""
    return Hit(source.object, to.object, amount, int(Keyword.VENOM in source.keywords))


def strikers(s: State, step: DamageStep) -> tuple[Thing, ...]:
    """Return the creatures that deal damage in a step: with quickstrike in the first, later those that have not yet."""
    there = in_combat(s)
    if step == "first_damage":
        return tuple(thing for thing in there if Keyword.QUICKSTRIKE in thing.keywords)
    return tuple(thing for thing in there if not thing.permanent.struck)
