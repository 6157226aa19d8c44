"""The one application service: create a match, sit down, move, look at it, read its history.

What callers get to see is `Seen`: the match folded from what its reader was shown. The server's own knowledge
never leaves this module.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hmac import compare_digest
from typing import Any, Final

from domain import match as life
from domain.cards import Seat
from domain.clock import Clock, Time
from domain.fairness import Dealer
from domain.game import Game, Refused
from domain.match import Happening, Match
from domain.match_events import (
    Cancel,
    CloseNonces,
    Expire,
    Leave,
    Level,
    MatchCreated,
    SeatPlan,
    Series,
    Sit,
    TimeOut,
)  # fmt: skip
from domain.visibility import Reader, reader_of
from events import log, outbox, times
from events.codec import EVERYBODY
from events.ids import hashed, invite_code, is_id, new_id
from events.loaded import Cache, Loaded
from events.projections import matches as match_rows
from events.projections import results, turns
from events.store import Commit, Head, Idempotency, Player, Projected, Remembered, Row, Store

TRIES: Final = 50
"""How often a move that lost a race is put to the fresh state."""


class NotFound(Exception):
    """There is no such match, or the caller may not read it."""


class Forbidden(Exception):
    """The caller may read the match, but not do this to it."""


class BadInvite(Exception):
    """The seat is by invitation, and this is not its code."""


class NotDisclosed(Exception):
    """The table of this reader is not open to the caller yet."""


class Stale(Exception):
    """The match has gone on from the version that the caller named."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class Repeated(Exception):
    """The idempotency key was used before, by another request that came first; the answer is to be rebuilt."""


class Busy(Exception):
    """The match moved on under every try."""


@dataclass(slots=True, frozen=True)
class Place:
    """A seat of a match to be created: `kind` me, open, invite or bot."""

    kind: str
    level: Level | None = None
    eaten_at: Time | None = None  # of a caller who sits down (RULES 6.2)


@dataclass(slots=True, frozen=True)
class NewMatch:
    """What a match is to be, checked and completed: see `api.schemas`."""

    game: str
    options: Mapping[str, Any]
    preset: str | None
    places: tuple[Place, ...]
    visibility: str
    clock: Clock
    series: Series


@dataclass(slots=True, frozen=True)
class Caller:
    """Who asks: a player and his token (None: a stranger), and the invite he brought."""

    player: str | None = None
    token: str = ""
    invite: str | None = None


@dataclass(slots=True, frozen=True)
class Seen:
    """A match as one reader knows it at a version. `head` is the digest of the event of that version, hex."""

    match_no: int
    match_id: str
    version: int
    head: str
    created: Time
    reader: Reader
    seats: tuple[Seat, ...]  # the caller's
    creator: bool  # the caller is
    match: Match

    @property
    def seat(self) -> Seat | None:
        """The seat from which the match is seen."""
        return int(self.reader) if self.reader.isdigit() else None


@dataclass(slots=True, frozen=True)
class Opened:
    """A match that the caller may read, at a version: what a request to it is judged by, before anything is done."""

    match_no: int
    version: int
    game: Game[Any, Any, Any, Any]
    seats: range
    loaded: Loaded  # the server's own knowledge, for `Matches` alone


@dataclass(slots=True, frozen=True)
class Done:
    """A move that was made: the state after it as its maker knows it publicly, and its events in his feed."""

    version: int
    head: str
    to_act: tuple[Seat, ...]
    events: tuple[bytes, ...]


