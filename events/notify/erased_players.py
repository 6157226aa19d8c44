"""Deletes the notification data of erased players."""

from typing import Final

from sqlalchemy import Connection, delete, select

from events.notify.webhooks import OF_A_WEBHOOK
from events.store.schema import notice_schema

OF_A_PLAYER: Final = (
    notice_schema.notices, notice_schema.alarms, notice_schema.notification_settings, notice_schema.feeds,
    notice_schema.mailboxes, notice_schema.mail_queue, notice_schema.confirmations, notice_schema.former_addresses,
    notice_schema.webhooks,
)  # fmt: skip
"""The tables whose rows belong to a player; those of a webhook go before it."""


def erase(connection: Connection, player_id: str) -> None:
    """Delete a player's notices, webhooks, feeds and mailbox."""
    hooks = select(notice_schema.webhooks.c.webhook_id).where(notice_schema.webhooks.c.player_id == player_id)
    for table in OF_A_WEBHOOK:
        connection.execute(delete(table).where(table.c.webhook_id.in_(hooks)))
    mine = select(notice_schema.mailboxes.c.address).where(notice_schema.mailboxes.c.player_id == player_id)
    connection.execute(delete(notice_schema.recovery_codes).where(notice_schema.recovery_codes.c.address.in_(mine)))
    for table in OF_A_PLAYER:
        connection.execute(delete(table).where(table.c.player_id == player_id))
