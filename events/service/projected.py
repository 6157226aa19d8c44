"""This module makes what is written for a step of a match: its row in the log, and its projections."""

from dataclasses import replace

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.games.catalogue import GAMES
from domain.match import Match
from events.errors import GameNotInstalled
from events.log import commits as log
from events.log import foreign
from events.log.cache import fold
from events.service.context import Context
from events.service.projections import due as outbox
from events.service.projections import matches as match_rows
from events.service.projections import results, turns
from events.store import tables
from events.store.records import (
    Commit,
    CommitRow,
    Head,
    Idempotency,
    Projected,
)


def commit_of(
    before: Match | None, after: Match, row: CommitRow, head: str, now: Time,
    idempotency: Idempotency | None, secret: bytes, lease_ms: int, created: int | None = None,
) -> Commit:  # fmt: skip
    """Give a row of the log with the projections that it changes; `head` is the digest of its last event, hex.

    `created` is when the match was, None for its first commit; `lease_ms` as `Matches` has it.
    """
    version = row.first + row.n - 1
    projected = Projected(
        match=match_rows.rows(before, after, now),
        seats=match_rows.seats(before, after),
        turns=turns.rows(before, after, version, now),
        results=results.rows(before, after, now),
        due=outbox.rows(before, after, now if created is None else created, now, lease_ms, secret),
    )
    spent = [s for s, plan in enumerate(after.created.seats) if plan.kind == "invite" and _just_taken(before, after, s)]
    return Commit(
        first=row.first, n=row.n, at_ms=row.at_ms, events=row.events, secrets=row.secrets,
        head=bytes.fromhex(head), mac=row.mac, projected=projected, idempotency=idempotency, spent_invites=spent,
    )  # fmt: skip


def _just_taken(before: Match | None, after: Match, seat: Seat) -> bool:
    return after.players[seat] is not None and (before is None or before.players[seat] is None)


def projected(context: Context, head: Head, rows: list[CommitRow], secret: bytes | None = None) -> Projected:
    """Make a match's projections from its log, commit by commit, as they were made when it was written.

    When orders are looked at follows from the match's secret, for which the store is asked if it is not given.
    Raises `GameNotInstalled`.
    """
    if secret is None:
        secret = b"" if head.imported is not None else tables.secrets.of_match(context.store, head.match_no).seal_secret
    total = Projected(seats=[], turns=[], results=[], due=[])
    before: Match | None = None
    if rows and log.opening(rows[0])[0] not in GAMES:
        raise GameNotInstalled
    for row in rows:
        after = fold(head, [row], before=before)
        commit = commit_of(before, after, row, "", Time(row.at_ms), None, secret, context.lease_ms, head.created_ms)
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
