"""Makes notices for players.

They name a match or tournament, a seat and a version, never a card. They follow from the spectators' view of the log,
so they reveal only public facts.
"""

from base64 import b32encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import mutable, value
from domain.match import Match
from domain.match.clocks import DecisionTimedOut
from events.log.codec import canonical
from events.times import write_time

YOUR_TURN: Final = "your_turn"
DEADLINE_NEAR: Final = "deadline_near"
MATCH_STARTED: Final = "match_started"
MATCH_OVER: Final = "match_over"
ORDER_FAILED: Final = "order_failed"
INVITED: Final = "invited"
ASKED: Final = "asked"
TOURNAMENT_INVITED: Final = "tournament_invited"
TOURNAMENT_MOVED_UP: Final = "tournament_moved_up"
TOURNAMENT_ENTRIES_CLOSED: Final = "tournament_entries_closed"
TOURNAMENT_ROUND_PAIRED: Final = "tournament_round_paired"
TOURNAMENT_DROPPED: Final = "tournament_dropped"
TOURNAMENT_OVER: Final = "tournament_over"
OF_TOURNAMENTS: Final = (
    TOURNAMENT_INVITED,
    TOURNAMENT_MOVED_UP,
    TOURNAMENT_ENTRIES_CLOSED,
    TOURNAMENT_ROUND_PAIRED,
    TOURNAMENT_DROPPED,
    TOURNAMENT_OVER,
)
KINDS: Final = (YOUR_TURN, DEADLINE_NEAR, MATCH_STARTED, MATCH_OVER, ORDER_FAILED, INVITED, ASKED, *OF_TOURNAMENTS)
TEST: Final = "test"
"""The kind of a notice that its player requested to test a webhook."""

BY_MAIL: Final = (YOUR_TURN, DEADLINE_NEAR, MATCH_OVER, ORDER_FAILED, INVITED, ASKED, *OF_TOURNAMENTS)

NEAR_SECONDS: Final = 12 * 3600
"""The time before a deadline at which its player is notified by default, in seconds."""

SHORTEST_SECONDS: Final = 60
"""The shortest time of a decision whose deadline is announced, in seconds."""


@value
class Notice:
    """One message to one player. `version` is the event that caused it.

    In a notice about a tournament, `version` counts the events of the tournament, and `match_no` is its number.
    `match_id` is then the match at the player's table, or empty.
    """

    player_id: str
    match_no: int
    match_id: str
    game: str
    kind: str
    seat: Seat | None
    version: int
    at_ms: int
    deadline_ms: int | None = None
    tournament_id: str = ""
    round: int | None = None

    @property
    def notice_id(self) -> str:
        """Return the id, which is the same for the same message to the same player.

        There is one notice of a near deadline, and another if the deadline has moved.
        """
        since = self.deadline_ms if self.kind == DEADLINE_NEAR else self.version
        content = f"{self.player_id}|{self.tournament_id or self.match_id}|{since}|{self.kind}|{self.seat}"
        return "msg_" + b32encode(sha256(content.encode()).digest()[:20]).decode().lower()


def link_of(notice: Notice, public_url: str) -> str:
    """Return the address of a notice's subject; for a test notice, that of the documentation."""
    if notice.tournament_id:
        return f"{public_url}/v1/tournaments/{notice.tournament_id}"
    return f"{public_url}/v1/matches/{notice.match_id}" if notice.match_id else f"{public_url}/docs"


def payload(notice: Notice, notice_id: str, public_url: str) -> bytes:
    """Write a notice as webhooks get it: the same bytes at every try."""
    data = {
        "notice": notice_id,
        "match": notice.match_id or None,
        "tournament": notice.tournament_id or None,
        "round": notice.round,
        "game": notice.game or None,
        "seat": notice.seat,
        "version": notice.version,
        "deadline": None if notice.deadline_ms is None else write_time(notice.deadline_ms),
        "link": link_of(notice, public_url),
    }
    return canonical({"type": notice.kind, "timestamp": write_time(notice.at_ms), "data": data})


# --- Notices of commits ------------------------------------------------------------------------------------


@value
class Waited:
    """A seat whose player a match waits for: the decision, and its deadline."""

    player_id: str
    decision: tuple[int, str]
    deadline: Time | None
    opened: Time | None


