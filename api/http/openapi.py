"""Describes the API (OpenAPI 3.1), from the routes, their operations, and the schemas of both sides."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from importlib.metadata import version
from inspect import cleandoc, getdoc
from typing import Any, Final

import yaml
from flask import Flask
from msgspec import json as typed
from werkzeug.routing import Rule

from api.http import openapi_events, openapi_games, openapi_shapes, openapi_sharing
from api.http.openapi_answers import answer_schemas, component_of
from api.http.openapi_events import COLLECTION_EVENT, EVENT, TOURNAMENT_EVENT
from api.http.openapi_examples import add_body_examples, add_examples, drop_inner_examples
from api.http.openapi_operations import (
    EVERYWHERE,
    NOT_MODIFIED,
    Body,
    Header,
    Operation,
    Parameter,
    RefusalAnswer,
    Reply,
    operation_of,
)
from api.http.openapi_orders import describe_orders
from api.http.openapi_refusals import API, COMMON, FOLLOWING, own_codes, refusals_of
from api.http.openapi_webhooks import NOTICE_HEADERS, NOTICE_RESPONSES, TELLS, SentNoticeAnswer, describe_webhooks
from api.http.openapi_webhooks import operation_of as operation_of_notice
from api.http.problems import MEDIA_TYPE, ProblemAnswer
from api.http.request_records import Request, request_schema
from domain.core.cards import CARD, Seat
from domain.core.clock import Clock
from domain.core.type_schema import SHOWN, of_record, of_type
from domain.core.types import parse_hint, text_forms
from domain.games.catalogue import GAMES
from domain.match.creation import Series

Json = dict[str, Any]


def _listed(codes: Iterable[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


_REF: Final = "#/components/{}/{}"
_NOT_MODIFIED: Final = "NotModified"
_PROBLEM: Final = "Problem"
_SAYS_PROBLEM: Final = f"""\
A refusal. Its `code` is one of the `x-problems` of the operation, or follows from its form. Any operation can return
{_listed(COMMON)}. {" ".join(f"Operations {form}: {_listed(codes)}." for form, codes in FOLLOWING.items())}"""
_HEAD: Final[Json] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Dealt",
        "version": version("dealt"),
        "contact": {"name": "The server's operator"},
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        "summary": "Card games played over REST.",
        "description": """\
Every move is an event, every shuffle can be proved, and each seat is shown only its own cards.

**Start here.** Register a player (`POST /v1/players`) and keep the token. Create a match: `POST /v1/matches` with
`{"game": "hearts"}` seats you with bots. List your legal moves (`GET /v1/matches/{match_id}/moves`), and post one of
the examples to the same address.

**Authentication.** Send `Authorization: Bearer <token>`. You can read public matches without a token; an invalid token
is refused even there. A match that you cannot read returns 404, like one that does not exist.

**Scoped tokens** (`POST /v1/players/me/tokens`) have part of the main token's rights. `read` reads all that you can
read, including your cards. `play` creates matches and acts in them. `webhooks` manages webhooks. The extension
`x-scope` of each operation names the scope that it needs; `main` means only the main token. Without that scope, the
operation returns 403 `scope_missing`.

**Errors** are `application/problem+json` (RFC 9457) with a `code`; `/docs/problems` explains each code. `x-problems`
lists the codes of an operation, and the response `Problem` those that follow from its form. If several apply, you get
the first in this order: the form of the request (400, 406, 413, 415), 401, `scope_missing`, 404, the repeated
`Idempotency-Key`, 422, `match_over`, `not_seated`, 412, the rules of the game.

**Versions.** Answers about a match carry the number of its last event as `ETag`. `If-Match` is optional: an outdated
one returns 412, a malformed one 400. Without it, a move that lost a race is tried again on the new state. If an
operation accepts `If-None-Match`, it returns 304 when nothing has changed.

**Retries and idempotency.** You can repeat a POST with the same `Idempotency-Key` for seven days. The server does it
once, and repeats get the first successful answer with `Idempotency-Replayed: true`. The same key with another body
returns 422. Refusals are not remembered. A key belongs to its player, method and path.

