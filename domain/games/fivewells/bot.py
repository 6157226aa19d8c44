"""Plays a duel: a bot gets the knowledge of its seat, and returns a move.

The steady player plays its lands and the most expensive cards that it can pay for. It aims harmful effects at the
opponent and helpful ones at itself. It attacks with creatures that survive or win, and blocks if that pays, or to avoid
losing. The beginner attacks with everything or nothing, seldom blocks, and casts only in its own main steps.
"""

from collections.abc import Callable, Sequence
from random import Random

from domain.card_sets.cards import effects
from domain.core.bot_levels import player
from domain.core.cards import Seat
from domain.core.choices import Choice
from domain.core.values import value
from domain.games.fivewells.casting import Candidates, is_main
from domain.games.fivewells.characteristics import Thing, board, stack_program
from domain.games.fivewells.combat import attackers, can_block, lethal, possible_blockers
from domain.games.fivewells.effects import trigger_options
from domain.games.fivewells.legal import Acting, Acts, ByHand, Tapping
from domain.games.fivewells.moves import CastSpell, Choose, DeclareAttackers, DeclareBlockers, Move, PlayLand, SetStops
from domain.games.fivewells.records import Blocks, Handle, Handles, Targets, is_seat, seat_of
from domain.games.fivewells.state import State
from domain.games.fivewells.triggers import next_waiting
from domain.games.fivewells.waiting import dearest, default, legal

HELPS = (effects.AddCounters, effects.Untap, effects.ReturnFromGraveyard)


def answering(s: State, seat: Seat) -> list[Choice]:
    """Return the choices that answer the question, without payments by hand and acts that only add mana."""
    return [one for one in legal(s, seat) if one.make is not SetStops and not isinstance(one, (ByHand, Tapping))]


def at_random(s: State, seat: Seat, rng: Random) -> Move:
    """Return any move that answers the prompt."""
    move: Move = rng.choice(answering(s, seat)).sample(rng)
    return move


@value
class Habits:
    """How a player fights and casts: its attackers among the able ones, its blocks, and whether it casts now."""

    attack: Callable[[State, Seat, Handles], Handles]
    blocks: Callable[[State, Seat], tuple[Blocks, ...]]
    casts: Callable[[State, Seat], bool]


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Return the move of a sound player."""
    return habitual(s, seat, rng, SOUND)


def easy(s: State, seat: Seat, rng: Random) -> Move:
    """Return the move of a beginner, who attacks with everything or nothing, and only casts before combat."""
    return habitual(s, seat, rng, NAIVE)


def habitual(s: State, seat: Seat, rng: Random, habits: Habits) -> Move:
    """Return the move of a player with these habits."""
    choices = answering(s, seat)
    for one in choices:
        if one.make is PlayLand:
            land: Move = one.sample(rng)
            return land
        if one.make is DeclareAttackers:
            return DeclareAttackers(habits.attack(s, seat, one.creatures))  # type: ignore[attr-defined]
        if one.make is DeclareBlockers:
            return DeclareBlockers(habits.blocks(s, seat))
    if s.asked and s.asked.choice == "trigger_targets":
        trigger = next_waiting(s)
        aimed = aim(s, seat, trigger_options(s), trigger.card, trigger.ability)
        return default(s, seat) if aimed is None else Choose("trigger_targets", aimed)
    if s.asked and s.asked.choice == "cleanup_discard":
        return Choose("cleanup_discard", tuple(dearest(s, s.hands[seat])[: s.asked.most]))
    if habits.casts(s, seat) and (cast := best_cast(s, seat, choices)):
        return cast
    return default(s, seat)


def best_cast(s: State, seat: Seat, choices: Sequence[Choice]) -> Move | None:
    """Return the most expensive cast with good targets."""
    casts = [act for one in choices if isinstance(one, Acts) and one.make is CastSpell for act in one.acts]
    for act in sorted(casts, key=lambda act: (-act.mana.mana_value, act.source)):
        if (cast := sound(s, seat, act)) is not None:
            return cast
    return None


def sound(s: State, seat: Seat, one: Acting) -> Move | None:
    """Cast a card at good targets, with the highest X; None without good targets."""
    targets = aim(s, seat, one.options, s.cards[one.source], 0)
    if targets is None:
        return None
    x = one.most if one.mana.x else None
    move = CastSpell(one.source, targets if one.options else None, x)
    return move if one.fits(move) else None


# --- Targets -----------------------------------------------------------------------------------------------


def aim(s: State, seat: Seat, options: Sequence[Candidates], card: str, ability: int) -> Targets | None:
    """Choose targets: the opponent's best objects for harmful effects, its own for helpful ones."""
    rows: dict[str, Handles] = {}
    kind = stack_program(card, ability)
    for one in options:
        helps = kind is not None and any(is_help(effect, one.id) for effect in kind.effects)
        good = [handle for handle in one.of if (seat_of_target(s, handle) == seat) == helps]
        best = sorted(good, key=lambda handle: -worth(s, handle))[: one.most]
        if len(best) < one.least:
            return None
        rows[one.id] = tuple(best)
    return Targets(**rows)


