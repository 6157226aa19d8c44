"""Stores the scoped tokens of players, and finds the player of any token."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Connection,
    LargeBinary,
    Text,
    bindparam,
    cast,
    delete,
    func,
    insert,
    null,
    or_,
    select,
    union_all,
    update,
)

from events.errors import Gone, TooManyTokens
from events.store.player_records import Player, Scoped, TokenRow
from events.store.protocol import Store
from events.store.records import Idempotency
from events.store.schema.administration_schema import suspensions
from events.store.schema.player_schema import players, tokens
from events.store.tables import idempotency_rows

MOST: Final = 20
"""Maximum number of valid scoped tokens of one player."""

_TOKEN: Final = tuple(tokens.c[name] for name in TokenRow.__dataclass_fields__)
_ASKED: Final = bindparam("token_hash", type_=LargeBinary)
_UNTIL: Final = select(suspensions.c.until_ms).where(suspensions.c.player_id == players.c.player_id)
_WHO: Final = (
    players.c.player_id, players.c.name, players.c.handle,
    _UNTIL.correlate(players).scalar_subquery().label("suspended_ms"),
)  # fmt: skip
_NOT_SCOPED: Final[list[Any]] = [
    cast(null(), of).label(name) for name, of in zip(Scoped._fields, (Text, Text, BigInteger, BigInteger), strict=True)
]
HOLDER: Final = union_all(
    select(*_WHO, *_NOT_SCOPED).where(players.c.token_hash == _ASKED),
    select(*_WHO, *(tokens.c[name] for name in Scoped._fields))
    .join_from(tokens, players, tokens.c.player_id == players.c.player_id)
    .where(tokens.c.token_hash == _ASKED),
).subquery("holder")
"""The player whose main or scoped token has the hash `token_hash`."""
WIDTH: Final = len(HOLDER.c)


def holder(row: Sequence[Any]) -> Player:
    """Read the columns of `HOLDER`."""
    player_id, name, handle, suspended, *scoped = row[:WIDTH]
    return Player(player_id, name, handle, None if scoped[0] is None else Scoped._make(scoped), suspended)


def add_token(store: Store, token: TokenRow, token_hash: bytes, idem: Idempotency | None) -> None:
    """Create a token, and record the key of the request. Raises `Gone`, `Repeated`, `TooManyTokens`."""
    t, mine = tokens.c, tokens.c.player_id == token.player_id

    def work(connection: Connection) -> None:
        # Concurrent requests of the same player wait here, so that together they do not exceed the maximum.
        here = (players.c.player_id == token.player_id) & players.c.erased_ms.is_(None)
        if connection.execute(select(players.c.player_id).where(here).with_for_update()).first() is None:
            raise Gone
        if idem is not None:
            idempotency_rows.note_key(connection, idem, token.created_ms)
        connection.execute(delete(tokens).where(mine, t.until_ms <= token.created_ms))
        if connection.execute(select(func.count()).where(mine)).scalar_one() >= MOST:
            raise TooManyTokens
        connection.execute(insert(tokens).values(asdict(token) | {"token_hash": token_hash}))

    store.write(work)


def read_tokens(store: Store, player_id: str, now_ms: int) -> list[TokenRow]:
    """Return a player's valid scoped tokens, the newest first."""
    valid = or_(tokens.c.until_ms.is_(None), tokens.c.until_ms > now_ms)
    query = select(*_TOKEN).where(tokens.c.player_id == player_id, valid)
    return [TokenRow(*row) for row in store.read(query.order_by(tokens.c.created_ms.desc(), tokens.c.token_id))]


def delete_tokens(store: Store, player_id: str, token_id: str | None = None) -> bool:
    """Revoke one of a player's scoped tokens, or all of them; False if there is none."""
    mine = tokens.c.player_id == player_id
    return bool(
        store.change(delete(tokens).where(mine if token_id is None else mine & (tokens.c.token_id == token_id)))
    )


def note_use(store: Store, token_id: str, day_ms: int) -> None:
    """Record the day of a token's use."""
    earlier = or_(tokens.c.used_ms.is_(None), tokens.c.used_ms < day_ms)
    store.change(update(tokens).where(tokens.c.token_id == token_id, earlier).values(used_ms=day_ms))


def delete_all_tokens(connection: Connection, player_id: str) -> None:
    """Delete a player's scoped tokens."""
    connection.execute(delete(tokens).where(tokens.c.player_id == player_id))


def prune(store: Store, now_ms: int) -> None:
    """Delete tokens that are no longer valid."""
    store.change(delete(tokens).where(tokens.c.until_ms <= now_ms))
