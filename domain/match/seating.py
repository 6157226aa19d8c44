"""Seating: a match is created, players take seats in its lobby or leave them, and it starts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.fairness import nonce_hash
from domain.core.game import AnyGame, Refused
from domain.core.refusals import Reason
from domain.core.values import put_at, value, with_fields
from domain.core.visibility import owner_of
from domain.match.creation import MatchCreated, Sitting
from domain.match.group import is_ready_to_begin
from domain.match.match_part import MatchPart, from_seat
from domain.match.match_results import Cancel, check_cancel
from domain.match.match_shuffles import NonceCommitted, NonceSubmitted, next_stage
from domain.match.stakes import BringStacks
from domain.match.state import Match
from domain.match.status import all_nonces_sent, collects_nonces, hashes_complete, nonces_of


@value
class SeatTaken:
    """The player sits down. With `player_key`, a public key in hex, the seat moves only by moves signed with it."""

    seat: Seat
    player: str
    """The id of the player."""
    player_key: str | None = None
    """The public key in hex; null if the moves of the seat are not signed."""


@value
class KeyProved:
    """The player proved possession of the seat's key, by a signature."""

    seat: Seat
    signature: str
    """The signature over player and seat, in hex."""


@value
class SeatLeft:
    seat: Seat


@value
class MatchStarted:
    options: Mapping[str, Any]
    """All options of the match."""
    seats: tuple[Sitting, ...]
    """The seats and their players."""
    nonces: tuple[str, ...]
    """The nonces of the first epoch, seat by seat; empty for a seat that gave none."""


@value
class Sit:
    """Take the seat, or add a nonce to your seat."""

    player: str
    nonce: str | None = None
    nonce_hash: str | None = None
    entry: Any = None
    """The seat's entry for the game."""
    player_key: str | None = None
    key_proof: str | None = None
    """The player's own key for signing the seat's moves; set when the seat is taken."""


@value
class Bring:
    """Submit a bot's entry, as part of the creation of a match."""

    entry: Any


@value
class Leave:
    """Leave the seat before the start."""


def check_sit(m: Match, seat: Seat, sit: Sit) -> None:
    """Raise `Refused` unless the player may take the seat, or add to it."""
    mine = m.players[seat] == sit.player
    if not mine and m.status != "lobby":
        raise Refused("already_started")
    if not mine and (m.players[seat] is not None or m.by_bot[seat]):
        raise Refused("seat_taken")
    if not mine and m.players.count(sit.player) >= (m.common.seats_per_player or len(m.seats)):
        raise Refused("too_many_seats")
    if mine and sit.player_key not in (None, m.keys[seat]):
        raise Refused("key_is_fixed")
    if fault := entry_fault(m, seat, sit):
        raise Refused(fault.code, fault.sentence)
    if sit.nonce_hash is not None and not _may_hash(m, seat, sit.nonce_hash):
        raise Refused("wrong_phase")
    if sit.nonce is not None and not _may_open(m, seat, sit.nonce):
        raise Refused("wrong_phase")


def entry_fault(m: Match, seat: Seat, sit: Sit | Bring) -> Reason | None:
    """Return why the rules of the game refuse a seat's entry; None if they allow it."""
    if m.game.entry is None or sit.entry is None or m.entries[seat] is not None:
        return None
    return m.game.entry.fault(m.options, sit.entry)


def _may_hash(m: Match, seat: Seat, digest: str) -> bool:
    shuffles = m.shuffles
    if shuffles.hashes[seat] is not None:
        return shuffles.hashes[seat] == digest
    return m.common.nonce_commit and shuffles.stage in ("", "hashes") and _nonces_count(m)


def _may_open(m: Match, seat: Seat, nonce: str) -> bool:
    shuffles = m.shuffles
    if shuffles.nonces[seat] is not None:
        return shuffles.nonces[seat] == nonce
    if m.common.nonce_commit:
        return shuffles.stage == "nonces" and shuffles.hashes[seat] == nonce_hash(nonce)
    return shuffles.stage in ("", "nonces") and _nonces_count(m)


def _nonces_count(m: Match) -> bool:
    if m.created.deal_known is not None or is_ready_to_begin(m) or hashes_complete(m):
        return False
    return m.status == "lobby" or collects_nonces(m)


