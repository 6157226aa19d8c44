"""This module makes projections: tables for questions that one match's log cannot answer, written with each commit.

Each follows from the match's state before and after a commit and the time of the commit: None where it stays as it
is, else all its rows for this match. A rebuild makes them from the log, commit by commit.

The pending work is one of them, a row for each kind. Its rows are the only queue that counts. A broker may bring the
word sooner; a row goes away when a commit says that there is nothing left to do, and until then it is taken up again
and again (decision 2).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.games.catalogue import GAMES
from domain.match import (
    Match,
    bots_alone,
    bots_to_act,
    decision,
    first_settling_time,
    hashes_complete,
    is_for_its_players,
    is_ready_to_begin,
    open_requests,
    to_act,
    waits_for_group,
)
from events.errors import GameNotInstalled
from events.log import commits as log
from events.log import imported_players
from events.log.cache import fold_commits
from events.log.codec import canonical
from events.service.context import Context
from events.service.order_timing import first_look
from events.store import tables
from events.store.records import (
    Commit,
    CommitRow,
    DueRow,
    Head,
    MatchRow,
    Projected,
    ReliabilityRow,
    ResultRow,
    SeatRow,
    TurnRow,
)
from events.store.tables import pending_rows
from events.store.tables.order_rows import ORDER

BOT: Final = pending_rows.BOT
CLOCK: Final = "clock"
START: Final = "start"
EXPIRE: Final = "expire"
GROUP: Final = "group"

WAITS_ON: Final = -1
"""The time since which a turn waits that did before a commit, until `keep_waiting_since` says when that was."""

LEASE_MS: Final = 4_000
"""The lease of a worker that plays the next bot's turn by itself, in milliseconds."""

PACE_MS: Final = 250
"""The step of the clock at which bots answer where standing orders are allowed, in milliseconds.

What a hand's move costs the server after its commit is over by then, which an order's does not cost: neither is
answered sooner than the other.
"""

LOBBY_MS: Final = 30 * 24 * 3600 * 1000
"""The time until a lobby expires, in milliseconds (contract 3)."""


def _reliability(before: Match | None, after: Match) -> list[ReliabilityRow] | None:
    """Give the players who have not kept promises of nonces, when a stage closes or the match is aborted."""
    if before is None or (before.aborted, before.collected) == (after.aborted, after.collected):
        return None
    unopened = Counter(
        player
        for stage, players, hashes, nonces in after.collected
        for player, promised, given in zip(players, hashes, nonces, strict=True)
        if stage == "nonces" and player is not None and promised is not None and given is None
    )
    aborted = {after.created.creator} - {None} if after.aborted else set()
    return [
        ReliabilityRow(player, int(player in aborted), unopened[player])
        for player in sorted({*filter(None, aborted), *unopened})
    ]


def make_match_commit(
    before: Match | None,
    after: Match,
    written: tuple[CommitRow, str],
    secret: bytes,
    lease_ms: int,
    created: int | None = None,
) -> Commit:
    """Give a row of the log, which is `written` with the digest of its last event, and the projections that it changes.

    `secret` is the match's; `lease_ms` as `Context` has it; `created` is when the match was, None for its first commit.
    """
    row, head = written
    now = Time(row.at_ms)
    projected = Projected(
        match=_match(before, after, now),
        seats=_seats(before, after),
        turns=_turns(before, after, row, now),
        results=_results(before, after, now),
        reliability=_reliability(before, after),
        due=due_rows(before, after, now if created is None else created, now, lease_ms, secret),
    )
    spent = [s for s, plan in enumerate(after.created.seats) if plan.kind == "invite" and _just_taken(before, after, s)]
    digest = bytes.fromhex(head)
    return Commit(row.first, row.n, row.at_ms, row.events, row.secrets, digest, row.mac, projected, spent_invites=spent)


def _just_taken(before: Match | None, after: Match, seat: Seat) -> bool:
    return after.players[seat] is not None and (before is None or before.players[seat] is None)


