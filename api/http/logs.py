"""Sets up logging: one line each to standard error. No card, token, nonce or invite is ever handed to a logger."""

import logging
import time


class Line(logging.Formatter):
    """A line of the log has the time in UTC, level, process, origin and message."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s")


LOUD = ("celery", "kombu", "amqp", "alembic", "gunicorn.error", "werkzeug")
"""These loggers of libraries write at level info what is of no daily use."""


def set_up(level: str) -> None:
    """Log from this level on: `debug`, `info`, `warning`, `error`. `ValueError` for any other."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise ValueError(f"DEALT_LOG must be debug, info, warning or error, not {level!r}")
    handler = logging.StreamHandler()
    handler.setFormatter(Line())
    logging.basicConfig(level=number, handlers=[handler], force=True)
    if number == logging.INFO:
        for name in LOUD:
            logging.getLogger(name).setLevel(logging.WARNING)