def check_leave(m: Match, seat: Seat, leave: Leave) -> None:
    """Raise `Refused` unless the seat may be left."""
    if m.players[seat] is None:
        raise Refused("not_seated")
    if not _may_leave(m):
        raise Refused("already_started")


def _may_leave(m: Match) -> bool:
    is_bound = m.common.nonce_commit and (collects_nonces(m) or m.group.committed)
    return m.status == "lobby" and not is_bound and not hashes_complete(m) and not is_ready_to_begin(m)


LOBBY_CHECKS: Final[Mapping[type, Callable[[Match, Seat, Any], None]]] = {
    Sit: check_sit,
    Leave: check_leave,
    Cancel: check_cancel,
}

LOBBY: Final = frozenset(LOBBY_CHECKS)
"""These commands answer no decision."""


def is_seat_due(m: Match, seat: Seat, sit: Sit) -> bool:
    """Return whether the time to take a seat at a tournament table is over, so that the seat's clock starts."""
    plan = m.created.seats[seat]
    is_empty = m.players[seat] is None and not m.by_bot[seat]
    brings_only_cards = sit.nonce is None and sit.nonce_hash is None and sit.player_key is None
    of = m.created.tournament is not None and m.created.deal_group is None
    return of and m.status == "lobby" and is_empty and plan.player == sit.player and brings_only_cards


def can_be_freed(m: Match, seat: Seat) -> bool:
    """Return whether a seat at a tournament table may become empty again, because the others left before it began."""
    of = m.created.tournament is not None and m.created.deal_group is None
    return of and m.players[seat] is not None and m.created.seats[seat].player == m.players[seat] and _may_leave(m)


def take_seat(m: Match, seat: Seat, c: Sit, now: Time) -> Iterable[Any]:
    """Take the seat, with the optional key, entry, and nonce or its hash."""
    shuffles = m.shuffles
    if m.players[seat] != c.player:
        yield SeatTaken(seat, c.player, c.player_key)
        if c.player_key is not None and c.key_proof is not None:
            yield KeyProved(seat, c.key_proof)
    yield from bring_entry(m, seat, c, now)
    if c.nonce_hash is not None and shuffles.hashes[seat] is None:
        yield NonceCommitted(seat, shuffles.epoch, c.nonce_hash)
    if c.nonce is not None and shuffles.nonces[seat] is None:
        yield NonceSubmitted(seat, shuffles.epoch, c.nonce)


def bring_entry(m: Match, seat: Seat, c: Sit | Bring, now: Time) -> Iterable[Any]:
    """Submit the seat's entry before the game begins."""
    if m.game.entry is not None and c.entry is not None and m.entries[seat] is None:
        yield m.game.entry.event(seat, c.entry)


def is_entry(game: AnyGame, event: Any) -> bool:
    """Return whether the event has a seat's entry."""
    return game.entry is not None and type(event) is game.entry.event


def entry_of(game: AnyGame, event: Any) -> Any:
    """Return the entry in such an event."""
    return getattr(event, game.entry.field) if game.entry else None


def read_sits(game: AnyGame, events: Sequence[Any]) -> list[tuple[Seat, Sit]]:
    """Read the players who took seats, with their data, from the first events of a match."""
    sits: dict[Seat, Sit] = {}
    for event in events:
        match event:
            case SeatTaken(seat, player, player_key) if seat not in sits:
                sits[seat] = Sit(player, player_key=player_key)
            case KeyProved(seat, signature) if seat in sits:
                sits[seat] = with_fields(sits[seat], key_proof=signature)
            case brought if is_entry(game, brought) and (seat := owner_of(brought)) in sits:
                sits[seat] = with_fields(sits[seat], entry=entry_of(game, brought))
            case NonceCommitted(seat, _, digest) if seat in sits:
                sits[seat] = with_fields(sits[seat], nonce_hash=digest)
            case NonceSubmitted(seat, _, nonce) if seat in sits:
                sits[seat] = with_fields(sits[seat], nonce=nonce)
            case _:
                break
    return list(sits.items())


def place_of_sitting(events: Sequence[Any], seat: Seat) -> int:
    """Return the place of the event in which this seat was taken."""
    return next(i for i, event in enumerate(events) if type(event) is SeatTaken and event.seat == seat)


