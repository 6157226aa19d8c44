"""Duplicate groups: their tables share hashes and nonces before they begin, and the end of the last one."""

from typing import Any, Final

from domain.core.clock import Time
from domain.core.fairness import nonce_hash
from domain.core.values import value
from domain.match import status
from domain.match.match_part import MatchPart
from domain.match.match_shuffles import next_stage
from domain.match.state import Match

Rows = tuple[tuple[str, ...], ...]


@value
class CommitmentsShared:
    """The time for hashes of nonces is over for the whole group. These are all hashes, by table and seat."""

    hashes: tuple[tuple[str, ...], ...]
    """The hashes of each table's seats, in hex; empty for a seat that gave none."""


@value
class DealsShared:
    """The tables of a group begin, with all nonces by table and seat."""

    nonces: tuple[tuple[str, ...], ...]
    """The nonces of each table's seats, in hex; empty for a seat that gave none."""


@value
class AllTablesOver:
    """The last table of the group has ended, or the tournament for which entrants prepare, so all data may be shown."""


@value
class ShareDeals:
    """Start the match of a group's table, once all tables are ready; `nonces` are those of all tables."""

    nonces: tuple[tuple[str, ...], ...]


@value
class ShareCommitments:
    """Begin to accept nonces at a group's table; the hashes are those of all tables."""

    hashes: tuple[tuple[str, ...], ...]


@value
class OpenDeals:
    """Disclose the deals of a group whose tables have all ended."""


def is_ready_to_begin(m: Match) -> bool:
    """Return whether a group's table is ready, and waits for the other tables. It then stays ready."""
    if not status.is_full_table_of_group(m) or (m.common.nonce_commit and not m.group.committed):
        return False
    return not next_stage(m, Time(0)) and (not status.collects_nonces(m) or status.all_nonces_sent(m))


def are_nonces_of_group(m: Match, c: ShareDeals) -> bool:
    """Return whether these are the nonces of all tables of the group, including those of this table."""
    group = m.created.deal_group
    if group is None or len(c.nonces) != group.tables:
        return False
    alike = all(len(table) == len(m.seats) for table in c.nonces)
    kept = not m.common.nonce_commit or are_as_committed(m.group.committed, c.nonces)
    return alike and kept and is_ready_to_begin(m) and c.nonces[group.table] == status.nonces_of(m)


def are_as_committed(hashes: Rows, nonces: Rows) -> bool:
    """Return whether every nonce matches the hash of its seat, or is empty."""
    pairs = [pair for table in zip(hashes, nonces, strict=True) for pair in zip(*table, strict=True)]
    return all(not nonce or nonce_hash(nonce) == digest for digest, nonce in pairs)


def are_hashes_of_group(m: Match, c: ShareCommitments) -> bool:
    """Return whether these are the hashes of all tables of the group, including those of this table."""
    group = m.created.deal_group
    if group is None or len(c.hashes) != group.tables:
        return False
    alike = all(len(table) == len(m.seats) for table in c.hashes)
    return alike and status.hashes_complete(m) and c.hashes[group.table] == status.hashes_of(m)


def evolve_group(m: Match, event: Any) -> None:
    """Assign the shared data of the group's tables to the match."""
    group = m.group
    match event:
        case CommitmentsShared():
            group.committed, m.shuffles.stage, m.shuffles.stage_until = event.hashes, "hashes_closed", None
        case DealsShared():
            group.shared = tuple(nonce for table in event.nonces for nonce in table)
        case AllTablesOver():
            group.all_over = True


GROUP: Final = MatchPart(
    texts={
        CommitmentsShared: "The tables of the group committed to their nonces and began to reveal them.",
        DealsShared: "All tables of the group got the same deals.",
        AllTablesOver: "All tables of the group finished.",
    },
    evolve=evolve_group,
    decide={
        ShareCommitments: lambda m, seat, c, now: (CommitmentsShared(c.hashes),),
        ShareDeals: lambda m, seat, c, now: (DealsShared(c.nonces),),
        OpenDeals: lambda m, seat, c, now: (AllTablesOver(),),
    },
    admits={
        "group": {
            ShareCommitments: lambda m, seat, c, now: are_hashes_of_group(m, c),
            ShareDeals: lambda m, seat, c, now: are_nonces_of_group(m, c),
            OpenDeals: lambda m, seat, c, now: status.can_open_deals(m),
        }
    },
    read_command={
        CommitmentsShared: lambda m, event: (0, ShareCommitments(event.hashes)),
        DealsShared: lambda m, event: (0, ShareDeals(event.nonces)),
        AllTablesOver: lambda m, event: (0, OpenDeals()),
    },
)
