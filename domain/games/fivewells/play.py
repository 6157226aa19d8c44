"""Implements a duel: the events of its moves, their consequences, and refusals (fivewells 3, 4)."""

from collections.abc import Mapping
from typing import Final, assert_never

from domain.card_sets.cards.card_kinds import LandDestination, Mana
from domain.card_sets.cards.effects import SearchLand
from domain.card_sets.cards.filters import Itself
from domain.card_sets.decks.deck import MOST_CARDS
from domain.core.cards import Seat
from domain.games.fivewells import casting, events, moves, opening, turn_events
from domain.games.fivewells.characteristics import PRINTED, board, program
from domain.games.fivewells.combat import attack_fault, block_fault
from domain.games.fivewells.effects import trigger, trigger_options
from domain.games.fivewells.records import LETTERS, Handle, Handles, Kind, Stop, Targets
from domain.games.fivewells.state import Question, State, faces, top
from domain.games.fivewells.triggers import Telling, depart, telling
from domain.games.fivewells.turns import attackers_declared, blockers_declared, carry_on, step_after, stop_of, waits
from domain.games.fivewells.waiting import ALL_STOPS, MULLIGANS, may_set_stops, named_objects, phase, to_act

# --- Refusals: shape, phase, turn, objects, then the codes of the game in their order ----------------------


WITH_PRIORITY: Final = (
    moves.PlayLand,
    moves.CastSpell,
    moves.ActivateAbility,
    moves.ActivateManaAbility,
    moves.PassPriority,
)

ANSWERED_BY: Final[Mapping[Kind, type]] = {
    "discard": tuple,
    "cleanup_discard": tuple,
    "sacrifice": tuple,
    "search": tuple,
    "scout": moves.Arranged,
    "trigger_targets": Targets,
    "mode": int,
    "may": bool,
    "pay_or_not": bool,
}
"""The type of the answer to each choice."""


def refusal(s: State, seat: Seat, move: moves.Move) -> str:
    """Name the first reason why the move is refused."""
    if is_malformed(move):
        return "bad_arguments"
    if isinstance(move, moves.SetStops):
        return "wrong_timing" if s.begun and not may_set_stops(s, seat) else "wrong_phase"
    if not exists(s, move):
        return "wrong_phase"
    if seat not in to_act(s):
        return "already_done" if phase(s) in ("mulligan", "deck_building") else "not_your_turn"
    # This is never called for legal moves, so the move breaks a rule.
    return broken_rule(s, seat, move) or "wrong_phase"


def has_duplicates(handles: Handles) -> bool:
    """Return whether a list that must be distinct names something twice."""
    return len(set(handles)) < len(handles)


def is_too_long(move: moves.SubmitDeck) -> bool:
    """Return whether a list names more cards than any deck may have."""
    return len(move.main) + len(move.sideboard) > MOST_CARDS


def is_malformed(move: moves.Move) -> bool:
    """Return whether a move is malformed, whatever the state."""
    match move:
        case moves.SubmitDeck():
            return is_too_long(move)
        case moves.KeepHand():
            return has_duplicates(move.bottom)
        case moves.DeclareAttackers():
            return has_duplicates(move.attackers)
        case moves.DeclareBlockers():
            return has_duplicates(tuple(pair.blocker for pair in move.blocks))
        case moves.OrderBlockers():
            return has_duplicates(move.order)
        case moves.SetStops():
            return len(set(move.stops)) < len(move.stops) or len(set(move.once)) < len(move.once)
        case moves.Choose():
            return is_no_answer(move)
        case moves.CastSpell() | moves.ActivateAbility():
            return is_repeated(move.targets) or has_duplicates(tuple(one.id for one in move.pay or ()))
        case _:
            return False


def explain(s: State, seat: Seat, move: moves.Move) -> str:
    """Return the fault of a refused deck or kept hand; an empty text for other moves."""
    if isinstance(move, moves.KeepHand) and refusal(s, seat, move) == "wrong_count":
        return f"Number of cards for the bottom: {s.mulligans[seat]}. You chose {len(move.bottom)}."
    return opening.deck_sentence(s, seat, move) if isinstance(move, moves.SubmitDeck) else ""


