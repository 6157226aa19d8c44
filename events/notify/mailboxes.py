"""Keeps the confirmed addresses of players, and the contents of their next mails."""

import re
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, func, select, update

from domain.core.values import value
from events.ids import hash_secret, new_secret
from events.notify.ledger import NOTICE, check_there, set_alarms_of
from events.notify.notices import DEADLINE_NEAR, Notice
from events.settings import Settings
from events.store import leases
from events.store.leases import LeasedWork
from events.store.protocol import Store
from events.store.schema.notice_schema import (
    addresses_asked,
    confirmations,
    former_addresses,
    mail_queue,
    mailboxes,
    notices,
)
from events.store.upserts import upsert

ADDRESS: Final = re.compile(
    r"^(?=.{3,254}\Z)(?=[^@]{1,64}@)(?![^@]*=\?)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+\Z"
)
"""An address without quotes (RFC 5321, Dot-string) that does not look like an encoded word."""

CODE_MS: Final = 24 * 3600 * 1000
"""The time for which a code is valid, in milliseconds."""
TRIES: Final = 5
"""Maximum number of wrong codes."""

DAY_MS: Final = 24 * 3600 * 1000
HOUR_MS: Final = 3_600_000
IGNORING_DOTS: Final = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""The domains whose provider ignores dots before the @, each with one name for all domains of the provider."""
AGAIN_MS: Final = 60_000
"""The shortest time between two confirmations, in milliseconds."""

LEASE_MS: Final = 60_000
PAUSES_MS: Final = (60_000, 300_000, 1_800_000, 7_200_000, 18_000_000)
"""The pauses after consecutive failures, in milliseconds; the last one repeats."""


class TooOften(Exception):
    """The player has asked for too many confirmations; `seconds` is the time until the next is allowed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@value
class Budgets:
    """Maximum number of confirmations to send; 0 for no limit."""

    to_domain: int = 100
    in_all: int = 200
    to_mailbox: int = 5
    of_player: int = 5


USUAL_BUDGETS: Final = Budgets()


def budgets_of(settings: Settings) -> Budgets:
    """Return the budgets in the settings."""
    return Budgets(
        settings.dealt_mails_to_domain_an_hour,
        settings.dealt_mails_in_all_an_hour,
        settings.dealt_mails_to_mailbox_a_day,
        settings.dealt_mails_of_player_a_day,
    )


@value
class Mailbox:
    """An address with its state: unconfirmed, confirmed, refused (by its server), unsubscribed."""

    player_id: str
    address: str
    state: str
    every_ms: int
    created_ms: int
    leave_by: str
    claimable_ms: int | None
    lease_ms: int
    attempts: int
    last_ms: int | None
    recovery_ms: int | None


MAILBOX: Final = tuple(mailboxes.c[name] for name in Mailbox.__dataclass_fields__)

MAILS: Final = LeasedWork(mailboxes, LEASE_MS, PAUSES_MS)
"""The work of sending due mail."""


@value
class WantedMail:
    """A player's request for mail to an address, at a limited rate, from a network.

    `leave_by` is the secret in the address of the unsubscribe page.
    """

    address: str
    every_ms: int
    leave_by: str
    network: str = ""


def set_mailbox(store: Store, player_id: str, wanted: WantedMail, now: int, budgets: Budgets = USUAL_BUDGETS) -> None:
    """Set the address of a player.

    A new address, or one that no longer takes mail, must be confirmed. A former confirmed one is notified. Raises
    `TooOften`, only for this player's own requests, and `Gone`. If a shared limit is reached, no mail is sent, without
    an error: otherwise a player could learn of others' requests.
    """

    def work(connection: Connection) -> None:
        check_there(connection, player_id)
        here = mailboxes.c.player_id == player_id
        there = connection.execute(select(*MAILBOX).where(here)).first()
        if there is not None and (there.address, there.state) == (wanted.address, "confirmed"):
            connection.execute(update(mailboxes).where(here).values(every_ms=wanted.every_ms))
            return
        _count(connection, player_id, budgets.of_player, now)
        sends = spend(connection, wanted.address, wanted.network, budgets, now)
        if not sends and there is not None and (there.address, there.state) == (wanted.address, "unconfirmed"):
            # The code that was sent before stays valid.
            connection.execute(update(mailboxes).where(here).values(every_ms=wanted.every_ms))
            return
        _note_former(connection, there, now)
        asked = {"address": wanted.address, "every_ms": wanted.every_ms, "leave_by": wanted.leave_by}
        row = {"player_id": player_id, **asked}
        _set(connection, row | {"state": "unconfirmed", "created_ms": now, "claimable_ms": now if sends else None})

    store.write(work)


