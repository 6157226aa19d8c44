"""The kinds of streams beside matches: one row each, from which rebuilding and audit follow."""

from collections.abc import Mapping
from typing import Final

from domain import deal_group
from events.log.kinds import StreamKind
from events.service.projections import deal_groups

DEAL_GROUP: Final = StreamKind(
    "deal_group", deal_group.EVENTS, deal_group.TableGroup, deal_group.evolve,
    "deal_groups", "group_id", deal_groups.rows, deal_groups.tables, deal_groups.agrees,
)  # fmt: skip
"""Tables that get the same deals."""

KINDS: Final[Mapping[str, StreamKind]] = {kind.name: kind for kind in (DEAL_GROUP,)}