def is_no_answer(move: moves.Choose) -> bool:
    """Return whether an answer has the wrong type for its question, or names something twice."""
    match move.value:
        case None:
            return move.choice != "search"
        case Targets():
            twice = is_repeated(move.value)
        case moves.Arranged():
            twice = has_duplicates((*move.value.bottom, *move.value.top))
        case tuple():
            twice = has_duplicates(move.value)
        case _:
            twice = False
    return twice or type(move.value) is not ANSWERED_BY[move.choice]


def is_repeated(targets: Targets | None) -> bool:
    """Return whether a target is chosen twice under one letter."""
    return targets is not None and any(has_duplicates(targets.of(letter)) for letter in LETTERS)


def exists(s: State, move: moves.Move) -> bool:
    """Return whether any seat can use this command in the current phase."""
    now = phase(s)
    match move:
        case moves.SubmitDeck():
            return now == "deck_building"
        case moves.Mulligan() | moves.KeepHand():
            return now == "mulligan"
        case moves.Choose():
            return s.asked is not None and s.asked.choice == move.choice
        case moves.DeclareAttackers():
            return now == "attack" and not s.declared
        case moves.DeclareBlockers():
            return now == "block" and not s.declared
        case moves.OrderBlockers():
            return now == "order_blockers"
        case _:
            asked = s.asked or s.unordered or (s.step in ("attack", "block") and not s.declared)
            return isinstance(move, WITH_PRIORITY) and s.turn > 0 and not s.ended and not asked


def broken_rule(s: State, seat: Seat, move: moves.Move) -> str | None:
    """Return the code of the rule that the move would break."""
    match move:
        case moves.SubmitDeck():
            return opening.deck_fault(s, seat, move)
        case moves.Mulligan():
            return "no_more_mulligans" if s.mulligans[seat] >= MULLIGANS else None
        case moves.KeepHand():
            if not set(move.bottom) <= set(s.hands[seat]):
                return "card_not_in_hand"
            return "wrong_count"
        case moves.PlayLand():
            return land_fault(s, seat, move.card)
        case moves.CastSpell():
            return cast_fault(s, seat, move)
        case moves.ActivateAbility():
            return activation_fault(s, seat, move)
        case moves.ActivateManaAbility():
            return mana_fault(s, seat, move)
        case moves.DeclareAttackers():
            return attack_fault(s, seat, move.attackers)
        case moves.DeclareBlockers():
            return block_fault(s, seat, move.blocks)
        case moves.OrderBlockers():
            known = move.attacker in s.ids and set(move.order) <= set(s.ids)
            return "bad_choice" if known else "no_such_object"
        case moves.Choose():
            return choice_fault(s, seat, move)
        case _:
            return None


def land_fault(s: State, seat: Seat, card: Handle) -> str | None:
    """Return why a land cannot be played."""
    if card not in s.hands[seat]:
        return "card_not_in_hand"
    if not casting.is_main(s, seat) or not PRINTED[s.cards[card]].land:
        return "wrong_timing"
    return "land_already_played" if s.land_played else None


def cast_fault(s: State, seat: Seat, move: moves.CastSpell) -> str | None:
    """Return why a card cannot be cast this way."""
    if move.card not in s.hands[seat]:
        return "card_not_in_hand"
    if not casting.may_cast_now(s, seat, move.card):
        return "wrong_timing"
    return casting.act_fault(s, casting.casting(s, seat, move.card), move)


def activation_fault(s: State, seat: Seat, move: moves.ActivateAbility) -> str | None:
    """Return why an ability cannot be activated this way."""
    thing = board(s).things.get(move.object)
    ability = casting.activated_ability(s, move.object, move.ability)
    if thing is None or thing.controller != seat or ability is None:
        return "no_such_object"
    return casting.can_tap(thing, ability.cost) or casting.act_fault(s, casting.activating(s, thing, ability), move)


