"""Takes in the events of a duel: it assigns, and decides nothing."""

from typing import Any, assert_never

from domain.core.cards import Seat, add, next_seat, remove
from domain.core.values import put, shown
from domain.games.fivewells.events import (
    AbilityActivated,
    AbilityResolved,
    AbilityTriggered,
    AttackersDeclared,
    BlockersDeclared,
    BlockersOrdered,
    CardDrawn,
    CardReturned,
    CardsDiscarded,
    CardsMilled,
    CardsNumbered,
    ChoiceMade,
    ChoiceRequested,
    CombatDamageDealt,
    CountersAdded,
    DamageDealt,
    DrawFailed,
    EffectDone,
    Event,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandKept,
    HandStarted,
    LandPlayed,
    LibrarySearched,
    LibraryShuffled,
    LifeChanged,
    ManaAdded,
    MulliganTaken,
    PermanentEntered,
    PermanentsFrozen,
    PermanentsLeft,
    PermanentsTapped,
    PermanentsUntapped,
    PriorityGiven,
    PriorityPassed,
    PumpApplied,
    RandomDiscardDue,
    Scouted,
    SpellCast,
    SpellCountered,
    SpellFailed,
    SpellResolved,
    StepEntered,
    StopsSet,
    TokenCreated,
    TriggerDropped,
    TriggersNoted,
    TurnEnded,
    TurnStarted,
)
from domain.games.fivewells.handles import BACK, UNSEEN, Handle, Handles
from domain.games.fivewells.state import EMPTY, NOBODY, Permanent, Question, Resolving, StackItem, State
from domain.games.fivewells.zones import (
    block,
    bury,
    change,
    discard,
    enter,
    find,
    gain,
    know,
    leave,
    lose,
    part,
    tap,
    those,
    wound,
)


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case PriorityPassed():
            s.passes += 1
            s.priority, s.held = next_seat(event.seat, 2), NOBODY
            s.once = put(s.once, event.seat, shown(event.once, ()))
            pass_on(s, event)
        case PriorityGiven():
            s.priority, s.passes = event.seat, event.passes
        case StepEntered():
            enter_step(s, event)
        case TurnStarted():
            begin_turn(s, event)
        case TurnEnded():
            s.step, s.priority, s.pools = "ended", NOBODY, (EMPTY, EMPTY)
            part(s, event.out_of_combat)
            change(s, event.marked, damage=0, venom=0, power=0, toughness=0, keywords=())
        case CardDrawn():
            face = shown(event.card, UNSEEN)
            s.libraries = put(s.libraries, event.seat, s.libraries[event.seat][1:])
            gain(s, event.seat, face.object)
            know(s, (face,))
        case DrawFailed():
            s.failed_draw = put(s.failed_draw, event.seat, x=True)
        case LandPlayed():
            lose(s, event.seat, event.object)
            s.cards = put(s.cards, event.object, event.card)
            s.land_played = True
            enter(s, Permanent(event.object, event.card, event.seat, event.seat, event.tapped))
        case ManaAdded():
            tap(s, event.tapped)
            s.pools = put(s.pools, event.seat, event.pool)
        case SpellCast() | AbilityActivated() | AbilityTriggered():
            put_on_stack(s, event)
        case TriggersNoted():
            s.waiting += event.triggers
        case TriggerDropped():
            s.waiting = taken_out(s.waiting, event)
            s.asked = None
        case SpellResolved() | AbilityResolved() | SpellFailed() | SpellCountered():
            leave_stack(s, event)
        case PermanentEntered():
            resolved(s, event.items)
            for card in event.from_graveyard:
                s.graveyards = put(s.graveyards, event.owner, remove(s.graveyards[event.owner], card))
            s.cards = put(s.cards, event.object, event.card)
            enter(s, Permanent(event.object, event.card, event.owner, event.controller, event.tapped))
        case TokenCreated():
            s.next_token = Handle(s.next_token + 1)
            enter(s, Permanent(event.object, event.token, event.owner, event.owner, token=True))
        case EffectDone():
            s.answer = None
            s.resolving = Resolving(event.n, event.unit, event.amount, event.targets, event.controllers)
        case ChoiceRequested():
            cards = shown(event.cards, ())
            s.asked = Question(event.seat, event.choice, event.least, event.most, event.objects, cards)
            know(s, cards)
            stop_passing(s, event.seat)
        case RandomDiscardDue():
            s.random_discard = event.seat
        case ChoiceMade():
            s.asked, s.answer = None, event.number
            spend(s, event)
        case Scouted():
            s.asked = None
            rest = s.libraries[event.seat][event.count :]
            back = (BACK,)
            upper = shown(event.top, back * (event.count - event.to_bottom))
            under = shown(event.bottom, back * event.to_bottom)
            s.libraries = put(s.libraries, event.seat, (*upper, *rest, *reversed(under)))
        case LibrarySearched():
            s.asked = None
            s.to_shuffle = put(s.to_shuffle, event.seat, x=True)
            s.searches = put(s.searches, event.seat, s.searches[event.seat] + 1)
            find(s, event)
        case PermanentsLeft():
            leave(s, event)
        case PermanentsTapped():
            tap(s, event.objects)
        case PermanentsUntapped():
            change(s, event.objects, tapped=False)
        case PermanentsFrozen():
            change(s, event.objects, frozen=True)
        case DamageDealt():
            wound(s, event.wounds)
        case CombatDamageDealt():
            s.step, s.passes, s.priority, s.pools = event.step, 0, s.active, (EMPTY, EMPTY)
            s.held = NOBODY
            wound(s, event.wounds)
            change(s, event.struck, struck=True)
        case LifeChanged():
            s.life = put(s.life, event.seat, event.life)
        case CountersAdded():
            for p in those(s, event.objects):
                change(s, (p.object,), counters=p.counters + event.amount)
        case PumpApplied():
            for p in those(s, event.objects):
                more = {"power": p.power + event.power, "toughness": p.toughness + event.toughness}
                change(s, (p.object,), keywords=p.keywords + event.keywords, **more)
        case CardsDiscarded():
            discard(s, event)
        case CardsMilled():
            know(s, event.cards)
            s.libraries = put(s.libraries, event.seat, s.libraries[event.seat][len(event.cards) :])
            bury(s, event.seat, tuple(face.object for face in event.cards))
        case CardReturned():
            s.graveyards = put(s.graveyards, event.owner, remove(s.graveyards[event.owner], event.object))
            gain(s, event.owner, event.object)
        case AttackersDeclared(attackers=()):
            # There is no window without attackers.
            s.declared, s.priority, s.passes = True, event.seat, 2
        case AttackersDeclared():
            s.declared, s.priority, s.passes = True, event.seat, 0
            tap(s, event.tapped)
            change(s, event.attackers, attacking=True)
        case BlockersDeclared():
            block(s, event)
        case BlockersOrdered():
            s.unordered = event.unordered
            for place, blocker in enumerate(event.order):
                change(s, (blocker,), place=place)
        case _:
            opening(s, event)


