"""Takes in the events of a duel: it assigns, and decides nothing."""

from typing import Any, assert_never

from domain.core.cards import next_seat, remove_cards
from domain.core.values import or_back, put_at, with_fields
from domain.games.fivewells.events import (
    AbilityActivated,
    AbilityTriggered,
    CardDrawn,
    CardReturned,
    CardsDiscarded,
    CardsMilled,
    ChoiceMade,
    ChoiceRequested,
    CountersAdded,
    DamageDealt,
    DrawFailed,
    EffectDone,
    Event,
    LandPlayed,
    LibrarySearched,
    LifeChanged,
    ManaAdded,
    PermanentEntered,
    PermanentFrozen,
    PermanentsLeft,
    PermanentTapped,
    PermanentUntapped,
    PumpApplied,
    RandomDiscardDue,
    ResolutionBegan,
    Scouted,
    SpellCast,
    SpellCountered,
    SpellFailed,
    SpellResolved,
    TokenCreated,
    TriggerDropped,
    TriggersNoted,
)
from domain.games.fivewells.evolve_turns import (
    bury,
    change_permanents,
    enter_next,
    evolve_opening,
    fight,
    gain,
    go_on,
    know,
    lose,
    permanents_of,
    put_onto_battlefield,
    stop_passing,
    take_off_battlefield,
    tap,
    wound,
)
from domain.games.fivewells.records import BACK, UNSEEN, Handle, Handles, Lasting
from domain.games.fivewells.state import NOBODY, Permanent, Question, Resolving, StackItem, State
from domain.games.fivewells.turn_events import (
    AttackersDeclared,
    BlockersDeclared,
    BlockersOrdered,
    BoosterOpened,
    CardsNumbered,
    CombatDamageDealt,
    DeckBrought,
    DecksBuilt,
    DeckSubmitted,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandKept,
    HandStarted,
    LibraryShuffled,
    MulliganTaken,
    PriorityGiven,
    PriorityPassed,
    StepEntered,
    StopsSet,
    TurnEnded,
    TurnStarted,
    WindowPassed,
)

# --- Lands, mana and the stack -----------------------------------------------------------------------------


Act = (
    LandPlayed
    | ManaAdded
    | SpellCast
    | AbilityActivated
    | TriggersNoted
    | AbilityTriggered
    | TriggerDropped
    | ResolutionBegan
    | SpellResolved
    | SpellFailed
    | SpellCountered
)


def act(s: State, event: Act) -> None:
    """Take in what is played, and what becomes of it on the stack."""
    match event:
        case LandPlayed():
            lose(s, event.seat, event.object)
            s.cards = put_at(s.cards, event.object, event.card)
            s.land_played = True
            put_onto_battlefield(s, Permanent(event.object, event.card, event.seat, event.seat, event.tapped))
        case ManaAdded():
            tap(s, event.tapped)
            s.pools = put_at(s.pools, event.seat, event.pool)
        case SpellCast() | AbilityActivated() | AbilityTriggered():
            put_on_stack(s, event)
        case TriggersNoted():
            s.waiting += event.triggers
        case TriggerDropped():
            s.waiting = taken_out(s.waiting, event)
            s.asked = None
        case ResolutionBegan():
            s.resolving = Resolving(0, 0, 0, event.targets, event.controllers)
        case SpellResolved():
            take_off_stack(s, (event.object,))
            bury(s, event.owner, event.gone)
            enter_next(s, event.then)
        case SpellFailed():
            take_off_stack(s, (event.object,))
            bury(s, event.owner, event.gone)
        case SpellCountered():
            # What counters it is resolving still.
            i = tuple(one.item for one in s.stack).index(event.object)
            s.stack = s.stack[:i] + s.stack[i + 1 :]
            bury(s, event.owner, (event.source,))
        case _:
            assert_never(event)


def put_on_stack(s: State, event: SpellCast | AbilityActivated | AbilityTriggered) -> None:
    """Put a spell or an ability on the stack; the opponent passes no longer by itself."""
    s.next_item += 1
    s.held = NOBODY
    stop_passing(s, next_seat(event.seat, 2))
    match event:
        case SpellCast():
            lose(s, event.seat, event.source)
            s.cards = put_at(s.cards, event.source, event.card)
            spend(s, event)
            pushed = StackItem(
                event.object, event.source, event.card, event.seat, 0, event.targets, event.x, spell=True
            )
            s.priority, s.passes = next_seat(event.seat, 2), 1
        case AbilityActivated():
            spend(s, event)
            tap(s, event.tapped)
            pushed = StackItem(
                event.object, event.source, event.card, event.seat, event.ability, event.targets, event.x
            )
            s.priority, s.passes = next_seat(event.seat, 2), 1
        case AbilityTriggered():
            s.waiting, s.asked = taken_out(s.waiting, event), None
            s.happenings += 1
            pushed = StackItem(
                event.object, event.source, event.card, event.seat, event.ability, event.targets, about=event.about
            )
            s.priority, s.passes = s.active, 0
    s.stack = (*s.stack, pushed)
    s.pushed = (*s.pushed, pushed.card)


