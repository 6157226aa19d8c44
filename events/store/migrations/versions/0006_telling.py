"""What tells players of their matches: notices, webhooks, secret addresses of feeds, mail."""

from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Identity, Integer, LargeBinary, SmallInteger, Text, text

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables; nobody has asked to be told anything yet."""
    _notices()
    _webhooks()
    _feeds_and_mail()
    pending = text("state = 'pending'")
    for name, table, columns, only in (
        ("notices_at", "notices", ["at_ms"], None),
        ("alarms_due", "alarms", ["due_ms"], None),
        ("webhooks_by_player", "webhooks", ["player_id"], None),
        ("deliveries_pending", "deliveries", ["webhook_id", "match_no", "notice_no"], pending),
        ("lanes_next", "lanes", ["claimable_ms"], None),
        ("attempts_of", "attempts", ["webhook_id", "attempt_no"], None),
        ("attempts_at", "attempts", ["at_ms"], None),
        ("mailboxes_next", "mailboxes", ["claimable_ms"], None),
        ("confirmations_at", "confirmations", ["at_ms"], None),
        ("addresses_asked_at", "addresses_asked", ["at_ms"], None),
    ):
        op.create_index(name, table, columns, postgresql_where=only, sqlite_where=only)


def _number(name: str, **kwargs: Any) -> Column[Any]:
    return Column(name, BigInteger, **kwargs)


def _counted(name: str) -> Column[Any]:
    return Column(name, BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True)


def _notices() -> None:
    op.create_table(
        "notices",
        _counted("notice_no"),
        Column("notice_id", Text, nullable=False, unique=True),
        Column("player_id", Text, nullable=False),
        _number("match_no", nullable=False),
        Column("match_id", Text, nullable=False),
        Column("game", Text, nullable=False),
        Column("kind", Text, nullable=False),
        Column("seat", SmallInteger),
        Column("version", Integer, nullable=False),
        _number("at_ms", nullable=False),
        _number("deadline_ms"),
    )
    op.create_table(
        "alarms",
        _number("match_no", primary_key=True, autoincrement=False),
        Column("seat", SmallInteger, primary_key=True, autoincrement=False),
        Column("player_id", Text, nullable=False),
        Column("version", Integer, nullable=False),
        _number("due_ms", nullable=False),
        _number("deadline_ms", nullable=False),
    )
    op.create_table(
        "telling",
        Column("player_id", Text, primary_key=True),
        Column("near_seconds", Integer, nullable=False),
    )


def _webhooks() -> None:
    op.create_table(
        "webhooks",
        Column("webhook_id", Text, primary_key=True),
        Column("player_id", Text, nullable=False),
        Column("url", Text, nullable=False),
        Column("host", Text, nullable=False),
        Column("events", Text, nullable=False),
        Column("secret", Text, nullable=False),
        Column("old_secret", Text),
        _number("old_until_ms"),
        Column("state", Text, nullable=False),
        _number("created_ms", nullable=False),
        _number("failing_ms"),
        _number("disabled_ms"),
    )
    op.create_table(
        "deliveries",
        Column("webhook_id", Text, primary_key=True),
        _number("notice_no", primary_key=True, autoincrement=False),
        _number("match_no", nullable=False),
        Column("state", Text, nullable=False),
        Column("attempts", Integer, nullable=False),
    )
    op.create_table(
        "lanes",
        Column("webhook_id", Text, primary_key=True),
        _number("match_no", primary_key=True, autoincrement=False),
        Column("host", Text, nullable=False),
        _number("claimable_ms", nullable=False),
        _number("lease_ms", nullable=False),
        Column("taken", Boolean, nullable=False),
    )
    op.create_table(
        "attempts",
        _counted("attempt_no"),
        Column("webhook_id", Text, nullable=False),
        _number("notice_no", nullable=False),
        Column("attempt", Integer, nullable=False),
        _number("at_ms", nullable=False),
        Column("took_ms", Integer, nullable=False),
        Column("status", Integer),
        Column("error", Text),
        _number("next_ms"),
    )


def _feeds_and_mail() -> None:
    op.create_table(
        "feeds",
        Column("player_id", Text, primary_key=True),
        Column("secret_hash", LargeBinary, nullable=False, unique=True),
        _number("created_ms", nullable=False),
    )
    op.create_table(
        "mailboxes",
        Column("player_id", Text, primary_key=True),
        Column("address", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("every_ms", BigInteger, nullable=False),
        _number("created_ms", nullable=False),
        Column("code_hash", LargeBinary),
        _number("code_until_ms"),
        Column("code_tries", Integer, nullable=False),
        Column("leave_by", Text, nullable=False, unique=True),
        _number("claimable_ms"),
        _number("lease_ms", nullable=False),
        Column("attempts", Integer, nullable=False),
        _number("last_ms"),
    )
    op.create_table(
        "mail_queue",
        Column("player_id", Text, primary_key=True),
        _number("notice_no", primary_key=True, autoincrement=False),
    )
    op.create_table(
        "confirmations",
        Column("player_id", Text, primary_key=True),
        _number("at_ms", primary_key=True, autoincrement=False),
    )
    op.create_table(
        "addresses_asked",
        Column("address_hash", LargeBinary, primary_key=True),
        _number("at_ms", primary_key=True, autoincrement=False),
    )
