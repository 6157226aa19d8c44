"""Defines what an operation of the API says of itself, next to the function that answers it.

A view function is decorated with an `Operation`. Its name is the id of the operation, in camel case; its docstring is
the summary, and below it the description. What an operation answers are records of `Answer`, what it reads are
schemas. `api.http.openapi` puts all of it together.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, TypeVar

from flask import Flask, Response
from marshmallow import Schema
from msgspec import Meta, Struct

from domain.core.clock import Clock
from domain.match.creation import Series

JSON: Final = "application/json"

View = TypeVar("View", bound=Callable[..., Response])
Described = Mapping[str, Any]


# --- What is answered -------------------------------------------------------------------------------------


class Answer(Struct, forbid_unknown_fields=True):
    """An answer is a record that is sent as JSON, with exactly these fields."""


def says(description: str, **limits: Any) -> Meta:
    """Mark a field of an answer with its description."""
    return Meta(description=description, **limits)


Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Meta(ge=0)]
Ordinal = Annotated[int, Meta(ge=1)]


def one_of(words: Iterable[str]) -> Meta:
    """Mark a text of an answer as one of these words."""
    return Meta(extra_json_schema={"enum": list(words)})


def component(name: str) -> Meta:
    """Mark a field of an answer as one of the schemas of what is sent."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


UNLISTED: Final = "x-unlisted"
"""This mark is on a field of a query that the description leaves out."""


def of_game(part: str) -> Meta:
    """Mark a field of an answer as this part of the game that the answer is about (`api.http.openapi_games`)."""
    return Meta(extra_json_schema={"x-of-game": part})


AnyGame = Annotated[str, of_game("any"), says("The name of the game.")]
"""The name of a game, be it installed or not any longer."""

CardText = Annotated[str, component("Card")]

NextCursor = Annotated[str | None, says("The `cursor` of the next page; null if there are no more.")]
"""The field `next` of a page."""

JsonSchema = Annotated[Mapping[str, Any], component("JsonSchema")]
"""A field that is a JSON Schema itself."""


def alias(name: str) -> Meta:
    """Mark a record that is described by another schema than its own."""
    return Meta(extra_json_schema={"x-component": name})


MatchClock = Annotated[Clock, alias("MatchClock")]
MatchSeries = Annotated[Series, alias("MatchSeries")]
"""The clock and the series of a match that has been created, with all that was left out."""


TEXT: Final[Described] = {"type": "string"}


def text(example: str, description: str | None = None) -> Described:
    """Describe an answer that is no JSON by an example, and in words."""
    said = {} if description is None else {"description": description}
    return {"type": "string", **said, "examples": [example]}


# --- What an operation consists of ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter is a part of the path, or a header of the request."""

    name: str
    place: Literal["path", "header"]
    says: str | None = None
    schema: Described = field(default_factory=lambda: TEXT)
    example: Any = None


CONDITIONS: Final = ("If-Match", "If-None-Match")
"""The headers by which a request depends on the `ETag` of what it is about."""


@dataclass(frozen=True, slots=True)
class Header:
    """This is a header of an answer."""

    name: str
    says: str
    schema: Described = field(default_factory=lambda: TEXT)
    required: bool = True
    example: str | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request has a schema, and examples by their names or one without a name."""

    schema: Schema | Described
    required: bool = True
    example: Any = None
    examples: Mapping[str, Any] | None = None
    forms: tuple[str, ...] = (JSON,)
    most_bytes: int | None = None  # where it may be larger than the server's settings say
    others: Mapping[str, Described] = field(default_factory=dict)  # by media type, where a form has its own schema


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply is the answer with one status: a record as JSON, or content by media type; None means no body."""

    says: str
    content: type | Mapping[str, type | Described] | None = None
    headers: tuple[Header, ...] = ()

    @property
    def forms(self) -> Mapping[str, type | Described]:
        """Give what the answer consists of, by media type."""
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
    """Whether the answer carries the headers of the rate limit."""


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
    "history",
    "notifications",
    "service",
]
Access = Literal["token", "optional", "public"]
Scope = Literal["play", "read", "webhooks", "main"]
SCOPES: Final = ("play", "read", "webhooks")
"""The scopes that a token may have."""
MAIN: Final = "main"
"""The scope of operations that take the main token alone."""
_OF_THE_ACCOUNT: Final = ("players", "notifications")
"""The tags of operations that take the main token, unless the operation says otherwise."""

Made = Literal["players", "matches", "groups", "mails", "trades"]
"""The kinds of things whose number is limited for each address and hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation is one method of one path.

    `refuses` are the codes of its refusals that do not follow from the rest (`api.http.openapi_refusals`).
    """

    tag: Tag
    replies: Mapping[int, Reply]
    access: Access = "token"
    scope: Scope | None = None
    """The scope that a token needs, if that does not follow from the tag and the method."""
    parameters: tuple[Parameter, ...] = ()
    query: Schema | None = None
    body: Body | None = None
    refuses: tuple[str, ...] = ()
    needs_database: bool = True
    any_form: bool = False
    """Whether the header `Accept` is ignored."""
    leads_browsers: bool = False
    """Whether a browser, which asks for a page, is led to one."""
    cost_per_kib: int = 0
    """As how many further requests each 1,024 bytes of its body count."""
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
        """Whether a request may make it depend on an `ETag`."""
        return any(one.name in CONDITIONS for one in self.parameters)

    @property
    def forms(self) -> tuple[str, ...]:
        """Give the media types of what it answers, refusals apart."""
        return tuple({form: None for reply in self.replies.values() for form in reply.forms}) or (JSON,)


_OPERATIONS: Final[dict[Callable[..., Any], Operation]] = {}


def operation_of(app: Flask, endpoint: str | None) -> Operation | None:
    """Return the operation of an endpoint's view function, or None."""
    view = app.view_functions.get(endpoint or "")
    return None if view is None else _OPERATIONS.get(view)


# --- What many operations share ---------------------------------------------------------------------------


LOCATION: Final = Header("Location", "The address of the new resource.")
ETAG: Final = Header(
    "ETag",
    "The version of the match, or a mark of the inbox, of notes or of the catalogue.",
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
    "Tells proxies to pass on streams without buffering.",
    {"type": "string", "const": "no"},
    required=False,
)
CONTENT_POLICY: Final = Header("Content-Security-Policy", "The page loads nothing from other servers.")
RETRY_AFTER: Final = Header("Retry-After", "In how many seconds to try again.", {"type": "integer", "minimum": 1})
WHO: Final = Header("WWW-Authenticate", "How to say who you are.")

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
)
"""Answers have these headers, which the description says once, in words. Of pages, some lack those of the limits."""

MATCH_ID: Final = Parameter("match_id", "path", "The id of the match.", example="8n9y4jktn4n1gzhahebf")
NOT_MODIFIED: Final = Reply("You have it already.", headers=(ETAG, PREFERENCE_APPLIED))
