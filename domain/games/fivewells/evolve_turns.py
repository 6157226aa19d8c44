"""Takes in the events of the course of a duel, and moves objects between zones."""

from typing import Any, assert_never

from domain.core.cards import Seat, add_cards, next_seat, remove_cards
from domain.core.values import or_back, put_at, with_fields
from domain.games.fivewells.events import PermanentsLeft
from domain.games.fivewells.records import BACK, UNSEEN, Entered, Faces, Handle, Handles, Hit
from domain.games.fivewells.state import EMPTY, NOBODY, Arrival, Permanent, State
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

# --- Zones -------------------------------------------------------------------------------------------------


def know(s: State, cards: Faces) -> None:
    """Note which cards are shown."""
    for face in cards:
        s.cards = put_at(s.cards, face.object, face.card)


def gain(s: State, seat: Seat, card: Handle) -> None:
    """Put a card into a hand."""
    s.hands = put_at(s.hands, seat, add_cards(s.hands[seat], (card,)))


def lose(s: State, seat: Seat, card: Handle) -> None:
    """Take a card out of a hand."""
    s.hands = put_at(s.hands, seat, remove_cards(s.hands[seat], card))


def bury(s: State, seat: Seat, cards: Handles) -> None:
    """Put cards into a graveyard; they may be named there before they ever enter."""
    s.graveyards = put_at(s.graveyards, seat, s.graveyards[seat] + cards)
    s.arrivals = (*s.arrivals, *[Arrival(card, s.cards[card], seat, is_buried=True) for card in cards])


# --- The battlefield ---------------------------------------------------------------------------------------


def put_onto_battlefield(s: State, permanent: Permanent) -> None:
    """Put a permanent onto the battlefield."""
    s.ids = (*s.ids, permanent.object)
    s.permanents = (*s.permanents, permanent)
    s.arrivals = (*s.arrivals, Arrival(permanent.object, permanent.card, permanent.controller))


def take_off_battlefield(s: State, event: PermanentsLeft) -> None:
    """Take permanents off the battlefield; cards go to their owners."""
    owners = {}
    for gone in event.were:
        i = s.ids.index(gone.object)
        s.ids = s.ids[:i] + s.ids[i + 1 :]
        s.permanents = s.permanents[:i] + s.permanents[i + 1 :]
        owners[gone.object] = gone.owner
    s.departed += event.were
    for card in event.cards:
        match event:
            case PermanentsLeft(to="hand"):
                gain(s, owners[card], card)
            case _:
                bury(s, owners[card], (card,))


def permanents_of(s: State, objects: Handles) -> tuple[Permanent, ...]:
    """Return the permanents with these handles."""
    return tuple(s.permanents[s.ids.index(handle)] for handle in objects)


def change_permanents(s: State, objects: Handles, **fields: Any) -> None:
    """Change permanents in these fields."""
    for handle in objects:
        i = s.ids.index(handle)
        s.permanents = put_at(s.permanents, i, with_fields(s.permanents[i], **fields))


def tap(s: State, objects: Handles) -> None:
    """Tap permanents."""
    change_permanents(s, objects, tapped=True)


def wound(s: State, rows: tuple[Hit, ...]) -> None:
    """Mark damage and venom on creatures."""
    for one in rows:
        match one:
            case Hit(venom=int() as marks):
                p = s.permanents[s.ids.index(one.to)]
                change_permanents(s, (one.to,), damage=p.damage + one.amount, venom=p.venom + marks)


def recover(s: State, creatures: Handles) -> None:
    """End damage, pumps and venom marks."""
    change_permanents(s, creatures, damage=0, venom=0, power=0, toughness=0, keywords=())


def fade(s: State, seat: Seat, creatures: Handles) -> None:
    """End the pumps that lasted until a seat's turn."""
    for p in permanents_of(s, creatures):
        change_permanents(s, (p.object,), lasting=put_at(p.lasting, seat, ()))


def part(s: State, fighters: Handles) -> None:
    """End the combat of creatures."""
    change_permanents(s, fighters, attacking=False, blocked=False, blocks=Handle(0), place=0, struck=False)


# --- Before the first turn, and the end --------------------------------------------------------------------


