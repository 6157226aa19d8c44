"""What clients send: the one place where it is checked, and what the description of the API is made from."""

import re
import unicodedata
from typing import Any, Final, get_args

from marshmallow import ValidationError, fields, validate

from api.http.entries import entry_fields
from api.http.fields import CardNames, Flag, Instant, Moment, Strict, Whole
from api.http.generated import of_record
from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.match.events import Level, Series
from events.notify.addresses import LONGEST
from events.notify.mailboxes import ADDRESS
from events.notify.notices import KINDS

STATUSES: Final = ("lobby", "playing", "finished", "abandoned", "cancelled", "expired")
VISIBILITIES: Final = ("public", "unlisted", "private")
LEVELS: Final = get_args(Level)
PLACES: Final = ("me", "open", "invite", "bot")
RESULTS: Final = ("won", "lost", "shared")

NAME_LENGTH: Final = 40
MESSAGE_LENGTH: Final = 500
NOTES_LENGTH: Final = 10_000
PAGE: Final = 100
EVENTS_PAGE: Final = 1_000
WAIT_SECONDS: Final = 30
HEADS: Final = 40
"""So many fit into an address, which has 4,094 bytes."""
NO_INT: Final = 2**31 - 1
_ZERO_WIDTH_JOINER: Final = "\u200d"  # stands inside many emoji
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol of which nothing is seen


