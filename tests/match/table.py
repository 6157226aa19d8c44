"""Provides a match at a table for tests: options with defaults, a dealer with known roots, and fast players."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.fairness import Dealer
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match import Match, RecordedEvent
from domain.match.course import consequences
from domain.match.creation import Common, DealGroup, MatchCreated, SeatPlan, Series, TournamentTable
from domain.match.evolve import evolve
from domain.match.seating import Sit
from tests.tournament.evenings import roots_at


def options(game: str, seats: int = 4, **chosen: Any) -> dict[str, Any]:
    """Return all options of a game and a match, as the API would complete them."""
    record = GAMES[game]
    given = record.setup.resolve({**asdict(record.setup.options()), "variant_index": None, **chosen}, seats)
    return {**asdict(Common()), "fairness_reveal": record.setup.reveal, **given}


def dealer(match_id: str = "m-1", seed: int = 0) -> Dealer:
    """A dealer whose secrets follow from a number."""
    secret = [sha256(f"{seed}|{i}".encode()).digest() for i in range(24)]
    return Dealer(match_id, (*secret[:3], *secret[4:]), secret[3])


@dataclass
class Table:
    """A match that a test plays move by move; `said` are all events."""

    game: str = "hearts"
    seats: tuple[str, ...] = ("me", "open", "bot", "bot")
    chosen: Mapping[str, Any] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    best_of: int = 1
    seed: int = 0
    now: int = 1_000_000
    of: TournamentTable | None = None
    coming: Sequence[tuple[int, Any]] = ()
    group: DealGroup | None = None
    said: list[RecordedEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        plans = tuple(SeatPlan("bot", "random") if kind == "bot" else SeatPlan("open") for kind in self.seats)
        created = MatchCreated(
            self.game,
            life.rules_of(GAMES[self.game]),
            options(self.game, **self.chosen),
            None,
            plans,
            "public",
            self.clock,
            Series(self.best_of),
            "ann",
            deal_group=self.group,
            tournament=self.of,
        )
        self.dealer = dealer(self.group.id if self.group else "m-1", self.seed)
        if self.of is not None:
            entrants = sum(kind != "bot" for kind in self.seats)
            self.dealer = replace(self.dealer, roots=roots_at(self.of, ("",) * entrants))
        mine = [(s, Sit("ann")) for s, kind in enumerate(self.seats) if kind == "me"]
        coming = [*self.coming, *mine]
        self.match, self.said = life.create_match(GAMES[self.game], "m-1", created, coming, self.dealer, Time(self.now))

    @property
    def events(self) -> list[Any]:
        return [h.event for h in self.said]

    def kinds(self) -> list[str]:
        return [type(e).__name__ for e in self.events]

    def does(self, seat: int, command: Any, cause: str = "move") -> list[str]:
        """Carry out a command, checking it if it is a move; return the types of the events."""
        admitted = life.Admitted(seat, command, cause)
        if cause == "move":
            admitted = life.admit(self.match, self.intent(seat, command), Time(self.now))
        self.match, happened = life.carry_out(self.match, admitted, self.dealer, Time(self.now))
        self.said += happened
        return [type(h.event).__name__ for h in happened]

    def intent(self, seat: int, command: Any) -> life.Intent:
        return life.Intent("seat", seat, command)

    def default(self, seat: int) -> Any:
        """Return the move that the clock would make for the seat."""
        return self.match.game.timing.default(self.match.table, seat)

    def defaults(self, seat: int, cause: str = "move") -> list[str]:
        """Make the clock's move; return the types of the events."""
        return self.does(seat, self.default(seat), cause)

    def refuses(self, seat: int, command: Any) -> str:
        """Return the refusal code of a command."""
        with pytest.raises(Refused) as refusal:
            life.admit(self.match, life.Intent("seat", seat, command), Time(self.now))
        return refusal.value.code

    def happens(self, *events: Any) -> list[str]:
        """Apply events of a game as if it had been played up to there, and all consequences."""
        self.match, before = self.match.copy(), len(self.said)
        while events:
            for event in events:
                evolve(self.match, event)
            self.said += [RecordedEvent(event, "auto", 0) for event in events]
            events = consequences(self.match, self.dealer, Time(self.now))
        return [type(h.event).__name__ for h in self.said[before:]]

    def plays_on(self, rng: Random | None = None, until: Any = lambda m: False) -> None:
        """Make random moves for every seat until the match is over or `until` returns true."""
        rng = rng or Random(self.seed)
        while not self.match.over and not until(self.match) and (seats := life.to_act(self.match)):
            choices = self.match.game.legal(self.match.table, seats[0])
            self.does(seats[0], rng.choice(choices).sample(rng), "bot")


def last_state(table: Table) -> Match:
    """Return the match folded from its events."""
    return life.fold_from_start(GAMES[table.game], "m-1", table.events)