**Pagination.** A list returns `items` and `next`. Send `next` as `cursor` to get the next page; at the end it is null.
`limit` is the maximum number of items. For events, send `next` as `after` instead.

**Waiting.** With `wait=N` or `Prefer: wait=N`, a request waits for news for up to N seconds (at most 30).

**Resuming streams.** Resume a stream (`text/event-stream`) with `Last-Event-ID`. One that has ended returns 204, so
that clients stop. If there is no room for another stream, it ends immediately, and `retry` says when to try again.

**Parts.** `fields=a,b` in a query omits all other fields; the answer is then `application/vnd.dealt.part+json`.
`/openapi.json?games=NAME,NAME` describes only these games, and `?part=core` only what a bot needs.

**Rate limits.** By default, each token, or each address without one, can send 500 requests per second on average and
1,000 in a burst. Requests with invalid tokens count for their address. `RateLimit` and `RateLimit-Policy` name
each limit for which the request counts, and show what is left. After 429, wait for `Retry-After` seconds.

**Sizes.** A body has at most 64 KiB and 32 levels. Unknown fields and repeated names are refused, never ignored.

**Deprecation.** Operations that a later version removes have `deprecated: true`. Their answers have `Deprecation` and
`Sunset`, the dates from which they are deprecated and can be removed.

**Browsers.** Pages of all origins can use the API (CORS); the server never reads cookies. A message of a stream has
its type as `event`; with `?events=message`, one listener gets all messages.