def _set(connection: Connection, row: Mapping[str, Any]) -> None:
    """Reset a player's mailbox, and drop everything that was to be sent to the old one."""
    beginning = {
        "code_hash": None, "code_until_ms": None, "code_tries": 0, "lease_ms": 0, "attempts": 0, "last_ms": None,
        "recovery_ms": None,
    }  # fmt: skip
    adding = upsert(connection, mailboxes).values({**beginning, **row})
    connection.execute(adding.on_conflict_do_update(index_elements=["player_id"], set_={**beginning, **row}))
    connection.execute(delete(mail_queue).where(mail_queue.c.player_id == row["player_id"]))


def _note_former(connection: Connection, box: Any, now: int) -> None:
    """Record a confirmed address that is about to be removed from the player, to notify its owner."""
    if box is None or box.state != "confirmed":
        return
    row = {"player_id": box.player_id, "changed_ms": now, "address": box.address, "every_ms": box.every_ms}
    adding = upsert(connection, former_addresses).values(row | {"claimable_ms": now, "lease_ms": 0, "attempts": 0})
    connection.execute(adding.on_conflict_do_nothing())


def give_back(connection: Connection, player_id: str, address: str, every_ms: int, now: int) -> None:
    """Restore a formerly confirmed address of a player, as confirmed."""
    row = {"player_id": player_id, "address": address, "every_ms": every_ms, "leave_by": new_secret()}
    _set(connection, row | {"state": "confirmed", "created_ms": now, "claimable_ms": None})
    set_alarms_of(connection, player_id)


