"""Defines how an operation describes itself, next to the function that answers it.

A view function is decorated with an `Operation`. Its name in camel case is the id of the operation; its docstring is
the summary and the description. Answers are derived from `Answer`, requests from `Request`. `api.http.openapi`
combines all of it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeVar

from flask import Flask, Response
from msgspec import Struct

from api.http.request_records import Request
from domain.core.clock import Clock
from domain.core.options import Keywords
from domain.core.types import count_as_records
from domain.core.values import value
from domain.match.creation import Series

JSON: Final = "application/json"

View = TypeVar("View", bound=Callable[..., Response])
Described = Mapping[str, Any]


# --- What is answered -------------------------------------------------------------------------------------


class Answer(Struct, forbid_unknown_fields=True):
    """An answer that is sent as JSON, with exactly these fields."""


count_as_records(Answer)


def says(description: str, **keywords: Any) -> Keywords:
    """Mark a field of an answer with its description, and further keywords of its JSON Schema."""
    return Keywords({"description": description, **keywords})


Timestamp = Annotated[str, Keywords({"format": "date-time"})]
Digest = Annotated[str, Keywords({"pattern": "^[0-9a-f]{64}$"})]
Count = Annotated[int, Keywords({"minimum": 0})]
Ordinal = Annotated[int, Keywords({"minimum": 1})]


def one_of(words: Iterable[str]) -> Keywords:
    """Limit a text of an answer to these words."""
    return Keywords({"enum": list(words)})


def component(name: str) -> Keywords:
    """Mark a field of an answer that another schema than its own describes."""
    return Keywords({"$ref": f"#/components/schemas/{name}"})


def of_game(part: str) -> Keywords:
    """Mark a field of an answer as this part of the game that the answer is about (`api.http.openapi_games`)."""
    return Keywords({"x-of-game": part})


AnyGame = Annotated[str, of_game("any"), says("The name of the game.")]
"""The name of a game, be it installed or not any longer."""

CardText = Annotated[str, component("Card")]

NextCursor = Annotated[str | None, says("The `cursor` of the next page; null if there are no more.")]
"""The field `next` of a page."""

JsonSchema = Annotated[Mapping[str, Any], component("JsonSchema")]
"""A field that is a JSON Schema itself."""


MatchClock = Annotated[Clock, component("MatchClock")]
MatchSeries = Annotated[Series, component("MatchSeries")]
"""The clock and the series of a match that has been created, with all that was left out."""


TEXT: Final[Described] = {"type": "string"}


def text(example: str, description: str | None = None) -> Described:
    """Describe an answer that is not JSON by an example, and in words."""
    said = {} if description is None else {"description": description}
    return {"type": "string", **said, "examples": [example]}


# --- What an operation consists of ------------------------------------------------------------------------


@value
class Parameter:
    """A parameter is a part of the path, or a header of the request."""

    name: str
    place: Literal["path", "header"]
    says: str | None = None
    schema: Described = field(default_factory=lambda: TEXT)
    example: Any = None


CONDITIONS: Final = ("If-Match", "If-None-Match")
"""The headers that make a request conditional on the `ETag` of its resource."""


@value
class Header:
    """A header of an answer."""

    name: str
    says: str
    schema: Described = field(default_factory=lambda: TEXT)
    required: bool = True
    example: str | None = None


@value
class Body:
    """The body of a request has a type, and examples by their names or one without a name."""

    schema: type[Request] | Described
    required: bool = True
    example: Any = None
    examples: Mapping[str, Any] | None = None
    forms: tuple[str, ...] = (JSON,)
    most_bytes: int | None = None  # where it may be larger than the server's settings say
    others: Mapping[str, Described] = field(default_factory=dict)  # by media type, where a form has its own schema


@value
class Reply:
    """A reply is the answer with one status: an `Answer` as JSON, or content by media type; None means no body.

    `example` is a genuine answer; without it, the description makes one from the schema.
    """

    says: str
    content: type | Mapping[str, type | Described] | None = None
    headers: tuple[Header, ...] = ()
    example: Any = None

    @property
    def forms(self) -> Mapping[str, type | Described]:
        """Return the contents of the answer, by media type."""
        if self.content is None:
            return {}
        return self.content if isinstance(self.content, Mapping) else {JSON: self.content}


@dataclass(frozen=True, slots=True, eq=False)
class RefusalAnswer:
    """A refusal is the answer of all problems that share a status."""

    name: str
    says: str
    status: int
    headers: tuple[Header, ...] = ()
    limited: bool = True
    """Whether the answer has the rate limit headers."""


Tag = Literal[
    "players",
    "games",
    "cards",
    "matches",
    "tournaments",
    "seats",
    "play",
    "orders",
    "talk",
    "moderation",
    "history",
    "notifications",
    "service",
]
Access = Literal["token", "optional", "public"]
Scope = Literal["play", "read", "webhooks", "admin", "main"]
SCOPES: Final = ("play", "read", "webhooks", "admin")
"""The scopes that a token may have."""
MAIN: Final = "main"
"""The scope of operations that only accept the main token."""
_OF_THE_ACCOUNT: Final = ("players", "notifications")
"""The tags of operations that take the main token, unless the operation says otherwise."""

Made = Literal["players", "matches", "groups", "mails", "trades", "reports", "exports"]
"""The kinds of things whose number is limited for each address and hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """An operation is deprecated from a day on, and can be removed from another day on (docs/compatibility.md)."""

    since: date
    sunset: date
    instead: str
    """A sentence that names the replacement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation is one method of one path.

    `refuses` are the codes of its refusals that do not follow from the rest (`api.http.openapi_refusals`).
    """

    tag: Tag
    searches: tuple[str, ...]
    """Everyday words, at least two phrases, for which the search at `/docs` shows this operation first."""
    replies: Mapping[int, Reply]
    access: Access = "token"
    scope: Scope | None = None
    """The scope that a token needs, if that does not follow from the tag and the method."""
    parameters: tuple[Parameter, ...] = ()
    query: type[Request] | None = None
    body: Body | None = None
    refuses: tuple[str, ...] = ()
    needs_database: bool = True
    any_form: bool = False
    """Whether the operation ignores the header `Accept`."""
    leads_browsers: bool = False
    """Whether browsers, which accept HTML, are redirected to a page."""
    while_suspended: bool = False
    """Whether suspended players can do it although it writes."""
    cost_per_kib: int = 0
    """How many additional requests each 1,024 bytes of its body count as."""
    deprecated: Deprecation | None = None
    """The dates and the replacement of an operation that clients should no longer use."""
    makes: Made | None = None
    """The kind of thing that the operation makes, whose number is limited for each address and hour."""

    def __call__(self, view: View) -> View:
        """Describe a view function."""
        _OPERATIONS[view] = self
        return view

    def needs(self, method: str) -> Scope | None:
        """Return the scope that a token needs, by default `read` for methods that read; None for a public operation."""
        if self.access == "public":
            return None
        if self.scope is not None:
            return self.scope
        if self.tag in _OF_THE_ACCOUNT:
            return MAIN
        return "read" if method.upper() in ("GET", "HEAD") else "play"

    @property
    def takes_condition(self) -> bool:
        """Whether a request can be conditional on an `ETag`."""
        return any(one.name in CONDITIONS for one in self.parameters)

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the media types of the successful answers."""
        return tuple({form: None for reply in self.replies.values() for form in reply.forms}) or (JSON,)


_OPERATIONS: Final[dict[Callable[..., Any], Operation]] = {}


def operation_of(app: Flask, endpoint: str | None) -> Operation | None:
    """Return the operation of an endpoint's view function, or None."""
    return None if endpoint is None else _OPERATIONS.get(app.view_functions[endpoint])