def spend(s: State, event: SpellCast | AbilityActivated | ChoiceMade) -> None:
    """Tap what pays, and leave in the pool what is left."""
    tap(s, tuple(source.id for source in event.paid))
    s.pools = put_at(s.pools, event.seat, or_back(event.pool, s.pools[event.seat]))


def taken_out(waiting: Any, event: AbilityTriggered | TriggerDropped) -> Any:
    """Take a trigger out of those that wait."""
    i = tuple((one.source, one.card, one.ability) for one in waiting).index((event.source, event.card, event.ability))
    return waiting[:i] + waiting[i + 1 :]


def take_off_stack(s: State, items: Handles) -> None:
    """Take objects off the stack that have resolved, or failed to."""
    for item in items:
        i = tuple(one.item for one in s.stack).index(item)
        s.stack = s.stack[:i] + s.stack[i + 1 :]
        s.happenings += 1
        s.priority, s.passes, s.held, s.resolving, s.answer = s.active, 0, NOBODY, None, None


# --- Questions and answers ---------------------------------------------------------------------------------


def question(s: State, event: EffectDone | ChoiceRequested | ChoiceMade | RandomDiscardDue) -> None:
    """Take in what is asked and answered."""
    match event:
        case EffectDone():
            s.answer = None
            s.resolving = with_fields(s.resolving, n=event.n, unit=event.unit, amount=event.amount)
        case ChoiceRequested():
            cards = or_back(event.cards, ())
            s.asked = Question(event.seat, event.choice, event.least, event.most, event.objects, cards)
            know(s, cards)
            stop_passing(s, event.seat)
        case ChoiceMade():
            s.asked, s.answer = None, event.number
            spend(s, event)
        case RandomDiscardDue():
            s.random_discard = event.seat
        case _:
            assert_never(event)


# --- Cards that are drawn, discarded, milled, scouted, found and returned ----------------------------------


Carried = CardDrawn | DrawFailed | CardsDiscarded | CardsMilled | CardReturned | Scouted | LibrarySearched


def carry(s: State, event: Carried) -> None:
    """Take in how cards go from zone to zone."""
    match event:
        case CardDrawn():
            face = or_back(event.card, UNSEEN)
            s.libraries = put_at(s.libraries, event.seat, s.libraries[event.seat][1:])
            gain(s, event.seat, face.object)
            know(s, (face,))
        case DrawFailed():
            s.failed_draw = put_at(s.failed_draw, event.seat, x=True)
        case CardsDiscarded():
            discard(s, event)
        case CardsMilled():
            know(s, event.cards)
            s.libraries = put_at(s.libraries, event.seat, s.libraries[event.seat][len(event.cards) :])
            bury(s, event.seat, tuple(face.object for face in event.cards))
        case CardReturned():
            s.graveyards = put_at(s.graveyards, event.owner, remove_cards(s.graveyards[event.owner], event.object))
            gain(s, event.owner, event.object)
        case Scouted():
            s.asked = None
            rest = s.libraries[event.seat][event.count :]
            back = (BACK,)
            upper = or_back(event.top, back * (event.count - event.to_bottom))
            under = or_back(event.bottom, back * event.to_bottom)
            s.libraries = put_at(s.libraries, event.seat, (*upper, *rest, *reversed(under)))
        case LibrarySearched():
            s.asked = None
            s.to_shuffle = put_at(s.to_shuffle, event.seat, x=True)
            s.searches = put_at(s.searches, event.seat, s.searches[event.seat] + 1)
            take_found_cards(s, event)
        case _:
            assert_never(event)


def discard(s: State, event: CardsDiscarded) -> None:
    """Put cards from a hand into the graveyard."""
    s.asked, s.random_discard = None, NOBODY
    know(s, event.cards)
    for face in event.cards:
        lose(s, event.seat, face.object)
    bury(s, event.seat, tuple(face.object for face in event.cards))
    match event:
        case CardsDiscarded(why="random"):
            s.lots += 1


