"""Creates, shows and cancels duplicate groups."""

from collections.abc import Sequence
from dataclasses import replace

from domain.core.fairness import next_root
from domain.core.values import value
from domain.core.visibility import SPECTATORS
from domain.deal_group import OPEN, CancelGroup
from domain.match.creation import DealGroup
from domain.match.match_shuffles import FairnessCommitted
from events.errors import Forbidden, NotFound, Repeated
from events.ids import is_id, new_id
from events.log import commits as log
from events.log.codec import shapes_of
from events.log.dealers import dealer_of
from events.service import group_tables as groups
from events.service.access import Caller, is_creator, may_read, seats_of
from events.service.commands import settle_due
from events.service.context import Context
from events.service.create import MatchOpening, decide_creation
from events.service.match_kind import MATCH_KIND
from events.service.new_match import NewMatch, SeatRequest
from events.service.stream_kinds import DEAL_GROUP
from events.service.stream_writer import new_stream
from events.service.views import Seen, seen_by, view_at_version
from events.store.records import CommitRow, GroupOfTables, Idempotency, Remembered
from events.store.tables import deal_group_rows as stored
from events.store.tables import match_rows, stream_rows


@value
class SeenGroup:
    """A duplicate group as its readers know it; `mine` is the caller's table.

    `commitment` is the one of the creation: that of a later epoch would reveal a table's progress.
    """

    group: GroupOfTables
    creator: bool
    """Whether the caller is the creator."""
    mine: int | None
    commitment: str
    tables: tuple[Seen, ...]
    """The tables as spectators would see them."""
    rows: tuple[CommitRow, ...]
    """The commits of the group itself."""

    @property
    def version(self) -> int:
        """Return the number of the last event of the group."""
        return self.rows[-1].first + self.rows[-1].n - 1

    @property
    def head(self) -> str:
        """Return the digest of the last event of the group."""
        return log.digest_of(self.rows[-1], self.version)


def create_group(
    context: Context,
    caller: Caller,
    new: NewMatch,
    tables: Sequence[tuple[SeatRequest, ...]],
    idempotency: Idempotency | None = None,
) -> SeenGroup:
    """Create tables of one match each that get the same deals, all or none.

    Raises `Repeated`, `NothingEndsIt`, `TooManyBotMatches`.
    """
    group_id, now = new_id(), context.now()
    root = context.draw(32)
    made = []
    for i, places in enumerate(tables):
        one = replace(new, places=places, deal_group=DealGroup(group_id, i, len(tables)))
        dealer = dealer_of(group_id, one, (root, next_root(root)), context.draw(32))
        key = idempotency if i == 0 else None
        created, invites = decide_creation(context, caller, one, MatchOpening(new_id(), dealer, now))
        made.append(new_stream(context, MATCH_KIND, created, key, invites))
    if not groups.store_group(context, group_id, caller.player or "", made):
        raise Repeated
    context.woken()
    return see_group(context, group_id, caller)


def repeat_group_answer(context: Context, caller: Caller, remembered: Remembered) -> SeenGroup:
    """Rebuild a group as its creator saw it when it was created."""
    row = match_rows.row(context.store, remembered.match_no or 0)
    assert row is not None
    m = context.loaded(row.match_id).state
    assert m.created.deal_group is not None
    now = see_group(context, m.created.deal_group.id, caller)
    firsts = [stream_rows.rows(context.store, seen.match_no, 0, 1)[0].n for seen in now.tables]
    then = tuple(view_at_version(context, seen, n) for seen, n in zip(now.tables, firsts, strict=True))
    mine = next((i for i, seen in enumerate(then) if seats_of(seen.match, caller)), None)
    return replace(now, group=replace(now.group, state=OPEN), mine=mine, tables=then, rows=now.rows[:1])


def see_group(context: Context, group_id: str, caller: Caller) -> SeenGroup:
    """Return a group as its readers see it: until all tables are over, each shows only its lobby. Raises `NotFound`."""
    group = stored.find_deal_group(context.store, group_id) if is_id(group_id) else None
    if group is None:
        raise NotFound
    tables = [context.loaded(match_id) for match_id in group.tables]
    first, sits = tables[0].state, [seats_of(table.state, caller) for table in tables]
    if (
        first.created.visibility == "private"
        and not is_creator(first, caller)
        and not any(sits)
        and not any(may_read(context.store, table, caller) for table in tables)
    ):
        raise NotFound
    seen = tuple(seen_by(context, table, SPECTATORS, (), creator=False) for table in tables)
    mine = next((i for i, held in enumerate(sits) if held), None)
    created = stream_rows.rows(context.store, tables[0].head.match_no, 0, 1)
    commitment = next(data["commitment"] for _, _, data in log.public_events(created, shapes_of((FairnessCommitted,))))
    rows = tuple(context.require_stream(DEAL_GROUP, group_id).rows)
    return SeenGroup(group, is_creator(first, caller), mine, commitment, seen, rows)


def cancel_group(context: Context, group_id: str, caller: Caller) -> None:
    """Cancel all tables of a group before they begin; a repeated call does nothing.

    Raises `NotFound`, `Forbidden` for all but its creator, and `Refused`.
    """
    seen = see_group(context, group_id, caller)
    if not seen.creator:
        raise Forbidden
    groups.command_group(context, group_id, CancelGroup(), "move")
    context.woken()
    for match_id in seen.group.tables:
        settle_due(context, match_id)
