"""Derives the characteristics of cards, tokens and permanents.

Printed cards are sorted by the properties that the engine needs, with the effects of their abilities in order. The
current characteristics of a permanent follow from its card, counters, pumps and all static abilities. A board has all
of this for one battlefield. It follows only from the permanents and the life totals. Every event that changes these
replaces the objects, so a board is valid as long as they are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from domain.card_sets.cards import effects
from domain.card_sets.cards.abilities import (
    ActivatedAbility,
    EntersTapped,
    ManaAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
)
from domain.card_sets.cards.card import PrintedCard, Token
from domain.card_sets.cards.card_kinds import COLORS, CardType, Controller, Keyword, Mana, Restriction, Trigger
from domain.card_sets.cards.card_text import ability_text
from domain.card_sets.cards.costs import ManaCost
from domain.card_sets.cards.effects import ChooseOne, Effect, If, IfDone
from domain.card_sets.cards.filters import Condition, Filter, Itself, Party, TargetRule
from domain.card_sets.cards.library import CARDS, TOKENS
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.records import Handle
from domain.games.fivewells.state import NOTHING_LASTS, Permanent, State


@value
class Printed:
    """A card as printed; each ability has its number on the card."""

    id: str
    name: str
    types: frozenset[CardType]
    cost: ManaCost
    mana_value: int
    power: int
    toughness: int
    keywords: frozenset[Keyword]
    creature: bool
    land: bool
    artifact: bool
    permanent: bool
    basic: bool
    token: bool
    spell: SpellAbility | None
    statics: tuple[StaticAbility, ...]
    mana: tuple[tuple[int, ManaAbility], ...]
    gives: tuple[Mana, ...]
    """The kinds of mana that it gives while untapped, without sacrificing another permanent."""
    gives_tapped: tuple[Mana, ...]
    """The kinds of mana that it can also give while tapped."""
    activated: tuple[tuple[int, ActivatedAbility], ...]
    triggered: tuple[tuple[int, TriggeredAbility], ...]
    triggers: frozenset[Trigger]
    enters_tapped: bool
    texts: Mapping[int, str]
    """The texts of the abilities, by their numbers."""

    @property
    def aiming(self) -> Iterator[SpellAbility | ActivatedAbility | TriggeredAbility]:
        """Yield the abilities that may have targets."""
        yield from (self.spell,) if self.spell else ()
        yield from (one for _, one in self.activated)
        yield from (one for _, one in self.triggered)


def printed_on(card: PrintedCard | Token) -> Printed:
    """Sort the printed abilities of a card."""
    numbered = tuple(enumerate(card.abilities))
    triggered = tuple((i, one) for i, one in numbered if isinstance(one, TriggeredAbility))
    types = frozenset(card.types)
    activated = tuple((i, one) for i, one in numbered if isinstance(one, ActivatedAbility))
    return Printed(
        id=card.id,
        name=card.name,
        types=types,
        cost=card.cost,
        mana_value=card.cost.mana_value,
        power=card.power,
        toughness=card.toughness,
        keywords=frozenset(card.keywords),
        creature=CardType.CREATURE in types,
        land=CardType.LAND in types,
        artifact=CardType.ARTIFACT in types,
        permanent=not types & {CardType.INSTANT, CardType.SORCERY},
        basic=isinstance(card, PrintedCard) and card.basic,
        token=isinstance(card, Token),
        spell=next((one for one in card.abilities if isinstance(one, SpellAbility)), None),
        statics=tuple(one for one in card.abilities if isinstance(one, StaticAbility)),
        mana=tuple((i, one) for i, one in numbered if isinstance(one, ManaAbility)),
        gives=mana_given(card, tapped=False),
        gives_tapped=mana_given(card, tapped=True),
        activated=activated,
        triggered=triggered,
        triggers=frozenset(one.event for _, one in triggered),
        enters_tapped=any(isinstance(one, EntersTapped) for one in card.abilities),
        texts={i: ability_text(one, card, TOKENS).removesuffix(".") for i, one in numbered},
    )


def mana_given(card: PrintedCard | Token, *, tapped: bool) -> tuple[Mana, ...]:
    """Return the kinds of mana that a card gives, untapped or tapped."""
    free = [
        one
        for one in card.abilities
        if isinstance(one, ManaAbility) and not (tapped and one.cost.tap) and not isinstance(one.cost.sacrifice, Filter)
    ]
    return tuple(sorted({color for one in free for color in (COLORS if one.add == "any" else (one.add,))}))


PRINTED: Final[Mapping[str, Printed]] = {
    **{card.id: printed_on(card) for card in CARDS.values()},
    **{token.id: printed_on(token) for token in TOKENS.values()},
}
"""The printed cards and tokens, by their ids; no token has the id of a card."""


# --- Programs: the effects of an ability in a list, so that a resolution can continue at a number ----------


@value
class Ask:
    """Ask the controller whether to go on; the resolution ends at `to` if not."""

    to: int


@value
class Unless:
    """Go on at `to` unless the condition holds."""

    cond: Condition
    to: int


@value
class Undone:
    """Go on at `to` unless the effect just before was carried out."""

    to: int


@value
class Mode:
    """Go on at one of these places, as the controller chooses."""

    starts: tuple[int, ...]
    modes: tuple[tuple[Effect, ...], ...] = ()
    """The effect of each ability."""


@value
class Jump:
    """Go on at `to`."""

    to: int


Instruction = (
    effects.Damage
    | effects.GainLife
    | effects.LoseLife
    | effects.Draw
    | effects.DiscardCards
    | effects.Mill
    | effects.Scout
    | effects.Destroy
    | effects.ReturnToHand
    | effects.ReturnFromGraveyard
    | effects.Tap
    | effects.Untap
    | effects.Freeze
    | effects.Pump
    | effects.AddCounters
    | effects.CreateToken
    | effects.CounterSpell
    | effects.SearchLand
    | effects.SacrificePermanents
    | effects.Fight
    | Ask
    | Unless
    | Undone
    | Mode
    | Jump
)

Stacked = SpellAbility | TriggeredAbility | ActivatedAbility
"""The abilities that use the stack."""


def stack_program(card: str, number: int) -> Stacked | None:
    """Return an ability that uses the stack; None for the spell of a permanent."""
    abilities = CARDS[card].abilities
    if number < len(abilities) and isinstance(ability := abilities[number], Stacked):
        return ability
    return None


def rules_of(card: str, number: int) -> tuple[TargetRule, ...]:
    """Return the target rules of an ability."""
    ability = stack_program(card, number)
    return ability.targets if ability else ()


@cache
def program(card: str, number: int) -> tuple[Instruction, ...]:
    """Return the program of an ability."""
    ability = stack_program(card, number)
    row: list[Instruction] = []
    if ability is None:
        return ()
    body = laid_out(ability.effects, 2 if isinstance(ability, TriggeredAbility) else 0)
    if isinstance(ability, TriggeredAbility):
        end = 2 + len(body)
        row.append(Unless(ability.if_, end) if ability.if_ else Jump(1))
        row.append(Ask(end) if ability.may else Jump(2))
    return (*row, *body)


def laid_out(row: Sequence[Effect], at: int) -> list[Instruction]:
    """Return the program of effects, whose first instruction has this number."""
    laid: list[Instruction] = []
    for effect in row:
        here = at + len(laid)
        match effect:
            case If():
                body = laid_out(effect.then, here + 1)
                laid += [Unless(effect.cond, here + 1 + len(body)), *body]
            case IfDone():
                body = laid_out(effect.then, here + 1)
                laid += [Undone(here + 1 + len(body)), *body]
            case ChooseOne():
                laid += modes(effect, here)
            case _:
                laid.append(effect)
    return laid


def modes(effect: ChooseOne, at: int) -> list[Instruction]:
    """Return the program of a choice: its modes one after another, each with a jump to the end."""
    bodies: list[list[Instruction]] = []
    starts = []
    here = at + 1
    for mode in effect.modes:
        starts.append(here)
        bodies.append(laid_out(mode, here))
        here += len(bodies[-1]) + 1
    return [Mode(tuple(starts), effect.modes), *(one for body in bodies for one in (*body, Jump(here)))]


# --- The battlefield ---------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Thing:
    """A permanent with its current characteristics."""

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
    """The battlefield with the current characteristics of all permanents."""

    permanents: tuple[Permanent, ...]
    life: tuple[int, ...]
    things: Mapping[Handle, Thing]
    plain: Mapping[Handle, Thing]
    """The permanents, if no static ability affects any of them; otherwise empty."""
    doomed: tuple[Thing, ...]
    """The creatures that the next check removes."""
    known: dict[Any, Any] = field(default_factory=dict)
    """A cache of other results computed from the board."""


_LAST: Final[list[tuple[Board, ...]]] = [()]
"""The latest boards: a state and its copies need the same one many times."""


def board(s: State) -> Board:
    """Return the current battlefield."""
    permanents, life = s.permanents, s.life
    # Each access is atomic, since another thread may add an entry.
    last = _LAST[0]
    for known in last:
        if known.permanents is permanents and known.life is life:
            return known
    made = _board(permanents, life, last[0].plain if last else {})
    _LAST[0] = (made, *last[:3])
    return made


def _board(permanents: tuple[Permanent, ...], life: tuple[int, ...], before: Mapping[Handle, Thing]) -> Board:
    """Compute a battlefield; unchanged permanents of `before`, which no static ability affects, are reused."""
    things: dict[Handle, Thing] = {}
    statics: list[tuple[Permanent, StaticAbility]] = []
    for p in permanents:
        thing = before.get(p.object)
        things[p.object] = thing if thing is not None and thing.permanent is p else _thing(p)
        if things[p.object].printed.statics:
            statics += [(p, static) for static in things[p.object].printed.statics]
    if statics:
        # Permanents that static abilities affect are copied, since another board may hold them.
        things = {p.object: _thing(p) for p in permanents}
        _apply(things, statics, life)
    doomed = tuple([thing for thing in things.values() if thing.printed.creature and is_doomed(thing)])
    return Board(permanents, life, things, {} if statics else things, doomed)


def _thing(p: Permanent) -> Thing:
    """Return a permanent's characteristics without static abilities."""
    printed = PRINTED[p.card]
    keywords = printed.keywords.union(p.keywords) if p.keywords else printed.keywords
    power, toughness = printed.power + p.power + p.counters, printed.toughness + p.toughness + p.counters
    for one in (*p.lasting[0], *p.lasting[1]) if p.lasting is not NOTHING_LASTS else ():
        power, toughness, keywords = power + one.power, toughness + one.toughness, keywords.union(one.keywords)
    return Thing(p, printed, p.object, p.controller, power, toughness, keywords)


