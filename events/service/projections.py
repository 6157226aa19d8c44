"""Makes projections: tables for questions that one match's log cannot answer, written with each commit.

Each follows from the match's state before and after a commit and the time of the commit. It is None if unchanged, else
all its rows for this match. A rebuild makes them from the log, commit by commit.

Pending work is one of them, with a row for each kind. Its rows are the only queue that counts. A broker may deliver
work sooner. A row disappears when a commit leaves nothing to do; until then it is taken up repeatedly (decision 2).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.games.catalogue import GAMES
from events.errors import GameNotInstalled
from events.log import commits as log
from events.log import imported_players
from events.log.cache import fold_commits
from events.log.codec import canonical
from events.log.streams import Writer
from events.service.order_timing import first_look
from events.store import records
from events.store.tables import pending_rows, secret_rows
from events.store.tables.order_rows import ORDER

BOT: Final = pending_rows.BOT
CLOCK: Final = "clock"
START: Final = "start"
EXPIRE: Final = "expire"
GROUP: Final = "group"

WAITS_ON: Final = -1
"""Marks a turn that was already waiting before a commit, until `keep_waiting_since` fills in the time."""

LEASE_MS: Final = 4_000
"""The lease of a worker that plays the next bot's turn, in milliseconds."""

PACE_MS: Final = 250
"""The clock step for bots' answers in matches with standing orders, in milliseconds.

The server works longer after a player's move than after an order's. This step hides the difference, so that the time of
an answer does not reveal an order.
"""

LOBBY_MS: Final = 30 * 24 * 3600 * 1000
"""The time until a lobby expires, in milliseconds (contract 3)."""


def _reliability(before: life.Match | None, after: life.Match) -> list[records.ReliabilityRow] | None:
    """Return the players who did not reveal promised nonces, when a stage closes or the match is aborted."""
    if before is None or (before.aborted, before.shuffles.collected) == (after.aborted, after.shuffles.collected):
        return None
    unopened = Counter(
        player
        for stage, players, hashes, nonces in after.shuffles.collected
        for player, promised, given in zip(players, hashes, nonces, strict=True)
        if stage == "nonces" and player is not None and promised is not None and given is None
    )
    aborted = {after.created.creator} - {None} if after.aborted else set()
    return [
        records.ReliabilityRow(player, int(player in aborted), unopened[player])
        for player in sorted({*filter(None, aborted), *unopened})
    ]


def project_commit(
    before: life.Match | None, after: life.Match, row: records.CommitRow, secret: bytes, lease_ms: int, created: int
) -> records.Projected:
    """Return the projections that change with a commit.

    `secret` is the match's secret, `lease_ms` that of `Context`, and `created` the time of creation.
    """
    now = Time(row.at_ms)
    return records.Projected(
        match=_match(before, after, now),
        seats=_seats(before, after),
        turns=_turns(before, after, row, now),
        results=_results(before, after, now),
        reliability=_reliability(before, after),
        due=due_rows(before, after, created, now, lease_ms, secret),
    )


def spent_invites(before: life.Match | None, after: life.Match) -> list[Seat]:
    """Return the seats whose invites are used up by a commit."""
    return [s for s, plan in enumerate(after.created.seats) if plan.kind == "invite" and _just_taken(before, after, s)]


def _just_taken(before: life.Match | None, after: life.Match, seat: Seat) -> bool:
    return after.players[seat] is not None and (before is None or before.players[seat] is None)


def project_log(
    head: records.Head, rows: list[records.CommitRow], secret: bytes, lease_ms: int = 0
) -> records.Projected:
    """Make a match's projections from its log, commit by commit, as they were made when it was written.

    The times at which orders are checked follow from the match's secret. Raises `GameNotInstalled`.
    """
    total = records.Projected(seats=[], turns=[], results=[], due=[], reliability=[])
    before: life.Match | None = None
    if rows and log.game_and_seats(rows[0])[0] not in GAMES:
        raise GameNotInstalled
    for row in rows:
        after = fold_commits(head, [row], before=before)
        changed = project_commit(before, after, row, secret, lease_ms, head.created_ms)
        keep_waiting_since(changed, row.at_ms, lambda: total.turns or [])
        _overlay(total, changed)
        before = after
    return imported_players.hide_projections(head, total)


def rebuild_projections(writer: Writer, head: records.Head, rows: list[records.CommitRow]) -> records.Projected:
    """Make a match's projections from its log, with its secret from the store. Raises `GameNotInstalled`."""
    secret = b"" if head.imported is not None else secret_rows.read_secrets(writer.store, head.match_no).seal_secret
    return project_log(head, rows, secret, writer.lease_ms)


def _overlay(total: records.Projected, new: records.Projected) -> None:
    times = (total.match.started_ms, total.match.ended_ms) if total.match else (None, None)
    for name in ("match", "seats", "turns", "results", "reliability", "due"):
        if getattr(new, name) is not None:
            setattr(total, name, getattr(new, name))
    if total.match is not None:
        started, ended = total.match.started_ms or times[0], total.match.ended_ms or times[1]
        total.match = replace(total.match, started_ms=started, ended_ms=ended)


