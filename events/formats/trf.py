"""The Tournament Report File of FIDE, for tournaments at tables of two: its columns, limits and signs.

A line `001` for each player has columns of fixed width, and ten characters for each round: the opponent's number, the
colour and the result. Seat 0 is white. The format is TRF16 as programs have extended it, with lines of TRF26.
"""

from typing import Final

MEDIA_TYPE: Final = "text/plain"

MOST_BYTES: Final = 4 * 1024 * 1024
MOST_SENT_BYTES: Final = 768 * 1024
"""The limit over HTTP: the largest tournament that is written here has 710,000."""
MOST_PLAYERS: Final = 9999
MOST_ROUNDS: Final = 99

NAME: Final = slice(14, 47)
RESULTS: Final = 91
"""The column at which the results of the rounds begin in the line of a player, from 0."""

WIDTH: Final = 10
"""The characters of a round."""


class NotTrf(ValueError):
    """The text is not such a file, or the tournament cannot be written as one; the message gives the reason."""


def clean_name(name: str) -> str:
    """Return a name on one line, without characters that are not shown."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