class Name(fields.String):
    """A name that people can see: 1 to 40 characters, no control characters, no space around it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        name = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs)).strip()
        if not 1 <= len(name) <= NAME_LENGTH:
            raise ValidationError(f"A name has 1 to {NAME_LENGTH} characters.")
        if _BLANK & set(name) or not _seen(name):
            raise ValidationError("A name has only characters that can be seen.")
        return name


class Prose(fields.String):
    """A text that people can see, with the breaks that are named: no other control characters, no space around it."""

    def __init__(self, longest: int, breaks: str) -> None:
        super().__init__(required=True, metadata={"minLength": 1, "maxLength": longest})
        self._longest, self._breaks = longest, str.maketrans("", "", breaks)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        written = super()._deserialize(value, attr, data, **kwargs).replace("\r\n", "\n")
        text = unicodedata.normalize("NFC", written).strip()
        if not 1 <= len(text) <= self._longest:
            raise ValidationError(f"A text has 1 to {self._longest:,} characters, and not only space.")
        if not _seen(text.translate(self._breaks)):
            raise ValidationError("A text has only characters that can be seen, and line breaks.")
        return text


def _seen(text: str) -> bool:
    kinds = {unicodedata.category(c) for c in text.replace(_ZERO_WIDTH_JOINER, "")}
    shown = {unicodedata.category(c)[0] for c in set(text) - _BLANK}
    return not kinds & _UNSEEN and not shown.isdisjoint("LNPS")


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


Brought = Strict.from_dict(entry_fields(), name="Brought")

SeatPlan = Strict.from_dict(
    {
        "kind": _one_of(*PLACES, required=True),
        "level": _one_of(*LEVELS),
        "entry": fields.Nested(Brought),
        **entry_fields(),
    },
    name="SeatPlan",
)


class NewMatch(Strict):
    game = _one_of(*GAMES, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    preset = fields.String(allow_none=True, load_default=None)
    seats = fields.List(fields.Nested(SeatPlan), allow_none=True, load_default=None)
    visibility = _one_of(*VISIBILITIES, load_default="public")
    clock = fields.Nested(lambda: of_record(Clock), load_default=dict)
    series = fields.Nested(lambda: of_record(Series), load_default=dict)


MOST_TABLES: Final = 32


class NewGroup(Strict):
    game = _one_of(*GAMES, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    preset = fields.String(allow_none=True, load_default=None)
    tables = fields.List(
        fields.List(fields.Nested(SeatPlan)),
        required=True,
        validate=validate.Length(2, MOST_TABLES),
        metadata={"minItems": 2, "maxItems": MOST_TABLES},
    )
    visibility = _one_of(*VISIBILITIES, load_default="public")
    clock = fields.Nested(lambda: of_record(Clock), load_default=dict)
    series = fields.Nested(lambda: of_record(Series), load_default=dict)


class Practice(Strict):
    hand_no = Whole(validate=validate.Range(1, 65_536))
    seats = fields.List(fields.Nested(SeatPlan), allow_none=True, load_default=None)
    visibility = _one_of(*VISIBILITIES, load_default="private")
    clock = fields.Nested(lambda: of_record(Clock), load_default=dict)


def _hex(low: int, high: int) -> fields.String:
    length = str(low) if low == high else f"{low},{high}"
    return fields.String(validate=validate.Regexp(re.compile(rf"^[0-9a-f]{{{length}}}\Z")))


SitDown = Strict.from_dict(
    {
        "nonce": _hex(16, 64),
        "nonce_hash": _hex(64, 64),
        "invite": fields.String(metadata={"maxLength": 200}, validate=validate.Length(max=200)),
        "entry": fields.Nested(Brought),
        **entry_fields(),
    },
    name="SitDown",
)


class NewVacation(Strict):
    one_alone = True
    days = Whole(validate=validate.Range(1, 30))
    until = Instant()


class VacationChoice(Strict):
    auto = Flag(required=True)


class NewMessage(Strict):
    text = Prose(MESSAGE_LENGTH, breaks="\n")


class NewNotes(Strict):
    text = Prose(NOTES_LENGTH, breaks="\n\t")


class Notices(Strict):
    deadline_near_seconds = Whole(required=True, validate=validate.Range(60, 30 * 24 * 3600))


_URL: Final = {"pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$", "minLength": 9, "maxLength": LONGEST}
"""Of a webhook; `events.notify.addresses` says the rest."""


class Webhook(Strict):
    url = fields.String(required=True, metadata=_URL)
    events = fields.List(_one_of(*KINDS), load_default=list(KINDS))


class WebhookChange(Strict):
    url = fields.String(required=True, metadata=_URL)
    events = fields.List(_one_of(*KINDS), required=True)
    enabled = Flag(load_default=True)


class ReplayDeliveries(Strict):
    one_alone = True
    since = Moment()
    notice = fields.String(validate=validate.Regexp(re.compile(r"^msg_[a-z2-7]{32}\Z")))


class Email(Strict):
    address = fields.String(required=True, validate=validate.Regexp(ADDRESS))
    every_hours = Whole(load_default=1, validate=validate.Range(0, 168))


class Confirmation(Strict):
    code = fields.String(required=True, metadata={"maxLength": 40}, validate=validate.Length(max=40))


class HandToRank(Strict):
    cards = CardNames(required=True)
    name = Name(allow_none=True, load_default=None, metadata={"minLength": 1, "maxLength": NAME_LENGTH})


MOST_HANDS: Final = 1_000


class HandsToRank(Strict):
    hands = fields.List(
        fields.Nested(HandToRank),
        required=True,
        validate=validate.Length(1, MOST_HANDS),
        metadata={"minItems": 1, "maxItems": MOST_HANDS},
    )
    board = CardNames(load_default=list)
    one_pack = Flag(load_default=True)


class Move(Strict):
    name = fields.String(required=True)
    args = fields.Dict(keys=fields.String(), load_default=dict)
    seat = Whole(validate=validate.Range(0, 99))


# --- Queries ------------------------------------------------------------------------------------------


class MatchesQuery(Strict):
    game = _one_of(*GAMES)
    status = _one_of(*STATUSES)
    player = fields.String(validate=validate.Regexp(re.compile(r"^(?:me|[0-9a-z]{20})\Z")))
    result = _one_of(*RESULTS)
    variant = fields.String()
    option = fields.List(fields.String())
    preset = fields.String()
    created_after = Instant()
    created_before = Instant()
    ended_after = Instant()
    ended_before = Instant()
    cursor = fields.String(metadata={"minLength": 1})
    limit = number(1, PAGE, 50)


class EventsQuery(Strict):
    seat = number(0, 99)
    after = number(0, NO_INT, 0)
    limit = number(1, EVENTS_PAGE, EVENTS_PAGE)
    wait = number(0, WAIT_SECONDS)


class ChatQuery(Strict):
    after = number(0, NO_INT, 0)
    limit = number(1, PAGE, PAGE)
    wait = number(0, WAIT_SECONDS)


class SeatQuery(Strict):
    seat = number(0, 99)


class RecordQuery(SeatQuery):
    format = _one_of("record", "phh", load_default="record")
    hand = number(1, NO_INT)


class VerifyQuery(Strict):
    head = fields.List(
        fields.String(validate=validate.Regexp(re.compile(r"^[1-9][0-9]{0,9}:[0-9a-f]{64}\Z"))),
        load_default=list,
        validate=validate.Length(max=HEADS),
        metadata={"maxItems": HEADS},
    )


class ReplayQuery(Strict):
    version = number(1, NO_INT)
    at = fields.String(
        validate=validate.Regexp(
            re.compile(r"^(?:(?:game|hand):[1-9][0-9]{0,5}|trick:[1-9][0-9]{0,5}\.[1-9][0-9]{0,5})\Z")
        )
    )
    seat = fields.String(validate=validate.Regexp(re.compile(r"^(?:[0-9]{1,2}|all|spectators)\Z")))


class InboxQuery(Strict):
    wait = number(0, WAIT_SECONDS)


class PageQuery(Strict):
    cursor = fields.String(metadata={"minLength": 1})
    limit = number(1, PAGE, 50)
