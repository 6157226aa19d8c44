"""What clients send: the one place where it is checked, and what the description of the API is made from."""

import re
import unicodedata
from typing import Any, Final, get_args

from marshmallow import ValidationError, fields, validate

from api.fields import Moment, Strict, Whole
from api.generated import of_record
from domain.catalogue import GAMES
from domain.clock import Clock
from domain.match_events import Level, Series

STATUSES: Final = ("lobby", "playing", "finished", "abandoned", "cancelled", "expired")
VISIBILITIES: Final = ("public", "unlisted", "private")
LEVELS: Final = get_args(Level)
PLACES: Final = ("me", "open", "invite", "bot")

NAME_LENGTH: Final = 40
PAGE: Final = 100
EVENTS_PAGE: Final = 1_000
WAIT_SECONDS: Final = 30
NO_INT: Final = 2**31 - 1
_ZERO_WIDTH_JOINER: Final = "\u200d"  # stands inside many emoji
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol of which nothing is seen


class Name(fields.String):
    """A name that people can see: 1 to 40 characters, no control characters, no space around it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        name = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs)).strip()
        if not 1 <= len(name) <= NAME_LENGTH:
            raise ValidationError(f"A name has 1 to {NAME_LENGTH} characters.")
        kinds = [unicodedata.category(c) for c in name.replace(_ZERO_WIDTH_JOINER, "")]
        if _BLANK & set(name) or set(kinds) & _UNSEEN or not any(kind[0] in "LNPS" for kind in kinds):
            raise ValidationError("A name has only characters that can be seen.")
        return name


_UNSEEN: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))


class Number(fields.Integer):
    """A whole number in a query, in digits."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not re.fullmatch(r"[0-9]{1,10}", str(value)):
            raise ValidationError("Write a whole number in digits.")
        return int(value)


def number(low: int, high: int, default: int | None = None) -> Number:
    """Make the field for a number in a query."""
    field = Number(validate=validate.Range(low, high))
    if default is not None:
        field.load_default = default
    return field


def _one_of(*choices: str, **said: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(choices), **said)


class NewPlayer(Strict):
    name = Name(required=True, metadata={"minLength": 1, "maxLength": NAME_LENGTH})


class Nothing(Strict):
    """A body that need not be sent, and may be empty."""


class SeatPlan(Strict):
    kind = _one_of(*PLACES, required=True)
    level = _one_of(*LEVELS)
    eaten_at = Moment(allow_none=True)


class NewMatch(Strict):
    game = _one_of(*GAMES, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    preset = fields.String(allow_none=True, load_default=None)
    seats = fields.List(fields.Nested(SeatPlan), allow_none=True, load_default=None)
    visibility = _one_of(*VISIBILITIES, load_default="public")
    clock = fields.Nested(lambda: of_record(Clock), load_default=dict)
    series = fields.Nested(lambda: of_record(Series), load_default=dict)


def _hex(low: int, high: int) -> fields.String:
    length = str(low) if low == high else f"{low},{high}"
    return fields.String(validate=validate.Regexp(re.compile(rf"^[0-9a-f]{{{length}}}\Z")))


class SitDown(Strict):
    nonce = _hex(16, 64)
    nonce_hash = _hex(64, 64)
    invite = fields.String(metadata={"maxLength": 200}, validate=validate.Length(max=200))
    eaten_at = Moment(allow_none=True)


class Move(Strict):
    name = fields.String(required=True)
    args = fields.Dict(keys=fields.String(), load_default=dict)
    seat = Whole(validate=validate.Range(0, 99))


# --- Queries ------------------------------------------------------------------------------------------


class MatchesQuery(Strict):
    game = _one_of(*GAMES)
    status = _one_of(*STATUSES)
    player = fields.String(validate=validate.Regexp(re.compile(r"^(?:me|[0-9a-z]{20})\Z")))
    cursor = fields.String()
    limit = number(1, PAGE, 50)


class EventsQuery(Strict):
    seat = number(0, 99)
    after = number(0, NO_INT, 0)
    limit = number(1, EVENTS_PAGE, EVENTS_PAGE)
    wait = number(0, WAIT_SECONDS)


class SeatQuery(Strict):
    seat = number(0, 99)


class ReplayQuery(Strict):
    version = number(1, NO_INT)
    seat = fields.String(validate=validate.Regexp(re.compile(r"^(?:[0-9]{1,2}|all|spectators)\Z")))


class InboxQuery(Strict):
    wait = number(0, WAIT_SECONDS)