# --- What many operations share ---------------------------------------------------------------------------


LOCATION: Final = Header("Location", "The address of the new resource.")
ETAG: Final = Header(
    "ETag",
    "The version of the match, or a mark of the answer.",
    {"type": "string", "pattern": '^(?:W/)?"[0-9a-f-]+"$'},
)
CACHE_CONTROL: Final = Header(
    "Cache-Control", "Answers may be cached only for the caller, except those that are the same for everyone."
)
VARY: Final = Header("Vary", "Other request headers that the answer depends on.")
REPLAYED: Final = Header(
    "Idempotency-Replayed",
    "`true` on a repeated answer.",
    {"type": "string", "const": "true"},
    required=False,
)
PREFERENCE_APPLIED: Final = Header("Preference-Applied", "The preference that was honoured.", required=False)
UNBUFFERED: Final = Header(
    "X-Accel-Buffering",
    "Tells proxies not to buffer the stream.",
    {"type": "string", "const": "no"},
    required=False,
)
CONTENT_POLICY: Final = Header("Content-Security-Policy", "The page loads nothing from other servers.")
RETRY_AFTER: Final = Header("Retry-After", "Seconds to wait before a retry.", {"type": "integer", "minimum": 1})
WHO: Final = Header("WWW-Authenticate", "How to authenticate.")

EVERYWHERE: Final = (
    CACHE_CONTROL,
    VARY,
    REPLAYED,
    Header(
        "RateLimit",
        "`r`: requests left; `t`: seconds until there are more.",
        required=False,
        example='"default";r=998;t=2',
    ),
    Header("RateLimit-Policy", "`q`: requests in `w` seconds.", required=False, example='"default";q=1000;w=2'),
    Header("Deprecation", "The day from which the operation is deprecated, as a Unix time.", required=False),
    Header("Sunset", "The day from which a deprecated operation can be removed.", required=False),
)
"""Answers have these headers, which the description lists once, in words. Some pages lack those of the limits."""

MATCH_ID: Final = Parameter("match_id", "path", "The id of the match.", example="8n9y4jktn4n1gzhahebf")
NOT_MODIFIED: Final = Reply("Your copy is current.", headers=(ETAG, PREFERENCE_APPLIED))
