"""This module reads the configuration from the environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from email.utils import getaddresses
from itertools import takewhile
from pathlib import Path
from typing import Final

MOST_DIGITS: Final = 9
"""The maximum number of digits of a number: a longer one is a slip, and too large for what reads it."""

OTHERS: Final = ("DEALT_TOKEN",)
"""The variables of the same beginning that are no settings of a server."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Each field is a setting of the process, read from the environment variable of its name in capitals."""

    database_url: str = ""
    """`postgresql+psycopg://…` or `sqlite:///path`; empty: a file in the data directory."""

    migration_database_url: str = ""
    """The same database as its owner, for `dealt migrate`; empty: as `database_url`."""

    broker_url: str = ""
    """`amqp://…` or `redis://…`; empty: the worker lives in the server's own process."""

    dealt_data: str = "data"
    """The directory that `dealt serve` keeps everything in."""

    dealt_rate_per_second: int = 500
    """Requests a second that one token, or one address without a token, may make in the long run; 0: no limit, and none
    of what an address may create in an hour."""

    dealt_rate_burst: int = 1_000
    """Requests that it may make at once."""

    dealt_players_an_hour: int = 500
    """Players that one address may create in an hour, an address of IPv6 being its network of 64 bits; 0: no limit.
    Where many people share an address, as at a club, raise this and the four that follow."""

    dealt_matches_an_hour: int = 5_000
    """Matches, rematches and practice matches that one address may create in an hour; 0: no limit."""

    dealt_groups_an_hour: int = 500
    """Groups of tables with the same deals, and tournaments, that one address may create in an hour; 0: no limit."""

    dealt_trades_an_hour: int = 20
    """Offers of cards that one address may accept in an hour; 0: no limit."""

    dealt_mails_an_hour: int = 20
    """Confirmations by mail, and codes for lost tokens, that one address may ask for in an hour; 0: no limit."""

    dealt_mails_of_player_a_day: int = 5
    """Confirmations by mail that one player may ask for in a day; 0: one a minute."""

    dealt_mails_to_mailbox_a_day: int = 5
    """Confirmations by mail that are sent to one mailbox in a day, whoever asks for them, and as many codes for lost
    tokens beside them; 0: one a minute of each."""

    dealt_mails_to_domain_an_hour: int = 100
    """Confirmations by mail that are sent to the addresses of one domain in an hour; 0: no limit. One network that asks
    gets about as many as the square root, 10 of 100, so that it keeps the domain from nobody. Whoever asks for one more
    is answered as always, and no mail is sent: nobody learns what others have asked for."""

    dealt_mails_in_all_an_hour: int = 200
    """Confirmations by mail that are sent in an hour in all, of which one network gets about as many as the square
    root; 0: no limit."""

    dealt_rate_storage: str = "memory://"
    """The place where rates are counted: in each process, or at a `redis://…` that all share."""

    dealt_max_body: int = 65_536
    """Bytes that a request's body may have."""

    dealt_threads: int = 16
    """Requests that one API process works on at the same time; one that waits for news takes no thread."""

    dealt_max_waiters: int = 8_000
    """The most streams and requests that wait for news that one API process holds."""

    dealt_max_waiters_each: int = 64
    """The most of them that one player may have."""

    dealt_max_waiters_without_token: int = 8
    """The most of them that may come without a token from one address; of IPv6, from one network of 64 bits."""

    dealt_max_connections_each: int = 1_000
    """The maximum number of connections to one API process from one address, of IPv6 from one network of 64 bits;
    0: no limit. Once all are taken, a newcomer gets one of the network that has the most. Not applied with
    `dealt_trusted_proxies`."""

    dealt_read_seconds: int = 10
    """Seconds in which the head of a request must arrive once it has begun; its body has as many, and one more for each
    64 KiB that have come."""

    dealt_max_verifications: int = 2
    """The most records that one API process verifies at the same time, no two from one address."""

    dealt_max_audits: int = 2
    """The most matches that one API process audits at the same time, no two for one address; a long one gets a process
    of its own."""

    dealt_processes: int = 2
    """Processes of `dealt api`, and of one `dealt worker`."""

    dealt_bots_at_once: int = 2
    """Matches in which only bots play that all workers together play at once; fewer than there are processes of
    workers leave one free for those in which a person plays. `dealt serve` plays one."""

    dealt_bot_matches: int = 32
    """The most matches in which only bots play that one player may have running; 0: no limit."""

    dealt_bot_ms: int = 100
    """Milliseconds of computing time that a strong bot thinks about a move. A machine that is slow or busy makes it
    weaker, and not slower."""

    dealt_prize_organisers: str = ""
    """The ids of the players who may announce tournaments with boosters and promo cards as prizes, as `GET
    /v1/players/me` shows them: `1f…,2g…`. Cards come from nothing by that; `*`: everybody; empty: nobody."""

    dealt_queue: str = "dealt"
    """The name of the queue on the broker, for those who share one."""

    dealt_metrics_token: str = ""
    """The token for `GET /metrics`, which Prometheus sends as `Authorization: Bearer`; empty: there are no metrics."""

    dealt_log: str = "info"
    """The level of the log: `debug`, `info`, `warning` or `error`."""

    dealt_log_format: str = "text"
    """The form of a line of the log: `text`, or `json` for one JSON object."""

    dealt_server_name: str = ""
    """The name in which this server signs records: `cards.example.org`; empty: the host of `dealt_public_url`."""

    dealt_signing_keys: str = ""
    """The keys it signs with, as the JSON that `dealt keys rotate` writes; all processes of a fleet need the same."""

    dealt_signing_keys_file: str = ""
    """A file with that JSON, in its place. With neither, `dealt serve` makes one in its data directory."""

    dealt_witnesses: str = ""
    """The witnesses that cosign the transparency log, with spaces or line ends between them: the verifier key of each,
    then its address. Empty: none."""

    dealt_witness_quorum: int = 0
    """The number of them that must cosign a checkpoint before it counts as witnessed; 0: more than half."""

    dealt_checkpoint_seconds: int = 10
    """The shortest time between two checkpoints of the transparency log, in seconds. Each asks all witnesses."""

    dealt_public_url: str = ""
    """The public address, such as `https://example.org/cards`: all links begin with it, and requests may come below its
    path."""

    dealt_webhook_ports: str = "443,8443"
    """Ports that webhooks may be called on: numbers and ranges, `443,8000-8999`."""

    dealt_webhook_networks: str = ""
    """Networks that webhooks may be in though they are not global: `10.1.0.0/16,fd00::/8`; empty: none."""

    dealt_webhook_http: int = 0
    """1: webhooks may be called by http, unencrypted."""

    dealt_mail_host: str = ""
    """The SMTP server that mail is sent through; empty: no mail. Needs `dealt_mail_from` and `dealt_public_url`."""

    dealt_mail_port: int = 587
    """Its port."""

    dealt_mail_tls: str = "starttls"
    """The encryption of the connection: `starttls`, `tls` from the start, or `none`."""

    dealt_mail_user: str = ""
    """The user to log in as; empty: without."""

    dealt_mail_password: str = ""
    """The user's password."""

    dealt_mail_password_file: str = ""
    """A file whose first line is the password, in its place."""

    dealt_mail_from: str = ""
    """The address that mail comes from: `Dealt <cards@example.org>`."""

    dealt_mail_collect_seconds: int = 300
    """The time for which turns are collected before a mail is sent, in seconds."""

    dealt_trusted_proxies: int = 0
    """The number of proxies in front that are trusted to say who asks for what (`X-Forwarded-For`, `-Proto`, `-Host`,
    `-Prefix`)."""

    @property
    def url(self) -> str:
        """Give the address of the database to use."""
        return self.database_url or f"sqlite:///{Path(self.dealt_data).resolve() / 'dealt.sqlite3'}"


def settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. `ValueError` names a variable that is not what it should be, or that is none of ours."""
    known = [f.name.upper() for f in fields(Settings)]
    for name in environ:
        if name in (*known, *OTHERS):
            continue
        near = [each for each in known if each not in environ and _slip_of(name, each)]
        if near or name.startswith("DEALT_"):
            near = near or get_close_matches(name, known, 1)
            advice = f"did you mean {near[0]}?" if near else "`dealt settings` lists them all."
            raise ValueError(f"{name} is no setting; {advice}")
    given = {f.name: environ[f.name.upper()] for f in fields(Settings) if environ.get(f.name.upper())}
    read = Settings(**{name: _read(name, text) for name, text in given.items()})  # type: ignore[arg-type]
    for name, (form, means) in _FORMS.items():
        if not re.fullmatch(form, str(getattr(read, name))):
            raise ValueError(f"{name.upper()} must be {means}")
    if read.dealt_mail_host and not (read.dealt_mail_from and read.dealt_public_url):
        raise ValueError("DEALT_MAIL_HOST needs DEALT_MAIL_FROM and DEALT_PUBLIC_URL: no mail is sent without them")
    if read.dealt_mail_from and not _is_sender(read.dealt_mail_from):
        raise ValueError("DEALT_MAIL_FROM must be one address, like cards@cards.example or Dealt <cards@cards.example>")
    if not 0 < read.dealt_mail_port < 65_536:
        raise ValueError("DEALT_MAIL_PORT must be a number from 1 to 65535")
    return read


def _slip_of(name: str, setting: str) -> bool:
    """Say whether a variable's name looks like a setting's with a slip of the pen.

    A slip is a letter too few, too many, wrong, or in its neighbour's place, or small letters for capitals. What begins
    or ends otherwise, as `_DATABASE_URL`, `DATABASE_URLS` and `DATABASE_URI` do, or has a digit, as `DATABASE2_URL`, is
    taken for a name of another program's.
    """
    if name == setting:
        return False
    written = name.upper()
    begin = _alike(written, setting)
    end = _alike(written[begin:][::-1], setting[begin:][::-1])
    wrong, right = written[begin : len(written) - end], setting[begin : len(setting) - end]
    if len(wrong) == len(right) == 2:
        return wrong == right[::-1]
    outside = wrong and not (begin and end)
    return len(wrong) <= 1 and len(right) <= 1 and not outside and not wrong.isdecimal()


def _alike(one: str, other: str) -> int:
    """Count the letters with which two texts begin alike."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