**Request ids.** Every answer has an `X-Request-Id`, and the server's log names it. It is the id that you sent (1 to
64 of `0-9 A-Z a-z . _ -`), or a new one.
""",
    },
    "tags": [
        {"name": "players", "description": "Your player, tokens and ratings."},
        {"name": "games", "description": "Games and their rules."},
        {"name": "cards", "description": "Collectible cards: sets, boosters, decks, collections."},
        {"name": "matches", "description": "Matches from creation to result."},
        {"name": "tournaments", "description": "Entries, rounds and standings."},
        {"name": "seats", "description": "Seats and their players."},
        {"name": "play", "description": "Moves, and your inbox."},
        {"name": "orders", "description": "Rules that the server plays for you while you are away."},
        {"name": "talk", "description": "Chat and private notes."},
        {"name": "moderation", "description": "Reports of players, and the work of administrators."},
        {"name": "history", "description": "Events, replays and records."},
        {"name": "notifications", "description": "Webhooks, feeds and mail."},
        {"name": "service", "description": "The server itself."},
    ],
    "security": [{"bearer": []}],
}
_SECURITY: Final[Json] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token from `POST /v1/players`, or a scoped one (`POST /v1/players/me/tokens`).",
    }
}
_ACCESS: Final[Mapping[str, Json]] = {
    "token": {},
    "optional": {"security": [{}, {"bearer": []}]},
    "public": {"security": []},
}


def describe_api(app: Flask, root: str = "", games: openapi_games.Games = GAMES, only: Collection[str] = ()) -> Json:
    """Describe all operations of an app, or only those with these ids, for some games; paths are below `root`."""
    routes = [(rule, method, said) for rule, method, said in _routes(app) if not only or _id(app, rule) in only]
    operations = [said for _, _, said in routes]
    refusals = {one.name: one for rule, _, said in routes for one in refusals_of(rule, said)}
    paths: Json = {}
    for rule, method, said in routes:
        paths.setdefault(_path(rule), {})[method] = _operation(app, rule, method, said)
    schemas = openapi_shapes.name_objects(_schemas(operations, games))
    for share in (
        openapi_sharing.share_fields,
        openapi_sharing.share_terms,
        openapi_sharing.share_data,
        openapi_sharing.share_variants,
    ):
        schemas = share(schemas)
    schemas = deepcopy(schemas)
    openapi_shapes.drop_articles(paths, schemas)
    parameters = openapi_sharing.share_parameters(paths)
    openapi_shapes.set_openness(paths, schemas)
    add_body_examples(paths, schemas)
    add_examples(paths, schemas)
    drop_inner_examples(paths, schemas)
    examples = openapi_sharing.share_examples(paths)
    responses = openapi_sharing.share_responses(paths)
    bodies = openapi_sharing.share_bodies(paths)
    described = {
        **_HEAD,
        "servers": [{"url": root or "/"}],
        "paths": paths,
        "webhooks": {} if only else describe_webhooks(),
        "components": {
            "securitySchemes": _SECURITY,
            "headers": {h.name: _header(h) for h in _headers(operations)},
            "parameters": parameters | NOTICE_HEADERS,
            "responses": {
                _NOT_MODIFIED: _answered(NOT_MODIFIED.says, NOT_MODIFIED.headers, {}),
                _PROBLEM: _refusal(list(refusals.values())),
                **NOTICE_RESPONSES,
                **responses,
            },
            "requestBodies": bodies,
            "examples": examples,
            "schemas": schemas,
        },
    }
    kept = openapi_shapes.drop_unused(openapi_shapes.keep_essentials(described) if only else described)
    return {**kept, "paths": openapi_sharing.lift_parameters(kept["paths"])}


def list_operations(app: Flask) -> dict[str, Json]:
    """List the everyday words of each operation, for the search at `/docs`, and all codes that it can refuse with."""
    routes = {_id(app, rule): (rule, said) for rule, _, said in _routes(app)}
    found: dict[str, Json] = {name: _listed_operation(rule, said) for name, (rule, said) in routes.items()}
    return found | {operation_of_notice(kind): {"searches": words} for kind, (_, words) in TELLS.items()}


def _listed_operation(rule: Rule, said: Operation) -> Json:
    codes = [code for codes in refusals_of(rule, said).values() for code in codes if code not in COMMON]
    return {"searches": said.searches, "problems": codes}


def write_yaml(app: Flask, root: str = "", games: openapi_games.Games = GAMES, only: Collection[str] = ()) -> str:
    """Write the description of an app as YAML; see `describe_api`."""
    return yaml.dump(
        describe_api(app, root, games, only),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=120,
        default_flow_style=None,
    )


def write_json(app: Flask, root: str = "", games: openapi_games.Games = GAMES, only: Collection[str] = ()) -> str:
    """Write the description of an app as JSON; each operation and each component has its line."""
    return _as_json(describe_api(app, root, games, only), 3) + "\n"


def _as_json(value: Any, levels: int) -> str:
    """Write a value as JSON, with a line for each field of its upper levels."""
    if not levels or not isinstance(value, dict):
        return typed.encode(value).decode()
    fields = (f"{typed.encode(key).decode()}:{_as_json(part, levels - 1)}" for key, part in value.items())
    return "{\n" + ",\n".join(fields) + "\n}"


class _Dumper(yaml.CSafeDumper):
    """Writes multi-line texts as blocks, and repeats values instead of using anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def _routes(app: Flask) -> Iterator[tuple[Rule, str, Operation]]:
    for rule in app.url_map.iter_rules():
        said = operation_of(app, rule.endpoint)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if said is not None:
                yield rule, method.lower(), said


def _id(app: Flask, rule: Rule) -> str:
    """Return the id of an operation: the name of its function in camel case."""
    return re.sub("_(.)", lambda found: found[1].upper(), app.view_functions[rule.endpoint].__name__)


def _path(rule: Rule) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)


# --- An operation -----------------------------------------------------------------------------------------