Opening = (
    DeckBrought
    | GameStarted
    | BoosterOpened
    | DeckSubmitted
    | DecksBuilt
    | FirstPlayerChosen
    | HandStarted
    | CardsNumbered
    | LibraryShuffled
    | HandDealt
    | MulliganTaken
    | HandKept
    | GameEnded
)


def evolve_opening(s: State, event: Opening) -> None:
    """Take in what happens before the first turn, and what ends the game."""
    match event:
        case GameStarted():
            s.game_no = event.game_no
        case BoosterOpened():
            s.opened = put_at(s.opened, event.seat, (*s.opened[event.seat], event.cards))
        case DeckSubmitted():
            s.submitted = put_at(s.submitted, event.seat, x=True)
            s.decks = put_at(s.decks, event.seat, event.deck)
            s.sizes = put_at(s.sizes, event.seat, event.main)
            s.beside = put_at(s.beside, event.seat, event.sideboard)
        case DecksBuilt():
            s.hand_of = ""
        case DeckBrought():
            # The match keeps it until the game begins.
            pass
        case FirstPlayerChosen():
            s.first = s.active = event.seat
        case HandStarted():
            s.hand_no, s.begun = event.hand_no, True
            s.hand_of, s.submitted = event.of, (False, False)
        case CardsNumbered():
            s.numbered += 1
            s.next_token = Handle(event.first + event.count)
            s.cards = (*s.cards[: event.first], *or_back(event.cards, ("",) * event.count), "")
            handles = range(event.first, event.first + event.count)
            s.libraries = put_at(s.libraries, event.seat, tuple(map(Handle, handles)))
            s.to_shuffle = put_at(s.to_shuffle, event.seat, x=True)
        case LibraryShuffled():
            s.to_shuffle = put_at(s.to_shuffle, event.seat, x=False)
            s.libraries = put_at(s.libraries, event.seat, or_back(event.library, (BACK,) * event.count))
        case HandDealt():
            deal(s, event)
        case MulliganTaken():
            s.mulligans = put_at(s.mulligans, event.seat, event.count)
            library = (*s.libraries[event.seat], *s.hands[event.seat])
            s.libraries = put_at(s.libraries, event.seat, library)
            s.hands = put_at(s.hands, event.seat, ())
            s.to_shuffle = put_at(s.to_shuffle, event.seat, x=True)
        case HandKept():
            s.kept = put_at(s.kept, event.seat, x=True)
            count = len(s.hands[event.seat]) - event.cards_left
            under = or_back(event.bottom, (BACK,) * count)
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], *under))
            s.libraries = put_at(s.libraries, event.seat, (*s.libraries[event.seat], *reversed(under)))
        case GameEnded():
            s.ended = event
        case _:
            assert_never(event)


def deal(s: State, event: HandDealt) -> None:
    """Put the cards that are dealt into the hands."""
    for seat, (count, cards) in enumerate(zip(event.counts, event.cards, strict=True)):
        know(s, or_back(cards, ()))
        hand = tuple(face.object for face in or_back(cards, (UNSEEN,) * count))
        s.hands = put_at(s.hands, seat, add_cards(s.hands[seat], hand))
        s.libraries = put_at(s.libraries, seat, s.libraries[seat][count:])


# --- Turns, steps and passes -------------------------------------------------------------------------------


def go_on(
    s: State, event: TurnStarted | StepEntered | WindowPassed | PriorityGiven | PriorityPassed | StopsSet | TurnEnded
) -> None:
    """Take in how turns and windows follow each other."""
    match event:
        case PriorityPassed():
            s.passes += 1
            s.priority, s.held = next_seat(event.seat, 2), NOBODY
            s.once = put_at(s.once, event.seat, or_back(event.once, ()))
            pass_on(s, event)
            enter_next(s, event.then)
        case PriorityGiven():
            s.priority, s.passes = event.seat, event.passes
        case StepEntered():
            enter_step(s, event)
        case WindowPassed():
            enter_step(s, event.then)
        case TurnStarted():
            begin_turn(s, event)
        case TurnEnded():
            recover(s, event.recovered)
        case StopsSet():
            s.held = s.priority
            s.stops_set = put_at(s.stops_set, event.seat, s.stops_set[event.seat] + 1)
            s.stops = put_at(s.stops, event.seat, or_back(event.stops, ()))
            s.once = put_at(s.once, event.seat, or_back(event.once, ()))
        case _:
            assert_never(event)


