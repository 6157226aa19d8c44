"""This module deletes what is kept to notify a player, when the player is erased."""

from typing import Final

from sqlalchemy import Connection, delete, select

from events.notify.webhooks import OF_A_WEBHOOK
from events.store.schema import (
    alarms,
    confirmations,
    feeds,
    former_addresses,
    mail_queue,
    mailboxes,
    notices,
    notification_settings,
    recovery_codes,
    webhooks,
)

OF_A_PLAYER: Final = (
    notices, alarms, notification_settings, feeds, mailboxes, mail_queue, confirmations, former_addresses, webhooks,
)  # fmt: skip
"""The tables whose rows belong to a player; those of a webhook go before it."""


def erase(connection: Connection, player_id: str) -> None:
    """Delete a player's notices, webhooks, feeds and mailbox."""
    hooks = select(webhooks.c.webhook_id).where(webhooks.c.player_id == player_id)
    for table in OF_A_WEBHOOK:
        connection.execute(delete(table).where(table.c.webhook_id.in_(hooks)))
    mine = select(mailboxes.c.address).where(mailboxes.c.player_id == player_id)
    connection.execute(delete(recovery_codes).where(recovery_codes.c.address.in_(mine)))
    for table in OF_A_PLAYER:
        connection.execute(delete(table).where(table.c.player_id == player_id))
