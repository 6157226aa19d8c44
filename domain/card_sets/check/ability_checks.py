"""Checks the abilities of a card."""

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from domain.card_sets.cards.abilities import (
    Ability,
    ActivatedAbility,
    EntersTapped,
    ManaAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
)
from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import OF_AN_OBJECT, CardType, Controller, TargetKind, Trigger
from domain.card_sets.cards.costs import Cost
from domain.card_sets.cards.effects import Effect
from domain.card_sets.cards.filters import EVERYTHING, Filter, Itself, TargetRule
from domain.card_sets.check.effect_checks import (
    Around,
    CardFault,
    Faults,
    condition_faults,
    effects_faults,
    filter_faults,
    used_targets,
)
from domain.core.values import with_fields

SPELLS = frozenset([CardType.INSTANT, CardType.SORCERY])

ENTERING: Mapping[tuple[CardType, ...], TargetKind] = {
    (CardType.CREATURE,): TargetKind.CREATURE,
    (CardType.ARTIFACT,): TargetKind.ARTIFACT,
    (CardType.LAND,): TargetKind.LAND,
}
"""The entering object as a target, if exactly one type is required."""


def ability_faults(ability: Ability, card: PrintedCard, tokens: frozenset[str], path: str) -> Faults:
    """Find the faults of one ability of a card. `tokens` are those in its file."""
    creature = CardType.CREATURE in card.types
    match ability:
        case SpellAbility(effects=row, targets=targets):
            yield from _done(row, targets, Around("spell", {}, card.cost.x, tokens), f"{path}.spell")
        case TriggeredAbility(effects=row, targets=targets):
            below = f"{path}.triggered"
            yield from _trigger(ability, creature=creature, path=below)
            around = with_fields(_around(tokens, creature=creature, x=False), about=_about(ability, creature=creature))
            yield from _done(row, targets, around, below)
        case ActivatedAbility(cost=cost, effects=row, targets=targets):
            below = f"{path}.activated"
            if not (cost.tap or cost.sacrifice is not None or cost.mana.mana_value):
                yield CardFault(f"{below}.cost", "An ability costs mana, a tap or a sacrifice.")
            yield from _cost(cost, f"{below}.cost")
            yield from _done(row, targets, _around(tokens, creature=creature, x=cost.mana.x), below)
        case ManaAbility(cost=cost, amount=amount):
            below = f"{path}.mana"
            if cost.mana.mana_value or cost.mana.x or not (cost.tap or cost.sacrifice is not None):
                yield CardFault(f"{below}.cost", "A mana ability costs a tap or a sacrifice, and no mana.")
            yield from _cost(cost, f"{below}.cost")
            if amount < 1:
                yield CardFault(f"{below}.amount", "A mana ability adds 1 mana at least.")
        case StaticAbility():
            yield from _static(ability, creature=creature, path=f"{path}.static")
        case EntersTapped():
            pass
        case _:
            assert_never(ability)


def _around(tokens: frozenset[str], *, creature: bool, x: bool) -> Around:
    return Around("creature" if creature else "permanent", {}, x, tokens)


def _done(row: tuple[Effect, ...], targets: tuple[TargetRule, ...], around: Around, path: str) -> Faults:
    """Find the faults in the targets and effects of an ability."""
    ids = Counter(rule.id for rule in targets)
    for i, rule in enumerate(targets):
        yield from _target(rule, f"{path}.targets.{i}")
        if ids[rule.id] > 1:
            yield CardFault(f"{path}.targets.{i}.id", f"The id {rule.id!r} stands there twice.")
        if rule.id not in used_targets(row):
            yield CardFault(f"{path}.targets.{i}.id", f"No effect is done to the target {rule.id!r}.")
    declared = {rule.id: rule for rule in targets}
    yield from effects_faults(row, with_fields(around, targets=declared), f"{path}.effects")