def mana_fault(s: State, seat: Seat, move: moves.ActivateManaAbility) -> str | None:
    """Return why a source cannot give this mana."""
    thing = board(s).things.get(move.object)
    if thing is None or thing.controller != seat or not thing.printed.mana:
        return "no_such_object"
    faults = [casting.can_tap(thing, ability.cost) for _, ability in thing.printed.mana]
    return "bad_choice" if None in faults else faults[0]


def choice_fault(s: State, seat: Seat, move: moves.Choose) -> str | None:
    """Return why an answer to a question is refused."""
    assert s.asked is not None
    if isinstance(move.value, Targets):
        return casting.fault(trigger_options(s), move.value) or "bad_choice"
    if move.choice in ("discard", "cleanup_discard") and not set(named_objects(move) or ()) <= set(s.hands[seat]):
        return "card_not_in_hand"
    return "bad_choice"


# --- Moves -------------------------------------------------------------------------------------------------


HAND: Final = 7


def decide(s: State, seat: Seat, move: moves.Move) -> tuple[events.Event, ...]:
    """Return the events of a legal move."""
    t = telling(s)
    match move:
        case moves.SubmitDeck():
            t.tell(opening.record_built_deck(s, seat, move))
        case moves.Mulligan():
            t.tell(turn_events.MulliganTaken(seat, s.mulligans[seat] + 1))
        case moves.KeepHand():
            t.tell(turn_events.HandKept(seat, len(s.hands[seat]) - len(move.bottom), move.bottom))
        case moves.PlayLand():
            card = s.cards[move.card]
            t.tell(events.LandPlayed(seat, move.card, card, PRINTED[card].enters_tapped))
        case moves.CastSpell():
            t.tell(casting.cast(s, seat, move))
        case moves.ActivateAbility():
            event = casting.activate(s, seat, move)
            t.tell(event)
            depart(t, event.sacrificed, "graveyard", "sacrificed")
        case moves.ActivateManaAbility():
            add_mana(t, seat, move)
        case moves.PassPriority():
            used = stop_of(s, seat, s.step)
            t.tell(turn_events.PriorityPassed(seat, move.until, tuple(one for one in s.once[seat] if one != used)))
            t.tell_then(step_after(t.state))
        case moves.DeclareAttackers():
            t.tell(attackers_declared(s, seat, move.attackers))
            t.tell_then(step_after(t.state))
        case moves.DeclareBlockers():
            t.tell(blockers_declared(s, seat, move.blocks))
        case moves.OrderBlockers():
            left = tuple(one for one in s.unordered if one != move.attacker)
            t.tell(turn_events.BlockersOrdered(seat, move.attacker, move.order, left))
        case moves.Choose():
            assert s.asked is not None
            take_answer(t, s.asked, move)
        case moves.SetStops():
            t.tell(turn_events.StopsSet(seat, in_order_of_turn(move.stops), in_order_of_turn(move.once)))
        case _:
            by_chance(t, move)
    return tuple(t.events)


