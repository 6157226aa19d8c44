"""Computes the present characteristics of each permanent from its card, counters, pumps and all static abilities.

A board is all of that for one battlefield. It follows only from the permanents and the life totals. Every event that
changes them replaces these objects, so a board is valid as long as they are the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.card_sets.cards.abilities import StaticAbility
from domain.card_sets.cards.card_kinds import Controller, Keyword, Restriction
from domain.card_sets.cards.filters import Condition, Filter, Itself, Party
from domain.core.cards import Seat
from domain.games.fivewells.printed import PRINTED, Printed
from domain.games.fivewells.records import Handle
from domain.games.fivewells.state import NOTHING_LASTS, Permanent, State


@dataclass(slots=True, eq=False)
class Thing:
    """A thing is a permanent as it is now."""

    permanent: Permanent
    printed: Printed
    object: Handle
    controller: Seat
    power: int
    toughness: int
    keywords: frozenset[Keyword]
    restrictions: frozenset[Restriction] = frozenset()

    @property
    def may_act(self) -> bool:
        """Return whether it may attack and use abilities with tap: it is not new, or has haste, or is no creature."""
        return not (self.permanent.new and self.printed.creature) or Keyword.HASTE in self.keywords


@dataclass(slots=True, eq=False)
class Board:
    """A board is the battlefield as it is now."""

    permanents: tuple[Permanent, ...]
    life: tuple[int, ...]
    things: Mapping[Handle, Thing]
    plain: Mapping[Handle, Thing]
    """The things where no static ability touches any; else nothing."""
    doomed: tuple[Thing, ...]
    """The creatures that the next check removes."""
    known: dict[Any, Any] = field(default_factory=dict)
    """Other results that were worked out from it."""


_LAST: Final[list[tuple[Board, ...]]] = [()]
"""The boards that were asked for last: a state and its copies ask for the same one many times."""


def board(s: State) -> Board:
    """Return the battlefield as it is now."""
    permanents, life = s.permanents, s.life
    # All are read, and written, at once: another thread may add one meanwhile.
    last = _LAST[0]
    for known in last:
        if known.permanents is permanents and known.life is life:
            return known
    made = _board(permanents, life, last[0].plain if last else {})
    _LAST[0] = (made, *last[:3])
    return made


def _board(permanents: tuple[Permanent, ...], life: tuple[int, ...], before: Mapping[Handle, Thing]) -> Board:
    """Work out a battlefield; `before` are things that no static ability touched, and are kept if nothing changed."""
    things: dict[Handle, Thing] = {}
    statics: list[tuple[Permanent, StaticAbility]] = []
    for p in permanents:
        thing = before.get(p.object)
        things[p.object] = thing if thing is not None and thing.permanent is p else _thing(p)
        if things[p.object].printed.statics:
            statics += [(p, static) for static in things[p.object].printed.statics]
    if statics:
        # What static abilities touch is made anew, for another board may hold it.
        things = {p.object: _thing(p) for p in permanents}
        _apply(things, statics, life)
    doomed = tuple([thing for thing in things.values() if thing.printed.creature and is_doomed(thing)])
    return Board(permanents, life, things, {} if statics else things, doomed)


def _thing(p: Permanent) -> Thing:
    """Return a permanent as it is, but for static abilities."""
    printed = PRINTED[p.card]
    keywords = printed.keywords.union(p.keywords) if p.keywords else printed.keywords
    power, toughness = printed.power + p.power + p.counters, printed.toughness + p.toughness + p.counters
    for one in (*p.lasting[0], *p.lasting[1]) if p.lasting is not NOTHING_LASTS else ():
        power, toughness, keywords = power + one.power, toughness + one.toughness, keywords.union(one.keywords)
    return Thing(p, printed, p.object, p.controller, power, toughness, keywords)


def _apply(
    things: Mapping[Handle, Thing], statics: list[tuple[Permanent, StaticAbility]], life: tuple[int, ...]
) -> None:
    """Add up static abilities. Keywords come first, for an ability may ask for creatures without one."""
    hold = [(p, one) for p, one in statics if one.if_ is None or holds(one.if_, p.controller, life)]
    touched = [(one, thing) for p, one in hold if one.grant or one.restrict for thing in _affected(things, p, one)]
    for one, thing in touched:
        thing.keywords = thing.keywords.union(one.grant)
        thing.restrictions = thing.restrictions.union(one.restrict)
    for p, one in hold:
        if one.power or one.toughness:
            for thing in _affected(things, p, one):
                thing.power += one.power
                thing.toughness += one.toughness


def _affected(things: Mapping[Handle, Thing], p: Permanent, static: StaticAbility) -> Iterable[Thing]:
    if isinstance(static.affects, Itself):
        return (things[p.object],)
    of = static.affects
    return [thing for thing in things.values() if passes(of, thing, p.controller, p.object)]


def is_doomed(thing: Thing) -> bool:
    """Return whether the next check removes a creature: no toughness, damage as large, or a mark of venom."""
    p = thing.permanent
    return thing.toughness <= 0 or p.damage >= thing.toughness or p.venom > 0


def holds(condition: Condition, you: Seat, life: tuple[int, ...]) -> bool:
    """Return whether a condition of an ability of this seat holds."""
    return life[you if condition.who is Party.YOU else 1 - you] <= condition.n


def is_theirs(controller: Controller, seat: Seat, you: Seat) -> bool:
    """Return whether a seat is one that is asked for, as seen from `you`."""
    return controller is Controller.ANY or (seat == you) == (controller is Controller.YOU)


def passes(of: Filter, thing: Thing, you: Seat, source: Handle) -> bool:
    """Return whether a permanent meets all conditions of a filter of an ability of this source and seat."""
    p = thing.permanent
    return (
        (not of.types_any or not thing.printed.types.isdisjoint(of.types_any))
        and is_theirs(of.controller, thing.controller, you)
        and not (of.other and thing.object == source)
        and (of.tapped is None or p.tapped == of.tapped)
        and (of.attacking is None or p.attacking == of.attacking)
        and (of.in_combat is None or (p.attacking or p.blocks > 0) == of.in_combat)
        and (of.token is None or p.token == of.token)
        and (of.without_keyword is None or of.without_keyword not in thing.keywords)
    )


def those_that_pass(s: State, of: Filter, you: Seat, source: Handle) -> tuple[Thing, ...]:
    """Return the permanents that pass a filter, in the order of their handles."""
    things = board(s).things
    return tuple(things[handle] for handle in sorted(things) if passes(of, things[handle], you, source))
