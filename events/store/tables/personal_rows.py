"""Reads all rows about a player, for the export of personal data."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import LargeBinary, Table, or_, select

from events.store.protocol import Store
from events.store.schema.log_schema import stream
from events.store.schema.metadata import metadata

EXPORTED: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "players", "tokens", "vacations", "blocks", "mutes", "decks", "messages", "notes", "notices", "alarms",
            "notification_settings", "webhooks", "feeds", "mailboxes", "confirmations", "former_addresses", "seats",
            "results", "reliability", "decisions", "involved", "orders", "tournament_players", "ratings",
            "administrators", "suspensions", "reports",
        ),
        ("player_id",),
    ),
    "trades": ("player_id", "partner_id"),
    "matches": ("creator", "owner"),
    "deal_groups": ("creator",),
    "tournaments": ("organiser",),
}  # fmt: skip
"""The exported tables, and their columns with the id of the player."""

KEPT_BACK: Final[Mapping[str, str]] = {
    "handles": "It has only hashes of handles. The handles themselves are in `players`.",
    "group_players": "It follows from `seats`.",
    "rating_trusts": "It has the ids of opponents, and follows from the public list of rated matches.",
    "mail_queue": "The numbers of `notices` in the next mail.",
}
"""The other tables with a player's id, and why they are not exported."""

_SECRET: Final = frozenset({"salt", "secret", "old_secrets", "leave_by"})
_OF_THE_SERVER: Final = frozenset(
    {"match_no", "claimable_ms", "lease_ms", "attempts", "code_tries", "administration_id"}
)

_FOR_ADMINISTRATORS: Final = frozenset(
    {"reports.outcome", "ratings.hasty", "ratings.gifts", "ratings.lately", "ratings.presents"}
)
"""Only administrators see the outcome of a report, and only the operator sees flagged players."""
_OF_THE_PARTNER: Final = frozenset({"trades.collection_id"})


def read_personal_rows(store: Store, player_id: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows about a player by table, without hashes, secrets and columns for the server's own work."""
    return {name: _rows(store, metadata.tables[name], keys, player_id) for name, keys in EXPORTED.items()}


def _rows(store: Store, table: Table, keys: tuple[str, ...], player_id: str) -> list[dict[str, Any]]:
    shown = [column for column in table.c if _is_shown(table, column)]
    names = [column.name for column in shown]
    query = select(*shown).where(or_(*(table.c[key] == player_id for key in keys)))
    if "match_no" in table.c and "match_id" not in table.c:
        query = query.add_columns(stream.c.match_id)
        query = query.select_from(table.join(stream, stream.c.match_no == table.c.match_no))
        names.append("match_id")
    rows = store.read(query.order_by(*table.primary_key))
    return [dict(zip(names, row, strict=True)) for row in rows]


def _is_shown(table: Table, column: Any) -> bool:
    is_process = column.name == "owner" and table.name != "matches"
    is_private = f"{table.name}.{column.name}" in _FOR_ADMINISTRATORS | _OF_THE_PARTNER
    is_hidden = column.name in _SECRET | _OF_THE_SERVER or isinstance(column.type, LargeBinary)
    return not (is_private or is_hidden or is_process)
