"""Assigns the effects of the events of a duel to its state. Decides nothing."""

from typing import Any, assert_never

from domain.core.cards import NOBODY, Seat, add_cards, next_seat, remove_cards
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
from domain.games.fivewells.records import BACK, UNSEEN, Entered, Handle, Handles, Lasting
from domain.games.fivewells.state import (
    EMPTY,
    Permanent,
    Question,
    Resolving,
    StackItem,
    State,
    bury,
    change_permanents,
    fade,
    gain,
    know,
    lose,
    part,
    permanents_of,
    put_onto_battlefield,
    recover,
    take_off_battlefield,
    tap,
    wound,
)
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
    """Apply events before the first turn, and the end of the game."""
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
    """Put dealt cards into the hands."""
    for seat, (count, cards) in enumerate(zip(event.counts, event.cards, strict=True)):
        know(s, or_back(cards, ()))
        hand = tuple(face.object for face in or_back(cards, (UNSEEN,) * count))
        s.hands = put_at(s.hands, seat, add_cards(s.hands[seat], hand))
        s.libraries = put_at(s.libraries, seat, s.libraries[seat][count:])


# --- Turns, steps and passes -------------------------------------------------------------------------------


def go_on(
    s: State, event: TurnStarted | StepEntered | WindowPassed | PriorityGiven | PriorityPassed | StopsSet | TurnEnded
) -> None:
    """Apply the events of turns, steps and windows."""
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
    """Begin the step that an event includes, if any."""
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
    """Record how long a seat passes; this replaces its earlier choice."""
    stop_passing(s, event.seat)
    match event:
        case PriorityPassed(until="next_turn"):
            s.until_turn = put_at(s.until_turn, event.seat, x=True)
        case PriorityPassed(until="something_on_stack"):
            s.until_stack = put_at(s.until_stack, event.seat, x=True)


def stop_passing(s: State, seat: Seat) -> None:
    """End the automatic passing of a seat, because it has a prompt."""
    s.until_turn = put_at(s.until_turn, seat, x=False)
    s.until_stack = put_at(s.until_stack, seat, x=False)


# --- Combat ------------------------------------------------------------------------------------------------


def fight(s: State, event: AttackersDeclared | BlockersDeclared | BlockersOrdered | CombatDamageDealt) -> None:
    """Apply attacks, blocks and their damage."""
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
    """Record the blocks."""
    s.step, s.declared, s.unordered = "block", True, event.unordered
    s.priority, s.passes, s.pools = event.priority, event.passes, (EMPTY, EMPTY)
    change_permanents(s, event.blocked, blocked=True)
    for place, one in enumerate(event.blocks):
        change_permanents(s, (one.blocker,), blocks=one.attacker, place=place)
    match event:
        case BlockersDeclared(unordered=(_, *_)):
            stop_passing(s, s.active)


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
    """Apply plays, and events on the stack."""
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
            # The ability that counters it is still resolving.
            i = tuple(one.item for one in s.stack).index(event.object)
            s.stack = s.stack[:i] + s.stack[i + 1 :]
            bury(s, event.owner, (event.source,))
        case _:
            assert_never(event)


def put_on_stack(s: State, event: SpellCast | AbilityActivated | AbilityTriggered) -> None:
    """Put a spell or an ability on the stack; the opponent no longer passes automatically."""
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
    """Tap the paying sources, and leave the rest in the pool."""
    tap(s, tuple(source.id for source in event.paid))
    s.pools = put_at(s.pools, event.seat, or_back(event.pool, s.pools[event.seat]))


def taken_out(waiting: Any, event: AbilityTriggered | TriggerDropped) -> Any:
    """Return the waiting triggers without the one of this event."""
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
    """Apply prompts and answers."""
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


# --- Moves of cards between zones --------------------------------------------------------------------------


Carried = CardDrawn | DrawFailed | CardsDiscarded | CardsMilled | CardReturned | Scouted | LibrarySearched


def carry(s: State, event: Carried) -> None:
    """Apply moves of cards between zones."""
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
    """Apply events about permanents and life."""
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
    """Apply an event to the state. Cards hidden from a seat are backs."""
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
