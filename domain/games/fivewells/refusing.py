"""Says why a move is refused: shape, phase, turn, objects, then the codes of the game in their order (fivewells 4)."""

from collections.abc import Mapping
from typing import Final

from domain.card_sets.decks.deck import MOST_CARDS
from domain.core.cards import Seat
from domain.games.fivewells.casting import (
    act_fault,
    activated_ability,
    activating,
    can_tap,
    casting,
    is_main,
    may_cast_now,
)
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import attack_fault, block_fault
from domain.games.fivewells.handles import LETTERS, Handle, Handles, Targets
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    Arranged,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    Move,
    Mulligan,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
    SubmitDeck,
)
from domain.games.fivewells.opening import deck_fault
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.questions import named_objects
from domain.games.fivewells.records import Kind
from domain.games.fivewells.stack import trigger_options
from domain.games.fivewells.state import State
from domain.games.fivewells.targets import fault
from domain.games.fivewells.waiting import MULLIGANS, may_set_stops, phase, to_act

WITH_PRIORITY: Final = (PlayLand, CastSpell, ActivateAbility, ActivateManaAbility, PassPriority)

ANSWERED_BY: Final[Mapping[Kind, type]] = {
    "discard": tuple,
    "cleanup_discard": tuple,
    "sacrifice": tuple,
    "search": tuple,
    "scout": Arranged,
    "trigger_targets": Targets,
    "mode": int,
    "may": bool,
    "pay_or_not": bool,
}
"""The type of the answer to each choice."""


def refusal(s: State, seat: Seat, move: Move) -> str:
    """Name the first reason why the move is refused."""
    if is_malformed(move):
        return "bad_arguments"
    if isinstance(move, SetStops):
        return "wrong_timing" if s.begun and not may_set_stops(s, seat) else "wrong_phase"
    if not exists(s, move):
        return "wrong_phase"
    if seat not in to_act(s):
        return "already_done" if phase(s) in ("mulligan", "deck_building") else "not_your_turn"
    # Only a legal move breaks no rule, and nobody asks about those.
    return broken_rule(s, seat, move) or "wrong_phase"


def has_duplicates(handles: Handles) -> bool:
    """Say whether a list that must be distinct names something twice."""
    return len(set(handles)) < len(handles)


def is_too_long(move: SubmitDeck) -> bool:
    """Say whether a list names more cards than any may."""
    return len(move.main) + len(move.sideboard) > MOST_CARDS


def is_malformed(move: Move) -> bool:
    """Say whether a move is wrong in itself."""
    match move:
        case SubmitDeck():
            return is_too_long(move)
        case KeepHand():
            return has_duplicates(move.bottom)
        case DeclareAttackers():
            return has_duplicates(move.attackers)
        case DeclareBlockers():
            return has_duplicates(tuple(pair.blocker for pair in move.blocks))
        case OrderBlockers():
            return has_duplicates(move.order)
        case SetStops():
            return len(set(move.stops)) < len(move.stops) or len(set(move.once)) < len(move.once)
        case Choose():
            return is_no_answer(move)
        case CastSpell() | ActivateAbility():
            return is_repeated(move.targets) or has_duplicates(tuple(one.id for one in move.pay or ()))
        case _:
            return False


def is_no_answer(move: Choose) -> bool:
    """Say whether an answer is none to such a question, or names something twice."""
    match move.value:
        case None:
            return move.choice != "search"
        case Targets():
            twice = is_repeated(move.value)
        case Arranged():
            twice = has_duplicates((*move.value.bottom, *move.value.top))
        case tuple():
            twice = has_duplicates(move.value)
        case _:
            twice = False
    return twice or type(move.value) is not ANSWERED_BY[move.choice]


def is_repeated(targets: Targets | None) -> bool:
    """Say whether the same is chosen twice under one letter."""
    return targets is not None and any(has_duplicates(targets.of(letter)) for letter in LETTERS)


def exists(s: State, move: Move) -> bool:
    """Say whether there is such a command in the present phase, for anyone."""
    now = phase(s)
    match move:
        case SubmitDeck():
            return now == "deck_building"
        case Mulligan() | KeepHand():
            return now == "mulligan"
        case Choose():
            return s.asked is not None and s.asked.choice == move.choice
        case DeclareAttackers():
            return now == "attack" and not s.declared
        case DeclareBlockers():
            return now == "block" and not s.declared
        case OrderBlockers():
            return now == "order_blockers"
        case _:
            asked = s.asked or s.unordered or (s.step in ("attack", "block") and not s.declared)
            return isinstance(move, WITH_PRIORITY) and s.turn > 0 and not s.ended and not asked


def broken_rule(s: State, seat: Seat, move: Move) -> str | None:
    """Name the rule that the move would break."""
    match move:
        case SubmitDeck():
            return deck_fault(s, seat, move)
        case Mulligan():
            return "no_more_mulligans" if s.mulligans[seat] >= MULLIGANS else None
        case KeepHand():
            if not set(move.bottom) <= set(s.hands[seat]):
                return "card_not_in_hand"
            return "wrong_count"
        case PlayLand():
            return land_fault(s, seat, move.card)
        case CastSpell():
            return cast_fault(s, seat, move)
        case ActivateAbility():
            return activation_fault(s, seat, move)
        case ActivateManaAbility():
            return mana_fault(s, seat, move)
        case DeclareAttackers():
            return attack_fault(s, seat, move.attackers)
        case DeclareBlockers():
            return block_fault(s, seat, move.blocks)
        case OrderBlockers():
            known = move.attacker in s.ids and set(move.order) <= set(s.ids)
            return "bad_choice" if known else "no_such_object"
        case Choose():
            return choice_fault(s, seat, move)
        case _:
            return None


def land_fault(s: State, seat: Seat, card: Handle) -> str | None:
    """Say why a land cannot be played."""
    if card not in s.hands[seat]:
        return "card_not_in_hand"
    if not is_main(s, seat) or not PRINTED[s.cards[card]].land:
        return "wrong_timing"
    return "land_already_played" if s.land_played else None


def cast_fault(s: State, seat: Seat, move: CastSpell) -> str | None:
    """Say why a card cannot be cast so."""
    if move.card not in s.hands[seat]:
        return "card_not_in_hand"
    if not may_cast_now(s, seat, move.card):
        return "wrong_timing"
    return act_fault(s, casting(s, seat, move.card), move)


def activation_fault(s: State, seat: Seat, move: ActivateAbility) -> str | None:
    """Say why an ability cannot be activated so."""
    thing = board(s).things.get(move.object)
    ability = activated_ability(s, move.object, move.ability)
    if thing is None or thing.controller != seat or ability is None:
        return "no_such_object"
    return can_tap(thing, ability.cost) or act_fault(s, activating(s, thing, ability), move)


def mana_fault(s: State, seat: Seat, move: ActivateManaAbility) -> str | None:
    """Say why a source gives no such mana."""
    thing = board(s).things.get(move.object)
    if thing is None or thing.controller != seat or not thing.printed.mana:
        return "no_such_object"
    faults = [can_tap(thing, ability.cost) for _, ability in thing.printed.mana]
    return "bad_choice" if None in faults else faults[0]


def choice_fault(s: State, seat: Seat, move: Choose) -> str | None:
    """Say why an answer to a question is none."""
    assert s.asked is not None
    if isinstance(move.value, Targets):
        return fault(trigger_options(s), move.value) or "bad_choice"
    if move.choice in ("discard", "cleanup_discard") and not set(named_objects(move) or ()) <= set(s.hands[seat]):
        return "card_not_in_hand"
    return "bad_choice"
