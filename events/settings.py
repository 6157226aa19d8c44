"""This module reads the configuration from the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path


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
    """Requests a second that one token, or one address without a token, may make in the long run; 0: no limit."""

    dealt_rate_burst: int = 1_000
    """Requests that it may make at once."""

    dealt_rate_storage: str = "memory://"
    """The place where rates are counted: in each process, or at a `redis://…` that all share."""

    dealt_max_body: int = 65_536
    """Bytes that a request's body may have."""

    dealt_threads: int = 64
    """Requests that one API process answers at the same time, streams and waiting ones included."""

    dealt_max_waiters: int = 40
    """The most of them that may be streams or wait for news."""

    dealt_max_verifications: int = 2
    """The most records that one API process verifies at the same time, no two from one address."""

    dealt_max_audits: int = 2
    """The most matches that one API process audits at the same time; a long one gets a process of its own."""

    dealt_processes: int = 2
    """Processes of `dealt api`, and of one `dealt worker`."""

    dealt_queue: str = "dealt"
    """The name of the queue on the broker, for those who share one."""

    dealt_log: str = "info"
    """The level of the log: `debug`, `info`, `warning` or `error`."""

    dealt_public_url: str = ""
    """The public address, such as `https://cards.example`; links in notices, feeds and mail begin with it."""

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
    """The number of proxies in front that are trusted to name the client's address (`X-Forwarded-For`)."""

    @property
    def url(self) -> str:
        """The database to use."""
        return self.database_url or f"sqlite:///{Path(self.dealt_data).resolve() / 'dealt.sqlite3'}"


def settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. `ValueError` names a variable that is not what it should be."""
    given = {f.name: environ[f.name.upper()] for f in fields(Settings) if environ.get(f.name.upper())}
    return Settings(**{name: _read(name, text) for name, text in given.items()})  # type: ignore[arg-type]


def _read(name: str, text: str) -> int | str:
    if not isinstance(getattr(Settings(), name), int):
        return text
    if not text.isdecimal():
        raise ValueError(f"{name.upper()} must be a whole number, not {text!r}")
    return int(text)