class Matches:
    """The matches in a store.

    `woken` is called after a commit that leaves the server something to do, now or later. A worker, which plays on
    by itself, gives the `lease_ms` for which nobody else need take a bot's turn up.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], Time] = times.now,
        woken: Callable[[], None] = lambda: None,
        lease_ms: int = 0,
        draw: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.store = store
        self.now = now
        self._woken = woken
        self._lease_ms = lease_ms
        self._draw = draw
        self._cache = Cache()

    # --- Creating, sitting, leaving ---------------------------------------------------------------

    def create(self, caller: Caller, new: NewMatch, idempotency: Idempotency | None = None) -> Seen:
        """Create a match, the caller seated where it says `me`. Raises `Repeated`."""
        match_id, now = new_id(), self.now()
        dealer = Dealer(match_id, (self._draw(32), self._draw(32)), self._draw(32))
        created = MatchCreated(
            game=new.game, rules=life.RULES, options=new.options, preset=new.preset,
            seats=tuple(SeatPlan("open" if p.kind == "me" else p.kind, p.level) for p in new.places),  # type: ignore[arg-type]
            visibility=new.visibility, clock=new.clock, series=new.series, creator=caller.player,  # type: ignore[arg-type]
        )  # fmt: skip
        assert caller.player is not None
        mine = [
            (s, Sit(caller.player, eaten_at=p.eaten_at)) for s, p in enumerate(new.places) if p.kind == "me"
        ]
        match, happened = life.create(match_id, created, mine, dealer, now)
        row, head = log.write(
            match_id, new.game, len(new.places), 1, now, "0" * 64, happened, dealer.hand_key
        )
        commit = self._commit(None, match, row, head, now, happened, idempotency)
        invites = [
            (s, hashed(invite_code(caller.token, match_id, s, "")))
            for s, p in enumerate(new.places)
            if p.kind == "invite"
        ]
        outcome, stream = self.store.create(
            match_id, dealer.seal_secret, dealer.roots[0].hex(), commit, invites
        )
        if stream is None:
            raise Repeated
        stream = replace(stream, version=outcome.version, head=bytes.fromhex(head))
        self._keep(Loaded(stream, match, dealer), commit)
        return self.see(match_id, caller)

    def sit(
        self, match_id: str, caller: Caller, seat: Seat, if_match: int | None = None,
        *, nonce: str | None = None, nonce_hash: str | None = None, eaten_at: Time | None = None,
    ) -> Seen:  # fmt: skip
        """Take a seat, or add what is said in the lobby to one's own. Raises `Refused`, `BadInvite`, `Stale`, `NotFound`."""
        assert caller.player is not None
        sit = Sit(caller.player, nonce, nonce_hash, eaten_at)

        def entitled(loaded: Loaded) -> None:
            m = loaded.match
            if m.status == "lobby" and m.players[seat] is None and m.created.seats[seat].kind == "invite":
                self._check_invite(loaded, seat, caller)

        def checked(loaded: Loaded) -> Sit:
            life.check_sit(loaded.match, seat, sit)
            return sit

        self._command(match_id, caller, seat, checked, if_match, entitled=entitled)
        return self.see(match_id, caller)

    def leave(self, match_id: str, caller: Caller, seat: Seat, if_match: int | None = None) -> int:
        """Leave a seat before the start; says at which version the match then is. Raises `Refused`, `Stale`."""

        def entitled(loaded: Loaded) -> None:
            self._seated(loaded.match, caller, seat)

        def checked(loaded: Loaded) -> Leave:
            life.check_leave(loaded.match, seat, caller.player or "")
            return Leave()

        return self._command(match_id, caller, seat, checked, if_match, entitled=entitled).version

    def cancel(self, match_id: str, caller: Caller, if_match: int | None = None) -> int:
        """Cancel a match before its start; says at which version it then is.

        Raises `Forbidden` for all but its creator, `Refused`, and `Stale`.
        """

        def entitled(loaded: Loaded) -> None:
            self._check_creator(loaded, caller)

        def checked(loaded: Loaded) -> Cancel:
            self._check_lobby(loaded)
            return Cancel()

        return self._command(match_id, caller, 0, checked, if_match, entitled=entitled).version

    def invite(
        self, match_id: str, caller: Caller, seat: Seat,
        if_match: int | None = None, idempotency: Idempotency | None = None,
    ) -> tuple[str, int]:  # fmt: skip
        """Issue a new code for an invited seat, in the place of the old one; gives it with the match's version.

        The code of a request that may be repeated follows from its key, so that a repeat can show it again. Raises
        `Forbidden`, `Refused`, `Stale`.
        """
        loaded = self._open(match_id, caller)
        self._check_creator(loaded, caller)
        _check_version(loaded, if_match)
        self._check_lobby(loaded)
        m = loaded.match
        if m.created.seats[seat].kind != "invite" or m.players[seat] is not None:
            raise Refused("seat_taken")
        code = _invite_of(match_id, caller, seat, idempotency)
        self.store.set_invite(loaded.head.match_no, seat, hashed(code))
        if idempotency is not None:
            self.store.remember(idempotency, self.now(), loaded.head.match_no, loaded.head.version)
        return code, loaded.head.version

    def invite_before(
        self, match_id: str, caller: Caller, seat: Seat, idempotency: Idempotency
    ) -> str | None:
        """Give the code that a request with this key has issued; None where it no longer opens the seat.

        With another token another code would follow from the key, one that was never issued.
        """
        code = _invite_of(match_id, caller, seat, idempotency)
        stored = self.store.invite(self._open(match_id, caller).head.match_no, seat)
        return code if stored is not None and compare_digest(hashed(code), stored) else None

    def invites(self, seen: Seen, caller: Caller) -> dict[Seat, str | None]:
        """Give the creator the codes of open invitations; None for a code issued anew or with another token."""
        stored = self.store.invites(seen.match_no)
        codes = {s: invite_code(caller.token, seen.match_id, s, "") for s in stored}
        return {s: code if compare_digest(hashed(code), stored[s]) else None for s, code in codes.items()}

    def first_invites(self, seen: Seen, caller: Caller) -> dict[Seat, str | None]:
        """Give the creator the codes that a match was created with, spent or not."""
        plans = seen.match.created.seats
        first = {
            s: invite_code(caller.token, seen.match_id, s, "")
            for s, plan in enumerate(plans)
            if plan.kind == "invite"
        }
        return {**first, **self.invites(seen, caller)}

    def _check_creator(self, loaded: Loaded, caller: Caller) -> None:
        if loaded.match.over:
            raise Refused("match_over")
        if caller.player != loaded.match.created.creator:
            raise Forbidden

    def _check_lobby(self, loaded: Loaded) -> None:
        if loaded.match.status != "lobby":
            raise Refused("already_started")

    def _check_invite(self, loaded: Loaded, seat: Seat, caller: Caller) -> None:
        stored = self.store.invite(loaded.head.match_no, seat)
        if stored is None or not compare_digest(hashed(caller.invite or ""), stored):
            raise BadInvite

    # --- Moving -------------------------------------------------------------------------------------

    def move(
        self, match_id: str, caller: Caller, seat: Seat | None, move: Any,
        if_match: int | None = None, idempotency: Idempotency | None = None, opened: Opened | None = None,
    ) -> Done:  # fmt: skip
        """Make a move of the game, or a command of the match. `seat` None: the caller's only seat.

        `opened` is the match if it has just been opened. Raises `Refused`, `Stale`, `Repeated`, `NotFound`.
        """
        first = opened.loaded if opened else None
        return self._command(
            match_id, caller, seat, lambda loaded: move, if_match, idempotency, first, seated=True
        )

    def hand_back(self, seen: Seen) -> None:
        """Leave the bots of a match, for which this worker was to move on, to whoever comes first."""
        self.store.release(seen.match_no, outbox.BOT)
        self._woken()

    def bot_move(self, seen: Seen, move: Any) -> bool:
        """Make a bot's move, chosen at the version that `seen` shows; False if the match has gone on since."""
        loaded = self._cache.get(seen.match_id)  # the append says whether the match has gone on elsewhere
        if loaded is None or loaded.head.version != seen.version:
            loaded = self._load(seen.match_id)
        if (
            loaded is None
            or loaded.head.version != seen.version
            or seen.seat not in life.bots_to_act(loaded.match)
        ):
            return False
        if not any(choice.admits(move) for choice in loaded.match.game.legal(loaded.match.table, seen.seat)):
            raise Refused(loaded.match.game.refusal(loaded.match.table, seen.seat, move))
        return self._append(loaded, seen.seat, move, "bot") is not None

    def bot_to_move(self, match_id: str) -> Seen | None:
        """See the match as the first bot that is to move in it; None if none is."""
        loaded = self._load(match_id)
        bots = life.bots_to_act(loaded.match) if loaded else ()
        return self._seen(loaded, reader_of(bots[0]), (bots[0],), creator=False) if loaded and bots else None

    def settle(self, match_id: str) -> int:
        """Settle what has fallen due by time: a lobby, the wait for nonces, decisions. Says how many."""
        settled = 0
        while (loaded := self._load(match_id)) and (falls := self._fallen_due(loaded)):
            seat, command = falls
            settled += self._append(loaded, seat, command, "timeout") is not None
        return settled

    def _fallen_due(self, loaded: Loaded) -> tuple[Seat, Any] | None:
        m, now = loaded.match, self.now()
        if m.status == "lobby" and loaded.head.created_ms + outbox.LOBBY_MS <= now:
            return 0, Expire()
        if m.stage_until is not None and m.stage_until <= now and not m.over:
            return 0, CloseNonces()
        late = life.overdue(m, now)
        return (late[0], TimeOut()) if late else None

    def _command(
        self, match_id: str, caller: Caller, seat: Seat | None, checked: Callable[[Loaded], Any],
        if_match: int | None = None, idempotency: Idempotency | None = None, first: Loaded | None = None,
        *, seated: bool = False, entitled: Callable[[Loaded], None] | None = None,
    ) -> Done:  # fmt: skip
        """Put a command to the match until it is carried out, refused, or nothing remains to do.

        What has fallen due by time is settled first: who comes too late finds that the clock has moved for him.
        """
        for attempt in range(TRIES):
            loaded = first if first is not None and attempt == 0 else self._open(match_id, caller)
            m = loaded.match
            if falls := self._fallen_due(loaded):
                self._append(loaded, *falls, "timeout")
                continue
            if m.over:
                raise Refused("match_over")
            at = self._seated(m, caller, seat) if seated else seat
            assert at is not None
            if entitled is not None:
                entitled(loaded)
            _check_version(loaded, if_match)
            command = checked(loaded)
            if seated:
                life.check(m, at, command)
            done = self._append(loaded, at, command, "move", idempotency)
            if done is not None:
                return done
        raise Busy

    def _seated(self, m: Match, caller: Caller, seat: Seat | None) -> Seat:
        mine = [s for s in m.seats if caller.player is not None and m.players[s] == caller.player]
        if not mine or (seat is not None and seat not in mine):
            raise Refused("not_seated")
        if seat is not None:
            return seat
        waiting = [s for s in mine if s in life.to_act(m)]
        return (waiting or mine)[0]

    def _append(
        self, loaded: Loaded, seat: Seat, command: Any, cause: str, idempotency: Idempotency | None = None
    ) -> Done | None:
        """Carry out a command on this state and write it; None if somebody else wrote first."""
        head, m, now = loaded.head, loaded.match, self.now()
        after, happened = life.play(m, seat, command, cause, loaded.dealer, now)
        if not happened:
            return Done(head.version, head.head.hex(), life.to_act(m), ())
        row, digest = log.write(
            head.match_id,
            m.game.name,
            len(m.seats),
            head.version + 1,
            now,
            head.head.hex(),
            happened,
            loaded.dealer.hand_key,
        )
        commit = self._commit(m, after, row, digest, now, happened, idempotency, created=head.created_ms)
        if after.epoch > m.epoch:
            commit.new_root = loaded.dealer.roots[after.epoch - 1].hex()
        outcome = self.store.append(head.match_no, commit)
        if outcome.status == "duplicate":
            raise Repeated
        if outcome.status == "conflict":
            return None
        version = row.first + row.n - 1
        dealer = loaded.dealer if after.epoch == m.epoch else _spare(loaded.dealer, self._draw)
        head = replace(head, version=version, head=bytes.fromhex(digest))
        self._keep(Loaded(head, after, dealer, loaded.seen), commit)
        reader = reader_of(seat)
        events = log.feed([row], head.match_id, reader, row.first - 1, dealer.hand_key, after)
        return Done(version, digest, life.to_act(after), tuple(events))

    def _commit(
        self, before: Match | None, after: Match, row: Row, head: str, now: Time, happened: list[Happening],
        idempotency: Idempotency | None, created: int | None = None,
    ) -> Commit:  # fmt: skip
        version = row.first + row.n - 1
        projected = Projected(
            match=match_rows.rows(before, after, now),
            seats=match_rows.seats(before, after),
            turns=turns.rows(before, after, version, now),
            results=results.rows(before, after, now),
            due=outbox.rows(before, after, now if created is None else created, now, self._lease_ms),
        )
        spent = [
            s
            for s, plan in enumerate(after.created.seats)
            if plan.kind == "invite" and _just_taken(before, after, s)
        ]
        return Commit(
            first=row.first, n=row.n, at_ms=row.at_ms, events=row.events, secrets=row.secrets,
            head=bytes.fromhex(head), projected=projected, idempotency=idempotency, spent_invites=spent,
        )  # fmt: skip

    def _keep(self, loaded: Loaded, commit: Commit) -> None:
        """Remember a match as it was just written, and tell whoever looks after pending work if there is any new."""
        self._cache.put(loaded)
        if commit.projected.due:
            self._woken()

    # --- Looking --------------------------------------------------------------------------------------

    def open(self, match_id: str, caller: Caller) -> Opened:
        """Open the match, if the caller may read it. Raises `NotFound`."""
        loaded = self._open(match_id, caller)
        m = loaded.match
        return Opened(loaded.head.match_no, loaded.head.version, m.game, m.seats, loaded)

    def enter(self, token: str, match_id: str, invite: str | None) -> tuple[Player, Opened | None] | None:
        """Know a player by his token and open the match he asks about, in one look at the database.

        None if the token is nobody's; no match if there is none for him.
        """
        kept = self._cache.get(match_id)
        asked = match_id if is_id(match_id) else ""
        found = self.store.enter(hashed(token), asked, kept.head.version if kept else 0)
        if found is None:
            return None
        player, there = found
        loaded = self._standing(kept, there)
        if loaded is None or not self._may_read(loaded, Caller(player.player_id, token, invite)):
            return player, None
        m = loaded.match
        return player, Opened(loaded.head.match_no, loaded.head.version, m.game, m.seats, loaded)

    def see(self, match_id: str, caller: Caller) -> Seen:
        """See the match as the caller may: from his seat, else as a spectator. Raises `NotFound`."""
        loaded = self._open(match_id, caller)
        mine = _seats_of(loaded.match, caller)
        return self._seen(
            loaded, reader_of(mine[0] if mine else None), mine, creator=_created_by(loaded.match, caller)
        )

    def see_from(self, match_id: str, caller: Caller, seat: Seat) -> Seen:
        """See the match from one of the caller's seats. Raises `NotFound`, `Refused` for another's."""
        loaded = self._open(match_id, caller)
        mine = _seats_of(loaded.match, caller)
        if seat not in mine:
            raise Refused("not_seated")
        return self._seen(loaded, reader_of(seat), mine, creator=_created_by(loaded.match, caller))

    def replay(self, match_id: str, caller: Caller, version: int | None, seat: str | None) -> Seen:
        """See the table at a version, from a seat (`all`: every card), where that is open to the caller.

        Raises `NotFound`, and `NotDisclosed` for another's seat in a hand that is not disclosed.
        """
        seen = self.see(match_id, caller)
        reader = seen.reader if seat is None else EVERYBODY if seat == "all" else seat
        v = seen.version if version is None else version
        if reader not in (seen.reader, "spectators", *map(str, seen.seats)):
            self._check_disclosed(seen, v)
        return self.at(replace(seen, reader=reader), v)

    def _check_disclosed(self, seen: Seen, version: int) -> None:
        hands = self.at(seen, version).match.hand_no
        if any(h not in seen.match.disclosed for h in range(1, hands + 1)):
            raise NotDisclosed

    def at(self, seen: Seen, version: int) -> Seen:
        """See the match as it stood after the event of this version, by the same reader."""
        rows = self.store.rows(seen.match_no)
        keeps = log.keeper(seen.match, seen.reader)
        shown = log.events(rows, seen.match.game.name, len(seen.match.seats), seen.reader, keeps)
        match = life.folded(seen.match_id, (event for _, event in zip(range(version), shown, strict=False)))
        head = next(e for row in rows for e in log.digests(row) if e[0] == version)[1]
        return replace(seen, version=version, head=head, match=match)

    def feed(self, seen: Seen, after: int, limit: int | None = None) -> Iterator[bytes]:
        """Give the reader's feed after a version, each event one JSON object, at most `limit` of them."""
        rows = self.store.rows(seen.match_no, after, limit)
        kept = self._cache.get(seen.match_id) or self._loaded(seen.match_id)
        items = log.feed(rows, seen.match_id, seen.reader, after, kept.dealer.hand_key, seen.match)
        return items if limit is None else (item for _, item in zip(range(limit), items, strict=False))

    def shown(self, seen: Seen) -> list[Any]:
        """Give all events as the reader of `seen` was shown them, up to its version."""
        rows = [row for row in self.store.rows(seen.match_no) if row.first <= seen.version]
        return list(log.events(rows, seen.match.game.name, len(seen.match.seats), seen.reader))

    def created_before(self, caller: Caller, remembered: Remembered) -> Seen:
        """Rebuild the match as its creator saw it when it was created."""
        assert remembered.match_no is not None
        assert remembered.first is not None
        assert remembered.n is not None
        row = self.store.match_row(remembered.match_no)
        assert row is not None
        now = self.see(row.match_id, caller)
        then = self.at(now, remembered.first + remembered.n - 1)
        mine = _seats_of(then.match, caller)
        reader = reader_of(mine[0] if mine else None)
        return self.at(replace(then, reader=reader, seats=mine), then.version)

    def done_before(self, match_id: str, caller: Caller, remembered: Remembered) -> Done:
        """Rebuild the answer to a move from the log, as it was given to this caller."""
        assert remembered.first is not None
        assert remembered.n is not None
        loaded = self._open(match_id, caller)
        last = remembered.first + remembered.n - 1
        rows = self.store.rows(loaded.head.match_no, remembered.first - 1, 1)
        seat = log.mover(rows[0])
        mine = _seats_of(loaded.match, caller)
        reader = reader_of(seat if seat in mine else mine[0] if mine else None)
        then = self.at(self._seen(loaded, reader, mine, creator=False), last)
        key, open_then = loaded.dealer.hand_key, then.match.disclosed
        events = log.feed(rows, match_id, reader, remembered.first - 1, key, loaded.match, open_then)
        return Done(last, then.head, life.to_act(then.match), tuple(events))

    def _seen(self, loaded: Loaded, reader: Reader, mine: tuple[Seat, ...], *, creator: bool) -> Seen:
        head = loaded.head
        version, match = loaded.seen.get(reader, (0, None))
        if match is None or version != head.version:
            known = match if version < head.version else None  # another thread may be ahead of this one
            rows = self.store.rows(head.match_no, version if known else 0)
            rows = [row for row in rows if row.first <= head.version]
            shown = log.events(rows, loaded.match.game.name, len(loaded.match.seats), reader)
            match = life.fold(known, shown) if known else life.folded(head.match_id, shown)
            if version < head.version:
                loaded.seen[reader] = (head.version, match)
        return Seen(
            head.match_no,
            head.match_id,
            head.version,
            head.head.hex(),
            Time(head.created_ms),
            reader,
            mine,
            creator,
            match,
        )

    # --- Loading --------------------------------------------------------------------------------------

    def _open(self, match_id: str, caller: Caller) -> Loaded:
        loaded = self._loaded(match_id)
        if not self._may_read(loaded, caller):
            raise NotFound
        return loaded

    def _loaded(self, match_id: str) -> Loaded:
        loaded = self._load(match_id)
        if loaded is None:
            raise NotFound
        return loaded

    def _may_read(self, loaded: Loaded, caller: Caller) -> bool:
        m = loaded.match
        if m.created.visibility != "private" or _seats_of(m, caller) or _created_by(m, caller):
            return True
        if caller.invite is None or m.status != "lobby":
            return False
        codes = self.store.invites(loaded.head.match_no).values()
        return any([compare_digest(hashed(caller.invite), code) for code in codes])  # noqa: C419 -- all are compared

    def _load(self, match_id: str) -> Loaded | None:
        if not is_id(match_id):
            return None
        kept = self._cache.get(match_id)
        return self._standing(kept, self.store.load(match_id, kept.head.version if kept else 0))

    def _standing(self, kept: Loaded | None, found: tuple[Head, list[Row]] | None) -> Loaded | None:
        """Give a match as it stands, from what is kept of it and what was found to have come since."""
        if found is None:
            return None
        head, rows = found
        if kept is not None and not rows:
            return kept
        loaded = self._advanced(kept, head, rows) if kept else self._folded(head, rows)
        self._cache.put(loaded)
        return loaded

    def _advanced(self, kept: Loaded, head: Head, rows: list[Row]) -> Loaded:
        m = kept.match
        after = life.fold(m, log.events(rows, m.game.name, len(m.seats)))
        dealer = kept.dealer if after.epoch == m.epoch else self._dealer(head)
        return Loaded(head, after, dealer, kept.seen)

    def _folded(self, head: Head, rows: list[Row]) -> Loaded:
        game, seats = log.opening(rows[0])
        return Loaded(head, life.folded(head.match_id, log.events(rows, game, seats)), self._dealer(head))

    def _dealer(self, head: Head) -> Dealer:
        seal_secret, roots = self.store.secrets(head.match_no)
        return Dealer(head.match_id, (*map(bytes.fromhex, roots), self._draw(32)), seal_secret)

    # --- Rebuilding -----------------------------------------------------------------------------------

    def projected(self, head: Head, rows: list[Row]) -> Projected:
        """Make a match's projections from its log alone, commit by commit, as they were made when it was written."""
        total = Projected(seats=[], turns=[], results=[], due=[])
        before: Match | None = None
        game, seats = log.opening(rows[0])
        for row in rows:
            shown = log.events([row], game, seats)
            after = life.folded(head.match_id, shown) if before is None else life.fold(before, shown)
            commit = self._commit(before, after, row, "", Time(row.at_ms), [], None, head.created_ms)
            _overlay(total, commit.projected)
            before = after
        return total


