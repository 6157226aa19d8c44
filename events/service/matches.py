"""This module is the application service: create a match, sit down, move, see it, read its history.

Each of its parts is a module of functions over a `Context`, and each method is the function of one: what it takes,
gives and raises stands there. Callers get a `Seen`, the match folded from what its reader was shown. The server's own
knowledge never leaves the parts.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Clock, Time
from domain.core.visibility import SPECTATORS
from domain.games.catalogue import GAMES
from events import times
from events.errors import NotFound
from events.ids import ID_LENGTH
from events.log import snapshots
from events.log.codec import shapes
from events.service import create as creation
from events.service import deal_groups, lobby, marks, orders, play, replay, views
from events.service import projected as commits
from events.service.access import Caller, check_installed
from events.service.context import Context
from events.service.deal_groups import SeenGroup
from events.service.new_match import NewMatch, SeatRequest
from events.service.order_looks import Look
from events.service.recent import Recent
from events.service.replay import Past
from events.service.views import Opened, Seen
from events.service.write import Done
from events.store.protocol import Store
from events.store.records import (
    CommitRow,
    Head,
    Idempotency,
    Player,
    Projected,
    Remembered,
    StandingOrders,
)
from events.store.tables import matches, seats, streams
from events.store.tables import snapshots as snapshots_table


class Matches:
    """This is the service over a store. `woken` is called after a commit that leaves pending work, now or later.

    A worker, which plays on by itself, gives the `lease_ms` during which no other worker takes a bot's turn.
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
        self.context = Context(store, now, woken, lease_ms, draw)
        self.recent = Recent(store)

    def warm(self) -> None:
        """Make once what a process makes once, and ask the store what requests ask, for no caller to wait for it."""
        snapshots.code()
        for game in GAMES:
            shapes(game)
        nobody = Caller()
        for ask in (self.see, self.past):
            with suppress(NotFound):
                ask("0" * ID_LENGTH, nobody)
        matches.row(self.store, 0)
        seats.of_matches(self.store, [0])
        snapshots_table.latest(self.store, 0, SPECTATORS, 1)
        streams.rows(self.store, 0, upto=1)

    # --- Creating ---------------------------------------------------------------------------------------

    def create(self, caller: Caller, new: NewMatch, idempotency: Idempotency | None = None) -> Seen:
        return creation.create(self.context, caller, new, idempotency)

    def created_before(self, caller: Caller, remembered: Remembered) -> Seen:
        return creation.created_before(self.context, caller, remembered)

    def rematch(self, match_id: str, caller: Caller, idempotency: Idempotency | None = None) -> tuple[Seen, bool]:
        return creation.rematch(self.context, match_id, caller, idempotency)

    def rematch_of(self, seen: Seen, caller: Caller) -> str | None:
        return creation.rematch_of(self.context, seen, caller)

    def practice(
        self, match_id: str, caller: Caller, hand_no: int | None, places: tuple[SeatRequest, ...] | None,
        visibility: str, clock: Clock, idempotency: Idempotency | None = None,
    ) -> Seen:  # fmt: skip
        return creation.practise(self.context, match_id, caller, hand_no, places, visibility, clock, idempotency)

    # --- The lobby --------------------------------------------------------------------------------------

    def sit(
        self, match_id: str, caller: Caller, seat: Seat, if_match: int | None = None,
        *, nonce: str | None = None, nonce_hash: str | None = None, entry: Any = None,
    ) -> Seen:  # fmt: skip
        return lobby.sit(
            self.context,
            match_id,
            caller,
            seat,
            if_match,
            nonce=nonce,
            nonce_hash=nonce_hash,
            entry=entry,
        )

    def leave(self, match_id: str, caller: Caller, seat: Seat, if_match: int | None = None) -> int:
        return lobby.leave(self.context, match_id, caller, seat, if_match)

    def cancel(self, match_id: str, caller: Caller, if_match: int | None = None) -> int:
        return lobby.cancel(self.context, match_id, caller, if_match)

    def invite(
        self, match_id: str, caller: Caller, seat: Seat,
        if_match: int | None = None, idempotency: Idempotency | None = None,
    ) -> tuple[str, int]:  # fmt: skip
        return lobby.invite(self.context, match_id, caller, seat, if_match, idempotency)

    def invite_before(self, match_id: str, caller: Caller, seat: Seat, idempotency: Idempotency) -> str | None:
        return lobby.invite_before(self.context, match_id, caller, seat, idempotency)

    def invites(self, seen: Seen, caller: Caller) -> dict[Seat, str | None]:
        return lobby.invites(self.context, seen, caller)

    def first_invites(self, seen: Seen, caller: Caller) -> dict[Seat, str | None]:
        return lobby.first_invites(self.context, seen, caller)

    # --- Tables with the same deals ---------------------------------------------------------------------

    def create_group(
        self, caller: Caller, new: NewMatch, tables: Sequence[tuple[SeatRequest, ...]],
        idempotency: Idempotency | None = None,
    ) -> SeenGroup:  # fmt: skip
        return deal_groups.create(self.context, caller, new, tables, idempotency)

    def group(self, group_id: str, caller: Caller) -> SeenGroup:
        return deal_groups.see(self.context, group_id, caller)

    def group_before(self, caller: Caller, remembered: Remembered) -> SeenGroup:
        return deal_groups.created_before(self.context, caller, remembered)

    def cancel_group(self, group_id: str, caller: Caller) -> None:
        deal_groups.cancel(self.context, group_id, caller)

    # --- Moving -----------------------------------------------------------------------------------------

    def move(
        self, match_id: str, caller: Caller, seat: Seat | None, move: Any,
        if_match: int | None = None, idempotency: Idempotency | None = None, opened: Opened | None = None,
    ) -> Done:  # fmt: skip
        return play.move(self.context, match_id, caller, seat, move, if_match, idempotency, opened)

    def done_before(self, match_id: str, caller: Caller, remembered: Remembered) -> Done:
        return play.done_before(self.context, match_id, caller, remembered)

    def bot_to_move(self, match_id: str) -> Seen | None:
        return play.bot_to_move(self.context, match_id)

    def bot_move(self, seen: Seen, move: Any) -> bool:
        return play.bot_move(self.context, seen, move)

    def hand_back(self, seen: Seen) -> None:
        play.hand_back(self.context, seen)

    def settle(self, match_id: str) -> int:
        return play.settle(self.context, match_id)

    # --- Standing orders --------------------------------------------------------------------------------

    def orders(self, match_id: str, caller: Caller, seat: Seat | None) -> tuple[Seen, StandingOrders | None]:
        return orders.of_seat(self.context, match_id, caller, seat)

    def give_orders(
        self, match_id: str, caller: Caller, seat: Seat | None, document: str, if_match: int | None = None
    ) -> tuple[Seen, StandingOrders]:
        return orders.give(self.context, match_id, caller, seat, document, if_match)

    def cancel_orders(self, match_id: str, caller: Caller, seat: Seat | None, if_match: int | None = None) -> int:
        return orders.cancel(self.context, match_id, caller, seat, if_match)

    def orders_due(self, match_id: str) -> list[Look]:
        return orders.due(self.context, match_id)

    def order_move(self, match_id: str, look: Look, choose: Callable[[Seen], Any]) -> bool:
        return orders.move(self.context, match_id, look, choose)

    def look_again(self, match_id: str) -> None:
        orders.look_again(self.context, match_id)

    # --- Looking ----------------------------------------------------------------------------------------

    def open(self, match_id: str, caller: Caller, *, to_play: bool = True) -> Opened:
        return views.opened(self.context, match_id, caller, to_play=to_play)

    def enter(self, token: str, match_id: str, invite: str | None) -> tuple[Player, Opened | None] | None:
        return views.enter(self.context, token, match_id, invite)

    def see(self, match_id: str, caller: Caller) -> Seen:
        return views.see(self.context, match_id, caller)

    def see_from(self, match_id: str, caller: Caller, seat: Seat) -> Seen:
        return views.see_from(self.context, match_id, caller, seat)

    def at(self, seen: Seen, version: int) -> Seen:
        return views.at(self.context, seen, version)

    def exported(self, seen: Seen, after: int) -> Iterator[tuple[int, Time, Any, str]]:
        return views.exported(self.context, seen, after)

    def last(self, seen: Seen) -> str:
        return views.last(self.context, seen)

    def feed(self, seen: Seen, after: int, limit: int | None = None) -> Iterator[bytes]:
        return views.feed(self.context, seen, after, limit)

    def shown(self, seen: Seen) -> list[Any]:
        return views.shown(self.context, seen)

    # --- The past ---------------------------------------------------------------------------------------

    def past(self, match_id: str, caller: Caller) -> Past:
        return replay.past(self.context, match_id, caller)

    def replay(self, past: Past, version: int, seat: str | None) -> Seen:
        return replay.replay(self.context, past, version, seat)

    def marks(self, past: Past) -> list[marks.ReplayMark]:
        """List the moments of a match that one may jump to. Raises `GameNotInstalled`."""
        check_installed(past.game)
        return list(marks.found(past.game, streams.rows(self.store, past.head.match_no, upto=past.head.version)))

    def marked(self, past: Past, at: str) -> int:
        """Give the version of a mark. Raises `marks.NoSuchMark`, `GameNotInstalled`."""
        check_installed(past.game)
        return marks.version_of(self.store, past.head, past.game, at)

    # --- Rebuilding -------------------------------------------------------------------------------------

    def projected(self, head: Head, rows: list[CommitRow], secret: bytes | None = None) -> Projected:
        return commits.projected(self.context, head, rows, secret)