def in_order_of_turn(stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """Return stops in the order of their windows, regardless of the order in which they were named."""
    return tuple(one for one in ALL_STOPS if one in stops)


def by_chance(
    t: Telling,
    move: moves.ChooseFirst | moves.OpenBooster | moves.NumberCards | moves.ShuffleLibrary | moves.DiscardAtRandom,
) -> None:
    """Apply an answer of chance; the first one starts the game."""
    s = t.state
    if not s.begun:
        t.tell(*opening.opening(s, opening.NONE_BROUGHT))
    match move:
        case moves.ChooseFirst():
            t.tell(turn_events.FirstPlayerChosen(move.seat, "random"))
        case moves.OpenBooster():
            t.tell(opening.booster_opened(s, move))
        case moves.NumberCards():
            deck = s.decks[s.numbered]
            assert deck is not None
            first = Handle(1 + sum(s.sizes[: s.numbered]))
            cards = tuple(deck.main[place] for place in move.places)
            t.tell(turn_events.CardsNumbered(s.numbered, first, len(cards), cards))
        case moves.ShuffleLibrary():
            t.tell(turn_events.LibraryShuffled(s.to_shuffle.index(True), len(move.library), move.library))
            if not any(s.to_shuffle) and not all(s.kept):
                t.tell(deal_hands(s))
        case moves.DiscardAtRandom():
            seat = s.random_discard
            t.tell(events.CardsDiscarded(seat, faces(s, (s.hands[seat][move.place],)), "random"))
        case _:
            assert_never(move)


def deal_hands(s: State) -> turn_events.HandDealt:
    """Deal a hand to each seat without one."""
    hands = tuple([() if hand else tuple(sorted(pile[:HAND])) for hand, pile in zip(s.hands, s.libraries, strict=True)])
    return turn_events.HandDealt(tuple(map(len, hands)), tuple([faces(s, hand) for hand in hands]))


def consequences(s: State) -> tuple[events.Event, ...]:
    """Return the events that follow now without a move."""
    if not s.begun:
        return opening.opening(s, opening.NONE_BROUGHT) if s.game_no else ()
    if s.numbered < 2:
        return opening.after_opening(s)
    if waits(s):
        return ()
    t = telling(s)
    carry_on(t)
    return tuple(t.events)


def add_mana(t: Telling, seat: Seat, move: moves.ActivateManaAbility) -> None:
    """Tap or sacrifice a source for mana."""
    thing = board(t.state).things[move.object]
    for _, ability in thing.printed.mana:
        color = move.color if ability.add == "any" else ability.add
        if color is not None and move.color in (None, color):
            pool = casting.pool_with(t.state.pools[seat], [(Mana(color), ability.amount)])
            tapped = (move.object,) if ability.cost.tap else ()
            t.tell(events.ManaAdded(seat, move.object, Mana(color), ability.amount, tapped, pool))
            if isinstance(ability.cost.sacrifice, Itself):
                depart(t, [move.object], "graveyard", "sacrificed")
            return


def take_answer(t: Telling, asked: Question, move: moves.Choose) -> None:
    """Carry out the answer to a question."""
    seat, given = asked.seat, move.value
    match given:
        case Targets():
            t.tell(events.ChoiceMade(seat, "trigger_targets", targets=given))
            trigger(t, given)
        case moves.Arranged():
            named = (*given.bottom, *given.top)
            left = tuple(face.object for face in asked.cards if face.object not in named)
            t.tell(events.Scouted(seat, asked.most, len(given.bottom), (*given.top, *left), given.bottom))
        case bool():
            agree(t, asked, yes=given)
        case int():
            t.tell(events.ChoiceMade(seat, "mode", number=given))
        case _:
            objects_chosen(t, asked, given or ())


def agree(t: Telling, asked: Question, *, yes: bool) -> None:
    """Carry out a yes or no; the price of a yes is paid automatically."""
    if asked.choice == "may" or not yes:
        t.tell(events.ChoiceMade(asked.seat, asked.choice, number=int(yes)))
        return
    due = (0, 0, 0, 0, 0, asked.most)
    paid = casting.automatic(t.state, asked.seat, due) or ()
    t.tell(
        events.ChoiceMade(
            asked.seat, asked.choice, number=1, paid=paid, pool=casting.pool_after(t.state, asked.seat, due, paid)
        )
    )


def objects_chosen(t: Telling, asked: Question, chosen: Handles) -> None:
    """Carry out the choice of cards or permanents."""
    s, seat = t.state, asked.seat
    match asked.choice:
        case "discard":
            t.tell(events.CardsDiscarded(seat, faces(s, chosen), "choose"))
        case "cleanup_discard":
            t.tell(events.CardsDiscarded(seat, faces(s, chosen), "cleanup"))
        case "search":
            item = top(s)
            assert s.resolving is not None
            step = program(item.card, item.ability)[s.resolving.n]
            hand = isinstance(step, SearchLand) and step.dest is LandDestination.HAND
            t.tell(
                events.LibrarySearched(seat, faces(s, tuple(sorted(chosen))), "hand" if hand else "battlefield_tapped")
            )
        case _:
            t.tell(events.ChoiceMade(seat, "sacrifice", chosen))
            depart(t, chosen, "graveyard", "sacrificed")
