"""Reads the settings from the environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from email.utils import getaddresses
from itertools import takewhile
from pathlib import Path
from typing import Final

from domain.core.values import value

MOST_DIGITS: Final = 9
"""Maximum number of digits of a number; a longer one is a typo."""

CONNECTIONS: Final = 10
"""Connections that a process keeps to PostgreSQL by default."""


def extra_connections(kept: int) -> int:
    """Return the number of temporary connections in addition to those that a process keeps."""
    return kept // 2


OTHERS: Final = ("DEALT_TOKEN",)
"""Variables with the prefix of settings that are no settings of a server."""


@value
class Settings:
    """The settings of the process. Each field is read from the environment variable with its name in capitals."""

    database_url: str = ""
    """`postgresql+psycopg://…` or `sqlite:///path`; if empty, a file in the data directory."""

    migration_database_url: str = ""
    """The same database as its owner, for `dealt migrate`; if empty, `database_url`."""

    dealt_connections: int = CONNECTIONS
    """Connections that each process keeps to PostgreSQL; up to half as many more are opened under load."""

    broker_url: str = ""
    """`amqp://…` or `redis://…`; if empty, the worker runs in the server process."""

    dealt_data: str = "data"
    """The data directory of `dealt serve`."""

    dealt_archive: str = ""
    """The directory of archived matches; if empty, `archive` in the data directory. All processes need the same files.
    """

    dealt_rate_per_second: int = 500
    """Average requests per second of one token, or of one address without a token; 0 for no limit, and no hourly limits
    per address either.
    """

    dealt_rate_burst: int = 1_000
    """Maximum requests in a burst."""

    dealt_players_an_hour: int = 500
    """New players per hour from one address (for IPv6, one /64 network); 0 for no limit. If many people share an
    address, as in a club, raise this and the next four.
    """

    dealt_matches_an_hour: int = 5_000
    """New matches, rematches and practice matches per hour from one address; 0 for no limit."""

    dealt_groups_an_hour: int = 500
    """New duplicate groups and tournaments per hour from one address; 0 for no limit."""

    dealt_trades_an_hour: int = 20
    """Accepted trades per hour from one address; 0 for no limit."""

    dealt_exports_an_hour: int = 20
    """Exports of personal data per hour from one address; 0 for no limit."""

    dealt_reports_an_hour: int = 20
    """Reports of players per hour from one address; 0 for no limit."""

    dealt_mails_an_hour: int = 20
    """Requested confirmation mails and recovery codes per hour from one address; 0 for no limit."""

    dealt_mails_of_player_a_day: int = 5
    """Requested confirmation mails per day of one player; 0 for one per minute."""

    dealt_mails_to_mailbox_a_day: int = 5
    """Confirmation mails per day to one mailbox, from any callers, and as many recovery codes; 0 for one of each per
    minute.
    """

    dealt_mails_to_domain_an_hour: int = 100
    """Confirmation mails per hour to the addresses of one domain; 0 for no limit. One network can use about the square
    root of it (10 of 100), so that it cannot block the domain. Further requests get the usual answer, but no mail is
    sent: callers cannot learn about each other.
    """

    dealt_mails_in_all_an_hour: int = 200
    """Confirmation mails per hour in all; 0 for no limit. One network can use about the square root of it."""

    dealt_rate_storage: str = "memory://"
    """The store of rate counters: each process, or a `redis://…` that all processes share."""

    dealt_max_body: int = 65_536
    """Maximum size of a request body, in bytes."""

    dealt_threads: int = 16
    """Requests that one API process works on at the same time. Waiting requests need no thread."""

    dealt_max_waiters: int = 8_000
    """Maximum streams and waiting requests of one API process."""

    dealt_max_waiters_each: int = 64
    """Maximum streams and waiting requests of one player in a process."""

    dealt_max_waiters_without_token: int = 8
    """Maximum streams and waiting requests without a token from one address (for IPv6, one /64 network) in a process.
    """

    dealt_max_connections_each: int = 1_000
    """Maximum connections to one API process from one address (for IPv6, one /64 network); 0 for no limit. Once all are
    taken, a newcomer gets one of the network that has the most. Not applied with `dealt_trusted_proxies`.
    """

    dealt_read_seconds: int = 10
    """Seconds for the head of a request to arrive. The body has as many, plus one for each 64 KiB received. A pause of
    50 seconds ends it.
    """

    dealt_max_verifications: int = 2
    """Maximum records that one API process verifies at the same time, at most one per address."""

    dealt_max_audits: int = 2
    """Maximum matches that one API process audits at the same time, at most one per address. A long audit gets its own
    process.
    """

    dealt_processes: int = 2
    """Processes of `dealt api`, and of one `dealt worker`."""

    dealt_bots_at_once: int = 2
    """Maximum bot-only matches that all workers play at the same time. Fewer than the worker processes leaves one free
    for matches with people. `dealt serve` plays one.
    """

    dealt_bot_matches: int = 32
    """Maximum running bot-only matches of one player; 0 for no limit."""

    dealt_bot_ms: int = 100
    """Milliseconds of computing time that a strong bot has for a move. On a slow or busy machine it plays worse, not
    slower.
    """

    dealt_prize_organisers: str = ""
    """The ids of the players who can award boosters and promo cards as tournament prizes (`GET /v1/players/me` shows an
    id): `1f…,2g…`. These prizes create new cards. `*` for everyone; empty for no one.
    """

    dealt_queue: str = "dealt"
    """The name of the queue, for servers that share a broker."""

    dealt_metrics_token: str = ""
    """The token for `GET /metrics`, which Prometheus sends as `Authorization: Bearer`; if empty, there are no metrics.
    """

    dealt_log: str = "info"
    """The log level: `debug`, `info`, `warning` or `error`."""

    dealt_log_format: str = "text"
    """The log format: `text`, or `json` for one JSON object per line."""

    dealt_server_name: str = ""
    """The name that signs this server's records, such as `cards.example.org`; if empty, the host of `dealt_public_url`.
    """

    dealt_signing_keys: str = ""
    """The signing keys, as the JSON that `dealt keys rotate` writes. All processes need the same."""

    dealt_signing_keys_file: str = ""
    """A file with the signing keys, instead of `dealt_signing_keys`. Without either, `dealt serve` creates one in its
    data directory.
    """

    dealt_witnesses: str = ""
    """The witnesses that cosign the transparency log: for each, its verifier key and its address, all separated by
    spaces or line ends. Empty for none.
    """

    dealt_witness_quorum: int = 0
    """Number of witnesses that must cosign a checkpoint; 0 for more than half."""

    dealt_checkpoint_seconds: int = 10
    """Minimum seconds between two checkpoints of the transparency log. All witnesses are asked about each."""

    dealt_public_url: str = ""
    """The public address, such as `https://example.org/cards`. All links begin with it, and its path may precede that
    of requests.
    """

    dealt_webhook_ports: str = "443,8443"
    """Ports that webhooks can use: numbers and ranges, such as `443,8000-8999`."""

    dealt_webhook_networks: str = ""
    """Non-global networks that webhooks can use, such as `10.1.0.0/16,fd00::/8`; empty for none."""

    dealt_webhook_http: int = 0
    """`1` to allow webhooks with unencrypted HTTP."""

    dealt_mail_host: str = ""
    """The SMTP server for outgoing mail; if empty, no mail is sent. Needs `dealt_mail_from` and `dealt_public_url`."""

    dealt_mail_port: int = 587
    """The port of the SMTP server."""

    dealt_mail_tls: str = "starttls"
    """The encryption of the connection: `starttls`, `tls` from the start, or `none`."""

    dealt_mail_user: str = ""
    """The user of the SMTP server; empty for no login."""

    dealt_mail_password: str = ""
    """The password of the SMTP user."""

    dealt_mail_password_file: str = ""
    """A file with the password in its first line, instead of `dealt_mail_password`."""

    dealt_mail_from: str = ""
    """The sender of mail: `Dealt <cards@example.org>`."""

    dealt_mail_collect_seconds: int = 300
    """Seconds for which turns are collected into one mail."""

    dealt_trusted_proxies: int = 0
    """Number of trusted proxies in front, which report the caller (`X-Forwarded-For`, `-Proto`, `-Host`, `-Prefix`)."""

    @property
    def url(self) -> str:
        """Return the address of the database to use."""
        return self.database_url or f"sqlite:///{Path(self.dealt_data).resolve() / 'dealt.sqlite3'}"

    @property
    def archive_folder(self) -> Path:
        """Return the directory of archived matches."""
        return Path(self.dealt_archive or Path(self.dealt_data) / "archive").resolve()


def read_archive_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory of archived matches, without reading all settings."""
    given = {name: text for name in ("dealt_archive", "dealt_data") if (text := environ.get(name.upper()))}
    return Settings(**given).archive_folder  # type: ignore[arg-type]


def settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. Raise `ValueError` with the variable if one is invalid or unknown."""
    known = [f.name.upper() for f in fields(Settings)]
    for name in environ:
        if name in (*known, *OTHERS):
            continue
        near = [each for each in known if each not in environ and _slip_of(name, each)]
        if near or name.startswith("DEALT_"):
            near = near or get_close_matches(name, known, 1)
            advice = f"did you mean {near[0]}?" if near else "`dealt settings` lists them all."
            raise ValueError(f"{name} is not a setting; {advice}")
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
    """Return whether a variable's name looks like a misspelt setting.

    Such a name has one letter too few, too many, wrong or swapped with its neighbour, or lower case. Names with another
    beginning or end, such as `_DATABASE_URL`, `DATABASE_URLS` and `DATABASE_URI`, or with digits, such as
    `DATABASE2_URL`, belong to other programs.
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
    """Count the letters of the common beginning of two texts."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


def _is_sender(text: str) -> bool:
    """Return whether a text is one ASCII email address, with or without a name before it."""
    found = getaddresses([text])
    address = found[0][1] if len(found) == 1 else ""
    return text.isprintable() and address in text and re.fullmatch(r"[!-;=?A-~]+@[!-;=?A-~]+", address) is not None


_FORMS: Final[Mapping[str, tuple[str, str]]] = {
    "dealt_connections": (r"0*[1-9]\d{0,3}", "a number from 1 to 9999"),
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
"""Settings with their own format: a check, and the name of the format in messages."""


def _read(name: str, text: str) -> int | str:
    if not isinstance(getattr(Settings(), name), int):
        return text
    if not text.isdecimal():
        raise ValueError(f"{name.upper()} must be a whole number, not {text!r}")
    if len(text.lstrip("0")) > MOST_DIGITS:
        raise ValueError(f"{name.upper()} must have at most {MOST_DIGITS} digits")
    return int(text)
