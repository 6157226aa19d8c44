"""Replaces lost tokens, by codes that are sent to confirmed addresses.

An answer never reveals whether an address is a player's. A request for a code only stores the address; the sender finds
its player later. A mail uses only the budget of its own mailbox. A shared budget would reveal whether it was sent, and
others could use it up. A code is found only by its hash, and tries are counted by the given address or handle, whether
or not there is such a player.
"""

from functools import partial
from typing import Final

from sqlalchemy import Connection, case, delete, func, insert, select, update

from events.ids import hash_secret
from events.notify import former_addresses
from events.notify.mailboxes import normalise_address, spend_in_hour, spend_on_mailbox
from events.store.player_records import Player
from events.store.protocol import Store
from events.store.schema.notice_schema import mailboxes, recoveries_asked, recovery_codes
from events.store.schema.player_schema import players
from events.store.tables import player_rows
from events.store.upserts import upsert

VALID_MS: Final = 30 * 60 * 1000
"""The time for which a code is valid, in milliseconds; after this time, an unsent code is dropped."""
TRIES: Final = 5
"""Maximum number of codes that one network may try in an hour for one address or handle."""
AT_ONCE: Final = 50


class SeveralPlayers(Exception):
    """The code is right, and several players have confirmed the address."""


# --- Asking for a code --------------------------------------------------------------------------------------


def ask(store: Store, address: str, now: int) -> None:
    """Record a request for a recovery code for an address."""

    def work(connection: Connection) -> None:
        adding = upsert(connection, recoveries_asked).values(address=address.lower(), asked_ms=now)
        connection.execute(adding.on_conflict_do_nothing())

    store.write(work)


def schedule_recovery_mails(store: Store, most: int, now: int) -> None:
    """Have codes sent to the addresses for which one is wanted, if they are confirmed.

    One mailbox gets at most one a minute and `most` in a day; 0 for no limit.
    """
    for address, asked_ms in store.read(select(recoveries_asked).limit(AT_ONCE)):
        store.write(partial(_see_to, address=address, asked_ms=asked_ms, most=most, now=now))


def _see_to(connection: Connection, address: str, asked_ms: int, most: int, now: int) -> None:
    asked = (recoveries_asked.c.address == address) & (recoveries_asked.c.asked_ms == asked_ms)
    if not connection.execute(delete(recoveries_asked).where(asked)).rowcount:
        return  # Another process has scheduled them.
    if now >= asked_ms + VALID_MS:
        return
    m = mailboxes.c
    # If the case of an address matters, its mail does not reach a caller who writes it differently. Several players can
    # share a mailbox.
    here = (func.lower(m.address) == address) & (m.state == "confirmed")
    first = connection.execute(select(func.min(m.player_id)).where(here).group_by(m.address)).scalars().all()
    # No address contains a space, so this is never the budget of a confirmation.
    if not first or not spend_on_mailbox(connection, f"recovery {normalise_address(address)}", most, now):
        return
    # A row that is being processed becomes due again when it is released.
    due = case((m.lease_ms > now, m.claimable_ms), else_=now)
    connection.execute(update(mailboxes).where(m.player_id.in_(first), here).values(recovery_ms=now, claimable_ms=due))


# --- Sending codes -----------------------------------------------------------------------------------------


def set_code(store: Store, address: str, code: str, now: int) -> None:
    """Record a code that is about to be sent."""
    row = {"code_hash": hash_secret(code), "address": address, "until_ms": now + VALID_MS}
    store.change(insert(recovery_codes).values(row))


def handles_of_address(store: Store, address: str) -> list[str]:
    """Return the handles of the players who have confirmed an address."""
    return [player.handle for player in store.ask(lambda connection: _players(connection, address))]


def _players(connection: Connection, address: str) -> list[Player]:
    query = (
        select(*player_rows.PLAYER)
        .join(mailboxes, mailboxes.c.player_id == players.c.player_id)
        .where(mailboxes.c.address == address, mailboxes.c.state == "confirmed")
        .order_by(players.c.handle)
    )
    return [Player(*row) for row in connection.execute(query)]


# --- Using codes -------------------------------------------------------------------------------------------


def may_try(store: Store, named: str, network: str, now: int) -> bool:
    """Count a network's try for an address or a handle; return False if its limit is reached."""
    return store.write(partial(spend_in_hour, what=f"recovery|{named.lower()}|{network}", most=TRIES, now=now))


def recover_by_code(store: Store, named: str, code: str, token_hash: bytes, now: int) -> Player | None:
    """Replace all tokens of a player with a new one, if the code was sent to the player's address.

    The code in a mail to a former address restores that address too. `named` is that address or the player's handle.
    Return None if the code is wrong; raise `SeveralPlayers`.
    """
    c = recovery_codes.c

    def work(connection: Connection) -> Player | None:
        # A retry after a lost connection finds that the first try succeeded.
        done = connection.execute(select(*player_rows.PLAYER).where(players.c.token_hash == token_hash)).first()
        if done is not None:
            return Player(*done)
        sent = select(c.address).where(c.code_hash == hash_secret(code), c.until_ms > now)
        # A concurrent request with the same code waits here, and then does not find it.
        address = connection.execute(sent.with_for_update()).scalar()
        if address is None:
            return former_addresses.take_back(connection, named, code, token_hash, now)
        if "@" in named and named.lower() != address.lower():
            return None
        found = [player for player in _players(connection, address) if "@" in named or player.handle == named]
        if len(found) > 1:
            raise SeveralPlayers
        if not found:
            return None
        connection.execute(delete(recovery_codes).where(c.address == address))
        player_rows.replace_all_tokens(connection, found[0].player_id, token_hash)
        return found[0]

    return store.write(work)
