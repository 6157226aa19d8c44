"""Lists the refusals of an operation: its own codes, and those that follow from its form."""

from collections.abc import Iterator, Mapping
from typing import Final

from werkzeug.routing import Rule

from api.http.common_fields import HeadsQuery
from api.http.idempotency import IDEMPOTENCY_KEY
from api.http.long_polling import PREFER
from api.http.openapi_operations import ETAG, JSON, RETRY_AFTER, WHO, Operation, RefusalAnswer
from api.http.problems import KINDS

API: Final = "/v1/"
"""The addresses of the API begin with this; the others are pages and checks of health."""

COMMON: Final = (
    "unauthenticated",
    "scope_missing",
    "not_acceptable",
    "too_many_requests",
    "internal_error",
    "unavailable",
)
"""Any operation may refuse with these codes."""

FOLLOWING: Final[Mapping[str, tuple[str, ...]]] = {
    "with a body": ("bad_request", "bad_arguments", "content_too_large", "unsupported_media_type"),
    "with query parameters": ("bad_arguments",),
    "with an object in their path": ("not_found",),
    "with `Idempotency-Key`": ("bad_request", "idempotency_mismatch"),
    "with `If-Match`": ("bad_request",),
    "with `Prefer`": ("too_many_waiters",),
    "with a token, other than GET": ("suspended",),
}
"""The codes that follow from the form of an operation, which it does not list itself."""

_OF_STATUS: Final = {
    one.status: one
    for one in (
        RefusalAnswer("BadRequest", "Malformed request.", 400),
        RefusalAnswer("Unauthenticated", "The token is unknown.", 401, (WHO,)),
        RefusalAnswer("Forbidden", "You may not do this.", 403),
        RefusalAnswer("NotFound", "Not found, or not visible to you.", 404),
        RefusalAnswer("NotAcceptable", "The answer has no form that `Accept` admits.", 406),
        RefusalAnswer("Conflict", "This is not possible in the current state.", 409),
        RefusalAnswer("VersionMismatch", "The match has moved on.", 412, (ETAG,)),
        RefusalAnswer("ContentTooLarge", "Body too large.", 413),
        RefusalAnswer("UriTooLong", "The address is too long.", 414, limited=False),
        RefusalAnswer("UnsupportedMediaType", "The body has the wrong media type.", 415),
        RefusalAnswer("Unprocessable", "The request cannot be carried out.", 422),
        RefusalAnswer("TooManyRequests", "Too many requests; try again later.", 429, (RETRY_AFTER,)),
        RefusalAnswer("InternalError", "Server error.", 500),
        RefusalAnswer("Unavailable", "Temporarily unavailable.", 503, (RETRY_AFTER,)),
    )
}
_CHANGED: Final = {
    "notes_changed": RefusalAnswer("NotesChanged", "Your notes have changed.", 412),
    "deck_changed": RefusalAnswer("DeckChanged", "Your deck has changed.", 412),
    "orders_changed": RefusalAnswer("OrdersChanged", "Your orders have changed.", 412),
}
"""The refusals of resources that are no match, and have no version."""
_NO_PAGE: Final = RefusalAnswer("NoPage", "There is no such page.", 404, limited=False)


def refusals_of(rule: Rule, said: Operation) -> Mapping[RefusalAnswer, tuple[str, ...]]:
    """Return the possible refusals of an operation, each with its codes."""
    found: dict[RefusalAnswer, dict[str, None]] = {}
    for code in (*said.refuses, *_implied_codes(rule, said)):
        found.setdefault(_answer(rule, code), {})[code] = None
    if said.query is not None and issubclass(said.query, HeadsQuery):
        found[_OF_STATUS[414]] = {"bad_request": None}
    return {one: tuple(found[one]) for one in sorted(found, key=lambda one: one.status)}


def own_codes(rule: Rule, said: Operation) -> list[str]:
    """Return the codes of an operation that do not follow from its form."""
    following = {*COMMON, *_implied_codes(rule, said), *(("not_found",) if rule.arguments else ())}
    return [code for code in dict.fromkeys(said.refuses) if code not in following]


def _answer(rule: Rule, code: str) -> RefusalAnswer:
    if code in _CHANGED:
        return _CHANGED[code]
    if code == "not_found" and not rule.rule.startswith(API):
        return _NO_PAGE
    return _OF_STATUS[KINDS[code].status]


def _implied_codes(rule: Rule, said: Operation) -> Iterator[str]:
    """List the codes that follow from the path, the scope and the body of an operation."""
    yield "internal_error"
    if said.access != "public":
        yield from ("unauthenticated", "scope_missing")
    if said.access != "public" and not said.while_suspended and "GET" not in (rule.methods or ()):
        yield "suspended"
    if said.body:
        yield from ("content_too_large", "unsupported_media_type")
    if said.body and said.body.forms == (JSON,):
        yield "bad_request"
    if said.body or said.query:
        yield "bad_arguments"
    if said.takes_condition and "GET" not in (rule.methods or ()):
        yield "bad_request"
    if IDEMPOTENCY_KEY in said.parameters:
        yield from ("bad_request", "idempotency_mismatch")
    if PREFER in said.parameters:
        yield "too_many_waiters"
    if rule.rule.startswith(API):
        yield "too_many_requests"
        if said.needs_database:
            yield "unavailable"
        if not said.any_form:
            yield "not_acceptable"
