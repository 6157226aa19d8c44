"""The vacations of players, as they lie in the database."""

from collections.abc import Callable, Collection
from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, select

from domain.match.vacation import Allowance, Vacation
from events.errors import AlreadyThere
from events.store.records import Idempotency, VacationTaken
from events.store.schema import idempotency, players, vacations
from events.store.statements import Read


def allowance(
    connection: Connection, player_id: str, since_ms: int = 0, *, alone: bool = False
) -> Allowance | None:
    """What a player may take and has taken that ended after a time.

    `alone` keeps others from changing it until the transaction ends.
    """
    here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
    who = select(players.c.created_ms, players.c.auto_vacation).where(here)
    found = connection.execute(who.with_for_update() if alone else who).first()
    if found is None:
        return None
    query = select(vacations.c.from_ms, vacations.c.to_ms, vacations.c.used_ms)
    mine = (vacations.c.player_id == player_id) & (vacations.c.to_ms > since_ms)
    taken = connection.execute(query.where(mine).order_by(vacations.c.from_ms))
    return Allowance(found.created_ms, found.auto_vacation, tuple(Vacation(*row) for row in taken))


def take(
    connection: Connection,
    player_id: str,
    change: Callable[[Allowance], Allowance],
    idem: Idempotency | None,
    at_ms: int,
) -> Allowance | None:
    """Let `change` say what a player has taken. Raises `AlreadyThere` for a key that was used."""
    had = allowance(connection, player_id, alone=True)
    if had is None:
        return None
    if idem is not None:
        key = idempotency.c.key_hash == idem.key_hash
        if connection.execute(select(idempotency.c.key_hash).where(key)).first():
            raise AlreadyThere
        connection.execute(insert(idempotency).values(**asdict(idem), at_ms=at_ms))
    has = change(had)
    _write(connection, VacationTaken(player_id, had, has))
    return has


def taken(connection: Connection, t: VacationTaken) -> bool:
    """Let a player have taken what he has, unless he had not what he is said to have had; says which."""
    if allowance(connection, t.player_id, alone=True) != t.had:
        return False
    _write(connection, t)
    return True


def _write(connection: Connection, t: VacationTaken) -> None:
    had, has = set(t.had.taken), set(t.has.taken)
    mine = vacations.c.player_id == t.player_id
    gone = [v.start for v in had - has]
    rows = [
        {"player_id": t.player_id, "from_ms": v.start, "to_ms": v.end, "used_ms": v.used} for v in has - had
    ]
    if gone:
        connection.execute(delete(vacations).where(mine, vacations.c.from_ms.in_(gone)))
    if rows:
        connection.execute(insert(vacations), rows)


def away(read: Read, player_ids: Collection[str], now_ms: int) -> dict[str, int]:
    """Give until when players are on vacation, of those who are."""
    if not player_ids:
        return {}
    on = (vacations.c.from_ms <= now_ms) & (vacations.c.to_ms > now_ms)
    query = select(vacations.c.player_id, vacations.c.to_ms).where(vacations.c.player_id.in_(player_ids), on)
    return {row.player_id: row.to_ms for row in read(query)}


def erase(connection: Connection, player_id: str) -> None:
    """Delete the vacations of a player."""
    connection.execute(delete(vacations).where(vacations.c.player_id == player_id))