def _apply(
    things: Mapping[Handle, Thing], statics: list[tuple[Permanent, StaticAbility]], life: tuple[int, ...]
) -> None:
    """Apply static abilities, keywords first, because an ability may ask for creatures without one."""
    hold = [(p, one) for p, one in statics if one.if_ is None or meets_condition(one.if_, p.controller, life)]
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
    return [thing for thing in things.values() if matches_filter(of, thing, p.controller, p.object)]


def is_doomed(thing: Thing) -> bool:
    """Return whether the next check removes a creature: no toughness, damage as large, or a mark of venom."""
    p = thing.permanent
    return thing.toughness <= 0 or p.damage >= thing.toughness or p.venom > 0


def meets_condition(condition: Condition, you: Seat, life: tuple[int, ...]) -> bool:
    """Return whether a condition of an ability of this seat holds."""
    return life[you if condition.who is Party.YOU else 1 - you] <= condition.n


def is_theirs(controller: Controller, seat: Seat, you: Seat) -> bool:
    """Return whether a seat fits a filter, as seen from `you`."""
    return controller is Controller.ANY or (seat == you) == (controller is Controller.YOU)


def matches_filter(of: Filter, thing: Thing, you: Seat, source: Handle) -> bool:
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
    return tuple(things[handle] for handle in sorted(things) if matches_filter(of, things[handle], you, source))
