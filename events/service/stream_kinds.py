"""Lists the kinds of streams, and declares those other than matches."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

import msgspec

from domain import administration_events, deal_group
from domain import match as life
from domain.administration_events import Administration
from domain.collection import collection_events
from domain.collection.collection_judge import find_collection_fault, find_one_sided_trade, trade_partners
from domain.collection.collection_state import Collection, evolve
from domain.core.fault import Fault
from domain.deal_group import CANCELLED, COMMITTED, EXPIRED, OPEN, OVER, STARTED, TableGroup
from domain.games.catalogue import CARDS
from domain.match import Match
from domain.tournament import tournament_events
from domain.tournament.table_deals import deals_secret
from domain.tournament.tournament_events import evolve as tournament_evolve
from domain.tournament.tournament_judge import find_tournament_fault as tournament_judged
from domain.tournament.tournament_state import Tournament
from events.ids import derived_id
from events.log.streams import StreamKind
from events.proof import bound_deals
from events.proof.findings import Fact
from events.service.match_kind import MATCH_KIND
from events.service.projections import EXPIRE, GROUP
from events.service.tournament_lines import changed_lines, matches_of, tournament_agrees, tournament_lines
from events.store.records import Head, Lines
from events.store.tables.deal_group_rows import KEY as GROUP_KEY
from events.store.tables.tournament_rows import KEY as TOURNAMENT_KEY
from events.store.tables.tournament_rows import KIND as TOURNAMENT_KIND
from events.store.tables.tournament_rows import TABLES as TOURNAMENT_TABLES
from events.store.tables.trade_rows import KEY, TABLE

TOGETHER: Final[Mapping[str, frozenset[str]]] = {
    OPEN: frozenset({"lobby", "ready"}),
    COMMITTED: frozenset({"lobby", "ready"}),
    STARTED: frozenset({"ready", "playing", "waits"}),
    OVER: frozenset({"waits", "finished", "abandoned"}),
    CANCELLED: frozenset({"lobby", "ready", "cancelled"}),
    EXPIRED: frozenset({"lobby", "ready", "expired"}),
}
"""The possible states of each table, by the status of a group."""


def _rows(head: Head, group: TableGroup) -> Lines:
    """Return the row of a group."""
    line = {
        "group_id": head.match_id,
        "creator": group.creator,
        "state": group.status,
        "tables": _json(group.tables),
        "nonces": _json(group.nonces) if group.nonces else None,
        "created_ms": head.created_ms,
    }
    return {"deal_groups": [line]}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _tables(head: Head, group: TableGroup) -> Sequence[str]:
    """Return the ids of its matches."""
    return group.tables


def _agrees(head: Head, group: TableGroup, matches: Mapping[str, Match]) -> str | None:
    """Return the difference between a table's log and its group's; None if there is none."""
    if not group.tables:
        return "The group has no tables."
    for i, match_id in enumerate(group.tables):
        found = matches.get(match_id)
        why = "does not exist" if found is None else _differs(head.match_id, group, i, found)
        if why is not None:
            return f"Table {i} {why}."
    return None


def _differs(group_id: str, group: TableGroup, i: int, m: Match) -> str | None:
    of = m.created.deal_group
    if of is None or (of.id, of.table, of.tables) != (group_id, i, len(group.tables)):
        return "was not created for this group"
    if (m.created.creator or "") != group.creator:
        return "has another creator"
    if _stage(m) not in TOGETHER[group.status]:
        return f"is {m.status}, but the group is {group.status}"
    if group.status == STARTED and m.status == "lobby" and life.nonces_of(m) != group.nonces[i]:
        return "has other nonces"
    if (m.group.committed and m.group.committed != group.hashes) or (
        group.hashes and life.hashes_of(m) != group.hashes[i]
    ):
        return "has other hashes"
    if m.group.shared and m.group.shared != tuple(nonce for table in group.nonces for nonce in table):
        return "was dealt from other nonces"
    return None


def _stage(m: Match) -> str:
    """Return the state of a table, as far as it matters to its group."""
    return "ready" if life.is_ready_to_begin(m) else "waits" if life.waits_for_group(m) else m.status


DEAL_GROUP: Final = StreamKind(
    name="deal_group",
    events=deal_group.EVENTS,
    evolve=deal_group.evolve,
    start=TableGroup,
    tables=("deal_groups",),
    key=GROUP_KEY,
    rows=_rows,
    matches=_tables,
    agrees=_agrees,
    wakes=(GROUP, EXPIRE),
)
"""Tables that get the same deals."""


def _offers(head: Head, collection: Collection) -> Lines:
    """Return a row for each open offer."""
    lines = [
        {
            "trade_id": trade,
            "collection_id": head.match_id,
            "player_id": collection.player,
            "partner_id": made.partner,
            "give": _json(made.give),
            "want": _json(made.want),
        }
        for trade, made in sorted(collection.offers.items())
    ]
    return {TABLE: lines}


def collection_id(player_id: str) -> str:
    """Return the id of a player's collection."""
    return derived_id(b"collection", player_id)