def _target(rule: TargetRule, path: str) -> Faults:
    if len(rule.id) != 1 or not "a" <= rule.id <= "z":
        yield CardFault(f"{path}.id", "The id of a target is a small letter.")
    if not 0 <= rule.min <= rule.max or rule.max < 1:
        yield CardFault(f"{path}.max", "There must be from `min` to `max` targets, 1 at least.")
    if rule.filter.controller is not Controller.ANY:
        yield CardFault(f"{path}.filter.controller", "The controller of a target stands beside its filter.")
    if rule.what is TargetKind.SPELL:
        yield from _spell_filter(rule.filter, f"{path}.filter")
    elif rule.what in (TargetKind.PLAYER, TargetKind.CREATURE_OR_PLAYER, TargetKind.CREATURE_CARD_IN_GRAVEYARD):
        if rule.filter != EVERYTHING:
            yield CardFault(f"{path}.filter", "Only permanents and spells are filtered.")
    else:
        yield from filter_faults(rule.filter, f"{path}.filter")


def _spell_filter(which: Filter, path: str) -> Faults:
    if which != Filter(types_any=which.types_any, controller=which.controller):
        yield CardFault(path, "A spell has types and a controller, and no more.")
    if CardType.LAND in which.types_any:
        yield CardFault(f"{path}.types_any", "A land is no spell.")


def _trigger(ability: TriggeredAbility, *, creature: bool, path: str) -> Faults:
    of = ability.of
    if (of is None) is (ability.event in OF_AN_OBJECT):
        wants = "must say `of` what" if of is None else "has no `of`"
        yield CardFault(f"{path}.of", f"The trigger {ability.event} {wants}.")
    elif isinstance(of, Filter):
        if ability.event is Trigger.CAST:
            yield from _spell_filter(of, f"{path}.of")
        else:
            yield from filter_faults(of, f"{path}.of")
        if (
            ability.event not in (Trigger.CAST, Trigger.ENTERS)
            and of.types_any
            and CardType.CREATURE not in of.types_any
        ):
            yield CardFault(f"{path}.of.types_any", f"The trigger {ability.event} happens to creatures.")
    elif isinstance(of, Itself) and not creature and ability.event not in (Trigger.CAST, Trigger.ENTERS):
        yield CardFault(f"{path}.of", f"The trigger {ability.event} happens to creatures.")
    if ability.if_ is not None:
        yield from condition_faults(ability.if_, f"{path}.if")


def _about(ability: TriggeredAbility, *, creature: bool) -> TargetKind | None:
    """Return the object of a trigger as if it were a target."""
    if ability.event not in OF_AN_OBJECT or ability.of is None:
        return None
    if ability.event is Trigger.CAST:
        return TargetKind.SPELL
    if ability.event is Trigger.DIES:
        return TargetKind.CREATURE_CARD_IN_GRAVEYARD
    if ability.event is not Trigger.ENTERS:
        return TargetKind.CREATURE
    types = ability.of.types_any if isinstance(ability.of, Filter) else (CardType.CREATURE,) * creature
    return ENTERING.get(types, TargetKind.PERMANENT)


def _cost(cost: Cost, path: str) -> Faults:
    if isinstance(cost.sacrifice, Filter):
        if cost.sacrifice.controller is Controller.OPPONENT:
            yield CardFault(f"{path}.sacrifice.controller", "A player sacrifices permanents of its own.")
        yield from filter_faults(cost.sacrifice, f"{path}.sacrifice")


def _static(ability: StaticAbility, *, creature: bool, path: str) -> Faults:
    if not (ability.power or ability.toughness or ability.grant or ability.restrict):
        yield CardFault(path, "This does nothing.")
    affects = ability.affects
    if isinstance(affects, Filter):
        yield from filter_faults(affects, f"{path}.affects")
        if affects.types_any and CardType.CREATURE not in affects.types_any:
            yield CardFault(f"{path}.affects", "Only creatures are affected.")
        if affects.without_keyword in ability.grant:
            yield CardFault(f"{path}.grant", "A keyword is granted by its absence.")
    elif not creature:
        yield CardFault(f"{path}.affects", "Only creatures are affected.")
    if ability.if_ is not None:
        yield from condition_faults(ability.if_, f"{path}.if")
