"""Sets up logging: one line each to standard error. No card, token, nonce or invite is ever handed to a logger."""

import json
import logging
import time
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final

from api.safe_text import escape_controls


class LogLine(logging.Formatter):
    """A log line has the time in UTC, level, process, logger, id of the request if there is one, and message.

    A message may quote data of a request. Unprintable characters are escaped, so that it stays one line. The place in
    the code follows on indented lines.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(process)d %(name)s%(request)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- its name in logging
        record.request = f" [{REQUEST.get()}]" if REQUEST.get() else ""
        return escape_controls(super().formatMessage(record)) + _below(getattr(record, WHERE, ""))

    def formatException(self, ei: object) -> str:  # noqa: N802 -- its name in logging
        return _below(super().formatException(ei)).removeprefix("\n")  # type: ignore[arg-type]


class JsonLine(LogLine):
    """A line of the log as one JSON object, with the fields of a line of text."""

    def format(self, record: logging.LogRecord) -> str:
        where = getattr(record, WHERE, "") or (record.exc_info and self.formatException(record.exc_info)) or ""
        fields = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "process": record.process,
            "logger": record.name,
            "request": REQUEST.get() or None,
            "message": record.getMessage(),
            "where": [line.strip() for line in where.splitlines() if line.strip()] or None,
        }
        return json.dumps({name: value for name, value in fields.items() if value is not None})


REQUEST: Final = ContextVar("request", default="")
"""The id of the request that is worked on; empty where there is none."""

WHERE: Final = "where"
"""The key in `extra` for the place in the code where something happened."""


def _below(text: str) -> str:
    return "".join(f"\n    {escape_controls(line)}" for line in text.split("\n") if line)


LOUD = ("celery", "kombu", "amqp", "alembic", "gunicorn.error", "werkzeug")
"""Loggers of libraries whose level info is too verbose."""


FORMATS: Final[Mapping[str, type[LogLine]]] = {"text": LogLine, "json": JsonLine}


def set_up_logging(level: str, line_format: str = "text") -> None:
    """Log from this level on: `debug`, `info`, `warning`, `error`. Raises `ValueError` for another level or format."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise ValueError(f"DEALT_LOG must be debug, info, warning or error, not {level!r}")
    if line_format not in FORMATS:
        raise ValueError(f"DEALT_LOG_FORMAT must be text or json, not {line_format!r}")
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATS[line_format]())
    logging.basicConfig(level=number, handlers=[handler], force=True)
    if number == logging.INFO:
        for name in LOUD:
            logging.getLogger(name).setLevel(logging.WARNING)
    # At lower levels, it logs the original paths of requests, including secret addresses.
    logging.getLogger("gunicorn.error").setLevel(max(logging.getLogger("gunicorn.error").level, logging.INFO))
