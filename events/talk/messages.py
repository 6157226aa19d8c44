"""Stores the chat of a table and the notes of players outside the log, so that they can be deleted.

The messages of a match are numbered from 1, and so are the changes to them, such as new and deleted messages. A client
that knows the changes up to a number requests the messages that have changed since.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain.core.cards import Seat
from domain.core.values import value
from domain.match import Match
from events.errors import Repeated
from events.notify.ledger import check_there
from events.store.protocol import Store
from events.store.records import Idempotency
from events.store.schema.log_schema import idempotency
from events.store.schema.talk_schema import messages, notes, talks
from events.store.upserts import upsert

MOST_A_MINUTE: Final = 20
"""Maximum messages of one player at one table per minute."""
MINUTE_MS: Final = 60_000
OPEN_MS: Final = 30 * 24 * 3600 * 1000
"""The time after the end of a match in which its players can still talk, in milliseconds."""


class TooFast(Exception):
    """The player has sent the maximum number of messages; `seconds` is the time until the next is allowed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Changed(Exception):
    """The notes are not those that the caller expects."""


@value
class Message:
    """A message of a player; `text` is None once it is deleted."""

    no: int
    change: int
    seat: Seat
    player_id: str
    at_ms: int
    text: str | None
    deleted_ms: int | None = None
    deleted_by: str | None = None


@value
class Notes:
    """A player's notes about a match."""

    text: str
    at_ms: int


MESSAGE: Final = tuple(messages.c[name] for name in Message.__dataclass_fields__)


# --- Chat -----------------------------------------------------------------------------------------------


def chat_allowed(m: Match) -> bool:
    """Return whether the seats of a match may talk now; some games forbid it while they are played (rules 1.4.6)."""
    return m.status != "playing" or m.game.setup.may_chat(m.options)


@value
class Speaker:
    """The author of a message, and their seat."""

    seat: Seat
    player_id: str


def say(store: Store, match_no: int, speaker: Speaker, text: str, now: int, idem: Idempotency | None = None) -> Message:
    """Add a message. Raises `TooFast`, `Gone`, and `Repeated` for a key that was used before."""

    def work(connection: Connection) -> Message:
        check_there(connection, speaker.player_id, read=True)
        no, change = _changed(connection, match_no, said=1)
        if idem is not None:
            row = {"key_hash": idem.key_hash, "body_hash": idem.body_hash, "match_no": match_no, "at_ms": now}
            connection.execute(insert(idempotency).values(**row, first=no, n=0))
        _check_pace(connection, match_no, speaker.player_id, now)
        said = Message(no, change, speaker.seat, speaker.player_id, now, text)
        row = {name: getattr(said, name) for name in Message.__dataclass_fields__}
        connection.execute(insert(messages).values(**row, match_no=match_no))
        return said

    try:
        return store.write(work)
    except IntegrityError:
        raise Repeated from None


def _changed(connection: Connection, match_no: int, *, said: int) -> tuple[int, int]:
    """Count a change to a match's messages, and a new message if `said` is 1; return both numbers, and lock them."""
    first = upsert(connection, talks).values(match_no=match_no, messages=said, changes=1)
    more = {"messages": talks.c.messages + said, "changes": talks.c.changes + 1}
    counted = first.on_conflict_do_update(index_elements=["match_no"], set_=more)
    row = connection.execute(counted.returning(talks.c.messages, talks.c.changes)).one()
    return row.messages, row.changes


