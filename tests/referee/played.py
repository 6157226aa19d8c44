"""Matches that the engine plays at random, as the referee in TypeScript is given them: facts, and tables."""

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from domain import match as life
from domain.core.visibility import SPECTATORS, TABLE, view_event
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


class Follower:
    """This collects the facts of a match and the tables that spectators see."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game = table.match.game
        self.own = {cls.__name__ for cls in self.game.events}
        self.seen: Match | None = None
        self.read = 0

    def step(self) -> dict[str, Any]:
        """Return what happened since the last step, and the table after it."""
        new = self.table.events[self.read :]
        shown = [view_event(event, None) for event in new]
        if self.seen is None:
            self.seen = life.fold_from_start(GAMES[self.game.name], "m-1", shown)
        else:
            for event in shown:
                evolve(self.seen, event)
        self.read += len(new)
        facts = [fact(self.game.name, event, len(self.table.seats)) for event in new if type(event).__name__ in self.own]
        return {"facts": facts, "view": self.game.view(self.seen.table, None)}


def plays(table: Table, rng: Random, most: int = 20_000) -> Iterator[None]:
    """Play at random until the match is over, or has `most` events, and yield after each move."""
    yield
    while not table.match.over and len(table.said) < most and (seats := life.to_act(table.match)):
        seat = rng.choice(seats)
        if life.is_paused(table.match):
            table.does(seat, ContinueMatch())
        else:
            table.does(seat, rng.choice(table.match.game.legal(table.match.table, seat)).sample(rng), "bot")
        yield


def followed(game: str, seats: int, chosen: Mapping[str, Any], seed: int, most: int = 20_000, best_of: int = 1) -> str:
    """Return a line for the referee: a match of this game, played at random."""
    table = Table(game, ("bot",) * seats, chosen, seed=seed, best_of=best_of)
    follower = Follower(table)
    steps = [follower.step() for _ in plays(table, Random(seed), most)]
    options = table.match.created.options
    return LINE({"game": game, "options": options, "seats": seats, "steps": steps})


__all__ = ["SPECTATORS", "TABLE", "Follower", "fact", "followed", "plays"]
