"""Describes the tables of notices, and the webhooks, feeds and mails that carry them."""

from sqlalchemy import (
    BigInteger,
    Column,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    literal_column,
)

from events.store.schema.metadata import index_condition, metadata

notices = Table(
    "notices",
    metadata,
    Column("notice_no", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True),
    Column("notice_id", Text, nullable=False, unique=True),
    Column("player_id", Text, nullable=False),
    Column("match_no", BigInteger, nullable=False),
    Column("match_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", SmallInteger),
    Column("version", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("deadline_ms", BigInteger),
    Column("tournament_id", Text, nullable=False, server_default=""),
    Column("round", Integer),
)
"""The notices for players with a webhook or a mailbox, once each; the id follows from the content."""
Index("notices_at", notices.c.at_ms)

alarms = Table(
    "alarms",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("deadline_ms", BigInteger, nullable=False),
)
"""The times at which players are notified that the deadline of an open decision is near."""
Index("alarms_due", alarms.c.due_ms)

notification_settings = Table(
    "notification_settings",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("near_seconds", Integer, nullable=False),
)
"""The notification settings of players."""

webhooks = Table(
    "webhooks",
    metadata,
    Column("webhook_id", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("old_secrets", Text, nullable=False, server_default="[]"),
    Column("state", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("failing_ms", BigInteger),
    Column("disabled_ms", BigInteger),
)
"""`state` is enabled, or why it is not: paused, failing, gone. `failing_ms` is the time since which all deliveries have
failed.

`old_secrets` has the secrets that still sign, as JSON: `[[secret, until_ms], …]`, the oldest first.
"""
Index("webhooks_by_player", webhooks.c.player_id)

deliveries = Table(
    "deliveries",
    metadata,
    Column("webhook_id", Text, primary_key=True),
    Column("notice_no", BigInteger, primary_key=True),
    Column("match_no", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""The notices for each webhook: `state` is pending, delivered, failed, or missed while the webhook was disabled."""
_pending = deliveries.c.state == literal_column("'pending'")
Index(
    "deliveries_pending",
    deliveries.c.webhook_id,
    deliveries.c.match_no,
    deliveries.c.notice_no,
    info=index_condition(_pending),
)

lanes = Table(
    "lanes",
    metadata,
    Column("webhook_id", Text, primary_key=True),
    Column("match_no", BigInteger, primary_key=True),
    Column("host", Text, nullable=False),
    Column("claimable_ms", BigInteger, nullable=False),
    Column("lease_ms", BigInteger, nullable=False),
    Column("owner", Text),
)
"""A webhook and a match with pending deliveries, which go out one after the other: the unit of work.

`owner` is the process that has taken the lane since it was claimed.
"""
Index("lanes_next", lanes.c.claimable_ms)

attempts = Table(
    "attempts",
    metadata,
    Column("attempt_no", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True),
    Column("webhook_id", Text, nullable=False),
    Column("notice_no", BigInteger, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("took_ms", Integer, nullable=False),
    Column("status", Integer),
    Column("error", Text),
    Column("next_ms", BigInteger),
)
"""The delivery attempts, which the player can see."""
Index("attempts_of", attempts.c.webhook_id, attempts.c.attempt_no)
Index("attempts_at", attempts.c.at_ms)

feeds = Table(
    "feeds",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("secret_hash", LargeBinary, nullable=False, unique=True),
    Column("created_ms", BigInteger, nullable=False),
)
"""The secret in the addresses of a player's Atom feed and calendar."""

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("every_ms", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("code_hash", LargeBinary),
    Column("code_until_ms", BigInteger),
    Column("code_tries", Integer, nullable=False),
    Column("leave_by", Text, nullable=False, unique=True),
    Column("claimable_ms", BigInteger),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("last_ms", BigInteger),
    Column("owner", Text),
    Column("recovery_ms", BigInteger),
)
"""The mail address of each player: `state` is unconfirmed, confirmed, refused (by its server) or unsubscribed.

`recovery_ms` is when a recovery code was requested, until its mail is sent. `claimable_ms` is when the next mail is
due; None if there is none. `leave_by` is in the address to unsubscribe. `owner` is the process that has taken the row
since it was claimed.
"""
Index("mailboxes_next", mailboxes.c.claimable_ms)

mail_queue = Table(
    "mail_queue",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("notice_no", BigInteger, primary_key=True),
)
"""The notices for the next mail to each player."""

confirmations = Table(
    "confirmations",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("at_ms", BigInteger, primary_key=True),
)
"""The times at which players requested confirmation mails."""
Index("confirmations_at", confirmations.c.at_ms)

addresses_asked = Table(
    "addresses_asked",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("at_ms", BigInteger, primary_key=True),
)
"""The times at which any player requested the confirmation of an address, so that no address gets too many mails. Rows
stay for two days after an erasure, so they name neither the address nor the player.
"""
Index("addresses_asked_at", addresses_asked.c.at_ms)

recoveries_asked = Table(
    "recoveries_asked",
    metadata,
    Column("address", Text, primary_key=True),
    Column("asked_ms", BigInteger, nullable=False),
)
"""The addresses, in lower case, for which recovery was requested, until it is known whether they have players. So the
request does no lookup, and takes the same time for all addresses.
"""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("code_hash", LargeBinary, primary_key=True),
    Column("address", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
"""The codes that were sent to confirmed addresses, each valid for one player of the address."""
Index("recovery_codes_until", recovery_codes.c.until_ms)

former_addresses = Table(
    "former_addresses",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("changed_ms", BigInteger, primary_key=True),
    Column("address", Text, nullable=False),
    Column("every_ms", BigInteger, nullable=False),
    Column("code_hash", LargeBinary),
    Column("claimable_ms", BigInteger),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("owner", Text),
)
"""The confirmed addresses that players changed or removed within the last week. Each gets a mail with a code, with
which its owner can recover the player. `owner` is the process that has taken the row since it was claimed.
"""
Index("former_addresses_claimable", former_addresses.c.claimable_ms)
Index("former_addresses_code", former_addresses.c.code_hash)
