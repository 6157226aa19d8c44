"""The task that sends mail: one player gets a code, or one message about all matches."""

import logging
import secrets
import smtplib
import ssl
from base64 import b32encode
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from domain.core.clock import Time
from domain.games.catalogue import GAMES
from events import times
from events.notify import former_addresses, mailboxes, recoveries
from events.notify.former_addresses import FAREWELLS, FormerAddress
from events.notify.ledger import FORMER_MS
from events.notify.mailboxes import MAILS, Mailbox
from events.notify.notices import (
    ASKED,
    DEADLINE_NEAR,
    INVITED,
    MATCH_OVER,
    OF_TOURNAMENTS,
    ORDER_FAILED,
    TOURNAMENT_DROPPED,
    TOURNAMENT_ENTRIES_CLOSED,
    TOURNAMENT_INVITED,
    TOURNAMENT_MOVED_UP,
    TOURNAMENT_OVER,
    TOURNAMENT_ROUND_PAIRED,
    YOUR_TURN,
    Notice,
    link_of,
)
from events.settings import Settings
from events.store import leases
from events.store.leases import LeasedWork, Record
from events.store.protocol import Store
from events.store.tables import inbox_rows, player_rows, tournament_rows
from workers.heartbeat import own_name

WIRE: Final = SMTP.clone(max_line_length=998)
"""The policy by which mail is written. Longer header lines would be folded inside an address (RFC 5322, 2.1.1)."""
SECONDS: Final = 10.0
LISTED: Final = 50
"""Maximum number of matches listed in one mail; it gives the number of the others."""

HANDLES: Final = 20
"""Maximum number of handles in one mail."""

log = logging.getLogger(__name__)

Send = Callable[[EmailMessage, str], None]


def is_on(settings: Settings) -> bool:
    """Return whether mail is set up."""
    return bool(settings.dealt_mail_host and settings.dealt_mail_from and settings.dealt_public_url)


