"""Lays the effects of an ability out in a row, so that a resolution can wait anywhere and go on by a number."""

from collections.abc import Sequence
from functools import cache

from domain.card_sets.cards import effects
from domain.card_sets.cards.abilities import ActivatedAbility, SpellAbility, TriggeredAbility
from domain.card_sets.cards.effects import ChooseOne, Effect, If, IfDone
from domain.card_sets.cards.filters import Condition, TargetRule
from domain.card_sets.cards.library import CARDS
from domain.core.values import value


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
    """Give an ability that goes over the stack; None for the spell that a permanent is."""
    abilities = CARDS[card].abilities
    if number < len(abilities) and isinstance(ability := abilities[number], Stacked):
        return ability
    return None


def rules_of(card: str, number: int) -> tuple[TargetRule, ...]:
    """Give what an ability targets."""
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
