"""Defines the errors of requests to a match, other than refusals by the rules (`domain.core.game.Refused`)."""

from collections.abc import Mapping


class NotFound(Exception):
    """There is no such match, or the caller may not read it."""


class Forbidden(Exception):
    """The caller may read the match, but may not do this."""


class BadInvite(Exception):
    """The seat is by invitation, and the sent code is wrong."""


class GameNotInstalled(Exception):
    """The game of the match is not installed here: only its log can be read."""


class NotDisclosed(Exception):
    """The table of this reader is not open to the caller yet."""


class Gone(Exception):
    """The player has been erased."""


class HandleTaken(Exception):
    """The handle is or was another player's, or it is reserved."""


class TooManyHandles(Exception):
    """The player has taken the maximum number of handles, including former ones."""


class TooManyTokens(Exception):
    """The player has the maximum number of scoped tokens."""


class Blocked(Exception):
    """One of the players has blocked another."""


class TooManyBlocks(Exception):
    """The player has blocked the maximum number of players."""


class TooManyMutes(Exception):
    """The player has muted the maximum number of players."""


class TooManyReports(Exception):
    """The player has sent the maximum number of reports for now; `seconds` is the time until the next is allowed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class TooManyDecks(Exception):
    """The player has saved the maximum number of decks."""


class DeckChanged(Exception):
    """The deck is not the one that the request means to change."""


class OrdersChanged(Exception):
    """The standing orders are not those that the request means to replace."""


class Conflict(Exception):
    """The match is no longer at the version that the caller named."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class NotSigned(Exception):
    """The seat moves only with its player's signature over `text`, for the match at `version`.

    `given` is true if an invalid one was sent.
    """

    def __init__(self, text: str, version: int, *, given: bool) -> None:
        super().__init__(version)
        self.text, self.version, self.given = text, version, given


class Repeated(Exception):
    """An earlier request used the idempotency key; its answer must be rebuilt."""


class NothingEndsIt(Exception):
    """Bots might never end the match with the options in `why`, each with a sentence."""

    def __init__(self, why: Mapping[str, str]) -> None:
        super().__init__(*why)
        self.why = why


class TooManyBotMatches(Exception):
    """The player has the maximum number of running bot-only matches."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Busy(Exception):
    """Another request changed the match during every try."""


class Unavailable(Exception):
    """The database cannot be reached, cannot be written to, or was still busy after several tries.

    A write whose answer was lost may have succeeded; a retry with the same idempotency key finds out.
    """


class AlreadyThere(Exception):
    """A match with this id exists already, or the player sits at another table of the group."""