class Mailer:
    """Sends the due mails of a store's mailboxes."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        now: Callable[[], Time] = times.now,
        send: Send | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._now = now
        self._send = send or (lambda message, to: deliver(settings, message, to))

    def see_to(self, player_id: str) -> bool:
        """Send the due mail of a player; return whether one was sent."""
        told = [self._farewell(former) for former in self._take(FAREWELLS, FormerAddress, player_id)]
        told += [self._to_mailbox(box) for box in self._take(MAILS, Mailbox, player_id)]
        return any(told)

    def _take(self, work: LeasedWork, record: type[Record], player_id: str) -> list[Record]:
        return leases.take(self._store, work, record, self._now(), own_name(), player_id=player_id)

    def _farewell(self, former: FormerAddress) -> bool:
        """Notify a former address of its removal, with a code to recover the player."""
        code = b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
        player = player_rows.read_identities(self._store, [former.player_id]).get(former.player_id)
        late = self._now() >= former.changed_ms + FORMER_MS
        if late or player is None or not former_addresses.set_code(self._store, former, code):
            former_addresses.finish_former_address(self._store, former)
            return False
        message = self._message(former, "Your email address was changed", f"farewell|{code}")
        message.set_content(
            f"This address no longer belongs to your player {player.handle} at {self._settings.dealt_public_url}.\n"
            "Someone, probably you, changed or removed it.\n\n"
            "If it was you, do nothing.\n\n"
            "If it was not you, another person has your token. To take your player back, send this code with this\n"
            "address within a week of the change (POST /v1/recovery/confirm):\n\n"
            f"    {code}\n\n"
            "You get a new token. The old token and all tokens of programs stop working, and mail comes here again.\n"
            "Keep the code secret: anyone who has it can take over your player.\n"
        )
        try:
            self._send(message, former.address)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            if _for_ever(error):
                former_addresses.finish_former_address(self._store, former)
            else:
                log.warning("cannot send mail (%s), retrying later", type(error).__name__)
                former_addresses.retry_former_address_later(self._store, former, self._now())
            return False
        former_addresses.finish_former_address(self._store, former)
        return True

    def _to_mailbox(self, box: Mailbox) -> bool:
        """Send the due mail of a mailbox; return whether one was sent."""
        try:
            if not mailboxes.ADDRESS.fullmatch(box.address):
                raise smtplib.SMTPRecipientsRefused({box.address: (553, b"")})
            if box.state == "unconfirmed":
                return self._confirmation(box)
            return self._digest(box) if box.recovery_ms is None else self._recovery(box)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            if _for_ever(error):
                mailboxes.mark_mailbox_refused(self._store, box)
            else:
                log.warning("cannot send mail (%s), retrying later", type(error).__name__)
                mailboxes.retry_mail_later(self._store, box, self._now())
        return False

    def _confirmation(self, box: Mailbox) -> bool:
        code = b32encode(secrets.token_bytes(10)).decode().lower()
        if not mailboxes.set_code(self._store, box, code, self._now()):
            return False
        message = self._message(box, "Confirm your email address", f"confirm|{code}")
        message.set_content(
            "Someone, probably you, asked for an email whenever it is their turn in a card game.\n"
            f"If it was you, send this code within a day:\n\n    {code}\n\n"
            "If not, do nothing. You will get no more mail.\n"
        )
        self._send(message, box.address)
        mailboxes.mark_notices_sent(self._store, box, [], self._now(), mailed=False)
        return True

    def _recovery(self, box: Mailbox) -> bool:
        """Send a code for a new token, unless the request is too old; return whether a mail was sent."""
        late = self._now() >= (box.recovery_ms or 0) + recoveries.VALID_MS
        if not late:
            code = b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
            recoveries.set_code(self._store, box.address, code, self._now())
            message = self._message(box, "A new token for your card games", f"recovery|{code}")
            players = recoveries.handles_of_address(self._store, box.address)
            more = [f"and {len(players) - HANDLES} more"] if len(players) > HANDLES else []
            message.set_content(
                f"Someone, probably you, lost a player's token at {self._settings.dealt_public_url}\n"
                "and asked for a new one. The players with this address are:\n"
                f"{', '.join([*players[:HANDLES], *more])}.\n\n"
                "If it was you, send this code within half an hour (POST /v1/recovery/confirm):\n\n"
                f"    {code}\n\n"
                "The new token replaces the old one. All tokens of programs stop working too.\n\n"
                "If it was not you, do nothing. Keep the code secret: anyone who has it can take over your player.\n"
                "Without the code nothing changes, and it expires.\n"
            )
            self._send(message, box.address)
        mailboxes.mark_notices_sent(self._store, box, [], self._now(), mailed=False)
        return not late

    def _digest(self, box: Mailbox) -> bool:
        queued = mailboxes.queued_notices(self._store, box.player_id)
        numbers = [number for number, _ in queued]
        current = self._still_so(box.player_id, [notice for _, notice in queued]) if box.state == "confirmed" else []
        if current:
            self._send(self._about(box, current, numbers[0], numbers[-1]), box.address)
        mailboxes.mark_notices_sent(self._store, box, numbers, self._now(), mailed=bool(current))
        return bool(current)

    def _still_so(self, player_id: str, queued: list[Notice]) -> list[Notice]:
        """Return the notices that are still current: the last for each seat's turn, and for each tournament."""
        waits = {
            *(
                (ASKED if row.asked else YOUR_TURN, row.match_no, row.seat)
                for row in inbox_rows.read_inbox(self._store, player_id)
            ),
            *((INVITED, kept.match_no, kept.seat) for kept in inbox_rows.invitations(self._store, player_id)),
        }
        last: dict[tuple[int, int | None, str], Notice] = {}
        rounds = tournament_rows.open_rounds(self._store, {notice.tournament_id for notice in queued})
        for notice in queued:
            if notice.kind in OF_TOURNAMENTS:
                if notice.round in (None, rounds.get(notice.tournament_id)):
                    last[notice.match_no, None, notice.kind] = notice
                continue
            kind = YOUR_TURN if notice.kind == DEADLINE_NEAR else notice.kind
            if kind in (MATCH_OVER, ORDER_FAILED) or (kind, notice.match_no, notice.seat) in waits:
                last[notice.match_no, notice.seat, kind] = notice
        return list(last.values())

    def _about(self, box: Mailbox, notices: list[Notice], first: int, last: int) -> EmailMessage:
        base = self._settings.dealt_public_url.rstrip("/")
        leave = f"{base}/v1/email/unsubscribe/{box.leave_by}"
        message = self._message(box, _subject(notices), f"digest|{first}|{last}")
        message["List-Unsubscribe"] = f"<{leave}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        lines = [(_line(n), link_of(n, base)) for n in notices[:LISTED]]
        more = f"And {len(notices) - LISTED} more." if len(notices) > LISTED else ""
        text = "\n\n".join([*(f"{line}\n{link}" for line, link in lines), *([more] if more else [])])
        message.set_content(f"{text}\n\n-- \nUnsubscribe: {leave}\n")
        items = "".join(
            f'<li>{escape(line)}<br><a href="{escape(link)}">{escape(link)}</a></li>' for line, link in lines
        )
        message.add_alternative(
            f"<!doctype html><html><body><ul>{items}</ul><p>{escape(more)}</p>"
            f'<p><a href="{escape(leave)}">Unsubscribe</a></p></body></html>',
            subtype="html",
        )
        return message

    def _message(self, box: Mailbox | FormerAddress, subject: str, mark: str) -> EmailMessage:
        """Return a message without text; the same mark gives the same Message-ID, to recognise duplicates."""
        message = EmailMessage(WIRE)
        sender = self._settings.dealt_mail_from
        domain = parseaddr(sender)[1].rpartition("@")[2]
        mark = sha256(f"{box.player_id}|{box.address}|{mark}".encode()).hexdigest()[:32]
        message["From"] = sender
        message["To"] = box.address
        message["Subject"] = subject
        message["Date"] = format_datetime(datetime.fromtimestamp(self._now() / 1000, UTC))
        message["Message-ID"] = f"<{mark}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        return message