def read_bots(game: AnyGame, created: MatchCreated, events: Sequence[Any]) -> list[tuple[Seat, Bring]]:
    """Read the bots' entries from the first events of a match."""
    bots = {seat for seat, plan in enumerate(created.seats) if plan.kind == "bot"}
    brought = [event for event in events if is_entry(game, event)]
    return [(owner_of(one), Bring(entry_of(game, one))) for one in brought if owner_of(one) in bots]


SITTING: Final = frozenset({SeatTaken, NonceCommitted, NonceSubmitted})
"""The possible first events of a commit in which a player takes a seat or adds to it, apart from entries."""


def read_sit(m: Match, events: Sequence[Any]) -> tuple[Seat, Sit]:
    """Read a player's entry for a seat from the events of a commit with its first cause."""
    said: dict[type, Any] = {}
    for event in events:
        said.setdefault(type(event), event)
    taken, hashed = said.get(SeatTaken), said.get(NonceCommitted)
    opened, proved = said.get(NonceSubmitted), said.get(KeyProved)
    brought = said.get(m.game.entry.event) if m.game.entry else None
    seat = owner_of(events[0])
    there = m.players[seat] if seat in m.seats else None
    return seat, Sit(
        taken.player if taken else there or "",
        opened.nonce if opened else None,
        hashed.hash if hashed else None,
        entry_of(m.game, brought) if brought else None,
        taken.player_key if taken else None,
        proved.signature if proved else None,
    )


def start_match(m: Match, now: Time) -> tuple[Any, ...]:
    """Return the events that start the match, or that open a stage for nonces; none while it waits."""
    if any(p is None and not bot for p, bot in zip(m.players, m.by_bot, strict=True)):
        return ()
    if waiting := next_stage(m, now):
        return waiting
    if (collects_nonces(m) and not all_nonces_sent(m)) or (m.created.deal_group is not None and not m.group.shared):
        return ()
    seats = tuple(
        Sitting(s, "bot" if m.by_bot[s] else "player", m.players[s], m.created.seats[s].level) for s in m.seats
    )
    return (MatchStarted(m.created.options, seats, nonces_of(m)),)


def name_game(event: Any, title: str) -> Any:
    """Return `MatchCreated` with the title of its game instead of its name; any other event unchanged."""
    return with_fields(event, game=title) if type(event) is MatchCreated else event


Coming = tuple[Seat, Sit | Bring | BringStacks]
"""The seats taken at creation, with bots' entries; first the stacks, if there are any."""


def evolve_seating(m: Match, event: Any) -> None:
    """Assign the players in the seats of the lobby to the match."""
    shuffles = m.shuffles
    match event:
        case SeatTaken():
            m.players = put_at(m.players, event.seat, event.player)
            m.keys = put_at(m.keys, event.seat, event.player_key)
        case SeatLeft():
            m.players, m.keys = put_at(m.players, event.seat, None), put_at(m.keys, event.seat, None)
            m.entries = put_at(m.entries, event.seat, None)
            shuffles.nonces = put_at(shuffles.nonces, event.seat, None)
            shuffles.hashes = put_at(shuffles.hashes, event.seat, None)
            shuffles.brought_nonce = put_at(shuffles.brought_nonce, event.seat, False)
            shuffles.stage, shuffles.stage_until = "", None
        case MatchStarted():
            m.status, shuffles.stage, shuffles.stage_until = "playing", "nonces_closed", None


SEATING: Final = MatchPart(
    texts={
        MatchCreated: "A {game} match with {seats:count} seats was created.",
        SeatTaken: "Seat {seat} joined the table.",
        KeyProved: "Seat {seat} proved that it holds its key.",
        SeatLeft: "Seat {seat} left the table.",
        MatchStarted: "The match started: {seats}.",
    },
    words={
        "count": lambda row: str(len(row)),
        "seats": lambda row: ", ".join(
            f"seat {s.seat} is {f'a bot ({s.level})' if s.level else 'a player'}" for s in row
        ),
    },
    evolve=evolve_seating,
    decide={
        Sit: take_seat,
        Bring: bring_entry,
        Leave: lambda m, seat, c, now: (SeatLeft(seat),),
    },
    admits={
        "time": {
            Leave: lambda m, seat, c, now: can_be_freed(m, seat),
            Sit: lambda m, seat, c, now: is_seat_due(m, seat, c) and entry_fault(m, seat, c) is None,
        }
    },
    read_command={
        SeatLeft: from_seat(Leave()),
    },
)
