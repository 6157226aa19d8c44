"""Implements a duel: what its moves tell, what then follows, and why a move is refused (fivewells 3, 4)."""

from collections.abc import Mapping
from typing import Final, assert_never

from domain.card_sets.cards.card_kinds import LandDestination, Mana
from domain.card_sets.cards.effects import SearchLand
from domain.card_sets.cards.filters import Itself
from domain.card_sets.decks.deck import MOST_CARDS
from domain.core.cards import Seat
from domain.games.fivewells.casting import (
    act_fault,
    activate,
    activated_ability,
    activating,
    can_tap,
    cast,
    casting,
    fault,
    is_main,
    may_cast_now,
)
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import attack_fault, block_fault
from domain.games.fivewells.events import (
    CardsDiscarded,
    ChoiceMade,
    Event,
    LandPlayed,
    LibrarySearched,
    ManaAdded,
    Scouted,
)
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    Arranged,
    CastSpell,
    Choose,
    ChooseFirst,
    DeclareAttackers,
    DeclareBlockers,
    DiscardAtRandom,
    KeepHand,
    Move,
    Mulligan,
    NumberCards,
    OpenBooster,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
    ShuffleLibrary,
    SubmitDeck,
)
from domain.games.fivewells.opening import (
    NONE_BROUGHT,
    after_opening,
    booster_opened,
    deck_fault,
    opening,
    record_built_deck,
)
from domain.games.fivewells.payment import automatic, pool_after, pool_with
from domain.games.fivewells.printed import PRINTED, program
from domain.games.fivewells.questions import named_objects
from domain.games.fivewells.records import LETTERS, Handle, Handles, Kind, Stop, Targets
from domain.games.fivewells.stack import resolving_item, trigger, trigger_options
from domain.games.fivewells.state import Question, State, faces
from domain.games.fivewells.triggers import Telling, depart, telling
from domain.games.fivewells.turn_events import (
    BlockersOrdered,
    CardsNumbered,
    FirstPlayerChosen,
    HandDealt,
    HandKept,
    LibraryShuffled,
    MulliganTaken,
    PriorityPassed,
    StopsSet,
)
from domain.games.fivewells.turns import attackers_declared, blockers_declared, carry_on, step_after, stop_of, waits
from domain.games.fivewells.waiting import ALL_STOPS, MULLIGANS, may_set_stops, phase, to_act

# --- Refusals: shape, phase, turn, objects, then the codes of the game in their order ----------------------


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
    """Return whether a list that must be distinct names something twice."""
    return len(set(handles)) < len(handles)


def is_too_long(move: SubmitDeck) -> bool:
    """Return whether a list names more cards than any may."""
    return len(move.main) + len(move.sideboard) > MOST_CARDS


def is_malformed(move: Move) -> bool:
    """Return whether a move is wrong in itself."""
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
    """Return whether an answer is none to such a question, or names something twice."""
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
    """Return whether the same is chosen twice under one letter."""
    return targets is not None and any(has_duplicates(targets.of(letter)) for letter in LETTERS)


def exists(s: State, move: Move) -> bool:
    """Return whether there is such a command in the present phase, for anyone."""
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


# --- Moves -------------------------------------------------------------------------------------------------


HAND: Final = 7


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    t = telling(s)
    match move:
        case SubmitDeck():
            t.tell(record_built_deck(s, seat, move))
        case Mulligan():
            t.tell(MulliganTaken(seat, s.mulligans[seat] + 1))
        case KeepHand():
            t.tell(HandKept(seat, len(s.hands[seat]) - len(move.bottom), move.bottom))
        case PlayLand():
            card = s.cards[move.card]
            t.tell(LandPlayed(seat, move.card, card, PRINTED[card].enters_tapped))
        case CastSpell():
            t.tell(cast(s, seat, move))
        case ActivateAbility():
            event = activate(s, seat, move)
            t.tell(event)
            depart(t, event.sacrificed, "graveyard", "sacrificed")
        case ActivateManaAbility():
            add_mana(t, seat, move)
        case PassPriority():
            used = stop_of(s, seat, s.step)
            t.tell(PriorityPassed(seat, move.until, tuple(one for one in s.once[seat] if one != used)))
            t.tell_then(step_after(t.state))
        case DeclareAttackers():
            t.tell(attackers_declared(s, seat, move.attackers))
            t.tell_then(step_after(t.state))
        case DeclareBlockers():
            t.tell(blockers_declared(s, seat, move.blocks))
        case OrderBlockers():
            left = tuple(one for one in s.unordered if one != move.attacker)
            t.tell(BlockersOrdered(seat, move.attacker, move.order, left))
        case Choose():
            assert s.asked is not None
            take_answer(t, s.asked, move)
        case SetStops():
            t.tell(StopsSet(seat, in_order_of_turn(move.stops), in_order_of_turn(move.once)))
        case _:
            by_chance(t, move)
    return tuple(t.events)


