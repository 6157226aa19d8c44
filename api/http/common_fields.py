"""Defines the kinds of fields that many requests share; each resource has the schemas of its own requests."""

import re
import unicodedata
from typing import Annotated, Any, Final

from marshmallow import ValidationError, fields, validate

from api.http.openapi_operations import one_of
from api.http.strict_fields import Strict
from domain.core.contract_texts import NAME
from domain.core.fairness import GUESSABLE, NONCE, is_guessable
from events import handles
from events.proof.player_keys import SIGNATURE, is_player_key
from events.proof.signed_heads import KEY
from events.visible_text import is_visible_text, unseen_in_name

STATUSES: Final = ("lobby", "playing", "finished", "abandoned", "cancelled", "expired")
VISIBILITIES: Final = ("public", "unlisted", "private")
Status = Annotated[str, one_of(STATUSES)]
Visibility = Annotated[str, one_of(VISIBILITIES)]

NAME_LENGTH: Final = 40
"""A name has at most this many characters."""
PAGE: Final = 100
"""A page has at most this many entries."""
LARGEST: Final = 2**31 - 1
"""A request may send no larger number."""


class Name(fields.String):
    """This field admits a name that people can see: 1 to 40 characters, no control characters, no space around it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        name = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs)).strip()
        if not 1 <= len(name) <= NAME_LENGTH:
            raise ValidationError(f"Must be 1 to {NAME_LENGTH} characters.")
        if unseen := unseen_in_name(name):
            raise ValidationError(f"Use only visible characters. Remove U+{ord(unseen):04X}.")
        return name


class Handle(fields.String):
    """This field admits a handle; capitals are made small."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        handle = handles.read(super()._deserialize(value, attr, data, **kwargs))
        if handle is None:
            raise ValidationError("Use 3 to 30 characters of a-z, 0-9, - and _, beginning with a letter or digit.")
        return handle


class Prose(fields.String):
    """This field admits a visible text with the named line breaks, no other control characters, no space around it."""

    def __init__(self, longest: int, breaks: str, says: str) -> None:
        super().__init__(required=True, metadata={"description": says, "minLength": 1, "maxLength": longest})
        self._longest, self._breaks = longest, str.maketrans("", "", breaks)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        written = super()._deserialize(value, attr, data, **kwargs).replace("\r\n", "\n")
        text = unicodedata.normalize("NFC", written).strip()
        if not 1 <= len(text) <= self._longest:
            raise ValidationError(f"Must be 1 to {self._longest:,} characters, not only spaces.")
        if not is_visible_text(text.translate(self._breaks)):
            raise ValidationError("Use only visible characters and line breaks.")
        return text


class QueryNumber(fields.Integer):
    """This field admits a whole number in a query, in digits."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not re.fullmatch(r"[0-9]{1,10}", str(value)):
            raise ValidationError("Must be a whole number in digits.")
        return int(value)


def doc(description: str, **more: Any) -> dict[str, Any]:
    """Return the arguments of a field with a description."""
    return {"metadata": {"description": description, **more}}


def game_part(part: str) -> dict[str, Any]:
    """Return the description of a field, with the part of the named game that it belongs to."""
    return {"x-of-game": part}


def number_field(low: int, high: int, default: int | None = None, **more: Any) -> QueryNumber:
    """Return the field for a number in a query."""
    field = QueryNumber(validate=validate.Range(low, high), **more)
    if default is not None:
        field.load_default = default
    return field


def choice_field(*choices: str, **more: Any) -> fields.String:
    """Return the field for one of these words."""
    return fields.String(validate=validate.OneOf(choices), **more)


def pattern_field(regex: str, **more: Any) -> fields.String:
    """Return the field for a text that fully matches a regular expression."""
    return fields.String(validate=validate.Regexp(re.compile(rf"^{regex}\Z")), **more)


def game_name_field(**more: Any) -> fields.String:
    """Return the field for the name of a game, installed or not."""
    return pattern_field(NAME, **more)


def nonce_field(*, may_be_empty: bool = False, **more: Any) -> fields.String:
    """Return the field for a nonce, a player's own random contribution to shuffles or draws."""
    field = pattern_field(f"(?:{NONCE.pattern})?" if may_be_empty else NONCE.pattern, **more)
    field.validators.append(_is_random)
    return field


def _is_random(nonce: str) -> None:
    if NONCE.fullmatch(nonce) and is_guessable(nonce):
        raise ValidationError(GUESSABLE)


def player_key_field() -> fields.String:
    """Return the field for a player's own key, with which the moves of a seat are signed."""
    described = doc("The public key (Ed25519, 32 bytes in hex) with which you sign the moves of this seat.")
    field = pattern_field(KEY.pattern, **described)
    field.validators.append(_is_player_key)
    return field


def key_proof_field() -> fields.String:
    """Return the field for the signature that proves possession of a key."""
    return pattern_field(
        SIGNATURE,
        **doc(
            "With `player_key`: its signature over `dealt-seat/1|match|seat|player`, or where the match is created by"
            " this over `dealt-seat/1|new|player`, with your id as `player`."
        ),
    )


def _is_player_key(key: str) -> None:
    if not is_player_key(key):
        raise ValidationError("Must be an Ed25519 public key that is not of small order.")


class NothingBody(Strict):
    """The body need not be sent, and may be empty."""


class SeatQuery(Strict):
    seat = number_field(0, 99, **doc("For a player who holds several seats; by default the first of them."))


class PageQuery(Strict):
    cursor = fields.String(**doc("The `next` of the page before.", minLength=1))
    limit = number_field(1, PAGE, 50, **doc("How many at most."))


HEADS: Final = 40
"""Maximum number of heads in a request, so that a URL of 4,094 bytes can have them and the maximum of keys."""
KEYS: Final = 8
"""A request may name at most this many keys of servers."""


class HeadsQuery(Strict):
    head = fields.List(
        pattern_field("[1-9][0-9]{0,9}:[0-9a-f]{64}"),
        load_default=list,
        validate=validate.Length(max=HEADS),
        **doc(
            "A head that you kept, as version and digest, to check that the history is still the same; may be"
            " repeated.",
            maxItems=HEADS,
        ),
    )


class VerificationQuery(HeadsQuery):
    key = fields.List(
        pattern_field(KEY.pattern),
        load_default=list,
        validate=validate.Length(max=KEYS),
        **doc(
            "A public key of the server that signed the record, if that is another server; may be repeated. This"
            " server's own keys always count.",
            maxItems=KEYS,
        ),
    )
