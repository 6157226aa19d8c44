"""Defines the abilities of cards: a closed union. A command names an ability by its place on the card, from 0."""

from domain.card_sets.cards.card_kinds import Keyword, Restriction, Trigger
from domain.card_sets.cards.costs import AddedMana, Cost
from domain.card_sets.cards.effects import Effect
from domain.card_sets.cards.filters import Condition, Filter, Itself, TargetRule
from domain.core.values import value


@value
class SpellAbility:
    """The effect of an instant or a sorcery when it resolves; it has no other ability."""

    effects: tuple[Effect, ...]
    targets: tuple[TargetRule, ...] = ()


@value
class TriggeredAbility:
    """An ability that goes on the stack when an event happens.

    `of` names the object of the event; it is None for a trigger without an object. The condition `if_` is checked when
    the event happens and again on resolution. With `may`, the controller decides on resolution whether to do it.
    """

    event: Trigger
    effects: tuple[Effect, ...]
    of: Itself | Filter | None = None
    targets: tuple[TargetRule, ...] = ()
    if_: Condition | None = None
    may: bool = False


@value
class ActivatedAbility:
    """The controller may put this ability on the stack, with priority, for a cost."""

    cost: Cost
    effects: tuple[Effect, ...]
    targets: tuple[TargetRule, ...] = ()


@value
class ManaAbility:
    """This ability adds mana to the pool immediately, without the stack."""

    cost: Cost
    add: AddedMana
    amount: int


@value
class StaticAbility:
    """This ability holds while the card is on the battlefield, summed with all others of its kind."""

    affects: Itself | Filter
    power: int = 0
    toughness: int = 0
    grant: tuple[Keyword, ...] = ()
    restrict: tuple[Restriction, ...] = ()
    if_: Condition | None = None


@value
class EntersTapped:
    """The permanent enters tapped."""


Ability = SpellAbility | TriggeredAbility | ActivatedAbility | ManaAbility | StaticAbility | EntersTapped
