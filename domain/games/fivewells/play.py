"""Implements a duel: what its moves tell, what then follows, and why a move is refused (fivewells 3, 4)."""

from typing import Final, assert_never

from domain.core.cards import Seat
from domain.games.fivewells.cards.effects import SearchLand
from domain.games.fivewells.cards.filters import Itself
from domain.games.fivewells.cards.kinds import LandDestination, Mana
from domain.games.fivewells.casting import activate, cast
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import attackers_declared, blockers_declared
from domain.games.fivewells.events import (
    BlockersOrdered,
    CardsDiscarded,
    CardsNumbered,
    ChoiceMade,
    Event,
    FirstPlayerChosen,
    GameStarted,
    HandDealt,
    HandKept,
    HandStarted,
    LandPlayed,
    LibrarySearched,
    LibraryShuffled,
    ManaAdded,
    MulliganTaken,
    PriorityPassed,
    Scouted,
    StopsSet,
)
from domain.games.fivewells.handles import NO_TARGETS, Handle
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
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
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
    ShuffleLibrary,
)
from domain.games.fivewells.payment import automatic, pool_after, produced
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.programs import program
from domain.games.fivewells.stack import resolving_item, trigger
from domain.games.fivewells.state import Question, State, faces
from domain.games.fivewells.steps import carry_on, stop_of, waits
from domain.games.fivewells.telling import Telling, depart, telling

HAND: Final = 7


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    t = telling(s)
    match move:
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
        case DeclareAttackers():
            t.tell(attackers_declared(s, seat, move.attackers))
        case DeclareBlockers():
            t.tell(blockers_declared(s, seat, move.blocks))
        case OrderBlockers():
            left = tuple(one for one in s.unordered if one != move.attacker)
            t.tell(BlockersOrdered(seat, move.attacker, move.order, left))
        case Choose():
            assert s.asked is not None
            answer(t, s.asked, move)
        case SetStops():
            t.tell(StopsSet(seat, move.stops, move.once))
        case _:
            by_chance(t, move)
    return tuple(t.events)


def by_chance(t: Telling, move: ChooseFirst | NumberCards | ShuffleLibrary | DiscardAtRandom) -> None:
    """Take an answer of chance."""
    s = t.state
    match move:
        case ChooseFirst():
            t.tell(*opening(s, move.seat))
        case NumberCards():
            deck = s.rules.decks[s.numbered]
            first = Handle(1 + sum(s.rules.counts[: s.numbered]))
            t.tell(CardsNumbered(s.numbered, first, len(deck), tuple(deck[place] for place in move.places)))
        case ShuffleLibrary():
            seat = s.to_shuffle.index(True)
            t.tell(LibraryShuffled(seat, len(move.library), move.library))
            if not s.kept[seat]:
                t.tell(HandDealt(seat, HAND, faces(s, tuple(sorted(move.library[:HAND])))))
        case DiscardAtRandom():
            seat = s.random_discard
            t.tell(CardsDiscarded(seat, faces(s, (s.hands[seat][move.place],)), "random"))
        case _:
            assert_never(move)


def opening(s: State, drawn: Seat) -> tuple[Event, ...]:
    """Begin a game: the first player is drawn, or is the loser of the game before; after a drawn game it stays."""
    if s.last_loser < 0:
        return GameStarted(s.game_no + 1), FirstPlayerChosen(drawn, "random"), HandStarted(s.hand_no + 1)
    how = FirstPlayerChosen(s.last_loser, "again" if s.last_drawn else "loser")
    return GameStarted(s.game_no + 1), how, HandStarted(s.hand_no + 1)


def consequences(s: State) -> tuple[Event, ...]:
    """Give the events that follow now without a move."""
    if s.last_loser >= 0 and not s.begun:
        return opening(s, s.last_loser)
    if not s.begun or waits(s):
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
            pool = produced(t.state.pools[seat], [(Mana(color), ability.amount)])
            tapped = (move.object,) if ability.cost.tap else ()
            t.tell(ManaAdded(seat, move.object, Mana(color), ability.amount, tapped, pool))
            if isinstance(ability.cost.sacrifice, Itself):
                depart(t, [move.object], "graveyard", "sacrificed")
            return


def answer(t: Telling, asked: Question, move: Choose) -> None:
    """Take the answer to a question."""
    s, seat, value = t.state, asked.seat, move.value or ()
    match asked.choice:
        case "trigger_targets":
            t.tell(ChoiceMade(seat, "trigger_targets", targets=move.targets or NO_TARGETS))
            trigger(t, move.targets or NO_TARGETS)
        case "discard":
            t.tell(CardsDiscarded(seat, faces(s, value), "choose"))
        case "cleanup_discard":
            t.tell(CardsDiscarded(seat, faces(s, value), "cleanup"))
        case "scout":
            t.tell(Scouted(seat, asked.most, len(value), move.top or (), value))
        case "search":
            item = resolving_item(s)
            assert s.resolving is not None
            step = program(item.card, item.ability)[s.resolving.n]
            hand = isinstance(step, SearchLand) and step.dest is LandDestination.HAND
            found = faces(s, tuple(sorted(value)))
            t.tell(LibrarySearched(seat, found, "hand" if hand else "battlefield_tapped"))
        case "sacrifice":
            t.tell(ChoiceMade(seat, "sacrifice", value))
            depart(t, value, "graveyard", "sacrificed")
        case "mode":
            t.tell(ChoiceMade(seat, "mode", number=move.number or 0))
        case "may":
            t.tell(ChoiceMade(seat, "may", number=int(bool(move.yes))))
        case "pay_or_not":
            due = (0, 0, 0, 0, 0, asked.most)
            paid = (automatic(s, seat, due) or ()) if move.yes else ()
            pool = pool_after(s, seat, due, paid) if move.yes else None
            t.tell(ChoiceMade(seat, "pay_or_not", number=int(bool(move.yes)), paid=paid, pool=pool))
        case _:
            assert_never(asked.choice)