def begin_turn(s: State, event: TurnStarted) -> None:
    """Untap, reset the counts of a turn, and draw."""
    s.turn, s.active, s.step = event.turn, event.seat, "untap"
    s.priority, s.land_played, s.happenings, s.stops_set = NOBODY, False, 0, (0, 0)
    s.pools = (EMPTY, EMPTY)
    s.until_turn = (False, False)
    s.departed = s.departed[s.departed_before :]
    s.departed_before = len(s.departed)
    change_permanents(s, event.untapped, tapped=False)
    change_permanents(s, event.thawed, frozen=False)
    change_permanents(s, event.settled, new=False)
    fade(s, event.seat, event.faded)
    s.libraries = put_at(s.libraries, event.seat, s.libraries[event.seat][event.draws :])
    drawn = tuple(or_back(event.card, UNSEEN) for _ in range(event.draws))
    know(s, drawn)
    for face in drawn:
        gain(s, event.seat, face.object)
    enter_next(s, event.then)


def enter_next(s: State, then: Entered | None) -> None:
    """Begin the step that an event brings with it, if it does."""
    match then:
        case Entered():
            enter_step(s, then)


def enter_step(s: State, event: StepEntered | Entered) -> None:
    """Begin a step; combat ends with the second main step."""
    s.step, s.passes, s.declared, s.pools = event.step, event.passes, False, (EMPTY, EMPTY)
    s.held = NOBODY
    s.priority = or_back(event.priority, NOBODY)
    part(s, event.out_of_combat)
    recover(s, event.recovered)
    match event:
        case StepEntered(step="attack") | Entered(step="attack"):
            stop_passing(s, s.active)
        case StepEntered(step="block") | Entered(step="block"):
            stop_passing(s, next_seat(s.active, 2))


def pass_on(s: State, event: PriorityPassed) -> None:
    """Note until when a seat passes. It was asked, so what it said before has ended."""
    stop_passing(s, event.seat)
    match event:
        case PriorityPassed(until="next_turn"):
            s.until_turn = put_at(s.until_turn, event.seat, x=True)
        case PriorityPassed(until="something_on_stack"):
            s.until_stack = put_at(s.until_stack, event.seat, x=True)


def stop_passing(s: State, seat: Seat) -> None:
    """A seat that is asked something passes no longer by itself."""
    s.until_turn = put_at(s.until_turn, seat, x=False)
    s.until_stack = put_at(s.until_stack, seat, x=False)


# --- Combat ------------------------------------------------------------------------------------------------


def fight(s: State, event: AttackersDeclared | BlockersDeclared | BlockersOrdered | CombatDamageDealt) -> None:
    """Take in who attacks and blocks, and the damage that they deal."""
    match event:
        case AttackersDeclared():
            s.declared, s.priority, s.passes = True, event.priority, event.passes
            tap(s, event.tapped)
            change_permanents(s, event.attackers, attacking=True)
            enter_next(s, event.then)
        case BlockersDeclared():
            block(s, event)
        case BlockersOrdered():
            s.unordered = event.unordered
            s.priority, s.passes, s.held = s.active, 0, NOBODY
            for place, blocker in enumerate(event.order):
                change_permanents(s, (blocker,), place=place)
        case CombatDamageDealt():
            s.step, s.passes, s.priority, s.pools = event.step, 0, s.active, (EMPTY, EMPTY)
            s.held = NOBODY
            wound(s, event.rows)
            change_permanents(s, event.struck, struck=True)
            s.life = event.life
            enter_next(s, event.then)
        case _:
            assert_never(event)


def block(s: State, event: BlockersDeclared) -> None:
    """Note who blocks whom."""
    s.step, s.declared, s.unordered = "block", True, event.unordered
    s.priority, s.passes, s.pools = event.priority, event.passes, (EMPTY, EMPTY)
    change_permanents(s, event.blocked, blocked=True)
    for place, one in enumerate(event.blocks):
        change_permanents(s, (one.blocker,), blocks=one.attacker, place=place)
    match event:
        case BlockersDeclared(unordered=(_, *_)):
            stop_passing(s, s.active)
