"""Implements a duel: what its moves tell, what then follows, and why a move is refused (fivewells 3, 4)."""

from typing import Final, assert_never

from domain.card_sets.cards.card_kinds import LandDestination, Mana
from domain.card_sets.cards.effects import SearchLand
from domain.card_sets.cards.filters import Itself
from domain.core.cards import Seat
from domain.games.fivewells.casting import activate, cast
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.declaring import attackers_declared, blockers_declared
from domain.games.fivewells.events import (
    BlockersOrdered,
    CardsDiscarded,
    CardsNumbered,
    ChoiceMade,
    Event,
    FirstPlayerChosen,
    HandDealt,
    HandKept,
    LandPlayed,
    LibrarySearched,
    LibraryShuffled,
    ManaAdded,
    MulliganTaken,
    PriorityPassed,
    Scouted,
    StopsSet,
)
from domain.games.fivewells.handles import Handle, Handles, Targets
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
from domain.games.fivewells.opening import NONE_BROUGHT, after_opening, booster_opened, built, opening
from domain.games.fivewells.payment import automatic, pool_after, pool_with
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.programs import program
from domain.games.fivewells.records import Stop
from domain.games.fivewells.stack import resolving_item, trigger
from domain.games.fivewells.state import Question, State, faces
from domain.games.fivewells.steps import carry_on, step_after, waits
from domain.games.fivewells.telling import Telling, depart, telling
from domain.games.fivewells.waiting import ALL_STOPS
from domain.games.fivewells.windows import stop_of

HAND: Final = 7


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    t = telling(s)
    match move:
        case SubmitDeck():
            t.tell(built(s, seat, move))
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
    """Give stops in the order of their windows: that in which they were named says nothing, so it is not kept."""
    return tuple(one for one in ALL_STOPS if one in stops)


def by_chance(t: Telling, move: ChooseFirst | OpenBooster | NumberCards | ShuffleLibrary | DiscardAtRandom) -> None:
    """Take an answer of chance; the first one begins a game that nobody has begun."""
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
    """Give the events that follow now without a move."""
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