def take_found_cards(s: State, event: LibrarySearched) -> None:
    """Take the cards found out of the library."""
    know(s, event.found)
    for face in event.found:
        s.libraries = put_at(s.libraries, event.seat, remove_cards(s.libraries[event.seat], face.object))
        match event:
            case LibrarySearched(to="hand"):
                gain(s, event.seat, face.object)
            case _:
                put_onto_battlefield(s, Permanent(face.object, face.card, event.seat, event.seat, tapped=True))


# --- Permanents and life -----------------------------------------------------------------------------------


Battle = (
    PermanentEntered
    | TokenCreated
    | PermanentsLeft
    | PermanentTapped
    | PermanentUntapped
    | PermanentFrozen
    | DamageDealt
    | LifeChanged
    | CountersAdded
    | PumpApplied
)


def battle(s: State, event: Battle) -> None:
    """Take in what happens to permanents and to life."""
    match event:
        case PermanentEntered():
            take_off_stack(s, event.resolved)
            for card in event.from_graveyard:
                s.graveyards = put_at(s.graveyards, event.owner, remove_cards(s.graveyards[event.owner], card))
            s.cards = put_at(s.cards, event.object, event.card)
            put_onto_battlefield(s, Permanent(event.object, event.card, event.owner, event.controller, event.tapped))
        case TokenCreated():
            s.next_token = Handle(s.next_token + 1)
            put_onto_battlefield(s, Permanent(event.object, event.token, event.owner, event.owner, token=True))
        case PermanentsLeft():
            take_off_battlefield(s, event)
        case PermanentTapped():
            tap(s, (event.object,))
        case PermanentUntapped():
            change_permanents(s, (event.object,), tapped=False)
        case PermanentFrozen():
            change_permanents(s, (event.object,), frozen=True)
        case DamageDealt():
            wound(s, event.rows)
        case LifeChanged():
            s.life = put_at(s.life, event.seat, event.life)
        case CountersAdded():
            change_permanents(s, (event.object,), counters=event.total)
        case PumpApplied(until_turn_of=int() as seat):
            pump = Lasting(event.power, event.toughness, event.keywords)
            for p in permanents_of(s, event.objects):
                change_permanents(s, (p.object,), lasting=put_at(p.lasting, seat, (*p.lasting[seat], pump)))
        case PumpApplied():
            for p in permanents_of(s, event.objects):
                more = {"power": p.power + event.power, "toughness": p.toughness + event.toughness}
                change_permanents(s, (p.object,), keywords=p.keywords + event.keywords, **more)
        case _:
            assert_never(event)


# --- All events --------------------------------------------------------------------------------------------


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. Cards that a seat was not shown are backs."""
    match event:
        case PriorityPassed() | TurnStarted() | StepEntered() | WindowPassed() | PriorityGiven() | TurnEnded():
            go_on(s, event)
        case StopsSet():
            go_on(s, event)
        case CardDrawn() | DrawFailed() | CardsDiscarded() | CardsMilled() | CardReturned() | Scouted():
            carry(s, event)
        case LibrarySearched():
            carry(s, event)
        case LandPlayed() | ManaAdded() | SpellCast() | AbilityActivated():
            stop_passing(s, event.seat)
            act(s, event)
        case TriggersNoted() | AbilityTriggered():
            act(s, event)
        case TriggerDropped() | ResolutionBegan() | SpellResolved() | SpellFailed() | SpellCountered():
            act(s, event)
        case AttackersDeclared() | BlockersDeclared() | BlockersOrdered() | CombatDamageDealt():
            fight(s, event)
        case PermanentEntered() | TokenCreated() | PermanentsLeft() | DamageDealt() | LifeChanged() | PumpApplied():
            battle(s, event)
        case PermanentTapped() | PermanentUntapped() | PermanentFrozen() | CountersAdded():
            battle(s, event)
        case EffectDone() | ChoiceRequested() | ChoiceMade() | RandomDiscardDue():
            question(s, event)
        case GameStarted() | FirstPlayerChosen() | HandStarted() | CardsNumbered() | LibraryShuffled() | HandDealt():
            evolve_opening(s, event)
        case (
            MulliganTaken()
            | HandKept()
            | GameEnded()
            | DeckBrought()
            | BoosterOpened()
            | DeckSubmitted()
            | DecksBuilt()
        ):
            evolve_opening(s, event)
        case _:
            assert_never(event)
