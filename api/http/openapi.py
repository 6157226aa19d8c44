"""Describes the API (OpenAPI 3.1), from the routes, their operations, and the schemas of both sides."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import version
from inspect import cleandoc, getdoc
from typing import Any, Final

import yaml
from flask import Flask
from marshmallow import Schema
from msgspec import json as typed
from werkzeug.routing import Rule

from api.http.openapi_collections import EVENT as COLLECTION_EVENT
from api.http.openapi_collections import OF_TOURNAMENTS, collection_events, tournament_events
from api.http.openapi_events import EVENT, describe_events
from api.http.openapi_examples import add_body_examples, add_examples
from api.http.openapi_games import (
    OF_GAME,
    Games,
    describe_both,
    describe_moves,
    expand_templates,
    game_components,
    without_defaults,
)
from api.http.openapi_operations import (
    EVERYWHERE,
    NOT_MODIFIED,
    UNLISTED,
    Body,
    Header,
    Operation,
    Parameter,
    RefusalAnswer,
    Reply,
    operation_of,
)
from api.http.openapi_orders import describe_orders
from api.http.openapi_refusals import API, COMMON, refusals_of
from api.http.openapi_shapes import compose_pages, drop_unused, keep_essentials, name_objects, set_openness
from api.http.openapi_webhooks import NOTICE_HEADERS, NOTICE_RESPONSES, SentNoticeAnswer, describe_webhooks
from api.http.problems import MEDIA_TYPE, ProblemAnswer
from api.http.strict_fields import schema_of
from domain.core.cards import CARD, Seat
from domain.core.clock import Clock
from domain.core.shown_schema import of_records, of_type
from domain.core.types import parse_hint, text_forms
from domain.games.catalogue import GAMES
from domain.match.creation import Series

Json = dict[str, Any]

_REF: Final = "#/components/{}/{}"
_NOT_MODIFIED: Final = "NotModified"
_PROBLEM: Final = "Problem"
_SAYS_PROBLEM: Final = f"""\
A refusal. Its `code` is one of the `x-problems` of the operation or one that any may have:
{", ".join(f"`{code}`" for code in COMMON)}."""
_HEAD: Final[Json] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Dealt",
        "version": version("dealt"),
        "contact": {"name": "Who runs the server"},
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        "summary": "Card games played over REST.",
        "description": """\
Every move is an event, every shuffle can be proved, and every seat is shown only its own cards.

**Start here**: make a player (`POST /v1/players`), keep the token, create a match (`POST /v1/matches` with
`{"game": "hearts"}` gives one against bots), ask for your legal moves (`GET /v1/matches/{match_id}/moves`) and post one
of the examples back to the same address.

**Authentication.** Send `Authorization: Bearer <token>`. You can read public matches without a token; an invalid token
is refused even there. A match that you may not read is 404, like one that does not exist.

**Scoped tokens** (`POST /v1/players/me/tokens`) have part of the main token's rights. `read` reads all that you may
read, including your cards. `play` creates matches and acts in them. `webhooks` manages webhooks. The extension
`x-scope` of each call names the scope that it needs; `main` means only the main token. Without the required scope, the
call returns 403 `scope_missing`.

**Errors** are `application/problem+json` (RFC 9457) with a `code`; `/docs/problems` explains each. `x-problems` lists
the codes of an operation, and the answer `Problem` those that any operation may have. The first reason
in this order is given: the shape of the request (400, 406, 413, 415), 401, `scope_missing`, 404, the answer to a
repeated `Idempotency-Key`, 422, `match_over`, `not_seated`, 412, then the rules of the game.

**Versions.** Answers about a match carry the number of its last event as `ETag`. `If-Match` is optional: given and
out of date, 412; malformed, 400. Without it a move that lost a race is tried again on the new state. `If-None-Match`
spares what you have (304) where a call takes it.

**Retries.** A POST with an `Idempotency-Key` can be sent again for seven days: it is done once, and a repeat gives the
first successful answer again, with `Idempotency-Replayed: true`. The same key with another body is 422. Refusals are
not remembered. A key belongs to its player, method and path. Creating a player takes no key.

