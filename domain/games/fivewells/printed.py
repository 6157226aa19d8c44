"""Sorts what is printed on each card and token by what the engine asks for, and lays out the effects of abilities."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

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
from domain.card_sets.cards.card_kinds import COLORS, CardType, Keyword, Mana, Trigger
from domain.card_sets.cards.card_text import ability_text
from domain.card_sets.cards.costs import ManaCost
from domain.card_sets.cards.effects import ChooseOne, Effect, If, IfDone
from domain.card_sets.cards.filters import Condition, Filter, TargetRule
from domain.card_sets.cards.library import CARDS, TOKENS
from domain.core.values import value


@value
class Printed:
    """This is a card as printed; each ability has its number on the card."""

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
    """The kinds of mana that it gives untapped, without the mana of sacrificing another."""
    gives_tapped: tuple[Mana, ...]
    """Those that it gives tapped, too."""
    activated: tuple[tuple[int, ActivatedAbility], ...]
    triggered: tuple[tuple[int, TriggeredAbility], ...]
    triggers: frozenset[Trigger]
    enters_tapped: bool
    texts: Mapping[int, str]
    """The texts of the abilities, by their numbers."""

    @property
    def aiming(self) -> Iterator[SpellAbility | ActivatedAbility | TriggeredAbility]:
        """The abilities that may have targets."""
        yield from (self.spell,) if self.spell else ()
        yield from (one for _, one in self.activated)
        yield from (one for _, one in self.triggered)


def printed_on(card: PrintedCard | Token) -> Printed:
    """Sort what is printed on a card."""
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


# --- Programs: the effects of an ability in a row, so that a resolution can go on by a number --------------


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
    """What each of them does."""


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
"""The abilities that go over the stack."""


def stack_program(card: str, number: int) -> Stacked | None:
    """Return an ability that goes over the stack; None for the spell that a permanent is."""
    abilities = CARDS[card].abilities
    if number < len(abilities) and isinstance(ability := abilities[number], Stacked):
        return ability
    return None


def rules_of(card: str, number: int) -> tuple[TargetRule, ...]:
    """Return what an ability targets."""
    ability = stack_program(card, number)
    return ability.targets if ability else ()


@cache
def program(card: str, number: int) -> tuple[Instruction, ...]:
    """Lay out an ability."""
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
    """Lay out effects from this place on."""
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
    """Lay out the modes of a choice one after another, each with a jump behind the last."""
    bodies: list[list[Instruction]] = []
    starts = []
    here = at + 1
    for mode in effect.modes:
        starts.append(here)
        bodies.append(laid_out(mode, here))
        here += len(bodies[-1]) + 1
    return [Mode(tuple(starts), effect.modes), *(one for body in bodies for one in (*body, Jump(here)))]