def _operation(app: Flask, rule: Rule, method: str, said: Operation) -> Json:
    view = app.view_functions[rule.endpoint]
    summary, _, description = (getdoc(view) or "").partition("\n\n")
    replies = {str(status): _reply(rule, reply) for status, reply in said.replies.items()}
    own = own_codes(rule, said)
    parameters = [*map(_parameter, said.parameters), *_queried(said)]
    end = said.deprecated
    if end is not None:
        description += f"\n\nDeprecated since {end.since}; can be removed from {end.sunset} on. {end.instead}"
    return {
        "operationId": _id(app, rule),
        "tags": [said.tag],
        "summary": summary.removesuffix("."),
        "description": description,
        **({"deprecated": True} if end else {}),
        **_ACCESS[said.access],
        **_given(**{"x-scope": said.needs(method)}),
        **({"x-problems": own} if own else {}),
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": _body(said.body)} if said.body else {}),
        "responses": replies | {"default": {"$ref": _REF.format("responses", _PROBLEM)}},
    }


def _parameter(one: Parameter) -> Json:
    required: Json = {"required": True} if one.place == "path" else {}
    return _given(
        name=one.name,
        **{"in": one.place},
        **required,
        description=one.says,
        schema=dict(one.schema),
        example=one.example,
    )


def _queried(said: Operation) -> Iterator[Json]:
    """Describe the query: most keywords of a field belong to the parameter, the others to its schema."""
    for name, known in request_schema(said.query)["properties"].items() if said.query else ():
        schema = dict(known)
        description, example = schema.pop("description", None), schema.pop("example", None)
        yield _given(name=name, **{"in": "query"}, description=description, schema=schema, example=example)


def _body(body: Body) -> Json:
    schema = body.schema if isinstance(body.schema, Mapping) else _referred(body.schema)
    content = _given(schema=schema, example=body.example, examples=body.examples)
    others = {form: _content(of) for form, of in body.others.items()}
    return {"required": body.required, "content": {**dict.fromkeys(body.forms, content), **others}}


def _reply(rule: Rule, reply: Reply) -> Json:
    if reply is NOT_MODIFIED and rule.rule.startswith(API):
        return {"$ref": _REF.format("responses", _NOT_MODIFIED)}
    return _answered(reply.says, reply.headers, {form: _content(of, reply.example) for form, of in reply.forms.items()})


def _content(of: type | Mapping[str, Any], example: Any = None) -> Json:
    """Describe an answer in one form; anything but JSON comes with its example."""
    if not isinstance(of, Mapping):
        return _given(schema={"$ref": _REF.format("schemas", component_of(of))}, example=example)
    schema = {key: said for key, said in of.items() if key != "examples"}
    return {"schema": schema, "example": of["examples"][0]}


def _refusal(refusals: list[RefusalAnswer]) -> Json:
    """Describe the answer of every refusal, with the headers that some of them have."""
    headers = {header.name: _header(replace(header, required=False)) for one in refusals for header in one.headers}
    problem = {MEDIA_TYPE: {"schema": {"$ref": _REF.format("schemas", _PROBLEM)}}}
    return {"description": _SAYS_PROBLEM, "headers": headers, "content": problem}


def _answered(description: str, headers: Iterable[Header], content: Json) -> Json:
    refs = {h.name: {"$ref": _REF.format("headers", h.name)} for h in headers if h not in EVERYWHERE}
    rest = {"headers": refs, "content": content}
    return {"description": description} | {name: given for name, given in rest.items() if given}


def _headers(operations: list[Operation]) -> list[Header]:
    own = (header for said in operations for reply in said.replies.values() for header in reply.headers)
    return list({header.name: header for header in own if header not in EVERYWHERE}.values())


def _header(h: Header) -> Json:
    required: Json = {"required": True} if h.required else {}
    return _given(description=h.says, **required, schema=dict(h.schema), example=h.example)


def _given(**parts: Any) -> Json:
    return {name: part for name, part in parts.items() if part is not None}


# --- Schemas ----------------------------------------------------------------------------------------------