def project_log(head: Head, rows: list[CommitRow], secret: bytes, lease_ms: int = 0) -> Projected:
    """Make a match's projections from its log, commit by commit, as they were made when it was written.

    When orders are looked at follows from the match's secret. Raises `GameNotInstalled`.
    """
    total = Projected(seats=[], turns=[], results=[], due=[], reliability=[])
    before: Match | None = None
    if rows and log.game_and_seats(rows[0])[0] not in GAMES:
        raise GameNotInstalled
    for row in rows:
        after = fold_commits(head, [row], before=before)
        commit = make_match_commit(before, after, (row, ""), secret, lease_ms, head.created_ms)
        keep_waiting_since(commit, lambda: total.turns or [])
        _overlay(total, commit.projected)
        before = after
    return imported_players.hide_projections(head, total)


def rebuild_projections(context: Context, head: Head, rows: list[CommitRow]) -> Projected:
    """Make a match's projections from its log, with its secret from the store. Raises `GameNotInstalled`."""
    secret = (
        b"" if head.imported is not None else tables.secret_rows.read_secrets(context.store, head.match_no).seal_secret
    )
    return project_log(head, rows, secret, context.lease_ms)


def _overlay(total: Projected, new: Projected) -> None:
    times = (total.match.started_ms, total.match.ended_ms) if total.match else (None, None)
    for name in ("match", "seats", "turns", "results", "reliability", "due"):
        if getattr(new, name) is not None:
            setattr(total, name, getattr(new, name))
    if total.match is not None:
        started, ended = total.match.started_ms or times[0], total.match.ended_ms or times[1]
        total.match = replace(total.match, started_ms=started, ended_ms=ended)


# --- Lists of matches, inboxes, results -------------------------------------------------------------------


def _match(before: Match | None, after: Match, at: Time) -> MatchRow | None:
    """Give the match as lists show it, when it is created, starts or ends, or is annulled.

    And when a person leaves it to bots, or returns.
    """
    same_status = before is not None and before.status == after.status
    if before is not None and same_status and _beside_status(before) == _beside_status(after):
        return None
    alone, group, known = is_for_its_players(after), after.created.deal_group, after.created.deal_known
    started = not same_status and (after.status == "playing" or (before is None and after.table is not None))
    return MatchRow(
        game=after.game.name,
        status=after.status,
        visibility="private" if alone else after.created.visibility,
        creator="" if alone else after.created.creator or "",
        options=canonical(after.created.options).decode(),
        started_ms=at if started else None,
        ended_ms=at if after.over and after.annulled is None else None,
        result=None if after.result is None else canonical(after.result).decode(),
        preset=after.created.preset,
        deal_group=group.id if group else None,
        deal_known=canonical({"hand_no": known.hand_no, "match": known.match}).decode() if known else None,
        owner=after.created.creator or "",
        bots_alone=bots_alone(after),
        annulled=after.annulled,
    )


def _beside_status(m: Match) -> tuple[bool, str | None]:
    """Give what lists show of a match that may change while its status stays."""
    return bots_alone(m), m.annulled


def _seats(before: Match | None, after: Match) -> list[SeatRow] | None:
    """Give the seats, when a player has sat down or left; a seat that is kept for a player names the player."""
    if before is not None and before.players == after.players:
        return None
    return [
        SeatRow(s, "player" if player else plan.kind, player or plan.player, plan.level)
        for s, (player, plan) in enumerate(zip(after.players, after.created.seats, strict=True))
    ]


def _turns(before: Match | None, after: Match, row: CommitRow, at: Time) -> list[TurnRow] | None:
    """Give the turns that people are to take, and what they are asked for, when it is not as before the commit.

    A turn that waits as before, while others have decided, is of `WAITS_ON` for `keep_waiting_since`.
    """
    waited, waited_before = _waited(after), _waited(before) if before is not None else ()
    if waited == waited_before:
        return None
    version, still = row.first + row.n - 1, set(waited) & set(waited_before)
    by = log.answered_by(row, after.game.name) if still else None
    turns = []
    for seat, player, until, asked in waited:
        since = WAITS_ON if seat != by and (seat, player, until, asked) in still else at
        if until is not None:
            since = after.opened[seat] or at
        turns.append(TurnRow(seat, player, version, since, until, asked))
    return turns