def is_help(effect: effects.Effect, letter: str) -> bool:
    """Return whether an effect is good for its recipient."""
    if isinstance(effect, effects.Pump):
        return effect.power + effect.toughness > 0
    return isinstance(effect, HELPS) or (isinstance(effect, effects.Fight) and letter == "a")


def seat_of_target(s: State, handle: Handle) -> Seat:
    """Return the seat that a target belongs to."""
    if is_seat(handle):
        return seat_of(handle)
    thing = board(s).things.get(handle)
    if thing:
        return thing.controller
    spell = next((one for one in s.stack if one.item == handle), None)
    return spell.controller if spell else int(handle not in s.graveyards[0])


def worth(s: State, handle: Handle) -> int:
    """Value a target: a creature by its size, a player by little."""
    thing = board(s).things.get(handle)
    return value_of(thing) if thing else 1


def value_of(thing: Thing) -> int:
    """Value a creature."""
    return 2 * thing.power + thing.toughness + len(thing.keywords) + thing.printed.cost.mana_value


# --- Combat ------------------------------------------------------------------------------------------------


def attack(s: State, seat: Seat, able: Handles) -> Handles:
    """Choose attackers: all if that may win now, otherwise those that no blocker beats, or that trade well."""
    things = board(s).things
    theirs = possible_blockers(s, 1 - seat)
    if sum(things[handle].power for handle in able) >= s.life[1 - seat] + sum(10 for _ in theirs):
        return able
    return tuple(handle for handle in able if things[handle].power > 0 and fares_well(things[handle], theirs))


def fares_well(attacker: Thing, theirs: Sequence[Thing]) -> bool:
    """Return whether an attacker survives each blocker, or takes one of more worth with it."""
    for blocker in theirs:
        dies = can_block(blocker, attacker) and blocker.power >= lethal(blocker, attacker)
        if dies and not (kills(attacker, blocker) and value_of(blocker) >= value_of(attacker)):
            return False
    return True


def kills(a: Thing, b: Thing) -> bool:
    """Return whether the damage of one creature destroys another."""
    return a.power > 0 and a.power >= lethal(a, b)


def blocks(s: State, seat: Seat) -> tuple[Blocks, ...]:
    """Choose blocks in which the blocker survives or trades well, and any block that prevents losing."""
    free = list(possible_blockers(s, seat))
    there = sorted(attackers(s), key=lambda thing: -thing.power)
    left = s.life[seat] - sum(thing.power for thing in there)
    made: list[Blocks] = []
    for attacker in there:
        fit = [one for one in free if can_block(one, attacker) and "daunting" not in attacker.keywords]
        good = [one for one in fit if is_good_block(one, attacker)]
        chosen = min(good or (fit if left <= 0 else []), key=value_of, default=None)
        if chosen is not None:
            free.remove(chosen)
            made.append(Blocks(chosen.object, attacker.object))
            left += attacker.power
    return tuple(made)


def is_good_block(blocker: Thing, attacker: Thing) -> bool:
    """Return whether a block costs nothing, or less than it wins."""
    if not kills(attacker, blocker):
        return True
    return kills(blocker, attacker) and value_of(blocker) <= value_of(attacker)


SOUND = Habits(attack, blocks, lambda s, seat: True)


# --- A beginner --------------------------------------------------------------------------------------------


def all_or_nothing(s: State, seat: Seat, able: Handles) -> Handles:
    """Attack with everything if there are more attackers than blockers, otherwise with nothing."""
    return able if len(able) > len(possible_blockers(s, 1 - seat)) else ()


def last_blocks(s: State, seat: Seat) -> tuple[Blocks, ...]:
    """Block only if the attack would be lethal otherwise."""
    return blocks(s, seat) if sum(thing.power for thing in attackers(s)) >= s.life[seat] else ()


NAIVE = Habits(all_or_nothing, last_blocks, is_main)


choose = player(steady, at_random, easy=easy)