def _check_pace(connection: Connection, match_no: int, player_id: str, now: int) -> None:
    mine = (messages.c.player_id == player_id) & (messages.c.match_no == match_no)
    last = select(messages.c.at_ms).where(mine).order_by(messages.c.no.desc())
    at = connection.scalar(last.limit(1).offset(MOST_A_MINUTE - 1))
    if at is not None and (left := at + MINUTE_MS - now) > 0:
        raise TooFast(-(-left // 1000))


def unsay_one(store: Store, match_no: int, no: int, by: str, now: int) -> None:
    """Delete the text of a message. A deleted message stays unchanged."""
    here = (messages.c.match_no == match_no) & (messages.c.no == no) & messages.c.text.is_not(None)

    def work(connection: Connection) -> None:
        _, change = _changed(connection, match_no, said=0)
        gone = {"text": None, "deleted_ms": now, "deleted_by": by, "change": change}
        if not connection.execute(update(messages).where(here).values(gone)).rowcount:
            connection.rollback()

    store.write(work)


def erase(connection: Connection, player_id: str, now: int) -> None:
    """Delete all messages and notes of a player who is being erased."""
    connection.execute(delete(notes).where(notes.c.player_id == player_id))
    mine = (messages.c.player_id == player_id) & messages.c.text.is_not(None)
    where = talks.c.match_no.in_(select(messages.c.match_no).where(mine))
    locked = select(talks.c.match_no).where(where).order_by(talks.c.match_no).with_for_update()
    connection.execute(locked)
    count = select(func.count()).where(mine, messages.c.match_no == talks.c.match_no).scalar_subquery()
    connection.execute(update(talks).where(where).values(changes=talks.c.changes + count))
    later = func.row_number().over(partition_by=messages.c.match_no, order_by=messages.c.no.desc())
    gone = (
        select(messages.c.match_no, messages.c.no, (talks.c.changes + 1 - later).label("change"))
        .join(talks, talks.c.match_no == messages.c.match_no)
        .where(mine)
        .subquery()
    )
    connection.execute(
        update(messages)
        .where(messages.c.match_no == gone.c.match_no, messages.c.no == gone.c.no)
        .values(text=None, deleted_ms=now, deleted_by=player_id, change=gone.c.change)
    )


def message(store: Store, match_no: int, no: int) -> Message | None:
    """Return one message."""
    found = store.read(select(*MESSAGE).where(messages.c.match_no == match_no, messages.c.no == no))
    return Message(*found[0]) if found else None


def messages_changed_after(store: Store, match_no: int, after: int, limit: int) -> list[Message]:
    """Return the messages that changed after a change, in the order of their changes."""
    query = select(*MESSAGE).where(messages.c.match_no == match_no, messages.c.change > after)
    return [Message(*row) for row in store.read(query.order_by(messages.c.change).limit(limit))]


def changes(store: Store, match_nos: Collection[int]) -> dict[int, int]:
    """Return the number of changes to the messages of matches that have any. Uses one query for all."""
    query = select(talks.c.match_no, talks.c.changes).where(talks.c.match_no.in_(match_nos))
    return {row.match_no: row.changes for row in store.read(query)}


# --- Notes ----------------------------------------------------------------------------------------------


def notes_of_player(store: Store, match_no: int, player_id: str) -> Notes | None:
    """Return a player's notes about a match, which only that player can read."""
    found = store.read(_notes(match_no, player_id))
    return Notes(*found[0]) if found else None


def _notes(match_no: int, player_id: str) -> Any:
    return select(notes.c.text, notes.c.at_ms).where(*_is_note_of(match_no, player_id))


def _is_note_of(match_no: int, player_id: str) -> tuple[Any, Any]:
    return notes.c.match_no == match_no, notes.c.player_id == player_id


def note(
    store: Store,
    match_no: int,
    player_id: str,
    text: str | None,
    now: int,
    admits: Callable[[Notes | None], bool],
) -> None:
    """Replace a player's notes with a text (None to delete them), if `admits` accepts the current notes.

    `admits` is called while no other transaction can change the notes. Raises `Changed`, `Gone`.
    """

    def work(connection: Connection) -> None:
        check_there(connection, player_id)
        found = connection.execute(_notes(match_no, player_id)).first()
        if not admits(Notes(*found) if found else None):
            raise Changed
        connection.execute(delete(notes).where(*_is_note_of(match_no, player_id)))
        if text is not None:
            row = {"match_no": match_no, "player_id": player_id, "text": text, "at_ms": now}
            connection.execute(insert(notes).values(row))

    store.write(work)
