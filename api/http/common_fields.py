"""Defines the types of fields that many requests share; each resource has the records of its own requests."""

import unicodedata
from typing import Annotated, Final

from api.http.openapi_operations import one_of
from api.http.request_records import CheckedBy, Request, choice, matches
from domain.core.contract_texts import NAME
from domain.core.fairness import GUESSABLE, NONCE, is_guessable
from domain.core.options import Keywords, Length, Omissible, Range
from domain.core.types import Doc
from domain.games.catalogue import GAMES
from events import handles
from events.notify.mailboxes import ADDRESS
from events.proof.player_keys import SIGNATURE, is_player_key
from events.proof.signed_heads import KEY
from events.visible_text import is_visible_text, unseen_in_name

STATUSES: Final = ("lobby", "playing", "finished", "abandoned", "stopped", "cancelled", "expired")
VISIBILITIES: Final = ("public", "unlisted", "private")
Status = Annotated[str, one_of(STATUSES)]
Visibility = Annotated[str, one_of(VISIBILITIES)]
ChosenVisibility = Annotated[str, choice(VISIBILITIES)]

NAME_LENGTH: Final = 40
"""A name has at most this many characters."""
PAGE: Final = 100
"""Maximum entries of a page."""
LARGEST: Final = 2**31 - 1
"""A request may send no larger number."""
HASH: Final = "64 hexadecimal digits in lower case"
SIGNED: Final = "128 hexadecimal digits in lower case"


def _read_name(value: str) -> str:
    """Return a visible name without the spaces around it. Raise `ValueError` with the fault."""
    name = unicodedata.normalize("NFC", value).strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise ValueError(f"Must be 1 to {NAME_LENGTH} characters.")
    if unseen := unseen_in_name(name):
        raise ValueError(f"Use only visible characters. Remove U+{ord(unseen):04X}.")
    return name


ClubName = Annotated[str, CheckedBy({}, _read_name)]
Name = Annotated[ClubName, Keywords({"minLength": 1, "maxLength": NAME_LENGTH})]
"""A visible name: 1 to 40 characters, no control characters, no space around it."""


def _read_handle(value: str) -> str:
    handle = handles.read(value)
    if handle is None:
        raise ValueError("Must be 3 to 30 characters of a-z, 0-9, - and _, beginning with a letter or digit.")
    return handle


Handle = Annotated[str, CheckedBy({}, _read_handle)]
"""A handle; it is read in lower case."""


def prose(longest: int, breaks: str = "") -> CheckedBy:
    """Mark a visible text with the given line breaks, no other control characters, no space around it."""
    unbroken = str.maketrans("", "", breaks)

    def read(value: str) -> str:
        text = unicodedata.normalize("NFC", value.replace("\r\n", "\n")).strip()
        if not 1 <= len(text) <= longest:
            raise ValueError(f"Must be 1 to {longest:,} characters, not only spaces.")
        if not is_visible_text(text.translate(unbroken)):
            raise ValueError("Use only visible characters and line breaks.")
        return text

    return CheckedBy({"minLength": 1, "maxLength": longest}, read)


Mail = Annotated[
    str,
    CheckedBy(
        {"pattern": ADDRESS.pattern.replace("\\Z", "$")},
        matches(ADDRESS.pattern, "").read,
        "a mail address, such as ann@example.org",
    ),
]

InstalledGame = Annotated[str, choice(GAMES)]
"""The name of a game whose rules are installed."""
GameName = Annotated[str, matches(NAME, "the name of a game")]
"""The name of a game, installed or not."""

_NONCE_FORM: Final = "16 to 64 hexadecimal digits in lower case"


def _check_nonce(nonce: str) -> str:
    if nonce and is_guessable(nonce):
        raise ValueError(GUESSABLE)
    return nonce


Nonce = Annotated[str, matches(NONCE.pattern, _NONCE_FORM), CheckedBy({}, _check_nonce)]
"""A player's own random contribution to shuffles or draws."""
NonceOrNone = Annotated[str, matches(f"(?:{NONCE.pattern})?", f"{_NONCE_FORM}, or empty"), CheckedBy({}, _check_nonce)]
"""The same, or an empty text for none."""

HashText = Annotated[str, matches("[0-9a-f]{64}", HASH)]


def _check_key(key: str) -> str:
    if not is_player_key(key):
        raise ValueError("Must be an Ed25519 public key of large order.")
    return key


PlayerKey = Annotated[
    str,
    matches(KEY.pattern, HASH),
    CheckedBy({}, _check_key),
    Doc("The public key (Ed25519, 32 bytes in hex) that signs your moves in this seat."),
]
"""A player's own key, with which the moves of a seat are signed."""

KeyProof = Annotated[
    str,
    matches(SIGNATURE, SIGNED),
    Doc(
        "With `player_key`: its signature over `dealt-seat/1|match|seat|player`, or for a new match over"
        " `dealt-seat/1|new|player`, with your id as `player`."
    ),
]
"""The signature that proves possession of a key."""


class NothingBody(Request):
    """No fields; the body is optional."""


class SeatQuery(Request):
    seat: Omissible[Annotated[int, Range(0, 99)]] = None
    """Your seat, if you hold several; by default the first."""


Cursor = Omissible[Annotated[str, Keywords({"minLength": 1}), Doc("The `next` of the previous page.")]]
Limit = Annotated[int, Range(1, PAGE), Doc("Maximum number of items.")]


class PageQuery(Request):
    cursor: Cursor = None
    limit: Limit = 50


HEADS: Final = 40
"""Maximum number of heads in a request, so that a URL of 4,094 bytes can have them and the maximum of keys."""
KEYS: Final = 8
"""Maximum server keys in a request."""

_Head = Annotated[str, matches("[1-9][0-9]{0,9}:[0-9a-f]{64}", f"a version, a colon and {HASH}")]
_Key = Annotated[str, matches(KEY.pattern, HASH)]


class HeadsQuery(Request):
    head: Annotated[tuple[_Head, ...], Length(0, HEADS)] = ()
    """A head that you kept, as version and digest, to check that the history is unchanged; can be repeated."""


class VerificationQuery(HeadsQuery):
    key: Annotated[tuple[_Key, ...], Length(0, KEYS)] = ()
    """A public key of another server that signed the record; can be repeated.

    This server's own keys always count.
    """