def opening(
    s: State,
    event: GameStarted
    | FirstPlayerChosen
    | HandStarted
    | CardsNumbered
    | LibraryShuffled
    | HandDealt
    | MulliganTaken
    | HandKept
    | StopsSet
    | GameEnded,
) -> None:
    """Take in what happens before the first turn, and what ends the game."""
    match event:
        case GameStarted():
            s.game_no = event.game_no
        case FirstPlayerChosen():
            s.first = s.active = event.seat
        case HandStarted():
            s.hand_no, s.begun = event.hand_no, True
        case CardsNumbered():
            s.numbered += 1
            s.next_token = Handle(event.first + event.count)
            s.cards = (*s.cards[: event.first], *shown(event.cards, ("",) * event.count), "")
            handles = range(event.first, event.first + event.count)
            s.libraries = put(s.libraries, event.seat, tuple(map(Handle, handles)))
            s.to_shuffle = put(s.to_shuffle, event.seat, x=True)
        case LibraryShuffled():
            s.to_shuffle = put(s.to_shuffle, event.seat, x=False)
            s.libraries = put(s.libraries, event.seat, shown(event.library, (BACK,) * event.count))
        case HandDealt():
            know(s, shown(event.cards, ()))
            hand = tuple(face.object for face in shown(event.cards, (UNSEEN,) * event.count))
            s.hands = put(s.hands, event.seat, add(hand, ()))
            s.libraries = put(s.libraries, event.seat, s.libraries[event.seat][event.count :])
        case MulliganTaken():
            s.mulligans = put(s.mulligans, event.seat, event.count)
            library = (*s.libraries[event.seat], *s.hands[event.seat])
            s.libraries = put(s.libraries, event.seat, library)
            s.hands = put(s.hands, event.seat, ())
            s.to_shuffle = put(s.to_shuffle, event.seat, x=True)
        case HandKept():
            s.kept = put(s.kept, event.seat, x=True)
            count = len(s.hands[event.seat]) - event.cards_left
            under = shown(event.bottom, (BACK,) * count)
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], *under))
            s.libraries = put(s.libraries, event.seat, (*s.libraries[event.seat], *reversed(under)))
        case StopsSet():
            s.held = s.priority
            s.stops_set = put(s.stops_set, event.seat, s.stops_set[event.seat] + 1)
            s.stops = put(s.stops, event.seat, shown(event.stops, ()))
            s.once = put(s.once, event.seat, shown(event.once, ()))
        case GameEnded():
            s.ended = event
        case _:
            assert_never(event)