def _schemas(operations: list[Operation], games: openapi_games.Games) -> Json:
    """Describe answers and bodies, by name; if one schema is both, describe it as its check."""
    answered = [
        of
        for said in operations
        for reply in said.replies.values()
        for of in reply.forms.values()
        if not isinstance(of, Mapping)
    ]
    schemas = openapi_shapes.compose_pages(answer_schemas([*answered, ProblemAnswer, SentNoticeAnswer]))
    bodies = [said.body.schema for said in operations if said.body and not isinstance(said.body.schema, Mapping)]
    sent: Json = {}
    for body in bodies:
        _add(sent, body)
    whole = {"MatchClock": of_record(Clock, form=SHOWN), "MatchSeries": of_record(Series, form=SHOWN)}
    sent_moves = openapi_games.describe_moves(sent["Move"], games) if "Move" in sent else {}
    plain = {
        "JsonSchema": {"type": "object", "description": "A JSON Schema (draft 2020-12)."},
        **openapi_games.expand_templates(
            {**schemas, **{name: openapi_games.without_defaults(of) for name, of in sent.items()}}, games
        ),
        **whole,
        **_events(schemas, games),
        **sent_moves,
        **(describe_orders(games) if games else {}),
        **openapi_games.game_components(games),
    }
    words = {name: dict(form.schema) for name, form in text_forms().items() if "pattern" in form.schema}
    words |= {"SeatNumber": of_type(parse_hint(Seat))}
    named = {_key(of): name for name, of in whole.items()} | {_key(of): name for name, of in words.items()}
    for name in ("Clock", "Series"):
        if name in plain:
            alike, given, shown = openapi_games.describe_both(f"{name}Base", plain[name], whole[f"Match{name}"])
            plain |= {f"{name}Base": alike, name: given, f"Match{name}": shown}
    return {**{name: of if name in whole else _referring(of, named) for name, of in plain.items()}, **words}


def _events(schemas: Json, games: openapi_games.Games) -> Json:
    """Describe the events of matches, collections and tournaments, as far as an operation answers with them."""
    made = openapi_events.describe_events(schemas[EVENT], games) if EVENT in schemas else {}
    made |= openapi_events.collection_events(schemas[COLLECTION_EVENT]) if COLLECTION_EVENT in schemas else {}
    return made | (openapi_events.tournament_events(schemas[TOURNAMENT_EVENT]) if TOURNAMENT_EVENT in schemas else {})


def _add(sent: Json, cls: Any) -> None:
    """Describe a request, or a record in one, under its name, and the records inside it."""
    inside: list[Any] = []

    def nested(one: Any) -> Json:
        inside.append(one)
        return _referred(one)

    name = component_of(cls)
    if name in sent:
        return
    described = request_schema(cls, nested) if issubclass(cls, Request) else of_record(cls)
    sent[name] = described | _given(description=cleandoc(cls.__doc__) or None)
    for one in inside:
        _add(sent, one)


def _referred(cls: type) -> Json:
    return {"$ref": _REF.format("schemas", component_of(cls))}


def _referring(schema: Any, named: Mapping[str, str]) -> Any:
    """Replace named schemas, and that of a card, by references everywhere."""
    if isinstance(schema, list):
        return [_referring(one, named) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if name := named.get(_key(schema)):
        return {"$ref": _REF.format("schemas", name)}
    if name := named.get(_key({key: value for key, value in schema.items() if key not in ("description", "title")})):
        return {"$ref": _REF.format("schemas", name), **_given(description=schema.get("description"))}
    if schema.get("type") == "object" and not {"properties", "additionalProperties", "allOf"} & schema.keys():
        # This is stated explicitly: otherwise generated clients treat it as an object without fields.
        return {**schema, "additionalProperties": True}
    if schema.get("type") == "array" and not {"items", "prefixItems"} & schema.keys():
        return {**schema, "items": {}}
    if schema.get("pattern") != CARD.schema["pattern"]:
        return {key: _referring(value, named) for key, value in schema.items()}
    card = {"$ref": _REF.format("schemas", "Card")}
    said = {key: schema[key] for key in ("description",) if schema.get(key, CARD.schema[key]) != CARD.schema[key]}
    if isinstance(schema["type"], list):
        return {"anyOf": [card, {"type": "null"}], **said}
    return {**card, **said}


def _key(schema: Json) -> str:
    return json.dumps(schema, sort_keys=True)
