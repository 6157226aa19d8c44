"""This module tells a confirmed address that it is the player's no longer, with a code to take the player back.

Who has found a token could else change the address, by which a lost token is recovered, without a word to its owner.
The mail names no other address. Of two changes the earlier wins: what is taken back by the first address cannot be
taken away by the second.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Update, delete, select, update

from events.ids import hash_secret
from events.notify.ledger import FORMER_MS
from events.notify.mailboxes import LEASE_MS, PAUSES_MS, give_back
from events.store import leases, tables
from events.store.leases import LeasedWork
from events.store.player_records import Player
from events.store.protocol import Store
from events.store.schema import former_addresses, players


@dataclass(slots=True, frozen=True)
class FormerAddress:
    """This is an address that a player had confirmed, and has changed or removed at a time."""

    player_id: str
    changed_ms: int
    address: str
    every_ms: int
    lease_ms: int
    attempts: int


FORMER: Final = tuple(former_addresses.c[name] for name in FormerAddress.__dataclass_fields__)

FAREWELLS: Final = LeasedWork(former_addresses, LEASE_MS, PAUSES_MS)
"""The work of telling former addresses that they are the player's no longer."""


def _updating(former: FormerAddress) -> Update:
    return update(former_addresses).where(leases.is_held(FAREWELLS, former))


def set_code(store: Store, former: FormerAddress, code: str) -> bool:
    """Note the code that is about to be sent; False if the claim is lost."""
    return bool(
        store.change(
            update(former_addresses).where(leases.is_held(FAREWELLS, former)).values(code_hash=hash_secret(code))
        )
    )


def finish_former_address(store: Store, former: FormerAddress) -> None:
    """Note that the address has been told, or cannot be."""
    store.change(
        update(former_addresses).where(leases.is_held(FAREWELLS, former)).values(claimable_ms=None, lease_ms=0)
    )


def retry_former_address_later(store: Store, former: FormerAddress, now: int) -> None:
    """Note that the mail could not be sent, to try again later."""
    leases.put_off(store, FAREWELLS, leases.is_held(FAREWELLS, former), now)


def take_back(connection: Connection, named: str, code: str, token_hash: bytes, now: int) -> Player | None:
    """Give a player back to the owner of a former address, who has this code, with a new token.

    `named` is that address or the player's handle. None if the code does not fit.
    """
    f = former_addresses.c
    sent = select(*FORMER).where(f.code_hash == hash_secret(code), f.changed_ms > now - FORMER_MS)
    # Who sends the same code at the same time waits here, and then does not find it.
    found = connection.execute(sent.with_for_update()).first()
    if found is None:
        return None
    former = FormerAddress(*found)
    mine = players.c.player_id == former.player_id
    player = Player(*connection.execute(select(*tables.player_rows.PLAYER).where(mine)).one())
    if named.lower() != (former.address.lower() if "@" in named else player.handle):
        return None
    connection.execute(
        delete(former_addresses).where(f.player_id == former.player_id, f.changed_ms >= former.changed_ms)
    )
    tables.player_rows.replace_all_tokens(connection, former.player_id, token_hash)
    give_back(connection, former.player_id, former.address, former.every_ms, now)
    return player
