"""Matches that the engine plays, as the referee in TypeScript is given them: facts, and the tables after each move."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

from api.game_checks.subject import Policy
from domain import match as life
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.evolve import evolve
from domain.match.pauses import ContinueMatch
from events.log.codec import shapes
from tests.laws.entry import Entry
from tests.match.table import Table

LINE = json.JSONEncoder(separators=(",", ":")).encode


def fact(game: str, event: Any, seats: int) -> dict[str, Any]:
    """Return an event with all its parts, as `referee.ts` defines a fact."""
    shape = shapes(game)[type(event).__name__]
    secret = {name: _joined(parts) for name, parts in shape.parts(event, seats).items()}
    return {"type": type(event).__name__, "data": {**shape.data(event), **secret}}


def _joined(parts: Mapping[str, Any]) -> Any:
    """Join the values of a field: a single value, or an object of several."""
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
    """This moves for all seats: each at random, or by one of the policies of its game or as its bot."""

    def __init__(self, table: Table, rng: Random, policies: Sequence[Policy]) -> None:
        self.table, self.rng = table, rng
        self.readers = [Reader(table, seat) for seat in range(len(table.seats))]
        self.policies = [rng.choice([None, self._bot, *policies]) for _ in table.seats]

    def move(self, seat: int) -> Any:
        policy = self.policies[seat]
        if policy is None or self.rng.random() < 0.1:
            return any_move(self.table.match.game.legal(self.table.match.table, seat), self.rng)
        return policy(self.readers[seat].catch_up().table, seat, self.rng)

    def _bot(self, state: Any, seat: int, rng: Random) -> Any:
        return BOTS[self.table.game]("steady", state, seat, self.readers[seat].shown, rng)


def any_move(choices: Any, rng: Random) -> Any:
    """Return a legal move; every second time each kind of move is as likely as another."""
    if rng.random() < 0.5:
        kind = rng.choice(sorted({choice.make for choice in choices}, key=lambda make: make.__name__))
        choices = [choice for choice in choices if choice.make is kind]
    return rng.choice(choices).sample(rng)


def plays(table: Table, rng: Random, policies: Sequence[Policy], most: int) -> Iterator[None]:
    """Play until the match is over, or has `most` events, and yield after each move."""
    player = Player(table, rng, policies)
    yield
    while not table.match.over and len(table.said) < most and (seats := life.to_act(table.match)):
        seat = rng.choice(seats)
        table.does(seat, ContinueMatch() if life.is_paused(table.match) else player.move(seat), "bot")
        yield


def followed(entry: Entry, options: Mapping[str, Any], seed: int, most: int = 3_000) -> str:
    """Return a line for the referee: a match of a game, with the facts and the table after each move."""
    rng = Random(seed)
    table = Table(entry.game.name, ("bot",) * entry.seats, options, seed=seed, best_of=rng.choice([1, 1, 3]))
    follower = Follower(table)
    steps = [follower.step() for _ in plays(table, rng, list(entry.policies.values()), most)]
    asked = {"game": entry.game.name, "options": table.match.created.options, "seats": entry.seats, "steps": steps}
    return LINE(asked)


def drawn(entries: Sequence[Entry], rng: Random) -> tuple[Entry, dict[str, Any]]:
    """Draw an entry of a game, and options from one of its blocks."""
    entry = rng.choice(entries)
    block = rng.choice(list(entry.blocks.values()))
    return entry, asdict(rng.choice(list(block)))
