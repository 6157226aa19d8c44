"""The one application service: create a match, sit down, move, look at it, read its history.

What callers get to see is `Seen`: the match folded from what its reader was shown. The server's own knowledge
never leaves this module.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hmac import compare_digest
from itertools import islice
from typing import Any, Final

from domain import match as life
from domain.cards import Seat
from domain.catalogue import GAMES
from domain.clock import Clock, Time
from domain.fairness import Dealer, next_root
from domain.game import Game, Refused
from domain.match import Happening, Match
from domain.match_events import (
    Cancel,
    CloseNonces,
    DealGroup,
    DealKnown,
    Expire,
    Leave,
    Level,
    MatchCreated,
    OpenDeals,
    SeatPlan,
    SeedRevealed,
    Series,
    ShareDeals,
    Sit,
    TimeOut,
)  # fmt: skip
from domain.visibility import SPECTATORS, Reader, reader_of
from events import absence, foreign, groups, log, marks, orders, outbox, practice, snapshots, times
from events.codec import EVERYBODY, fading, shapes
from events.ids import ID_LENGTH, derived_id, hashed, invite_code, is_id, new_id
from events.lately import Lately
from events.loaded import Cache, Loaded
from events.orders import Look, Standing
from events.projections import matches as match_rows
from events.projections import results, turns
from events.store import (
    AlreadyThere,
    Commit,
    Head,
    Idempotency,
    Imported,
    NewTable,
    Ordered,
    Player,
    Projected,
    Remembered,
    Row,
    Store,
)

TRIES: Final = 50
"""How often a move that lost a race is put to the fresh state."""

PART: Final = 500
"""How many commits are read at a time where all are told."""


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


class _NoMove(Exception):
    """Standing orders make no move."""


@dataclass(slots=True, frozen=True)
class Place:
    """A seat of a match to be created: `kind` me, open, invite or bot."""

    kind: str
    level: Level | None = None
    eaten_at: Time | None = None  # of a caller who sits down (RULES 6.2)
    player: str | None = None  # for whom an invited seat is kept


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
    deal_group: DealGroup | None = None
    deal_known: DealKnown | None = None


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
    imported: Imported | None = None

    @property
    def visibility(self) -> str:
        """Who may read the match here, and find it."""
        return self.imported.visibility if self.imported else self.match.created.visibility

    @property
    def seat(self) -> Seat | None:
        """The seat from which the match is seen."""
        return int(self.reader) if self.reader.isdigit() else None


@dataclass(slots=True, frozen=True)
class SeenGroup:
    """A group of tables as everybody knows it who may; `mine` is the table at which the caller sits."""

    group: groups.Group
    creator: bool  # the caller is
    mine: int | None
    tables: tuple[Seen, ...]  # as spectators would see them


@dataclass(slots=True, frozen=True)
class Opened:
    """A match that the caller may read, at a version: what a request to it is judged by, before anything is done."""

    match_no: int
    version: int
    game: Game[Any, Any, Any, Any]
    seats: range
    loaded: Loaded  # the server's own knowledge, for `Matches` alone


@dataclass(slots=True, frozen=True)
class Past:
    """A match that the caller may read, and what a replay of it is judged by; `reader` is the caller's own."""

    head: Head
    game: Game[Any, Any, Any, Any]
    over: bool
    seats: range
    mine: tuple[Seat, ...]
    creator: bool  # the caller is
    reader: Reader


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
        self.lately = Lately(store)

    def warm(self) -> None:
        """Make once what a process makes once, and ask the store what requests ask, for no caller to wait for it."""
        snapshots.code()
        for game in GAMES:
            shapes(game)
        nobody = Caller()
        for ask in (self.see, self.past):
            with suppress(NotFound):
                ask("0" * ID_LENGTH, nobody)
        self.store.match_row(0)
        self.store.seat_rows([0])
        self.store.snapshot(0, SPECTATORS, 1)
        self.store.rows(0, upto=1)

    # --- Creating, sitting, leaving ---------------------------------------------------------------

    def create(self, caller: Caller, new: NewMatch, idempotency: Idempotency | None = None) -> Seen:
        """Create a match, the caller seated where it says `me`. Raises `Repeated`."""
        return self._created(new_id(), caller, new, idempotency)

    def _created(
        self, match_id: str, caller: Caller, new: NewMatch, idempotency: Idempotency | None = None,
        root: bytes | None = None,
    ) -> Seen:  # fmt: skip
        dealer = _dealer_of(match_id, new, (root or self._draw(32), self._draw(32)), self._draw(32))
        table, match = self._new(match_id, caller, new, dealer, self.now(), idempotency)
        outcome, stream = self.store.create(*table)
        if stream is None:
            raise Repeated
        stream = replace(stream, version=outcome.version, head=table.commit.head)
        self._keep(Loaded(stream, match, dealer), table.commit)
        return self.see(match_id, caller)

    def _new(
        self, match_id: str, caller: Caller, new: NewMatch, dealer: Dealer, now: Time,
        idempotency: Idempotency | None,
    ) -> tuple[NewTable, Match]:  # fmt: skip
        """Make what is written of a new match."""
        created = MatchCreated(
            game=new.game, rules=life.RULES, options=new.options, preset=new.preset,
            seats=tuple(SeatPlan("open" if p.kind == "me" else p.kind, p.level, p.player) for p in new.places),  # type: ignore[arg-type]
            visibility=new.visibility, clock=new.clock, series=new.series, creator=caller.player,  # type: ignore[arg-type]
            deal_group=new.deal_group, deal_known=new.deal_known,
        )  # fmt: skip
        assert caller.player is not None
        mine = [
            (s, Sit(caller.player, eaten_at=p.eaten_at)) for s, p in enumerate(new.places) if p.kind == "me"
        ]
        match, happened = life.create(match_id, created, mine, dealer, now)
        row, head = log.write(match_id, new.game, len(new.places), 1, now, "0" * 64, happened, dealer)
        commit = self._commit(None, match, row, head, now, happened, idempotency, dealer.seal_secret)
        invites = [
            (s, hashed(invite_code(caller.token, match_id, s, "")))
            for s, p in enumerate(new.places)
            if p.kind == "invite" and p.player is None
        ]
        return NewTable(match_id, dealer.seal_secret, dealer.roots[0].hex(), commit, invites), match

    def rematch(
        self, match_id: str, caller: Caller, idempotency: Idempotency | None = None
    ) -> tuple[Seen, bool]:
        """Create the same match once more, each seat held for who sat to its right; the one there is, if there is one.

        The caller sits down; the other players' seats are kept for them. Says whether it is new. Raises `NotFound`,
        `Repeated`, and `Refused` while the match is on and for who did not play in it.
        """
        loaded = self._open(match_id, caller)
        m = loaded.match
        if not _seats_of(m, caller):
            raise Refused("not_seated")
        if m.status not in ("finished", "abandoned"):
            raise Refused("wrong_phase")
        new_match_id = _rematch_id(loaded)
        if self.store.head(new_match_id) is None:
            c = m.created
            turned = [m.seats[s - 1] for s in m.seats]
            places = tuple(_again(c.seats[s], m.players[s], caller) for s in turned)
            new = NewMatch(c.game, c.options, c.preset, places, c.visibility, c.clock, c.series)
            with suppress(AlreadyThere):
                return self._created(new_match_id, caller, new, idempotency), True
        seen = self.see(new_match_id, caller)
        if idempotency is not None and not self.store.remember(
            idempotency, self.now(), seen.match_no, seen.version
        ):
            raise Repeated
        return seen, False

    def rematch_of(self, seen: Seen, caller: Caller) -> str | None:
        """Give the id of the rematch of a match that is over, if there is one that the caller may read."""
        if seen.match.status not in ("finished", "abandoned") or seen.imported is not None:
            return None
        loaded = self._load(seen.match_id)
        rematch = self._load(_rematch_id(loaded)) if loaded else None
        return rematch.head.match_id if rematch and self._may_read(rematch, caller) else None

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

        try:
            self._command(match_id, caller, seat, checked, if_match, entitled=entitled)
        except AlreadyThere:
            raise Refused("at_another_table") from None
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
            if loaded.match.created.deal_group is not None:
                raise Refused("of_a_group")
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
            if plan.kind == "invite" and plan.player is None
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
        if loaded.match.created.seats[seat].player == caller.player:
            return
        stored = self.store.invite(loaded.head.match_no, seat)
        if stored is None or not compare_digest(hashed(caller.invite or ""), stored):
            raise BadInvite

    # --- Tables with the same deals -----------------------------------------------------------------

    def create_group(
        self, caller: Caller, new: NewMatch, tables: Sequence[tuple[Place, ...]],
        idempotency: Idempotency | None = None,
    ) -> SeenGroup:  # fmt: skip
        """Create tables of one match each that get the same deals, all or none. Raises `Repeated`."""
        group_id, now = new_id(), self.now()
        root = self._draw(32)
        made = []
        for i, places in enumerate(tables):
            one = replace(new, places=places, deal_group=DealGroup(group_id, i, len(tables)))
            dealer = _dealer_of(group_id, one, (root, next_root(root)), self._draw(32))
            key = idempotency if i == 0 else None
            made.append(self._new(new_id(), caller, one, dealer, now, key)[0])
        if not self.store.create_group(group_id, caller.player or "", made):
            raise Repeated
        self._woken()
        return self.group(group_id, caller)

    def group(self, group_id: str, caller: Caller) -> SeenGroup:
        """See a group of tables, and of each of them what its lobby has shown, until all are over. Raises `NotFound`."""
        group = groups.find(self.store, group_id) if is_id(group_id) else None
        if group is None:
            raise NotFound
        tables = [self._loaded(match_id) for match_id in group.tables]
        first, sits = tables[0].match, [_seats_of(table.match, caller) for table in tables]
        if (
            first.created.visibility == "private"
            and not _created_by(first, caller)
            and not any(sits)
            and not any(self._may_read(table, caller) for table in tables)
        ):
            raise NotFound
        seen = tuple(self._seen(table, SPECTATORS, (), creator=False) for table in tables)
        mine = next((i for i, held in enumerate(sits) if held), None)
        return SeenGroup(group, _created_by(first, caller), mine, seen)

    def group_before(self, caller: Caller, remembered: Remembered) -> SeenGroup:
        """Rebuild a group as its creator saw it when it was created."""
        row = self.store.match_row(remembered.match_no or 0)
        assert row is not None
        m = self._loaded(row.match_id).match
        assert m.created.deal_group is not None
        now = self.group(m.created.deal_group.id, caller)
        firsts = [self.store.rows(seen.match_no, 0, 1)[0].n for seen in now.tables]
        then = tuple(self.at(seen, n) for seen, n in zip(now.tables, firsts, strict=True))
        mine = next((i for i, seen in enumerate(then) if _seats_of(seen.match, caller)), None)
        return replace(now, group=replace(now.group, state=groups.OPEN), mine=mine, tables=then)

    def cancel_group(self, group_id: str, caller: Caller) -> None:
        """Cancel all tables of a group before they begin; again does nothing.

        Raises `NotFound`, `Forbidden` for all but its creator, and `Refused`.
        """
        seen = self.group(group_id, caller)
        if not seen.creator:
            raise Forbidden
        groups.decide(self.store, replace(seen.group, state=groups.OPEN), groups.CANCELLED, self.now())
        now = groups.find(self.store, group_id)
        assert now is not None
        if now.state != groups.CANCELLED:
            raise Refused("match_over" if now.state in (groups.OVER, groups.EXPIRED) else "already_started")
        self._woken()
        for match_id in now.tables:
            self.settle(match_id)

    def _bring_on_group(self, match_id: str) -> None:
        """Decide what the group of a table does next, if all its tables are so far; else let the table rest."""
        loaded = self._load(match_id)
        if loaded is None or not (life.ready(loaded.match) or life.waits(loaded.match)):
            return
        assert loaded.match.created.deal_group is not None
        group = groups.find(self.store, loaded.match.created.deal_group.id)
        assert group is not None
        if groups.turn(group, loaded.match) is not None:
            return
        tables = [self._loaded(each).match for each in group.tables]
        state = groups.next_state(group, tables)
        if state is None:
            groups.rest(self.store, loaded.head.match_no, group, self.now())
        else:
            nonces = [life.nonces_of(m) for m in tables] if state == groups.STARTED else None
            groups.decide(self.store, group, state, self.now(), nonces)
            self._woken()

    def _following(self, loaded: Loaded, group_id: str) -> Any | None:
        """Give the command by which a table follows its group, if it has not done so."""
        m, now = loaded.match, self.now()
        if loaded.head.imported is not None or not (m.status == "lobby" or life.waits(m)):
            return None
        group = groups.find(self.store, group_id)
        if group is not None and group.state == groups.OPEN and group.created_ms + outbox.LOBBY_MS <= now:
            groups.decide(self.store, group, groups.EXPIRED, now)
            group = groups.find(self.store, group_id)
        return None if group is None else groups.turn(group, m)

    def practice(
        self, match_id: str, caller: Caller, hand_no: int | None, places: tuple[Place, ...] | None,
        visibility: str, clock: Clock, idempotency: Idempotency | None = None,
    ) -> Seen:  # fmt: skip
        """Create a match with the deals that a finished one has disclosed, from a hand on, by default the first.

        Without `places` the caller sits where he sat, against bots. Raises `NotFound`, `Refused` while the match is on,
        `practice.NoDeals`, `Repeated`.
        """
        loaded = self._open(match_id, caller)
        m, match_no = loaded.match, loaded.head.match_no
        if m.status != "finished":
            raise Refused("wrong_phase")
        known, root = practice.known(self.store, match_no, m, hand_no)
        options = practice.options(self.store, match_no, m, known.hand_no, orders=clock.ticks)
        mine = next(iter(_seats_of(m, caller)), 0)
        bots = tuple(Place("me") if s == mine else Place("bot", "steady") for s in m.seats)
        new = NewMatch(
            m.game.name, options, None, places or bots, visibility, clock, m.created.series, deal_known=known
        )
        return self._created(new_id(), caller, new, idempotency, root)

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

    # --- Standing orders ----------------------------------------------------------------------------

    def orders(self, match_id: str, caller: Caller, seat: Seat | None) -> tuple[Seen, Standing | None]:
        """Give a player's orders for a seat, by default his first, with the match as he sees it from there.

        Raises `NotFound`, and `Refused` for another's seat.
        """
        loaded = self._open(match_id, caller)
        at = self._own(loaded.match, caller, seat)
        seen = self._seen(loaded, reader_of(at), _seats_of(loaded.match, caller), creator=False)
        held = orders.standing(self.store, loaded.head.match_no)
        return seen, next((s for s in held if (s.seat, s.player_id) == (at, caller.player)), None)

    def give_orders(
        self, match_id: str, caller: Caller, seat: Seat | None, document: str, if_match: int | None = None
    ) -> tuple[Seen, Standing]:
        """Put orders in force, in the place of earlier ones; the document has been checked.

        Raises `NotFound`, `Stale`, and `Refused` also where the match allows none.
        """
        loaded = self._open(match_id, caller)
        m, secret = loaded.match, loaded.dealer.seal_secret
        if m.over:
            raise Refused("match_over")
        at, player, now = self._own(m, caller, seat), caller.player, self.now()
        assert player is not None
        _check_version(loaded, if_match)
        if not m.common.standing_orders:
            raise Refused("orders_not_allowed")
        look = orders.look_at(m, at, secret, now)[1] if at in orders.deciding(m) else None
        given = orders.give(self.store, loaded.head.match_no, at, player, document, now, look)
        if given is None:
            raise Refused("match_over")
        if look is not None:
            self._woken()
        return self._seen(loaded, reader_of(at), _seats_of(m, caller), creator=False), given

    def cancel_orders(
        self, match_id: str, caller: Caller, seat: Seat | None, if_match: int | None = None
    ) -> int:
        """Cancel a player's orders for a seat, if there are any; says at which version the match is.

        Raises `NotFound`, `Refused`, `Stale`.
        """
        loaded = self._open(match_id, caller)
        at = self._own(loaded.match, caller, seat)
        _check_version(loaded, if_match)
        orders.cancel(self.store, loaded.head.match_no, at, caller.player or "")
        return loaded.head.version

    def orders_due(self, match_id: str) -> list[Look]:
        """Give the orders that are to be looked at by now."""
        loaded = self._load(match_id)
        if loaded is None or not orders.deciding(loaded.match):
            return []
        held = orders.standing(self.store, loaded.head.match_no)
        found = orders.looks(loaded.match, loaded.dealer.seal_secret, held)
        return [look for at, look in found if at <= self.now()]

    def order_move(self, match_id: str, look: Look, choose: Callable[[Seen], Any]) -> bool:
        """Make the move that `choose` makes of the decision that orders are looked at for; False if it makes none.

        It is asked again when somebody else has moved meanwhile, and not at all once the decision has been taken, or the
        orders are there no longer.
        """
        seat, caller = look.standing.seat, Caller(look.standing.player_id)

        def checked(loaded: Loaded) -> Any:
            held = orders.standing(self.store, loaded.head.match_no)
            there = (due for _, due in orders.looks(loaded.match, loaded.dealer.seal_secret, held))
            if not any(due.ordered == look.ordered for due in there):
                raise _NoMove
            move = choose(self._seen(loaded, reader_of(seat), (seat,), creator=False))
            if move is None:
                raise _NoMove
            return move

        try:
            self._command(match_id, caller, seat, checked, ordered=look.ordered, seated=True)
        except (_NoMove, Refused, NotFound):
            return False
        return True

    def look_again(self, match_id: str) -> None:
        """Let the looking after orders rest until there is something to look at."""
        loaded = self._load(match_id)
        if loaded is not None:
            m, secret, now = loaded.match, loaded.dealer.seal_secret, self.now()
            orders.look_again(
                self.store, loaded.head.match_no, loaded.head.version,
                lambda held: orders.next_look(m, secret, held, now),
            )  # fmt: skip

    def _own(self, m: Match, caller: Caller, seat: Seat | None) -> Seat:
        mine = _seats_of(m, caller)
        if not mine or (seat is not None and seat not in mine):
            raise Refused("not_seated")
        return mine[0] if seat is None else seat

    # --- Time ---------------------------------------------------------------------------------------

    def settle(self, match_id: str) -> int:
        """Settle what has fallen due by time: a lobby, the wait for nonces, decisions. Says how many."""
        settled = 0
        self._bring_on_group(match_id)
        while (loaded := self._load(match_id)) and (falls := self._fallen_due(loaded)):
            seat, command = falls
            settled += self._append(loaded, seat, command, "timeout") is not None
        return settled

    def _fallen_due(self, loaded: Loaded) -> tuple[Seat, Any] | None:
        m, now = loaded.match, self.now()
        if m.created.deal_group is not None:
            if (command := self._following(loaded, m.created.deal_group.id)) is not None:
                return 0, command
        elif m.status == "lobby" and loaded.head.created_ms + outbox.LOBBY_MS <= now:
            return 0, Expire()
        if m.stage_until is not None and m.stage_until <= now and not m.over:
            return 0, CloseNonces()
        late = life.overdue(m, now)
        if not late:
            return None
        return late[0], absence.at_its_deadline(self.store, m, late[0], now) or TimeOut()

    def _command(
        self, match_id: str, caller: Caller, seat: Seat | None, checked: Callable[[Loaded], Any],
        if_match: int | None = None, idempotency: Idempotency | None = None, first: Loaded | None = None,
        *, seated: bool = False, entitled: Callable[[Loaded], None] | None = None, ordered: Ordered | None = None,
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
                if credit := absence.before_a_move(self.store, m, at, self.now()):
                    moved = self._append(loaded, at, credit, "timeout")
                    if_match = moved.version if moved and if_match is not None else if_match
                    continue
            done = self._append(loaded, at, command, "order" if ordered else "move", idempotency, ordered)
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
        self, loaded: Loaded, seat: Seat, command: Any, cause: str, idempotency: Idempotency | None = None,
        ordered: Ordered | None = None,
    ) -> Done | None:  # fmt: skip
        """Carry out a command on this state and write it; None if somebody else wrote first."""
        head, m, now = loaded.head, loaded.match, self.now()
        cause = _OF_A_GROUP.get(type(command), cause)
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
            loaded.dealer,
        )
        secret = loaded.dealer.seal_secret
        commit = self._commit(m, after, row, digest, now, happened, idempotency, secret, head.created_ms)
        commit.ordered = ordered
        if after.epoch > m.epoch:
            commit.new_root = loaded.dealer.roots[after.epoch - 1].hex()
        outcome = self.store.append(head.match_no, commit)
        if outcome.status == "duplicate":
            raise Repeated
        if outcome.status == "conflict":
            return None
        version = row.first + row.n - 1
        dealer = loaded.dealer if after.epoch == m.epoch else _spare(loaded.dealer, m, self._draw)
        head = replace(head, version=version, head=bytes.fromhex(digest))
        self._keep(Loaded(head, after, dealer, loaded.seen), commit)
        reader = reader_of(seat)
        events = log.feed([row], head.match_id, reader, row.first - 1, dealer.hand_key, after)
        return Done(version, digest, life.to_act(after), tuple(events))

    def _commit(
        self, before: Match | None, after: Match, row: Row, head: str, now: Time, happened: list[Happening],
        idempotency: Idempotency | None, secret: bytes, created: int | None = None,
    ) -> Commit:  # fmt: skip
        version = row.first + row.n - 1
        projected = Projected(
            match=match_rows.rows(before, after, now),
            seats=match_rows.seats(before, after),
            turns=turns.rows(before, after, version, now),
            results=results.rows(before, after, now),
            due=outbox.rows(before, after, now if created is None else created, now, self._lease_ms, secret),
        )
        spent = [
            s
            for s, plan in enumerate(after.created.seats)
            if plan.kind == "invite" and _just_taken(before, after, s)
        ]
        return Commit(
            first=row.first, n=row.n, at_ms=row.at_ms, events=row.events, secrets=row.secrets,
            head=bytes.fromhex(head), mac=row.mac, projected=projected, idempotency=idempotency, spent_invites=spent,
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

    def past(self, match_id: str, caller: Caller) -> Past:
        """Open the past of a match, without reading all of it. Raises `NotFound`."""
        head = self.store.head(match_id) if is_id(match_id) else None
        row = self.store.match_row(head.match_no) if head else None
        if head is None or row is None:
            raise NotFound
        held = self.store.seat_rows([head.match_no])[head.match_no]
        mine = tuple(
            s.seat
            for s in held
            if caller.player is not None and s.kind == "player" and s.player_id == caller.player
        )
        creator = caller.player is not None and caller.player == row.creator
        if row.visibility == "private" and not mine and not creator:
            self._open(match_id, caller)  # an invite to the lobby may still let him in
        over, reader = row.status not in ("lobby", "playing"), reader_of(mine[0] if mine else None)
        return Past(head, GAMES[row.game], over, range(len(held)), mine, creator, reader)

    def replay(self, past: Past, version: int, seat: str | None) -> Seen:
        """See the table at a version, from a seat (`all`: every card), where that is open to the caller.

        Raises `NotDisclosed` for another's seat in a hand that is not disclosed.
        """
        reader = past.reader if seat is None else EVERYBODY if seat == "all" else seat
        head = past.head
        if fading(past.game.name) and not past.over:
            now = self._loaded(head.match_id).match  # what it shows of the past depends on where it stands
            match, digest = self._stood(head, reader, version, log.keeper(now, reader))
        else:
            match, digest = self._replayed(head, reader, version)
        if reader not in (past.reader, SPECTATORS, *map(str, past.mine)):
            self._check_disclosed(head, match)
        return Seen(
            head.match_no,
            head.match_id,
            version,
            digest,
            Time(head.created_ms),
            reader,
            past.mine,
            past.creator,
            match,
            foreign.imported(head),
        )

    def _check_disclosed(self, head: Head, then: Match) -> None:
        """Refuse unless all hands up to then are disclosed: the last disclosure tells, for they come in order."""
        kind = SeedRevealed.__name__
        rows = self.store.rows_naming(head.match_no, kind, last=True) if then.hand_no else []
        last = max((data["hand_no"] for _, _, data in log.public(rows, {kind})), default=0)
        if last < then.hand_no:
            raise NotDisclosed

    def at(self, seen: Seen, version: int) -> Seen:
        """See the match as it stood after the event of this version, by the same reader."""
        head = self.store.head(seen.match_id)
        assert head is not None
        match, digest = self._stood(head, seen.reader, version, log.keeper(seen.match, seen.reader))
        return replace(seen, version=version, head=digest, match=match)

    def _stood(self, head: Head, reader: Reader, version: int, keeps: log.Keeps) -> tuple[Match, str]:
        """Give the match as it stood at a version, and that event's digest, from all events up to it."""
        rows = self.store.rows(head.match_no, upto=version)
        return self._fold(head, rows, reader, upto=version, keeps=keeps), log.digest_of(rows[-1], version)

    def _replayed(self, head: Head, reader: Reader, version: int) -> tuple[Match, str]:
        """Give the same from the snapshot before it; what has to be folded on the way is kept for the next time."""
        begun, match = self._snapshot(head, reader, version)
        rows = self.store.rows(head.match_no, max(begun - 1, 0), upto=version)
        digest, kept = log.digest_of(rows[-1], version), []
        apart, on_the_way = snapshots.spacing(head.version), []
        for row in rows:
            last = row.first + row.n - 1
            if last <= begun:
                continue  # it is there for its digest
            on_the_way.append(row)
            if last <= version and last // apart > begun // apart:
                match, begun = self._fold(head, on_the_way, reader, match), last
                kept.append(snapshots.written(head.match_id, reader, last, match))
                on_the_way = []
        match = self._fold(head, on_the_way, reader, match, upto=version)
        if kept:
            self.store.keep_snapshots(head.match_no, reader, kept)
        return match, digest

    def _snapshot(self, head: Head, reader: Reader, version: int) -> tuple[int, Match | None]:
        """Give the latest sound snapshot at or before a version; 0 and None if there is none."""
        while kept := self.store.snapshot(head.match_no, reader, version):
            if (match := snapshots.read(head.match_id, reader, kept)) is not None:
                return kept.version, match
            version = kept.version - 1
        return 0, None

    def marks(self, past: Past) -> list[marks.Mark]:
        """List the moments of a match that one may jump to."""
        return list(marks.found(past.game, self.store.rows(past.head.match_no, upto=past.head.version)))

    def marked(self, past: Past, at: str) -> int:
        """Give the version of a mark. Raises `marks.NoSuchMark`."""
        return marks.version_of(self.store, past.head, past.game, at)

    def told(self, seen: Seen, after: int) -> Iterator[tuple[int, Time, Any, str]]:
        """Tell each event after a version as the reader may know it: its number, its time, itself, a line of text.

        A part of the log is read at a time.
        """
        m, keeps = seen.match, log.keeper(seen.match, seen.reader)
        while after < seen.version:
            for row in self.store.rows(seen.match_no, after, PART):
                shown = log.events([row], m.game.name, len(m.seats), seen.reader, keeps)
                for seq, event in enumerate(shown, row.first):
                    if after < seq <= seen.version:
                        after = seq
                        yield seq, Time(row.at_ms), event, life.text(m, event)

    def feed(self, seen: Seen, after: int, limit: int | None = None) -> Iterator[bytes]:
        """Give the reader's feed after a version, each event one JSON object, at most `limit` of them."""
        rows = self.store.rows(seen.match_no, after, limit)
        kept = self._cache.get(seen.match_id) or self._loaded(seen.match_id)
        items = log.feed(rows, seen.match_id, seen.reader, after, kept.dealer.hand_key, seen.match)
        return items if limit is None else (item for _, item in zip(range(limit), items, strict=False))

    def shown(self, seen: Seen) -> list[Any]:
        """Give all events as the reader of `seen` was shown them, up to its version."""
        rows = self.store.rows(seen.match_no, upto=seen.version)
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
            rows = self.store.rows(head.match_no, version if known else 0, upto=head.version)
            match = self._fold(head, rows, reader, known)
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
            foreign.imported(head),
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
        if loaded.head.imported is not None:
            return True  # it may be unlisted, but is never private
        if life.for_its_players(m):
            return bool(_seats_of(m, caller))
        if m.created.visibility != "private" or _seats_of(m, caller) or _created_by(m, caller):
            return True
        if m.status == "lobby" and any(
            plan.player == caller.player for plan in m.created.seats if plan.player
        ):
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
        after = self._fold(head, rows, before=kept.match)
        dealer = kept.dealer if after.epoch == kept.match.epoch else self._dealer(head, after)
        return Loaded(head, after, dealer, kept.seen)

    def _folded(self, head: Head, rows: list[Row]) -> Loaded:
        match = self._fold(head, rows)
        return Loaded(head, match, self._dealer(head, match))

    def _fold(
        self, head: Head, rows: Sequence[Row], reader: Reader = EVERYBODY, before: Match | None = None,
        *, upto: int | None = None, keeps: log.Keeps | None = None,
    ) -> Match:  # fmt: skip
        """Fold commits into the match as a reader knows it, the server by default: all states are made here.

        The commits are all from the first one on, or all since `before`; events later than `upto` are left.
        """
        if before is not None and not rows:
            return before
        game, seats = (before.game.name, len(before.seats)) if before else log.opening(rows[0])
        shown = log.events(rows, game, seats, reader, keeps)
        if upto is not None:
            shown = islice(shown, upto + 1 - rows[0].first)
        return foreign.abroad(head, life.fold(before, shown) if before else life.folded(head.match_id, shown))

    def _dealer(self, head: Head, m: Match) -> Dealer:
        seal_secret, roots = self.store.secrets(head.match_no)
        dealer = _dealer_of(head.match_id, m.created, tuple(map(bytes.fromhex, roots)), seal_secret)
        return _spare(dealer, m, self._draw)

    # --- Rebuilding -----------------------------------------------------------------------------------

    def projected(self, head: Head, rows: list[Row], secret: bytes | None = None) -> Projected:
        """Make a match's projections from its log, commit by commit, as they were made when it was written.

        When orders are looked at follows from the match's secret, for which the store is asked if it is not given.
        """
        if secret is None:
            secret = b"" if head.imported is not None else self.store.secrets(head.match_no).seal_secret
        total = Projected(seats=[], turns=[], results=[], due=[])
        before: Match | None = None
        for row in rows:
            after = self._fold(head, [row], before=before)
            commit = self._commit(before, after, row, "", Time(row.at_ms), [], None, secret, head.created_ms)
            _overlay(total, commit.projected)
            before = after
        return foreign.projected(head, total)


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


def _rematch_id(loaded: Loaded) -> str:
    return derived_id(loaded.dealer.seal_secret, "rematch")


def _again(plan: SeatPlan, player: str | None, caller: Caller) -> Place:
    """Give the place in a rematch of who sat in a seat."""
    if player is None:
        return Place("bot", plan.level or "steady")
    return Place("me") if player == caller.player else Place("invite", player=player)


def _seats_of(m: Match, caller: Caller) -> tuple[Seat, ...]:
    return tuple(s for s in m.seats if caller.player is not None and m.players[s] == caller.player)


def _created_by(m: Match, caller: Caller) -> bool:
    return caller.player is not None and caller.player == m.created.creator


def _just_taken(before: Match | None, after: Match, seat: Seat) -> bool:
    return after.players[seat] is not None and (before is None or before.players[seat] is None)


def _dealer_of(
    match_id: str, new: NewMatch | MatchCreated, roots: tuple[bytes, ...], seal_secret: bytes
) -> Dealer:
    """Give the secrets of a match, bound to what its deals are."""
    known = new.deal_known.deals if new.deal_known else None
    return Dealer(new.deal_group.id if new.deal_group else match_id, roots, seal_secret, known)


def _spare(dealer: Dealer, m: Match, draw: Callable[[int], bytes]) -> Dealer:
    """Add the root for the epoch after those that have begun, which all tables of a group find alike."""
    alike = m.created.deal_group is not None and bool(dealer.roots)
    return replace(dealer, roots=(*dealer.roots, next_root(dealer.roots[-1]) if alike else draw(32)))


_OF_A_GROUP: Final[Mapping[type, str]] = {ShareDeals: "auto", OpenDeals: "auto", Cancel: "move"}
"""The causes of what a table does because its group does it."""
