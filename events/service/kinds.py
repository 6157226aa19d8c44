"""The kinds of streams beside matches: one row each, from which rebuilding and audit follow."""

from collections.abc import Mapping
from typing import Final

from domain import deal_group
from events.log.kinds import StreamKind
from events.service.projections import deal_groups

DEAL_GROUP: Final = StreamKind(
    name="deal_group",
    events=deal_group.EVENTS,
    start=deal_group.TableGroup,
    evolve=deal_group.evolve,
    table="deal_groups",
    key="group_id",
    rows=deal_groups.rows,
    beside=deal_groups.tables,
    agrees=deal_groups.agrees,
)
"""Tables that get the same deals."""

KINDS: Final[Mapping[str, StreamKind]] = {kind.name: kind for kind in (DEAL_GROUP,)}