def in_order_of_turn(stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """Return stops in the order of their windows: that in which they were named says nothing, so it is not kept."""
    return tuple(one for one in ALL_STOPS if one in stops)


def by_chance(t: Telling, move: ChooseFirst | OpenBooster | NumberCards | ShuffleLibrary | DiscardAtRandom) -> None:
    """Take an answer of chance; the first one begins a game that has not begun."""
    s = t.state
    if not s.begun:
        t.tell(*opening(s, NONE_BROUGHT))
    match move:
        case ChooseFirst():
            t.tell(FirstPlayerChosen(move.seat, "random"))
        case OpenBooster():
            t.tell(booster_opened(s, move))
        case NumberCards():
            deck = s.decks[s.numbered]
            assert deck is not None
            first = Handle(1 + sum(s.sizes[: s.numbered]))
            cards = tuple(deck.main[place] for place in move.places)
            t.tell(CardsNumbered(s.numbered, first, len(cards), cards))
        case ShuffleLibrary():
            t.tell(LibraryShuffled(s.to_shuffle.index(True), len(move.library), move.library))
            if not any(s.to_shuffle) and not all(s.kept):
                t.tell(deal_hands(s))
        case DiscardAtRandom():
            seat = s.random_discard
            t.tell(CardsDiscarded(seat, faces(s, (s.hands[seat][move.place],)), "random"))
        case _:
            assert_never(move)


def deal_hands(s: State) -> HandDealt:
    """Deal a hand to each seat that has none."""
    hands = tuple([() if hand else tuple(sorted(pile[:HAND])) for hand, pile in zip(s.hands, s.libraries, strict=True)])
    return HandDealt(tuple(map(len, hands)), tuple([faces(s, hand) for hand in hands]))


def consequences(s: State) -> tuple[Event, ...]:
    """Return the events that follow now without a move."""
    if not s.begun:
        return opening(s, NONE_BROUGHT) if s.game_no else ()
    if s.numbered < 2:
        return after_opening(s)
    if waits(s):
        return ()
    t = telling(s)
    carry_on(t)
    return tuple(t.events)


def add_mana(t: Telling, seat: Seat, move: ActivateManaAbility) -> None:
    """Tap or sacrifice a source for mana."""
    thing = board(t.state).things[move.object]
    for _, ability in thing.printed.mana:
        color = move.color if ability.add == "any" else ability.add
        if color is not None and move.color in (None, color):
            pool = pool_with(t.state.pools[seat], [(Mana(color), ability.amount)])
            tapped = (move.object,) if ability.cost.tap else ()
            t.tell(ManaAdded(seat, move.object, Mana(color), ability.amount, tapped, pool))
            if isinstance(ability.cost.sacrifice, Itself):
                depart(t, [move.object], "graveyard", "sacrificed")
            return


def take_answer(t: Telling, asked: Question, move: Choose) -> None:
    """Take the answer to a question."""
    seat, given = asked.seat, move.value
    match given:
        case Targets():
            t.tell(ChoiceMade(seat, "trigger_targets", targets=given))
            trigger(t, given)
        case Arranged():
            named = (*given.bottom, *given.top)
            left = tuple(face.object for face in asked.cards if face.object not in named)
            t.tell(Scouted(seat, asked.most, len(given.bottom), (*given.top, *left), given.bottom))
        case bool():
            agree(t, asked, yes=given)
        case int():
            t.tell(ChoiceMade(seat, "mode", number=given))
        case _:
            objects_chosen(t, asked, given or ())


def agree(t: Telling, asked: Question, *, yes: bool) -> None:
    """Take a yes or no; what is paid for a yes is paid automatically."""
    if asked.choice == "may" or not yes:
        t.tell(ChoiceMade(asked.seat, asked.choice, number=int(yes)))
        return
    due = (0, 0, 0, 0, 0, asked.most)
    paid = automatic(t.state, asked.seat, due) or ()
    t.tell(ChoiceMade(asked.seat, asked.choice, number=1, paid=paid, pool=pool_after(t.state, asked.seat, due, paid)))


def objects_chosen(t: Telling, asked: Question, chosen: Handles) -> None:
    """Take the cards or permanents that a seat chooses."""
    s, seat = t.state, asked.seat
    match asked.choice:
        case "discard":
            t.tell(CardsDiscarded(seat, faces(s, chosen), "choose"))
        case "cleanup_discard":
            t.tell(CardsDiscarded(seat, faces(s, chosen), "cleanup"))
        case "search":
            item = resolving_item(s)
            assert s.resolving is not None
            step = program(item.card, item.ability)[s.resolving.n]
            hand = isinstance(step, SearchLand) and step.dest is LandDestination.HAND
            t.tell(LibrarySearched(seat, faces(s, tuple(sorted(chosen))), "hand" if hand else "battlefield_tapped"))
        case _:
            t.tell(ChoiceMade(seat, "sacrifice", chosen))
            depart(t, chosen, "graveyard", "sacrificed")