def _count(connection: Connection, player_id: str, most: int, now: int) -> None:
    """Count a confirmation for its player. Raises `TooOften`."""
    c, minute = confirmations.c, _minute(now)
    if (free := _free(connection, c.at_ms, c.player_id == player_id, most, now)) > now:
        raise TooOften(-(-(free - now) // 1000))
    adding = upsert(connection, confirmations).values(player_id=player_id, at_ms=minute)
    if not connection.execute(adding.on_conflict_do_nothing().returning(c.at_ms)).first():
        raise TooOften(AGAIN_MS // 1000)


def _minute(now: int) -> int:
    """Return the minute; of two requests in the same minute only one succeeds."""
    return now - now % AGAIN_MS


def spend(connection: Connection, address: str, network: str, budgets: Budgets, now: int) -> bool:
    """Take one from the budgets of a mailbox, its domain and all. Return False, and take none, if one is used up."""
    mailbox = normalise_address(address)
    with connection.begin_nested() as spending:
        left = (
            spend_on_mailbox(connection, mailbox, budgets.to_mailbox, now)
            and _spend_share(connection, f"@{mailbox.rpartition('@')[2]}", network, budgets.to_domain, now)
            and _spend_share(connection, "", network, budgets.in_all, now)
        )
        if not left:
            spending.rollback()
    return left


def spend_on_mailbox(connection: Connection, mailbox: str, most: int, now: int) -> bool:
    """Take one of a mailbox's mails for today, at most one a minute; return False if none is left."""
    c, digest = addresses_asked.c, _digest(mailbox)
    if _free(connection, c.at_ms, c.address_hash == digest, most, now) > now:
        return False
    adding = upsert(connection, addresses_asked).values(address_hash=digest, at_ms=_minute(now))
    return connection.execute(adding.on_conflict_do_nothing().returning(c.at_ms)).first() is not None


def normalise_address(address: str) -> str:
    """Return the address of the mailbox behind an address: small letters, without the part after a plus.

    Dots are removed if the provider is known to ignore them.
    """
    local, _, domain = address.lower().rpartition("@")
    mailbox = local.partition("+")[0] or local
    if domain in IGNORING_DOTS:
        mailbox, domain = mailbox.replace(".", ""), IGNORING_DOTS[domain]
    return f"{mailbox}@{domain}"


def _digest(what: str) -> bytes:
    return sha256(what.encode()).digest()


def spend_in_hour(connection: Connection, what: str, most: int, now: int) -> bool:
    """Take one of this hour's places, such as those for mails to a domain; return False if none is left.

    Concurrent requests cannot take the same place, so they never exceed the limit.
    """
    if not most:
        return True
    c, hour = addresses_asked.c, now - now % HOUR_MS
    for place in range(_taken_in_hour(connection, what, now), most):
        adding = upsert(connection, addresses_asked).values(address_hash=_digest(what), at_ms=hour + place)
        if connection.execute(adding.on_conflict_do_nothing().returning(c.at_ms)).first():
            return True
    return False


def _spend_share(connection: Connection, what: str, network: str, most: int, now: int) -> bool:
    """Take one of the places of this hour for one network; False if none is left for it.

    Its second mail needs half of the places to be free, its third two thirds, and so on. One network takes only a few
    places, so it cannot block a domain for others.
    """
    if not most:
        return True
    own = f"{what} {network}"  # A domain never contains a space.
    if _taken_in_hour(connection, what, now) * (_taken_in_hour(connection, own, now) + 1) >= most:
        return False
    return spend_in_hour(connection, own, most, now) and spend_in_hour(connection, what, most, now)


def _taken_in_hour(connection: Connection, what: str, now: int) -> int:
    """Count the places of this hour that are taken."""
    c, hour = addresses_asked.c, now - now % HOUR_MS
    here = and_(c.address_hash == _digest(what), c.at_ms >= hour, c.at_ms < hour + HOUR_MS)
    return int(connection.execute(select(func.count()).where(here)).scalar_one())


def _free(connection: Connection, at_ms: Any, here: Any, most: int, now: int) -> int:
    """Return when another confirmation may be requested, with at most `most` per day (0 for any number)."""
    asked = connection.execute(select(at_ms).where(here, at_ms > now - DAY_MS).order_by(at_ms)).scalars().all()
    again = asked[-1] + AGAIN_MS if asked else 0
    return max(again, asked[-most] + DAY_MS if 0 < most <= len(asked) else 0)


def mailbox_of(store: Store, player_id: str) -> Mailbox | None:
    """Return a player's mailbox; None if there is none."""
    found = store.read(select(*MAILBOX).where(mailboxes.c.player_id == player_id))
    return Mailbox(*found[0]) if found else None


def confirm(store: Store, player_id: str, code: str, now: int) -> bool:
    """Confirm the player's address by the code that was sent to it; return False if the code is wrong or expired."""
    m = mailboxes.c
    here = and_(m.player_id == player_id, m.state == "unconfirmed", m.code_until_ms > now, m.code_tries < TRIES)

    def work(connection: Connection) -> bool:
        found = connection.execute(select(m.code_hash).where(here).with_for_update()).first()
        if found is None or found.code_hash is None:
            return False
        if not compare_digest(found.code_hash, hash_secret(code)):
            connection.execute(update(mailboxes).where(here).values(code_tries=m.code_tries + 1))
            return False
        connection.execute(
            update(mailboxes).where(here).values(state="confirmed", code_hash=None, created_ms=now, claimable_ms=None)
        )
        set_alarms_of(connection, player_id)
        return True

    return store.write(work)


def remove(store: Store, player_id: str, now: int) -> None:
    """Delete a player's address; notify it if it was confirmed."""

    def work(connection: Connection) -> None:
        there = connection.execute(select(*MAILBOX).where(mailboxes.c.player_id == player_id)).first()
        _note_former(connection, there, now)
        for table in (mailboxes, mail_queue):
            connection.execute(delete(table).where(table.c.player_id == player_id))

    store.write(work)


def leave(store: Store, leave_by: str) -> bool:
    """Unsubscribe the address with this secret; return False if there is none."""
    m = mailboxes.c

    def work(connection: Connection) -> bool:
        found = connection.execute(select(m.player_id).where(m.leave_by == leave_by)).first()
        if found is None:
            return False
        here = m.player_id == found.player_id
        connection.execute(
            update(mailboxes).where(here).values(state="unsubscribed", claimable_ms=None, recovery_ms=None)
        )
        connection.execute(delete(mail_queue).where(mail_queue.c.player_id == found.player_id))
        return True

    return store.write(work)


def is_leave_code_known(store: Store, leave_by: str) -> bool:
    """Return whether a mail contains this code."""
    return bool(store.read(select(mailboxes.c.state).where(mailboxes.c.leave_by == leave_by)))


# --- Sending ----------------------------------------------------------------------------------------------


def set_code(store: Store, box: Mailbox, code: str, now: int) -> bool:
    """Record the code that is about to be sent; return False if the claim of the mailbox is lost."""
    values = {"code_hash": hash_secret(code), "code_until_ms": now + CODE_MS, "code_tries": 0}
    return bool(store.change(update(mailboxes).where(leases.is_held(MAILS, box)).values(values)))


def queued_notices(store: Store, player_id: str) -> list[tuple[int, Notice]]:
    """Return the notices queued for a player's mail, with their numbers."""
    query = (
        select(notices.c.notice_no, *NOTICE)
        .join(mail_queue, mail_queue.c.notice_no == notices.c.notice_no)
        .where(mail_queue.c.player_id == player_id)
        .order_by(notices.c.notice_no)
    )
    return [(row[0], Notice(*row[1:])) for row in store.read(query)]


def mark_notices_sent(store: Store, box: Mailbox, numbers: list[int], now: int, *, mailed: bool) -> None:
    """Record that these notifications were sent, or are obsolete (`mailed` False); later ones wait."""
    m, q = mailboxes.c, mail_queue.c

    def work(connection: Connection) -> None:
        held = connection.execute(select(m.recovery_ms).where(leases.is_held(MAILS, box)).with_for_update()).first()
        if held is None:
            return
        # A mail that was requested since then must still be sent.
        recovery = held.recovery_ms if held.recovery_ms != box.recovery_ms else None
        connection.execute(delete(mail_queue).where(q.player_id == box.player_id, q.notice_no.in_(numbers)))
        waiting = select(notices.c.kind).join(mail_queue, q.notice_no == notices.c.notice_no).distinct()
        more = connection.execute(waiting.where(q.player_id == box.player_id)).scalars().all()
        last = now if mailed else box.last_ms
        soon = now if DEADLINE_NEAR in more else (last or 0) + box.every_ms
        until = now if recovery is not None else max(now, soon) if more else None
        connection.execute(
            update(mailboxes)
            .where(m.player_id == box.player_id)
            .values(claimable_ms=until, lease_ms=0, attempts=0, last_ms=last, recovery_ms=recovery)
        )

    store.write(work)


def retry_mail_later(store: Store, box: Mailbox, now: int) -> None:
    """Record that a mail could not be sent, to retry later; an unconfirmed address is retried for a day."""
    if box.state == "unconfirmed" and now >= box.created_ms + DAY_MS:
        mark_mailbox_refused(store, box)
        return
    leases.put_off(store, MAILS, leases.is_held(MAILS, box), now)


def mark_mailbox_refused(store: Store, box: Mailbox) -> None:
    """Record that the address's server permanently refuses mail to it."""
    values = {"state": "refused", "claimable_ms": None, "lease_ms": 0, "recovery_ms": None}
    store.change(update(mailboxes).where(leases.is_held(MAILS, box)).values(values))