def _for_ever(error: Exception) -> bool:
    """Return whether the address's server has refused a mail permanently: the recipient, or the mail itself."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(500 <= code < 600 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and 500 <= error.smtp_code < 600


def _subject(notices: list[Notice]) -> str:
    turns = {n.match_no for n in notices if n.kind in (YOUR_TURN, DEADLINE_NEAR)}
    if not turns:
        return "Your card games" if len(notices) > 1 else "Your card game"
    return f"It is your turn in {len(turns)} matches" if len(turns) > 1 else "It is your turn"


_LINES: Final = {
    MATCH_OVER: "the match is over.",
    ORDER_FAILED: "your standing order no longer applies. Make your move yourself.",
    INVITED: "you are invited to a match.",
    ASKED: "a player offers a draw or requests a takeback. Accept or decline.",
    TOURNAMENT_INVITED: "you are invited to a tournament.",
    TOURNAMENT_MOVED_UP: "you moved up from a waiting list and are in the tournament.",
    TOURNAMENT_ENTRIES_CLOSED: "entries for a tournament are closed.",
    TOURNAMENT_ROUND_PAIRED: "the next round of your tournament is paired.",
    TOURNAMENT_DROPPED: "you are no longer in a tournament.",
    TOURNAMENT_OVER: "a tournament is over.",
}


def _line(notice: Notice) -> str:
    title = GAMES[notice.game].words.title if notice.game in GAMES else notice.game
    if notice.kind in _LINES:
        return f"{title}: {_LINES[notice.kind]}"
    until = f", until {times.write_time(notice.deadline_ms)}" if notice.deadline_ms is not None else ""
    near = " The deadline is near." if notice.kind == DEADLINE_NEAR else ""
    return f"{title}: it is your turn{until}.{near}"


def deliver(settings: Settings, message: EmailMessage, to: str) -> None:
    """Hand a message to the SMTP server. Raise `OSError` or `smtplib.SMTPException`."""
    host, port = settings.dealt_mail_host, settings.dealt_mail_port
    context = ssl.create_default_context()
    if settings.dealt_mail_tls == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=context)
    else:
        server = smtplib.SMTP(host, port, timeout=SECONDS)
    with server:
        if settings.dealt_mail_tls == "starttls":
            server.starttls(context=context)
        if settings.dealt_mail_user:
            server.login(settings.dealt_mail_user, password(settings))
        server.send_message(message, to_addrs=[to])


def password(settings: Settings) -> str:
    """Return the SMTP password. Raise `ValueError` if its file does not contain it."""
    name = settings.dealt_mail_password_file
    if not name:
        return settings.dealt_mail_password
    try:
        first = Path(name).read_text("utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"DEALT_MAIL_PASSWORD_FILE cannot be read as text: {name}") from error
    if not first:
        raise ValueError(f"DEALT_MAIL_PASSWORD_FILE has no password in its first line: {name}")
    return first