def _partners(events: Sequence[Any]) -> Sequence[str]:
    """Return the ids of the collections of trade partners."""
    return [collection_id(player) for player in trade_partners(events)]


def _one_sided(events: Sequence[Any], others: Mapping[str, Sequence[Any]]) -> Fault | None:
    """Return the trade that is not in both collections, in words."""
    of_players = {player: others.get(collection_id(player), ()) for player in trade_partners(events)}
    return find_one_sided_trade(events, of_players)


COLLECTION: Final = StreamKind(
    name="collection",
    events=collection_events.EVENTS,
    evolve=evolve,
    start=Collection,
    tables=(TABLE,),
    key=KEY,
    rows=_offers,
    epoch=attrgetter("epoch"),
    judge=partial(find_collection_fault, cards=CARDS),
    partners=_partners,
    one_sided=_one_sided,
)
"""The cards of a player."""


def _tournament_dealt(
    seal_secret: bytes, head: Head, events: Sequence[Any], matches: Mapping[str, Sequence[Fact]]
) -> Fault | None:
    """Return why a match of a tournament was dealt from another secret than the tournament's, at the binding event."""
    return bound_deals.not_dealt_from(deals_secret(seal_secret), head.match_id, events, matches)


TOURNAMENT: Final = StreamKind(
    name=TOURNAMENT_KIND,
    events=tournament_events.EVENTS,
    evolve=tournament_evolve,
    start=Tournament,
    tables=TOURNAMENT_TABLES,
    key=TOURNAMENT_KEY,
    rows=tournament_lines,
    changes=changed_lines,
    matches=matches_of,
    agrees=tournament_agrees,
    dealt=_tournament_dealt,
    judge=tournament_judged,
)
"""A tournament, whose tables are matches."""

ADMINISTRATION_ID: Final = derived_id(b"administration", "")
"""The id of the only stream of its kind."""


def _people(head: Head, a: Administration) -> Lines:
    """Return the rows of the administrators and of suspended players."""
    return {
        "administrators": [
            {"player_id": player, "administration_id": head.match_id} for player in sorted(a.administrators)
        ],
        "suspensions": [
            {
                "player_id": player,
                "administration_id": head.match_id,
                "until_ms": suspension.until,
                "reason": suspension.reason,
            }
            for player, suspension in sorted(a.suspensions.items())
        ],
    }


ADMINISTRATION: Final = StreamKind(
    name="administration",
    events=administration_events.EVENTS,
    evolve=administration_events.evolve,
    start=Administration,
    tables=("administrators", "suspensions"),
    key="administration_id",
    rows=_people,
    judge=administration_events.find_administration_fault,
)
"""The acts of administrators and of the operator."""

KINDS: Final[Mapping[str, StreamKind[Any]]] = {
    kind.name: kind for kind in (MATCH_KIND, DEAL_GROUP, COLLECTION, TOURNAMENT, ADMINISTRATION)
}
