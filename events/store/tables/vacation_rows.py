"""Stores the vacations of players."""

from collections.abc import Callable, Collection

from sqlalchemy import Connection, delete, func, insert, select, update

from domain.match.vacation_days import Allowance, Vacation
from events.store.protocol import Store
from events.store.records import Idempotency, VacationTaken
from events.store.schema.player_schema import players, vacations
from events.store.tables import idempotency_rows


def allowance(store: Store, player_id: str, since_ms: int = 0) -> Allowance | None:
    """Return a player's allowance of vacations, and the vacations that ended after `since_ms`.

    None if the player does not exist or was erased.
    """
    return store.ask(lambda connection: _allowance(connection, player_id, since_ms))


def _allowance(connection: Connection, player_id: str, since_ms: int = 0, *, alone: bool = False) -> Allowance | None:
    """Return a player's pool, and the vacations that ended after a time.

    `alone` locks them until the transaction ends.
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


def change_vacations(
    store: Store,
    player_id: str,
    change: Callable[[Allowance], Allowance],
    idem: Idempotency | None = None,
    at_ms: int = 0,
    then: Callable[[Connection], None] = lambda _: None,
) -> Allowance | None:
    """Change a player's vacations by `change`, while no other transaction can; its exceptions are raised.

    `then` follows in the same transaction. Returns the new vacations; None as for `allowance`. Raises `Repeated` for a
    used key.
    """

    def work(connection: Connection) -> Allowance | None:
        has = _take(connection, player_id, change, idem, at_ms)
        then(connection)
        return has

    return store.write(work)


def _take(
    connection: Connection,
    player_id: str,
    change: Callable[[Allowance], Allowance],
    idem: Idempotency | None,
    at_ms: int,
) -> Allowance | None:
    had = _allowance(connection, player_id, alone=True)
    if had is None:
        return None
    if idem is not None:
        idempotency_rows.note_key(connection, idem, at_ms)
    has = change(had)
    _write(connection, VacationTaken(player_id, had, has))
    return has


def write_vacations_if_unchanged(connection: Connection, t: VacationTaken) -> bool:
    """Record a player's vacations, unless the stored ones have changed; return whether they were recorded."""
    if _allowance(connection, t.player_id, alone=True) != t.had:
        return False
    _write(connection, t)
    return True


def _write(connection: Connection, t: VacationTaken) -> None:
    had, has = set(t.had.taken), set(t.has.taken)
    mine = vacations.c.player_id == t.player_id
    gone = [v.start for v in had - has]
    rows = [{"player_id": t.player_id, "from_ms": v.start, "to_ms": v.end, "used_ms": v.used} for v in has - had]
    if gone:
        connection.execute(delete(vacations).where(mine, vacations.c.from_ms.in_(gone)))
    if rows:
        connection.execute(insert(vacations), rows)


def find_away(store: Store, player_ids: Collection[str], now_ms: int) -> dict[str, int]:
    """Return the end of the current vacation of each of these players who is on one, by one query."""
    if not player_ids:
        return {}
    on = (vacations.c.from_ms <= now_ms) & (vacations.c.to_ms > now_ms)
    query = select(vacations.c.player_id, vacations.c.to_ms).where(vacations.c.player_id.in_(player_ids), on)
    return {row.player_id: row.to_ms for row in store.read(query)}


def changes(store: Store, player_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return the number of vacations and the latest end of each of these players who has taken any, by one query."""
    v = vacations.c
    query = select(v.player_id, func.count(), func.max(v.to_ms)).where(v.player_id.in_(player_ids))
    return {row[0]: (row[1], row[2]) for row in store.read(query.group_by(v.player_id))}


def set_auto(store: Store, player_id: str, auto: bool) -> None:  # noqa: FBT001 -- what is set
    """Set whether vacations begin automatically when the player's time runs out."""
    store.change(update(players).where(players.c.player_id == player_id).values(auto_vacation=auto))


def delete_all_vacations(connection: Connection, player_id: str) -> None:
    """Delete the vacations of a player."""
    connection.execute(delete(vacations).where(vacations.c.player_id == player_id))
