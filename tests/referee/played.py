"""Provides matches played by the engine for the TypeScript referee: facts, and the tables after each move."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache
from random import Random
from typing import Any

from api.game_checks.subject import Policy
from domain import match as life
from domain.core.game import Refused
from domain.core.type_schema import of_record
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.clocks import ContinueMatch
from domain.match.evolve import evolve
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
    """A match as one seat or spectators see it, with everything that they were shown."""

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
    """Collects the facts of a match and the tables that spectators see."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.own = {cls.__name__ for cls in table.match.game.events}
        self.spectator = Reader(table, None)

    def step(self) -> dict[str, Any]:
        """Return what happened since the last step, when, and the table after it."""
        new = self.table.events[len(self.spectator.shown) :]
        seen = self.spectator.catch_up()
        game = self.table.game
        facts = [fact(game, event, len(self.table.seats)) for event in new if type(event).__name__ in self.own]
        return {"at": self.table.now, "facts": facts, "view": GAMES[game].view(seen.table, None)}


class Player:
    """Moves for all seats: each at random, or by one of the policies of its game or as its bot."""

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
    """Return a legal move; every second time, each kind of move is equally likely."""
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
    """Draw an entry of a game, and options from one of its blocks, of which two may have any other value."""
    entry = rng.choice(entries)
    block = rng.choice(list(entry.blocks.values()))
    chosen = asdict(rng.choice(list(block)))
    return entry, _varied(entry, chosen, rng) if rng.random() < 0.5 else chosen


def _varied(entry: Entry, chosen: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return options of which two have other values, if these fit together."""
    values = every_value(entry.game.name)
    other = chosen | {name: rng.choice(values[name]) for name in rng.sample(sorted(values), min(2, len(values)))}
    for first in {"first_dealer", "first_player"} & other.keys():
        other[f"{first}_seat"] = rng.randrange(entry.seats) if other[first] == "pick" else None
    setup = entry.game.setup
    try:
        resolved = setup.resolve({**asdict(setup.options()), **other}, entry.seats)
    except Refused:
        return chosen
    known = {one.name for one in fields(setup.options)}
    complete = setup.options(**{name: value for name, value in resolved.items() if name in known})
    return chosen if setup.bad_options(complete, entry.seats) else other


@cache
def every_value(game: str) -> dict[str, list[Any]]:
    """Return the values of each option of a game: all choices, and of numbers the least ones."""
    described = of_record(GAMES[game].setup.options)["properties"]
    every = {name: _values(schema) for name, schema in described.items() if name not in UNVARIED}
    return {
        name: kept for name, found in every.items() if (kept := [value for value in found if value not in NEED_A_POOL])
    }


NEED_A_POOL = ("draft",)
"""Values that a game refuses without the options of `UNVARIED`."""

UNVARIED = frozenset({"pool", "collection", "first_dealer_seat", "first_player_seat", "variant_index", "bots_from"})
"""Options that need others, or another match: a game refuses most of their values without these."""


def _values(schema: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = []
    for kind in schema.get("anyOf", [schema]):
        names = kind["type"] if isinstance(kind.get("type"), list) else [kind.get("type")]
        found += kind.get("enum", [kind["const"]] if "const" in kind else [])
        if "boolean" in names:
            found += [False, True]
        if "integer" in names:
            found += list(range(kind["minimum"], min(kind["maximum"], kind["minimum"] + 3) + 1))
        if "null" in names:
            found.append(None)
    return found