def _is_sender(text: str) -> bool:
    """Say whether a text is one address in ASCII, with or without a name before it."""
    found = getaddresses([text])
    address = found[0][1] if len(found) == 1 else ""
    return text.isprintable() and address in text and re.fullmatch(r"[!-;=?A-~]+@[!-;=?A-~]+", address) is not None


_FORMS: Final[Mapping[str, tuple[str, str]]] = {
    "dealt_threads": (r"0*[1-9]\d{0,4}", "a number from 1 to 99999"),
    "dealt_processes": (r"0*[1-9]\d{0,3}", "a number from 1 to 9999"),
    "dealt_max_body": (r"[1-9]\d{3,8}", "a number from 1000 to 999999999"),
    "dealt_read_seconds": (r"[1-9]\d{0,4}", "a number from 1 to 99999"),
    "dealt_bot_ms": (r"[1-9]\d{0,4}", "a number from 1 to 99999"),
    "dealt_bots_at_once": (r"[1-9]\d{0,3}", "a number from 1 to 9999"),
    "dealt_rate_storage": (r"memory://|rediss?://[^/].*", "memory://, or the address of a server: redis://host"),
    "dealt_public_url": (r"(https?://[^/?#\s]+[^?#\s]*)?", "an address like https://cards.example"),
    "dealt_prize_organisers": (
        r"(\*|[0-9a-z]{20}(,[0-9a-z]{20})*)?",
        "*, or ids of players with commas between them",
    ),
    "dealt_mail_tls": ("starttls|tls|none", "starttls, tls or none"),
}
"""The forms of settings that more is to be said of than that they are texts or numbers, and their names for people."""


def _read(name: str, text: str) -> int | str:
    if not isinstance(getattr(Settings(), name), int):
        return text
    if not text.isdecimal():
        raise ValueError(f"{name.upper()} must be a whole number, not {text!r}")
    if len(text.lstrip("0")) > MOST_DIGITS:
        raise ValueError(f"{name.upper()} must have at most {MOST_DIGITS} digits")
    return int(text)
