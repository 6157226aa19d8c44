"""Finds triggers that can cause themselves, and the tokens that a card creates."""

from collections.abc import Iterator, Mapping

from domain.card_sets.cards import effects
from domain.card_sets.cards.abilities import ActivatedAbility, SpellAbility, TriggeredAbility
from domain.card_sets.cards.card import PrintedCard, Token
from domain.card_sets.cards.card_kinds import CardType, Controller, GraveyardExit, Keyword, LandDestination, Trigger
from domain.card_sets.cards.effects import Effect
from domain.card_sets.cards.filters import TRIGGER, Each, Filter, Party, Recipient, Targeted


def all_effects(row: tuple[Effect, ...]) -> Iterator[Effect]:
    """Return all effects of a row, and those within them."""
    for effect in row:
        yield effect
        if isinstance(effect, effects.If | effects.IfDone):
            yield from all_effects(effect.then)
        if isinstance(effect, effects.ChooseOne):
            for mode in effect.modes:
                yield from all_effects(mode)


def tokens_made(card: PrintedCard) -> frozenset[str]:
    """Return the ids of the tokens that a card creates."""
    acting = [one for one in card.abilities if isinstance(one, SpellAbility | TriggeredAbility | ActivatedAbility)]
    made = (effect for one in acting for effect in all_effects(one.effects))
    return frozenset(effect.token for effect in made if isinstance(effect, effects.CreateToken))


def can_cause_itself(card: PrintedCard, tokens: Mapping[str, Token]) -> tuple[int, ...]:
    """Return the places of a card's triggered abilities whose effects can trigger them again.

    Assume the worst for everything that depends on the table: damage kills, and counters and pumps save nothing.
    """
    leech = Keyword.LEECH in card.keywords
    found = []
    for i, one in enumerate(card.abilities):
        if isinstance(one, TriggeredAbility):
            row = tuple(all_effects(one.effects))
            leeches = leech and any(isinstance(effect, effects.Damage | effects.Fight) for effect in row)
            gains = one.event is Trigger.LIFE_GAINED and leeches
            found += [i] * (gains or any(_causes(effect, one, tokens) for effect in row))
    return tuple(found)


def _causes(effect: Effect, ability: TriggeredAbility, tokens: Mapping[str, Token]) -> bool:
    of = ability.of
    if ability.event is Trigger.LIFE_GAINED:
        return isinstance(effect, effects.GainLife) and effect.who is not Party.OPPONENT
    if ability.event in (Trigger.DRAWS, Trigger.DISCARDS):
        cause = effects.Draw if ability.event is Trigger.DRAWS else effects.DiscardCards
        return isinstance(effect, cause) and effect.who is not Party.OPPONENT
    if not isinstance(of, Filter):
        return False
    match effect:
        case effects.CreateToken(token=token, who=who) if ability.event is Trigger.ENTERS:
            fitting = not of.types_any or bool(set(of.types_any) & set(tokens[token].types))
            return fitting and of.token is not False and _side(of.controller, who)
        case effects.ReturnFromGraveyard(dest=GraveyardExit.BATTLEFIELD) if ability.event is Trigger.ENTERS:
            return _creature(of) and of.controller is not Controller.OPPONENT
        case effects.SearchLand(dest=LandDestination.BATTLEFIELD_TAPPED, who=who) if ability.event is Trigger.ENTERS:
            return (not of.types_any or CardType.LAND in of.types_any) and _side(of.controller, who)
        case effects.Destroy(to=to) | effects.Damage(to=to) if ability.event is Trigger.DIES:
            return _may_hit(to, of, ability)
        case effects.Pump(to=to, toughness=toughness) if ability.event is Trigger.DIES:
            return toughness < 0 and _may_hit(to, of, ability)
        case effects.SacrificePermanents(who=who, filter=which) if ability.event is Trigger.DIES:
            return _creature(which) and _side(of.controller, who)
        case effects.Fight():
            return ability.event is Trigger.DIES
        case _:
            return False


def _creature(which: Filter) -> bool:
    return not which.types_any or CardType.CREATURE in which.types_any


def _side(of: Controller, who: object) -> bool:
    """Return whether effects on these players can happen on the side that the trigger watches."""
    sides = {Controller.YOU: Party.OPPONENT, Controller.OPPONENT: Party.YOU}
    return of is Controller.ANY or who is not sides[of]


def _may_hit(to: Recipient, of: Filter, ability: TriggeredAbility) -> bool:
    """Return whether a recipient can be a creature on the side that the trigger asks for."""
    if isinstance(to, Each):
        asked = to.of.controller
        return _creature(to.of) and (Controller.ANY in (asked, of.controller) or asked is of.controller)
    if isinstance(to, Targeted) and to.id != TRIGGER:
        rule = next(one for one in ability.targets if one.id == to.id)
        return Controller.ANY in (rule.controller, of.controller) or rule.controller is of.controller
    return False