# --- Turns and steps --------------------------------------------------------------------------------------


def begin_turn(s: State, event: TurnStarted) -> None:
    """Untap, and begin the counts of a turn anew."""
    s.turn, s.active, s.step = event.turn, event.seat, "untap"
    s.priority, s.land_played, s.happenings, s.stops_set = NOBODY, False, 0, (0, 0)
    s.until_turn = (False, False)
    s.departed = s.departed[s.departed_before :]
    s.departed_before = len(s.departed)
    change(s, event.untapped, tapped=False)
    change(s, event.thawed, frozen=False)
    change(s, event.settled, new=False)


def enter_step(s: State, event: StepEntered) -> None:
    """Begin a step; combat ends with the second main step."""
    s.step, s.passes, s.declared, s.pools = event.step, event.passes, False, (EMPTY, EMPTY)
    s.held = NOBODY
    s.priority = shown(event.priority, NOBODY)
    part(s, event.out_of_combat)
    match event:
        case StepEntered(step="attack"):
            stop_passing(s, s.active)
        case StepEntered(step="block"):
            stop_passing(s, next_seat(s.active, 2))


def pass_on(s: State, event: PriorityPassed) -> None:
    """Note until when a seat passes."""
    match event:
        case PriorityPassed(until="next_turn"):
            s.until_turn = put(s.until_turn, event.seat, x=True)
        case PriorityPassed(until="something_on_stack"):
            s.until_stack = put(s.until_stack, event.seat, x=True)


def stop_passing(s: State, seat: Seat) -> None:
    """A seat that is asked something passes no longer by itself."""
    s.until_turn = put(s.until_turn, seat, x=False)
    s.until_stack = put(s.until_stack, seat, x=False)


# --- The stack --------------------------------------------------------------------------------------------


def put_on_stack(s: State, event: SpellCast | AbilityActivated | AbilityTriggered) -> None:
    """Put a spell or an ability on the stack; the opponent passes no longer by itself."""
    s.next_item += 1
    s.held = NOBODY
    stop_passing(s, next_seat(event.seat, 2))
    match event:
        case SpellCast():
            lose(s, event.seat, event.object)
            s.cards = put(s.cards, event.object, event.card)
            spend(s, event)
            pushed = StackItem(event.item, event.object, event.card, event.seat, 0, event.targets, event.x, spell=True)
            s.priority, s.passes = next_seat(event.seat, 2), 1
        case AbilityActivated():
            spend(s, event)
            tap(s, event.tapped)
            pushed = StackItem(event.item, event.source, event.card, event.seat, event.ability, event.targets, event.x)
            s.priority, s.passes = next_seat(event.seat, 2), 1
        case AbilityTriggered():
            s.waiting, s.asked = taken_out(s.waiting, event), None
            s.happenings += 1
            pushed = StackItem(event.item, event.source, event.card, event.seat, event.ability, event.targets)
            s.priority, s.passes = s.active, 0
    s.stack = (*s.stack, pushed)


def spend(s: State, event: SpellCast | AbilityActivated | ChoiceMade) -> None:
    """Tap what pays, and leave in the pool what is left."""
    tap(s, tuple(source.id for source in event.paid))
    s.pools = put(s.pools, event.seat, shown(event.pool, s.pools[event.seat]))


def taken_out(waiting: Any, event: AbilityTriggered | TriggerDropped) -> Any:
    """Take a trigger out of those that wait."""
    i = tuple((one.source, one.card, one.ability) for one in waiting).index((event.source, event.card, event.ability))
    return waiting[:i] + waiting[i + 1 :]


def resolved(s: State, items: Handles) -> None:
    """Take objects off the stack."""
    for item in items:
        i = tuple(one.item for one in s.stack).index(item)
        s.stack = s.stack[:i] + s.stack[i + 1 :]
        s.happenings += 1
        s.priority, s.passes, s.held, s.resolving, s.answer = s.active, 0, NOBODY, None, None


def leave_stack(s: State, event: SpellResolved | AbilityResolved | SpellFailed | SpellCountered) -> None:
    """Take an object off the stack; a spell goes to its owner's graveyard."""
    match event:
        case SpellCountered():
            # What counters it is resolving still.
            i = tuple(one.item for one in s.stack).index(event.item)
            s.stack = s.stack[:i] + s.stack[i + 1 :]
            bury(s, event.owner, (event.object,))
        case SpellResolved():
            resolved(s, (event.item,))
            bury(s, event.owner, (event.object,))
        case SpellFailed():
            resolved(s, (event.item,))
            bury(s, event.owner, event.gone)
        case AbilityResolved():
            resolved(s, (event.item,))
