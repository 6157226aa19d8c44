"""Provides tables of a draft for its tests."""

from random import Random

from domain.core.cards import Seat
from domain.core.game import CHANCE, fold, play_move, seen_by
from domain.games.fivewells_draft import GAME, Options
from domain.games.fivewells_draft.events import Event, Move
from domain.games.fivewells_draft.rules import State


class Draft:
    """A draft with its log; chance answers from a seed."""

    def __init__(self, seats: int = 3, seed: int = 0, **options: object) -> None:
        self.chance = Random(seed)
        self.options = Options(**options)  # type: ignore[arg-type]
        self.log: list[Event] = []
        self.state: State = GAME.start(self.options, seats, None)
        self.follow()

    def follow(self) -> None:
        """Apply the automatic events."""
        while True:
            if events := GAME.consequences(self.state):
                self.state = fold(GAME, self.state, events)
            elif GAME.to_act(self.state) == (CHANCE,):
                self.state, answered = play_move(GAME, self.state, CHANCE, GAME.ask(self.state).sample(self.chance))
                events = tuple(answered)
            else:
                return
            self.log += events

    def move(self, seat: Seat, move: Move) -> list[Event]:
        """Make a move for a seat; return all resulting events."""
        before = len(self.log)
        self.state, events = play_move(GAME, self.state, seat, move)
        self.log += events
        self.follow()
        return self.log[before:]

    def default(self, seat: Seat) -> list[Event]:
        """Make the clock's move for a seat."""
        return self.move(seat, GAME.timing.default(self.state, seat))

    def until(self, phase: str) -> "Draft":
        """Make the clock's moves for all seats until a phase begins."""
        while GAME.phase(self.state) != phase:
            self.default(GAME.to_act(self.state)[0])
        return self

    def seen(self, seat: Seat | None) -> State:
        """Return the table as a reader knows it."""
        return seen_by(GAME, GAME.start(self.options, self.state.rules.seats, None), self.log, seat)

    def packs(self) -> list[set[str]]:
        """Return the offered packs."""
        return [set(pack or ()) for pack in self.state.packs]
