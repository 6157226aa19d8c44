"""Plays matches of Hearts between four people at random in advance; returns their commits and moves."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from domain import match as life
from domain.core.cards import NAMES, card_names
from domain.core.choices import argument_name
from domain.core.clock import Clock, Time
from domain.core.fairness import Dealer
from domain.games.catalogue import GAMES
from domain.games.hearts import GAME
from domain.games.hearts.options import CODES
from domain.match.creation import MatchCreated, SeatPlan, Series
from domain.match.seating import Sit
from events.log import commits as log
from events.log.codec import shapes
from events.log.seals import NO_EVENT
from events.service.projections import project_commit
from events.store.protocol import Store
from events.store.records import Commit, NewStream
from tests.match.table import dealer, options

AT = 1_763_758_632_345
THINKS_MS = 5_000
DAY = 86_400
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

MOVE_NAMES = {make: name for name, make in GAME.moves.items()}


@dataclass(slots=True)
class Played:
    """A match: its secrets, its players by seat, its commits in order, and who made which move."""

    match_id: str
    dealer: Dealer
    players: tuple[str, ...]
    commits: list[Commit] = field(default_factory=list)
    moves: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    @property
    def events(self) -> int:
        return sum(commit.n for commit in self.commits)


def some_id(name: str) -> str:
    """Return a valid id, always the same one for a name."""
    return "".join(ALPHABET[byte % 32] for byte in sha256(name.encode()).digest()[:20])


def played(
    name: str,
    players: tuple[str, ...] | None = None,
    most: int = 100_000,
    at: int = AT,
    best_of: int = 1,
    **but: Any,
) -> Played:
    """Play a match to its end, or to `most` events. Its name decides the variant; `but` are further options."""
    rng = Random(name)
    match_id = some_id(name)
    made = Played(
        match_id,
        dealer(match_id, rng.getrandbits(32)),
        players or tuple(some_id(f"{name}{s}") for s in range(4)),
    )
    chosen = options("hearts", variant=rng.choice(CODES), **but)
    for seat, move, commit in _commits(made, rng, Time(at), chosen, best_of):
        made.commits.append(commit)
        if move is not None:
            made.moves.append((seat, _written(move)))
        if commit.first + commit.n > most:
            break
    return made


def _commits(
    made: Played, rng: Random, now: Time, chosen: dict[str, Any], best_of: int
) -> Iterator[tuple[int, Any, Commit]]:
    created = MatchCreated(
        "hearts",
        life.rules_of(GAMES["hearts"]),
        chosen,
        None,
        (SeatPlan("open"),) * 4,
        "public",
        Clock(per_decision_seconds=DAY),
        Series(best_of),
        made.players[0],
    )
    sits = [(seat, Sit(player)) for seat, player in enumerate(made.players)]
    began = now
    match, happened = life.create_match(GAMES["hearts"], made.match_id, created, sits, made.dealer, now)
    commit = _commit(made, None, match, 1, NO_EVENT, happened, now, began)
    yield 0, None, commit
    while not match.over:
        now = Time(now + THINKS_MS)
        seat = rng.choice(life.to_act(match))
        move = rng.choice(life.legal(match, seat)).sample(rng)
        after, happened = life.carry_out(match, life.Admitted(seat, move, "move"), made.dealer, now)
        commit = _commit(made, match, after, commit.first + commit.n, commit.head.hex(), happened, now, began)
        yield seat, move, commit
        match = after


def _commit(
    made: Played,
    before: life.Match | None,
    after: life.Match,
    first: int,
    head: str,
    happened: list[life.RecordedEvent],
    now: Time,
    began: Time,
) -> Commit:
    row, head = log.write_commit(
        made.match_id, shapes("hearts"), 4, log.AppendPoint(first, now, head), happened, made.dealer
    )
    projected = project_commit(before, after, row, made.dealer.seal_secret, 0, began)
    return Commit(*row[:5], bytes.fromhex(head), row.mac, projected)


def _written(move: Any) -> dict[str, Any]:
    """Write a move as a client sends it."""
    make: Any = type(move)
    argument = argument_name(make)
    value = getattr(move, argument)
    return {
        "name": MOVE_NAMES[make],
        "args": {argument: card_names(value) if isinstance(value, tuple) else NAMES[value]},
    }


def stored(store: Store, made: Played, commits: int | None = None) -> int:
    """Put a match into a store, with this many of its first commits; return its number."""
    outcome, head = store.create(
        NewStream(made.match_id, made.dealer.seal_secret, made.dealer.roots[0].hex(), made.commits[0], [])
    )
    assert head is not None, outcome
    for commit in made.commits[1:commits]:
        assert store.append(head.match_no, commit).status == "ok"
    return head.match_no