def _overlay(total: Projected, new: Projected) -> None:
    started = total.match.started_ms if total.match else None
    for name in ("match", "seats", "turns", "results", "due"):
        if getattr(new, name) is not None:
            setattr(total, name, getattr(new, name))
    if total.match is not None and total.match.started_ms is None:
        total.match = replace(total.match, started_ms=started)


def _check_version(loaded: Loaded, if_match: int | None) -> None:
    if if_match is not None and if_match != loaded.head.version:
        raise Stale(loaded.head.version)


def _invite_of(match_id: str, caller: Caller, seat: Seat, idempotency: Idempotency | None) -> str:
    """Give the code that a request with this key issues; a fresh one without a key."""
    salt = new_id() if idempotency is None else idempotency.key_hash.hex()
    return invite_code(caller.token, match_id, seat, salt)


def _seats_of(m: Match, caller: Caller) -> tuple[Seat, ...]:
    return tuple(s for s in m.seats if caller.player is not None and m.players[s] == caller.player)


def _created_by(m: Match, caller: Caller) -> bool:
    return caller.player is not None and caller.player == m.created.creator


def _just_taken(before: Match | None, after: Match, seat: Seat) -> bool:
    return after.players[seat] is not None and (before is None or before.players[seat] is None)


def _spare(dealer: Dealer, draw: Callable[[int], bytes]) -> Dealer:
    return replace(dealer, roots=(*dealer.roots, draw(32)))
