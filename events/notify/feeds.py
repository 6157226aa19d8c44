"""Issues and revokes the secret in the addresses of a player's feed and calendar. It stores a hash."""

from sqlalchemy import Connection, delete, select

from events.notify.ledger import check_there
from events.store.protocol import Store
from events.store.schema.notice_schema import feeds
from events.store.upserts import upsert


def issue(store: Store, player_id: str, secret_hash: bytes, now: int) -> None:
    """Replace a player's feed secret. Raise `Gone`."""

    def work(connection: Connection) -> None:
        check_there(connection, player_id)
        adding = upsert(connection, feeds).values(player_id=player_id, secret_hash=secret_hash, created_ms=now)
        new = {"secret_hash": secret_hash, "created_ms": adding.excluded.created_ms}
        connection.execute(
            adding.on_conflict_do_update(
                index_elements=["player_id"], set_=new, where=feeds.c.secret_hash != secret_hash
            )
        )

    store.write(work)


def feed_secret_of(store: Store, player_id: str) -> tuple[bytes, int] | None:
    """Return the hash of the player's secret and the time it was issued; None if there is none."""
    query = select(feeds.c.secret_hash, feeds.c.created_ms).where(feeds.c.player_id == player_id)
    found = store.read(query)
    return (found[0].secret_hash, found[0].created_ms) if found else None


def revoke(store: Store, player_id: str) -> None:
    """Revoke the secret."""
    store.change(delete(feeds).where(feeds.c.player_id == player_id))


def player_of_feed(store: Store, secret_hash: bytes) -> str | None:
    """Return the player whose secret has this hash."""
    found = store.read(select(feeds.c.player_id).where(feeds.c.secret_hash == secret_hash))
    return found[0].player_id if found else None
