"""Matches that the engine plays, as the referee in TypeScript is given them: facts, and the tables after each move."""

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from domain import match as life
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.evolve import evolve
from domain.match.pauses import ContinueMatch
from events.log.codec import shapes
from tests.match.table import Table

LINE = json.JSONEncoder(separators=(",", ":")).encode


def fact(game: str, event: Any, seats: int) -> dict[str, Any]:
    """Return an event with all its parts, as `referee.ts` defines a fact."""
    shape = shapes(game)[type(event).__name__]
    secret = {name: _joined(parts) for name, parts in shape.parts(event, seats).items()}
    return {"type": type(event).__name__, "data": {**shape.data(event), **secret}}


def _joined(parts: Mapping[str, Any]) -> Any:
    """Join the values of a field: one value alone, or an object of several."""
    return next(iter(parts.values())) if len(parts) == 1 else dict(parts)


class Reader:
    """This is a match as one seat sees it, or spectators, with all that they were shown."""

    def __init__(self, table: Table, seat: int | None) -> None:
        self.table, self.seat = table, seat
        self.shown: list[Any] = []
        self.match: Match | None = None

    def catch_up(self) -> Match:
        new = [view_event(event, self.seat) for event in self.table.events[len(self.shown) :]]
        self.shown += new
        if self.match is None:
            self.match = life.fold_from_start(GAMES[self.table.game], "m-1", new)
        else:
            for event in new:
                evolve(self.match, event)
        return self.match


class Follower:
    """This collects the facts of a match and the tables that spectators see."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.own = {cls.__name__ for cls in table.match.game.events}
        self.spectator = Reader(table, None)

    def step(self) -> dict[str, Any]:
        """Return what happened since the last step, and the table after it."""
        new = self.table.events[len(self.spectator.shown) :]
        seen = self.spectator.catch_up()
        game = self.table.game
        facts = [fact(game, event, len(self.table.seats)) for event in new if type(event).__name__ in self.own]
        return {"facts": facts, "view": GAMES[game].view(seen.table, None)}


class Player:
    """This moves for all seats: at random, or half of the time as a bot would."""

    def __init__(self, table: Table, rng: Random, with_bots: bool) -> None:
        self.table, self.rng = table, rng
        self.readers = [Reader(table, seat) for seat in range(len(table.seats))] if with_bots else []

    def move(self, seat: int) -> Any:
        game = self.table.match.game
        if self.readers and self.rng.random() < 0.7:
            reader = self.readers[seat]
            seen = reader.catch_up()
            return BOTS[game.name]("steady", seen.table, seat, reader.shown, self.rng)
        return any_move(game.legal(self.table.match.table, seat), self.rng)


def any_move(choices: Any, rng: Random) -> Any:
    """Return a legal move; every second time each kind of move is as likely as another."""
    if rng.random() < 0.5:
        kind = rng.choice(sorted({choice.make for choice in choices}, key=lambda make: make.__name__))
        choices = [choice for choice in choices if choice.make is kind]
    return rng.choice(choices).sample(rng)


def plays(table: Table, rng: Random, most: int = 20_000, with_bots: bool = False) -> Iterator[None]:
    """Play until the match is over, or has `most` events, and yield after each move."""
    player = Player(table, rng, with_bots)
    yield
    while not table.match.over and len(table.said) < most and (seats := life.to_act(table.match)):
        seat = rng.choice(seats)
        table.does(seat, ContinueMatch() if life.is_paused(table.match) else player.move(seat), "bot")
        yield


def followed(
    game: str, seats: int, chosen: Mapping[str, Any], seed: int, most: int = 20_000, best_of: int = 1,
    with_bots: bool = False,
) -> str:  # fmt: skip
    """Return a line for the referee: a match of this game."""
    table = Table(game, ("bot",) * seats, chosen, seed=seed, best_of=best_of)
    follower = Follower(table)
    steps = [follower.step() for _ in plays(table, Random(seed), most, with_bots)]
    return LINE({"game": game, "options": table.match.created.options, "seats": seats, "steps": steps})
