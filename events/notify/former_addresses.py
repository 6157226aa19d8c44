"""Notifies a former confirmed address of its replacement, with a code to recover the player.

Otherwise a thief with a token could silently change the address, by which a lost token is recovered. The mail names no
other address. Of two changes the earlier wins: a player recovered by the first address cannot be taken by the second.
"""

from typing import Final

from sqlalchemy import Connection, delete, select, update

from domain.core.values import value
from events.ids import hash_secret
from events.notify.ledger import FORMER_MS
from events.notify.mailboxes import LEASE_MS, PAUSES_MS, give_back
from events.store import leases
from events.store.leases import LeasedWork
from events.store.player_records import Player
from events.store.protocol import Store
from events.store.schema.notice_schema import former_addresses
from events.store.schema.player_schema import players
from events.store.tables import player_rows


@value
class FormerAddress:
    """An address that a player had confirmed, and has changed or removed at a time."""

    player_id: str
    changed_ms: int
    address: str
    every_ms: int
    lease_ms: int
    attempts: int


FORMER: Final = tuple(former_addresses.c[name] for name in FormerAddress.__dataclass_fields__)

FAREWELLS: Final = LeasedWork(former_addresses, LEASE_MS, PAUSES_MS)
"""The work of notifying former addresses that they were replaced."""


def set_code(store: Store, former: FormerAddress, code: str) -> bool:
    """Record the code that is about to be sent; return False if the claim is lost."""
    return bool(
        store.change(
            update(former_addresses).where(leases.is_held(FAREWELLS, former)).values(code_hash=hash_secret(code))
        )
    )


def finish_former_address(store: Store, former: FormerAddress) -> None:
    """Record that the address was notified, or cannot be."""
    store.change(
        update(former_addresses).where(leases.is_held(FAREWELLS, former)).values(claimable_ms=None, lease_ms=0)
    )


def retry_former_address_later(store: Store, former: FormerAddress, now: int) -> None:
    """Record that the mail could not be sent, to retry later."""
    leases.put_off(store, FAREWELLS, leases.is_held(FAREWELLS, former), now)


def take_back(connection: Connection, named: str, code: str, token_hash: bytes, now: int) -> Player | None:
    """Restore a player, with a new token, to the owner of a former address who has this code.

    `named` is that address or the player's handle. Return None if the code is wrong.
    """
    f = former_addresses.c
    sent = select(*FORMER).where(f.code_hash == hash_secret(code), f.changed_ms > now - FORMER_MS)
    # A concurrent request with the same code waits here, and then does not find it.
    found = connection.execute(sent.with_for_update()).first()
    if found is None:
        return None
    former = FormerAddress(*found)
    mine = players.c.player_id == former.player_id
    player = Player(*connection.execute(select(*player_rows.PLAYER).where(mine)).one())
    if named.lower() != (former.address.lower() if "@" in named else player.handle):
        return None
    connection.execute(
        delete(former_addresses).where(f.player_id == former.player_id, f.changed_ms >= former.changed_ms)
    )
    player_rows.replace_all_tokens(connection, former.player_id, token_hash)
    give_back(connection, former.player_id, former.address, former.every_ms, now)
    return player