**Waiting.** `wait=N`, or `Prefer: wait=N`, lets a request wait for news up to N seconds (at most 30).

**Parts.** `fields=a,b` in the query of `GET /v1/games`, `GET /v1/matches`, `POST /v1/matches`, `GET /v1/matches/{id}`,
its `moves` and its `events` leaves out all other fields; the answer is then `application/vnd.dealt.part+json`.
`/openapi.json?games=NAME,NAME` describes only these games, and `?part=core` only what a bot needs.

**Limits.** By default, each token, or each address without one, may make 500 requests a second on average and 1,000 in
a burst. Requests with invalid tokens count against their address. `RateLimit` and `RateLimit-Policy` say what is left,
`Retry-After` when to come back. Bodies have at most 64 KiB and are nested at most 32 deep. Unknown fields are refused,
never ignored.

**Browsers.** Pages of all origins may use the API: answers allow any, preflights are answered, and no cookie is ever
read. A stream has its types as `event`; with `?events=message` all its messages reach one listener.

**Ids of requests.** Every answer has an `X-Request-Id`, which the server's log names too: the one that the request
brought (1 to 64 of `0-9 A-Z a-z . _ -`), else a new one.
""",
    },
    "tags": [
        {"name": "players", "description": "You."},
        {"name": "games", "description": "What can be played."},
        {"name": "cards", "description": "Collectible cards: sets, boosters, decks, collections."},
        {"name": "matches", "description": "Tables from creation to final result."},
        {"name": "tournaments", "description": "Rounds of tables, and standings."},
        {"name": "seats", "description": "The seats and their players."},
        {"name": "play", "description": "Moves, and what waits for you."},
        {"name": "orders", "description": "Rules that the server plays for you while you are away."},
        {"name": "talk", "description": "Chat and notes; neither is part of the match."},
        {"name": "history", "description": "The events of a match, and the table as it was."},
        {"name": "notifications", "description": "Webhooks, feeds, mail."},
        {"name": "service", "description": "The server itself."},
    ],
    "security": [{"bearer": []}],
}
_SECURITY: Final[Json] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token that `POST /v1/players` gave, or a scoped one (`POST /v1/players/me/tokens`).",
    }
}
_ACCESS: Final[Mapping[str, Json]] = {
    "token": {},
    "optional": {"security": [{}, {"bearer": []}]},
    "public": {"security": []},
}


def describe_api(app: Flask, root: str = "", games: Games = GAMES, only: Collection[str] = ()) -> Json:
    """Describe all operations of an app, or only those with these ids, for some games; paths are below `root`."""
    routes = [(rule, method, said) for rule, method, said in _routes(app) if not only or _id(app, rule) in only]
    operations = [said for _, _, said in routes]
    refusals = {one.name: one for rule, _, said in routes for one in refusals_of(rule, said)}
    paths: Json = {}
    for rule, method, said in routes:
        paths.setdefault(_path(rule), {})[method] = _operation(app, rule, method, said)
    parameters = _shared_parameters(paths)
    schemas = _schemas(operations, games)
    schemas = name_objects(schemas)
    set_openness(paths, schemas)
    add_body_examples(paths, schemas)
    add_examples(paths, schemas)
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
            },
            "schemas": schemas,
        },
    }
    return drop_unused(keep_essentials(described) if only else described)


def write_yaml(app: Flask, root: str = "", games: Games = GAMES, only: Collection[str] = ()) -> str:
    """Write the description of an app as YAML; see `describe_api`."""
    return yaml.dump(
        describe_api(app, root, games, only),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=120,
        default_flow_style=None,
    )


def write_json(app: Flask, root: str = "", games: Games = GAMES, only: Collection[str] = ()) -> str:
    """Write the description of an app as JSON; each operation and each component has its line."""
    return _as_json(describe_api(app, root, games, only), 3) + "\n"


def _as_json(value: Any, levels: int) -> str:
    """Write a value as JSON, with a line for each field of its upper levels."""
    if not levels or not isinstance(value, dict):
        return typed.encode(value).decode()
    fields = (f"{typed.encode(key).decode()}:{_as_json(part, levels - 1)}" for key, part in value.items())
    return "{\n" + ",\n".join(fields) + "\n}"


class _Dumper(yaml.CSafeDumper):
    """This dumper writes texts of several lines as blocks, and repeats what occurs twice."""

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
    own = [code for codes in refusals_of(rule, said).values() for code in codes if code not in COMMON]
    parameters = [*map(_parameter, said.parameters), *_queried(said)]
    return {
        "operationId": _id(app, rule),
        "tags": [said.tag],
        "summary": summary.removesuffix("."),
        "description": description,
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
    """Describe the query: what its fields say of themselves belongs to the parameter, the rest to its schema."""
    for name, known in schema_of(said.query)["properties"].items() if said.query else ():
        if UNLISTED in known:
            continue
        schema = dict(known)
        description, example = schema.pop("description", None), schema.pop("example", None)
        yield _given(name=name, **{"in": "query"}, description=description, schema=schema, example=example)


def _body(body: Body) -> Json:
    schema = _referred(body.schema) if isinstance(body.schema, Schema) else body.schema
    content = _given(schema=schema, example=body.example, examples=body.examples)
    others = {form: _content(of) for form, of in body.others.items()}
    return {"required": body.required, "content": {**dict.fromkeys(body.forms, content), **others}}


def _shared_parameters(paths: Json) -> Json:
    """Describe once what several operations take alike, and have them refer to it; gives it by its name."""
    taking = [one for methods in paths.values() for one in methods.values() if "parameters" in one]
    counted = Counter(_mark(parameter) for one in taking for parameter in one["parameters"])
    shared: Json = {}
    named: dict[str, str] = {}
    for mark, times in counted.most_common():
        parameter = json.loads(mark)
        name = "".join(word.capitalize() for word in re.split("[-_]", parameter["name"]))
        if times > 1 and name not in shared:
            shared[name], named[mark] = parameter, name
    for one in taking:
        one["parameters"] = [
            {"$ref": _REF.format("parameters", named[mark])} if (mark := _mark(parameter)) in named else parameter
            for parameter in one["parameters"]
        ]
    return shared


def _mark(parameter: Json) -> str:
    return json.dumps(parameter)


def _reply(rule: Rule, reply: Reply) -> Json:
    if reply is NOT_MODIFIED and rule.rule.startswith(API):
        return {"$ref": _REF.format("responses", _NOT_MODIFIED)}
    return _answered(reply.says, reply.headers, {form: _content(of) for form, of in reply.forms.items()})


def _content(of: type | Mapping[str, Any]) -> Json:
    """Describe an answer in one form; what is no JSON brings its example."""
    if not isinstance(of, Mapping):
        return {"schema": {"$ref": _REF.format("schemas", _component(of.__name__))}}
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


def _schemas(operations: list[Operation], games: Games) -> Json:
    """Describe what is answered and what is sent, by name; what is both is described as the check of what is sent."""
    answered = [
        of
        for said in operations
        for reply in said.replies.values()
        for of in reply.forms.values()
        if not isinstance(of, Mapping)
    ]
    _, found = typed.schema_components(
        [*answered, ProblemAnswer, SentNoticeAnswer], ref_template=_REF.format("schemas", "{name}")
    )
    schemas = compose_pages({_component(name): _flat(schema) for name, schema in found.items()})
    bodies = [said.body.schema for said in operations if said.body and isinstance(said.body.schema, Schema)]
    sent: Json = {}
    for body in bodies:
        _add(sent, body)
    whole = {"MatchClock": of_records(Clock), "MatchSeries": of_records(Series)}
    sent_moves = describe_moves(sent["Move"], games) if "Move" in sent else {}
    plain = {
        "JsonSchema": {"type": "object", "description": "A JSON Schema (draft 2020-12)."},
        **expand_templates({**schemas, **{name: without_defaults(of) for name, of in sent.items()}}, games),
        **whole,
        **_events(schemas, games),
        **sent_moves,
        **(describe_orders(games) if games else {}),
        **game_components(games),
    }
    words = {name: dict(form.schema) for name, form in text_forms().items() if "pattern" in form.schema}
    words |= {"SeatNumber": of_type(parse_hint(Seat))}
    named = {_key(of): name for name, of in whole.items()} | {_key(of): name for name, of in words.items()}
    for name in ("Clock", "Series"):
        if name in plain:
            alike, given, shown = describe_both(f"{name}Base", plain[name], whole[f"Match{name}"])
            plain |= {f"{name}Base": alike, name: given, f"Match{name}": shown}
    return {**{name: of if name in whole else _referring(of, named) for name, of in plain.items()}, **words}


def _events(schemas: Json, games: Games) -> Json:
    """Describe the events of matches, collections and tournaments, as far as an operation answers with them."""
    made = describe_events(schemas[EVENT], games) if EVENT in schemas else {}
    made |= collection_events(schemas[COLLECTION_EVENT]) if COLLECTION_EVENT in schemas else {}
    return made | (tournament_events(schemas[OF_TOURNAMENTS]) if OF_TOURNAMENTS in schemas else {})


def _add(sent: Json, schema: Schema) -> None:
    """Describe a schema under its name, and those inside it."""
    inside: list[Schema] = []

    def nested(one: Schema) -> Json:
        inside.append(one)
        return _referred(one)

    name = _component(type(schema).__name__)
    if name in sent:
        return
    doc = getattr(schema, "made_of", type(schema)).__doc__
    sent[name] = schema_of(schema, nested) | _given(description=doc and cleandoc(doc))
    for one in inside:
        _add(sent, one)


def _referred(schema: Schema) -> Json:
    return {"$ref": _REF.format("schemas", _component(type(schema).__name__))}


def _component(name: str) -> str:
    """Name a component: as its class, without what only tells classes apart."""
    return re.sub(r"(Answer|Body)$", "", name)


def _referring(schema: Any, named: Mapping[str, str]) -> Any:
    """Refer to the schemas that have a name, and to that of a card, wherever they stand."""
    if isinstance(schema, list):
        return [_referring(one, named) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if name := named.get(_key(schema)):
        return {"$ref": _REF.format("schemas", name)}
    if name := named.get(_key({key: value for key, value in schema.items() if key not in ("description", "title")})):
        return {"$ref": _REF.format("schemas", name), **_given(description=schema.get("description"))}
    if schema.get("type") == "object" and not {"properties", "additionalProperties", "allOf"} & schema.keys():
        # Said outright: otherwise clients that are generated take it for an object without any fields.
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


def _flat(schema: Any) -> Any:
    """Say `or null` by a list of types, name components, and leave out what only repeats the name."""
    if isinstance(schema, list):
        return [_flat(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _flat(value) for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    if "x-component" in plain:
        return {"$ref": _REF.format("schemas", plain["x-component"]), **_given(description=plain.get("description"))}
    if "$ref" in plain:
        # A mark that names a component leaves the keys of the type that it replaces beside it.
        said = {key: plain[key] for key in ("description", OF_GAME) if key in plain}
        return {"$ref": re.sub(r"(Answer|Body)$", "", plain["$ref"]), **said}
    if "enum" in plain and "type" not in plain:
        plain = {"type": "string", **plain}
    return _united(plain) if "anyOf" in plain else plain


def _united(schema: Json) -> Json:
    """Say by a list of types what a list of schemas admits that differ by their types alone, or by null."""
    kinds, rest = schema["anyOf"], {key: value for key, value in schema.items() if key != "anyOf"}
    if all(set(one) == {"type"} for one in kinds):
        return {"type": [one["type"] for one in kinds], **rest}
    first, *others = kinds
    if others != [{"type": "null"}] or "type" not in first:
        return schema
    words = {"enum": [*first["enum"], None]} if "enum" in first else {}
    return {**first, "type": [first["type"], "null"], **words, **rest}
