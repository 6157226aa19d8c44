"""Carries what a resolution is about, and reads the words of effects by it: amounts, players, recipients."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from domain.card_sets.cards.card_kinds import Keyword, OpenZone
from domain.card_sets.cards.filters import (
    TRIGGER,
    Amount,
    ChosenX,
    ControllerOf,
    Count,
    CountCards,
    Each,
    Itself,
    Party,
    Players,
    PowerOf,
    Recipient,
    Targeted,
    TargetedPlayer,
    YourOpponent,
)
from domain.core.cards import Seat
from domain.games.fivewells.characteristics import board, those_that_pass
from domain.games.fivewells.events import (
    ChoiceRequested,
    DamageDealt,
    EffectDone,
)
from domain.games.fivewells.handles import Faces, Handle, Handles, Targets, is_seat, of_seat, seat_of
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.records import Hit, Kind
from domain.games.fivewells.state import StackItem, State
from domain.games.fivewells.targets import everything
from domain.games.fivewells.telling import Telling, change_life


@dataclass(slots=True)
class Run:
    """A run is a resolution under way: at instruction `n`, from `unit` on, with the answer that it waited for."""

    t: Telling
    item: StackItem
    targets: Targets
    controllers: tuple[Seat, ...]
    n: int = 0
    unit: int = 0
    amount: int | None = None
    answer: int | None = None
    done: bool = False
    """Whether the last discard or sacrifice was carried out."""

    @property
    def state(self) -> State:
        return self.t.state

    @property
    def you(self) -> Seat:
        return self.item.controller

    def wait(self, unit: int) -> None:
        """Note that the resolution goes on at this unit of the instruction once it is answered."""
        self.t.tell(EffectDone(self.item.item, self.n, unit, self.amount or 0))

    def ask(self, seat: Seat, choice: Kind, count: tuple[int, int], objects: Handles = (), cards: Faces = ()) -> bool:
        """Ask a seat; the resolution waits."""
        self.t.tell(ChoiceRequested(seat, choice, *count, objects, cards))
        return True


def targets_under(run: Run, id_: str) -> Handles:
    """Give the targets under a letter, or the object that the trigger happened to."""
    if id_ == TRIGGER:
        return () if run.item.about is None else (run.item.about,)
    return run.targets.of(id_)


# --- What the words of effects mean -------------------------------------------------------------------------


def amount_of(run: Run, amount: Amount) -> int:
    """Give an amount, counted when the effect began."""
    if run.amount is None:
        match amount:
            case int():
                run.amount = amount
            case ChosenX():
                run.amount = run.item.x or 0
            case Count():
                run.amount = len(those_that_pass(run.state, amount.of, run.you, run.item.source))
            case CountCards():
                run.amount = sum(count_of(run.state, amount, seat) for seat in players(run, amount.who))
            case PowerOf():
                run.amount = power_of(run, amount)
            case _:
                assert_never(amount)
    return run.amount


def count_of(s: State, amount: CountCards, seat: Seat) -> int:
    """Count the cards of a zone of a player that are of the types that are asked for."""
    if amount.zone is OpenZone.HAND:
        return len(s.hands[seat])
    types = amount.of.types_any
    return sum(not types or not PRINTED[s.cards[card]].types.isdisjoint(types) for card in s.graveyards[seat])


def power_of(run: Run, amount: PowerOf) -> int:
    """Give the power of the source or a target, as it is or last was."""
    match amount.of:
        case Itself():
            of: Handles = (run.item.source,)
        case Targeted(id=letter):
            of = targets_under(run, letter)
    things = board(run.state).things
    powers = (things[one].power if one in things else last_power(run.state, one) for one in of)
    return max(0, sum(powers))


def last_power(s: State, handle: Handle) -> int:
    """Give the power that a permanent had when it left."""
    return next((one.power for one in reversed(s.departed) if one.object == handle), 0)


def last_controller(run: Run, handle: Handle) -> Seat:
    """Give who controls an object on the battlefield or the stack, or did last."""
    if thing := board(run.state).things.get(handle):
        return thing.controller
    gone = (one.controller for one in reversed(run.state.departed) if one.object == handle)
    return next(gone, next((one.controller for one in run.state.stack if one.item == handle), run.you))


def players(run: Run, who: Players) -> tuple[Seat, ...]:
    """Give the players that are meant, in their order."""
    match who:
        case Party.YOU:
            return (run.you,)
        case Party.OPPONENT:
            return (1 - run.you,)
        case Party.EACH_PLAYER:
            return (run.state.active, 1 - run.state.active)
        case TargetedPlayer():
            return tuple(seat_of(handle) for handle in run.targets.of(who.id))
        case ControllerOf(id=id_) if id_ == TRIGGER:
            return tuple(last_controller(run, handle) for handle in targets_under(run, id_))
        case ControllerOf():
            known = dict(zip(everything(run.targets), run.controllers, strict=True))
            return tuple(known[handle] for handle in sorted(run.targets.of(who.id)))
        case _:
            assert_never(who)


def recipients(run: Run, to: Recipient) -> Handles:
    """Give the permanents and players that an effect is done to; what is gone is left out."""
    things = board(run.state).things
    match to:
        case Itself():
            return (run.item.source,) if run.item.source in things else ()
        case YourOpponent():
            return (of_seat(1 - run.you),)
        case Targeted():
            return tuple(handle for handle in targets_under(run, to.id) if is_seat(handle) or handle in things)
        case Each():
            return tuple(thing.object for thing in those_that_pass(run.state, to.of, run.you, run.item.source))
        case _:
            assert_never(to)


def creatures(run: Run, to: Recipient) -> Handles:
    """Give the creatures among the recipients."""
    things = board(run.state).things
    return tuple(handle for handle in recipients(run, to) if handle in things and things[handle].printed.creature)


def nature(run: Run, source: Handle) -> tuple[Seat, frozenset[Keyword]]:
    """Give the controller and keywords of a source of damage, as it is or last was; a spell has no keywords."""
    thing = board(run.state).things.get(source)
    if run.item.spell and source == run.item.source:
        return run.you, frozenset()
    if thing:
        return thing.controller, thing.keywords
    last = next((one for one in reversed(run.state.departed) if one.object == source), None)
    return (last.controller, frozenset(last.keywords)) if last else (run.you, frozenset())


def deal(run: Run, rows: Iterable[tuple[Handle, Handle, int]]) -> None:
    """Let sources deal damage at one moment: rows of source, recipient and amount."""
    dealt = [row for row in rows if row[2] > 0]
    natures = {source: nature(run, source) for source, _, _ in dealt}
    for source in natures:
        marks = int(Keyword.VENOM in natures[source][1])
        hits = [Hit(source, to, n, None if is_seat(to) else marks) for from_, to, n in dealt if from_ == source]
        run.t.tell(DamageDealt(source, tuple(hits)))
    for _, to, amount in dealt:
        if is_seat(to):
            change_life(run.t, seat_of(to), -amount)
    for source, (controller, keywords) in natures.items():
        if Keyword.LEECH in keywords:
            change_life(run.t, controller, sum(n for from_, _, n in dealt if from_ == source))
