"""Defines the abilities of cards: a closed union. A command names an ability by its place on the card, from 0."""

from domain.card_sets.cards.card_kinds import Keyword, Restriction, Trigger
from domain.card_sets.cards.costs import AddedMana, Cost
from domain.card_sets.cards.effects import Effect
from domain.card_sets.cards.filters import Condition, Filter, Itself, TargetRule
from domain.core.values import value


@value
class SpellAbility:
    """This is what an instant or a sorcery does when it resolves; it has no other ability."""

    effects: tuple[Effect, ...]
    targets: tuple[TargetRule, ...] = ()


@value
class TriggeredAbility:
    """This ability is put on the stack when something happens.

    `of` says to which object it must happen; it is None for a trigger that happens to none. The condition `if_` is
    asked when it happens and on resolution. With `may`, the controller is asked on resolution whether to do it.
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
    """This ability adds mana to the pool at once, without the stack."""

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