def awaited_seats(m: Match | None) -> dict[Seat, Waited]:
    """Return the human seats that a match waits for."""
    if m is None:
        return {}
    found = {}
    for seat in life.to_act(m):
        player = m.players[seat]
        if player is not None and not m.by_bot[seat]:
            decision = (m.hand_no, life.decision(m))
            found[seat] = Waited(player, decision, m.clocks.asked[seat], m.clocks.opened[seat])
    return found


@mutable
class Change:
    """The changes of one commit for the people of a match."""

    opened: dict[Seat, Waited]
    """Decisions that it opened."""
    moved: dict[Seat, Waited]
    """Open decisions whose deadline it moved."""
    closed: tuple[Seat, ...]
    """Seats that the match no longer waits for."""
    started: bool
    over: bool
    players: Mapping[str, Seat]
    """The players, each with their first seat."""
    invited: Mapping[str, Seat]
    """The newly invited players with a kept seat."""
    asked: tuple[Seat, ...]
    """Seats that must now answer an offer of a draw or a request for a takeback."""


def change(before: Match | None, after: Match, first: Any) -> Change:
    """Return the changes of a commit, between the match before and after it.

    `first` is its first event. A seat with another decision than before has a new one.
    """
    old, new = awaited_seats(before), awaited_seats(after)
    answered = _answers(after, first)
    opened = {
        seat: w
        for seat, w in new.items()
        if seat not in old or seat == answered or (old[seat].decision, old[seat].player_id) != (w.decision, w.player_id)
    }
    moved = {s: w for s, w in new.items() if s not in opened and w.deadline != old[s].deadline}
    players: dict[str, Seat] = {}
    for seat in reversed(after.seats):
        if (player := after.players[seat]) is not None:
            players[player] = seat
    return Change(
        opened,
        moved,
        tuple(s for s in old if s not in new),
        started=after.status != "lobby" and (before is None or before.status == "lobby") and after.table is not None,
        over=after.over and (before is None or not before.over),
        players=players,
        invited={} if before else _reserved_seats(after),
        asked=tuple(
            s for s, what in life.open_requests(after) if before is None or (s, what) not in life.open_requests(before)
        ),
    )


def _reserved_seats(m: Match) -> dict[str, Seat]:
    plans = enumerate(zip(m.created.seats, m.players, strict=True))
    return {plan.player: s for s, (plan, there) in plans if plan.player is not None and there is None}


def _answers(m: Match, first: Any) -> Seat | None:
    """Return the seat that answers by an event, or by running out of time; None if none does."""
    if type(first) in m.game.events:
        move = m.game.answers.move_of(first)
        return move[0] if move else None
    return first.seat if isinstance(first, DecisionTimedOut) else None


def notices(changed: Change, m: Match, match_no: int, match_id: str, version: int, at: int) -> Iterator[Notice]:
    """Yield the notices that follow from a commit, in order. `version` is the commit's last event."""

    def notice(player: str, kind: str, seat: Seat, deadline: int | None = None) -> Notice:
        return Notice(player, match_no, match_id, m.game.name, kind, seat, version, at, deadline)

    for player, seat in changed.invited.items():
        yield notice(player, INVITED, seat)
    if changed.started:
        yield from (notice(player, MATCH_STARTED, seat) for player, seat in changed.players.items())
    for seat, w in changed.opened.items():
        yield notice(w.player_id, YOUR_TURN, seat, w.deadline)
    for seat in changed.asked:
        if (asked := m.players[seat]) is not None:
            yield notice(asked, ASKED, seat)
    if changed.over:
        further = _go_on(m)
        yield from (notice(player, MATCH_OVER, seat) for player, seat in changed.players.items() if seat not in further)


def _go_on(m: Match) -> set[Seat]:
    """Return the seats that take chips to the next hand of a tournament. It begins automatically, with a notice."""
    goes_on = m.stakes.arrived is not None and m.stakes.arrived.hands
    return {row.seat for row in m.stakes.left if row.stack} if goes_on else set()


def near_at(opened: int | None, deadline: int | None, near_seconds: int) -> int | None:
    """Return when to announce a deadline: `near_seconds` before it, but not before half the time has passed."""
    if deadline is None or opened is None or deadline - opened < 1000 * SHORTEST_SECONDS:
        return None
    return int(deadline - min(1000 * near_seconds, (deadline - opened) // 2))