def keep_waiting_since(commit: Commit, earlier: Callable[[], Sequence[TurnRow]]) -> None:
    """Let turns that wait as before a commit say since when they do.

    `earlier` gives the turns as they stood; it is called only where some wait on.
    """
    turns = [turn for turn in commit.projected.turns or [] if turn.since_ms == WAITS_ON]
    if turns:
        since = {(turn.seat, turn.decision): turn.since_ms for turn in earlier()}
        for turn in turns:
            turn.since_ms = since.get((turn.seat, turn.decision), commit.at_ms)


def _waited(m: Match) -> tuple[tuple[Seat, str, Time | None, str], ...]:
    seats = ((s, m.players[s]) for s in to_act(m) if not m.by_bot[s])
    turns = ((s, player, m.asked[s], decision(m)) for s, player in seats)
    asked = ((s, m.players[s], None, what) for s, what in open_requests(m))
    return tuple((s, player, until, what) for s, player, until, what in (*turns, *asked) if player is not None)


def _results(before: Match | None, after: Match, at: Time) -> list[ResultRow] | None:
    """Give the result of each seat, when the match has ended with one that counts: not where the deals were known.

    A match that is annulled has none from then on.
    """
    if after.annulled is not None:
        return None if before is not None and before.annulled is not None else []
    result = after.result
    if result is None or after.created.deal_known is not None or (before is not None and before.result is not None):
        return None
    sides = after.game.setup.sides(after.options, len(after.seats))
    first = {sides[s] for s in after.seats if result.places[s] == 1}
    return [
        ResultRow(
            s,
            after.players[s],
            after.game.name,
            result.places[s],
            result.scores[s],
            at,
            "lost" if result.places[s] > 1 else "won" if s in result.winners and len(first) == 1 else "shared",
        )
        for s in after.seats
    ]


# --- Pending work -----------------------------------------------------------------------------------------


def due_rows(
    before: Match | None, after: Match, created: int, now: Time, lease_ms: int, secret: bytes
) -> list[DueRow] | None:
    """Give all pending work after a commit; None where it is what it was and no bot is to move.

    A writer that plays the bot's turn itself takes it with a lease; 0 leaves it to the next worker. `secret` is the
    match's: from it follows when standing orders are looked at.
    """
    work = _work(after, created, now, lease_ms, secret)
    if before is not None and not bots_to_act(after) and work == _work(before, created, now, lease_ms, secret):
        return None
    return work


def _work(m: Match, created: int, now: Time, lease_ms: int, secret: bytes) -> list[DueRow]:
    work = []
    if bots_to_act(m):
        work.append(DueRow(BOT, _answered(m, now), now + lease_ms if lease_ms else 0))
    if (until := first_settling_time(m)) is not None:
        work.append(DueRow(CLOCK, until))
    if m.stage_until is not None and not m.over:
        work.append(DueRow(START, m.stage_until))
    if (look := first_look(m, secret)) is not None:
        work.append(DueRow(ORDER, look))
    if m.created.deal_group is not None and (hashes_complete(m) or is_ready_to_begin(m) or waits_for_group(m)):
        work.append(DueRow(GROUP, now))
    if m.status == "lobby":
        work.append(DueRow(EXPIRE, created + LOBBY_MS))
    return work


def _answered(m: Match, now: Time) -> Time:
    """Say when bots may answer a commit that no bot made: at once, or at the next step of the clock."""
    return Time((now + 3 * PACE_MS // 2) // PACE_MS * PACE_MS) if m.common.standing_orders else now
