"""Declares the kind of stream that a match is: how it is loaded, dealt, written and projected."""

from collections.abc import Collection
from operator import attrgetter
from typing import Final

from domain import match as life
from domain.core.clock import Time
from domain.match import Match
from domain.match.match_parts import EVENTS
from events.log.cache import fold_commits
from events.log.codec import shapes
from events.log.dealers import next_match_root, stored_dealer
from events.log.streams import Decision, StreamKind, Writer
from events.service.projections import due_rows, keep_waiting_since, project_commit, rebuild_projections, spent_invites
from events.store.records import MATCH, Commit, CommitRow, Head, Projected
from events.store.tables import inbox_rows, projection_rows

MOST: Final = 1_000
"""Maximum cached matches."""


def _add_rows(commit: Commit, decision: Decision[Match], writer: Writer) -> None:
    """Add the projections that change with a commit, and the invites that are used up."""
    head, after, secret = decision.found.head, decision.state, decision.found.dealer.seal_secret
    before = decision.found.state if head.version else None
    commit.projected = project_commit(before, after, commit.row, secret, writer.lease_ms, head.created_ms)
    commit.spent_invites = spent_invites(before, after)
    # If another worker has taken a turn, its version is later, and this commit is refused.
    keep_waiting_since(commit.projected, commit.at_ms, lambda: inbox_rows.read_turns(writer.store, head.match_no))
    if commit.ordered is not None:
        # Its worker stops: pending work is written again, which releases its claims.
        commit.projected.due = due_rows(None, after, head.created_ms, Time(commit.at_ms), writer.lease_ms, secret)


def _rebuild(writer: Writer, number: int, tables: Collection[str]) -> None:
    """Replace projections of a match. Raises `GameNotInstalled`."""

    def project(head: Head, rows: list[CommitRow]) -> Projected:
        whole = rebuild_projections(writer, head, rows)
        return Projected(**{name: getattr(whole, name) for name in tables})

    projection_rows.rebuild(writer.store, number, project)


MATCH_KIND: Final[StreamKind[Match]] = StreamKind(
    name=MATCH,
    events=EVENTS,
    evolve=lambda m, event: life.fold(m, (event,)),
    tables=("match", "seats", "turns", "results", "reliability", "due"),
    epoch=attrgetter("shuffles.epoch"),
    fold_commits=lambda head, rows, before: fold_commits(head, rows, before=before),
    shapes_of_all=lambda m: (shapes(m.game.name), len(m.seats)),
    make_dealer=stored_dealer,
    next_root=next_match_root,
    add_rows=_add_rows,
    rebuild=_rebuild,
    most=MOST,
    has_rows=False,
)
"""The kind of matches, whose events have secret parts and depend on the game."""