# --- Lists of matches, inboxes, results -------------------------------------------------------------------


def _match(before: life.Match | None, after: life.Match, at: Time) -> records.MatchRow | None:
    """Return the match for lists, when it is created, starts, ends or is voided.

    A person leaving it to bots, or returning, changes it too.
    """
    same_status = before is not None and before.status == after.status
    if before is not None and same_status and _beside_status(before) == _beside_status(after):
        return None
    alone, group, known = life.is_for_its_players(after), after.created.deal_group, after.created.deal_known
    started = not same_status and (after.status == "playing" or (before is None and after.table is not None))
    return records.MatchRow(
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
        bots_alone=life.bots_alone(after),
        annulled=after.annulled,
    )


def _beside_status(m: life.Match) -> tuple[bool, str | None]:
    """Return the data in lists that can change while the status stays."""
    return life.bots_alone(m), m.annulled


def _seats(before: life.Match | None, after: life.Match) -> list[records.SeatRow] | None:
    """Return the seats if a player sat down or left; a kept seat names its player."""
    if before is not None and before.players == after.players:
        return None
    return [
        records.SeatRow(s, "player" if player else plan.kind, player or plan.player, plan.level)
        for s, (player, plan) in enumerate(zip(after.players, after.created.seats, strict=True))
    ]


def _turns(
    before: life.Match | None, after: life.Match, row: records.CommitRow, at: Time
) -> list[records.TurnRow] | None:
    """Return the turns of people, and the requests to them, if they changed with the commit.

    A turn that waited before, while other seats decided, keeps its time (`WAITS_ON` with `keep_waiting_since`).
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
            since = after.clocks.opened[seat] or at
        turns.append(records.TurnRow(seat, player, version, since, until, asked))
    return turns


def keep_waiting_since(
    projected: records.Projected, at_ms: int, earlier: Callable[[], Sequence[records.TurnRow]]
) -> None:
    """Keep the start time of turns that still wait as before a commit at this time.

    `earlier` returns the earlier turns; it is called only if some still wait.
    """
    turns = [turn for turn in projected.turns or [] if turn.since_ms == WAITS_ON]
    if turns:
        since = {(turn.seat, turn.decision): turn.since_ms for turn in earlier()}
        for turn in turns:
            turn.since_ms = since.get((turn.seat, turn.decision), at_ms)


def _waited(m: life.Match) -> tuple[tuple[Seat, str, Time | None, str], ...]:
    seats = ((s, m.players[s]) for s in life.to_act(m) if not m.by_bot[s])
    turns = ((s, player, m.clocks.asked[s], life.decision(m)) for s, player in seats)
    asked = ((s, m.players[s], None, what) for s, what in life.open_requests(m))
    return tuple((s, player, until, what) for s, player, until, what in (*turns, *asked) if player is not None)


def _results(before: life.Match | None, after: life.Match, at: Time) -> list[records.ResultRow] | None:
    """Return the result of each seat, if the match has ended with one that counts, without known deals.

    A voided match has no results.
    """
    if after.annulled is not None:
        return None if before is not None and before.annulled is not None else []
    result = after.result
    if result is None or after.created.deal_known is not None or (before is not None and before.result is not None):
        return None
    sides = after.game.setup.sides(after.options, len(after.seats))
    first = {sides[s] for s in after.seats if result.places[s] == 1}
    return [
        records.ResultRow(
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
    before: life.Match | None, after: life.Match, created: int, now: Time, lease_ms: int, secret: bytes
) -> list[records.DueRow] | None:
    """Return all pending work after a commit; None if it is unchanged and no bot is to move.

    A writer that plays the bot's turn takes it with a lease; 0 leaves it to the next worker. The times for standing
    orders follow from `secret`, the match's secret.
    """
    work = _work(after, created, now, lease_ms, secret)
    if before is not None and not life.bots_to_act(after) and work == _work(before, created, now, lease_ms, secret):
        return None
    return work


def _work(m: life.Match, created: int, now: Time, lease_ms: int, secret: bytes) -> list[records.DueRow]:
    work = []
    if life.bots_to_act(m):
        work.append(records.DueRow(BOT, _answered(m, now), now + lease_ms if lease_ms else 0))
    if (until := life.first_settling_time(m)) is not None:
        work.append(records.DueRow(CLOCK, until))
    if m.shuffles.stage_until is not None and not m.over:
        work.append(records.DueRow(START, m.shuffles.stage_until))
    if (look := first_look(m, secret)) is not None:
        work.append(records.DueRow(ORDER, look))
    if m.created.deal_group is not None and (
        life.hashes_complete(m) or life.is_ready_to_begin(m) or life.waits_for_group(m)
    ):
        work.append(records.DueRow(GROUP, now))
    if m.status == "lobby":
        work.append(records.DueRow(EXPIRE, created + LOBBY_MS))
    return work


def _answered(m: life.Match, now: Time) -> Time:
    """Return when bots may answer a commit that no bot made: immediately, or at the next step of the clock."""
    return Time((now + 3 * PACE_MS // 2) // PACE_MS * PACE_MS) if m.common.standing_orders else now
