"""The description of the API: generated, complete, and for clients the same as ever."""

import dataclasses
import gzip
import json
import re
import tomllib
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
import yaml
from openapi_spec_validator import validate

from api.app import app_with_routes
from api.http.openapi import write_yaml
from api.http.openapi_examples import make_example
from api.http.problems import KINDS
from api.resources import docs_routes
from domain.games.catalogue import GAMES
from domain.match.events import EVENTS
from domain.match.match_parts import SEAT_COMMANDS
from events.notify.notices import KINDS as KINDS_OF_NOTICES
from events.notify.notices import TEST
from tests.api.description import FILE, METHODS, SPEC, Described, check, resolved, validator
from tests.api.shape import Shape

OWN_FILES = {("/play/static/{name}", "GET"), ("/play/games/{game}/verify.mjs", "GET")}  # what pages consist of
REFERENCE = yaml.load((Path(__file__).parent / "openapi_reference.yaml").read_text(), yaml.CSafeLoader)


def camel(*names):
    """Name a component: `CrazyEightsPlayCard`."""
    return "".join(word.capitalize() for name in names for word in name.split("_"))


def operations():
    return [(path, method, operation) for path, methods in SPEC["paths"].items()
            for method, operation in methods.items() if method in METHODS]  # fmt: skip


def test_the_file_is_what_the_code_says():
    assert FILE.read_text() == write_yaml(app_with_routes()), "run python3 dev.py openapi"


@pytest.mark.long
def test_the_description_is_valid():
    validate(SPEC)


def test_every_operation_keeps_its_parameters_codes_and_bodies():
    kept, now = REFERENCE["operations"], Shape(SPEC).operations()
    assert [name for name in kept if not keeps(kept[name], without_what_is_new(kept[name], now.get(name)))] == []


def without_what_is_new(was, now):
    """Leave out what there was not and need not be sent, as parts of a query, further refusals and further forms.

    A request may also be sent in a further form, or with a key, of which the answer tells. A browser, which asks for
    a page, may be led from a match to its table, and gets the page at the root: no program that asks for JSON does.
    """
    known = was["parameters"]
    given = {name: brief for name, brief in now["parameters"].items() if name in known or not is_optional(name)}
    led = {"getMatch": {"303"}, "readRoot": {"200"}}.get(now["id"], set())
    answers = {
        status: brief
        for status, brief in now["answers"].items()
        if status in was["answers"] or (status < "304" and status not in led)
    }
    takes_key = "header Idempotency-Key" in now["parameters"].keys() - known.keys()
    for status in answers.keys() & was["answers"].keys():
        told = answers[status].replace("Idempotency-Replayed ", "") if takes_key else answers[status]
        answers[status] = without_new_forms(was["answers"][status], told)
    body = without_new_forms(was["body"], now["body"]) if was["body"] and now["body"] else now["body"]
    return now | {"parameters": given, "answers": answers, "body": body}


def is_optional(parameter):
    return parameter.startswith("query ") or parameter in {"header If-None-Match", "header Idempotency-Key"}


def without_new_forms(was, now):
    """Leave out forms of an answer that there were not, which `Accept` has to ask for, and new headers for caches."""
    known = {word.partition("=")[0] for word in was.split()}
    new = {word for word in now.split() if ("/" in word or word in FOR_CACHES) and word.partition("=")[0] not in known}
    return " ".join(word for word in now.split() if word not in new)


FOR_CACHES = ("ETag", "Cache-Control", "Vary")


def keeps(was, now):
    """Say whether a part of the description is as it was; of a list of words there may be more now, or a pattern."""
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(keeps(was[name], now[name]) for name in was)
    if isinstance(was, str) and isinstance(now, str) and " of " in was:
        (kind, _, words), (as_now, _, more) = was.partition(" of "), now.partition(" of ")
        if pattern := re.fullmatch(rf"{kind} pattern=(\S+)", now):
            return all(re.search(pattern[1], word) for word in words.split())
        return kind == as_now and set(words.split()) <= set(more.split())
    return was == now or is_nearer(was, now)


def is_nearer(was, now):
    """Say whether an object, a card or a word of which nothing was said is described now."""
    if not isinstance(was, str) or not isinstance(now, str):
        return False
    more = set(now.split()) - set(was.split())
    nearer = all(word == "closed" or word.startswith("pattern=") for word in more)
    return (nearer and set(was.split()) <= set(now.split())) or (was == "string" and now.startswith("string of "))


def found(fields, at):
    """Find a field by its path; what could be missing may always be there now."""
    return fields.get(at) or next((now for path, now in fields.items() if path == at.replace("?", "")), None)


def test_every_schema_that_clients_know_keeps_its_fields():
    kept, now = REFERENCE["schemas"], Shape(SPEC).schemas(REFERENCE["schemas"])
    for name, fields in kept.items():
        assert [at for at, was in fields.items() if not keeps(was, found(now[name], at))] == [], name


def test_no_body_wants_more_than_clients_know_to_send():
    now = Shape(SPEC).schemas(REFERENCE["schemas"])
    sent = {one["body"].split("=")[-1].split()[0] for one in REFERENCE["operations"].values() if one["body"]}
    # A record is sent as it was answered.
    for name in (sent & now.keys()) - {"Record"}:
        new = now[name].keys() - REFERENCE["schemas"][name].keys()
        assert all("?" in at for at in new), name


def test_every_route_is_described_and_every_description_is_routed(app):
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD"}
    }
    assert routes - OWN_FILES == {(path, method.upper()) for path, method, _ in operations()}


def test_what_a_seat_may_send_is_described():
    moves = {(game, name): cls for game, rules in GAMES.items() for name, cls in rules.moves.items()}
    sent = moves | {(name,): cls for name, cls in SEAT_COMMANDS.items()}
    wanted = {camel(*names) for names, cls in sent.items() if dataclasses.fields(cls)}
    assert wanted | {camel(game, "options") for game in GAMES} <= set(SPEC["components"]["schemas"])


def test_the_statuses_of_all_problems_are_described():
    status = {kind.status for kind in KINDS.values()}
    described = {int(status) for _, _, op in operations() for status in op["responses"] if int(status) >= 400}
    # No operation answers for a method that it is not; an address too long is a bad request that says 414.
    assert described == status - {405} | {414}


def test_every_operation_can_become_a_method_of_a_client():
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in SPEC["tags"]}
    assert all(set(operation["tags"]) <= tags and operation["summary"] for _, _, operation in operations())


def test_summary_has_at_most_five_words_and_no_comma():
    hooks = [hook["post"] for hook in SPEC["webhooks"].values()]
    summaries = [one["summary"] for one in [*(operation for _, _, operation in operations()), *hooks]]
    assert [one for one in summaries if len(one.split()) > 5 or "," in one or one.endswith(".")] == []


def test_title_of_a_problem_has_at_most_five_words():
    assert [kind.title for kind in KINDS.values() if len(kind.title.split()) > 5] == []


def test_every_description_says_more_than_its_summary():
    hooks = [hook["post"] for hook in SPEC["webhooks"].values()]
    said = {one["operationId"]: one for one in [*(operation for _, _, operation in operations()), *hooks]}
    poor = [
        name
        for name, one in said.items()
        if told(one["description"]).startswith((told(one["summary"]), "Needs the main", "A sc"))
    ]
    assert poor == []


def told(text):
    """Give a text without what writers do not look at."""
    return re.sub(r"\W+", " ", text).strip()


def test_every_component_is_used():
    text = str(SPEC)
    for kind, components in SPEC["components"].items():
        if kind != "securitySchemes":
            assert [name for name in components if f"#/components/{kind}/{name}'" not in text] == [], kind


# --- What differs from game to game ---------------------------------------------------------------------


def kinds_of(name):
    """Give the schemas that a discriminator names, by its values; those that it does not name; and its property."""
    union = SPEC["components"]["schemas"][name]
    said = union["discriminator"]
    mapped = {value: at.rsplit("/", 1)[-1] for value, at in said["mapping"].items()}
    others = [one["$ref"].rsplit("/", 1)[-1] for one in union["oneOf"]]
    return mapped, [one for one in others if one not in mapped.values()], said["propertyName"]


UNIONS = [name for name, schema in SPEC["components"]["schemas"].items() if "discriminator" in schema]


@pytest.mark.parametrize("name", UNIONS)
def test_of_several_kinds_exactly_one_has_the_value_that_the_discriminator_names(name):
    mapped, others, at = kinds_of(name)
    shape = Shape(SPEC)
    for value, kind in mapped.items():
        assert shape.properties(kind)[at]["const"] == value
    for other in others:
        of = shape.properties(other)[at]
        assert set(of.get("not", {}).get("enum", ())) == set(mapped) or set(of["enum"]) <= set(mapped)


@pytest.mark.parametrize("game", GAMES)
def test_events_are_told_apart_by_their_types(game):
    types, others, _ = kinds_of(camel(game) + "Event")
    assert set(types) == {cls.__name__ for cls in (*GAMES[game].events, *EVENTS)}
    assert others == []


def test_what_is_about_a_game_is_told_apart_by_its_name():
    for name in ("MatchRequest", "GroupRequest", "Match", "ListedMatch", "DealGroup", "EventPage", "MoveMade"):
        assert set(kinds_of(name)[0]) == set(GAMES), name


def contents():
    """Give the content of every body and of every success in JSON, with its place."""
    for path, method, operation in operations():
        yield f"{method} {path}", operation.get("requestBody", {}).get("content", {})
        for status, reply in operation["responses"].items():
            if status.startswith("2"):
                yield f"{method} {path} {status}", resolved(reply).get("content", {})


def test_every_body_and_every_success_has_an_example_that_its_schema_admits():
    wrong = []
    for place, content in contents():
        for form, of in content.items():
            if form.endswith("json") and form != "application/x-ndjson":
                values = [resolved(one)["value"] for one in of.get("examples", {}).values()] or [of.get("example")]
                whole = {**of["schema"], "components": SPEC["components"]}
                wrong += [
                    (place, error.message[:200]) for value in values for error in Described(whole).iter_errors(value)
                ]
    assert wrong == []


def successes():
    """Give each form of each success that has content, by its operation and media type."""
    for _, _, operation in operations():
        for status, reply in operation["responses"].items():
            for form, of in resolved(reply).get("content", {}).items() if status.startswith("2") else ():
                yield (operation["operationId"], form), of


def test_every_form_of_every_success_has_an_example():
    assert [at for at, of in successes() if not (of.get("example") or of.get("examples"))] == []


def test_examples_that_are_no_json_have_the_form_that_the_server_writes(full_table):
    shown = {at: of.get("example") for at, of in successes()}
    table, (player, *_) = full_table()
    player.post(f"{table.path}/chat", {"text": "Good luck!"})
    event = json.loads(shown["listEvents", "application/x-ndjson"])
    schema = {**SPEC["components"]["schemas"]["HeartsEvent"], "components": SPEC["components"]}
    assert list(Described(schema).iter_errors(event)) == []
    # The keys stand in the order in which the server writes them.
    first = player.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).text.splitlines()[1]
    assert list(event) == list(json.loads(first))
    told = player.get(f"{table.path}/events", headers={"Accept": "text/plain"}).text
    for text in (told, shown["listEvents", "text/plain"]):
        assert re.match(r"Hearts: match \w{20}, playing, \d+ events\n\nThree cards", text)
        assert re.search(r"\n\d{4}-\d\d-\d\d, times in UTC\n *1  \d\d:\d\d:\d\d  A match of Hearts for 4 seats", text)
    hand = tomllib.loads(shown["getRecord", "application/toml"])["1"]
    assert hand["variant"] == "NT"
    assert fromstring(shown["getAtom", "application/atom+xml"]).tag == "{http://www.w3.org/2005/Atom}feed"
    assert shown["getCalendar", "text/calendar"].startswith("BEGIN:VCALENDAR\r\n")


PARTS = ("items", "additionalProperties", "unevaluatedProperties")
LISTS = ("oneOf", "anyOf", "prefixItems")


def properties_of(schema, at, said=frozenset()):
    """Give every property of a schema and of those inside it, with its place; what must not be is no part of it.

    Of properties with the names `said` another part of the same object says what they are.
    """
    for name, of in schema.get("properties", {}).items():
        if name not in said:
            yield f"{at}.{name}", of
        yield from properties_of(of, f"{at}.{name}")
    whole = [resolved(part).get("properties", {}) for part in schema.get("allOf", ())]
    elsewhere = {name for part in whole for name, of in part.items() if "description" in of}
    for part in schema.get("allOf", ()):
        yield from properties_of(part, at, elsewhere)
    inner = [schema[part] for part in PARTS if isinstance(schema.get(part), dict)]
    for one in inner + [one for part in LISTS for one in schema.get(part, ())]:
        yield from properties_of(one, at)


def described_places():
    """Give all that is to have a description, with its place."""
    schemas = dict(SPEC["components"]["schemas"])
    calls = operations() + [(name, "post", hook["post"]) for name, hook in SPEC["webhooks"].items()]
    for path, method, operation in calls:
        at = f"{method} {path}"
        for one in map(resolved, operation.get("parameters", ())):
            yield f"{at} {one['in']} {one['name']}", one
            schemas[f"{at} {one['name']}"] = one["schema"]
        for form, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{at} {form}", content["schema"]
            schemas[f"{at} {form}"] = content["schema"]
        for status, reply in operation["responses"].items():
            yield f"{at} {status}", resolved(reply)
            for form, content in resolved(reply).get("content", {}).items():
                schemas[f"{at} {status} {form}"] = content["schema"]
    for name, header in SPEC["components"]["headers"].items():
        yield f"header {name}", header
    for name, schema in schemas.items():
        yield from properties_of(schema, name)


def test_every_property_parameter_header_and_body_is_described():
    """A reference is described where its schema is, unless something is said beside it."""
    places = dict(described_places())
    assert len(places) > 1000
    bare = [at for at, of in places.items() if not (of.get("description") or resolved(of).get("description"))]
    assert bare == [], "\n".join(bare)


def test_an_example_of_what_holds_itself_comes_to_an_end():
    node = {"$ref": "#/components/schemas/Node"}
    fields = {"parts": {"type": "array", "items": node}, "next": {"anyOf": [node, {"type": "null"}]}}
    schemas = {"Node": {"type": "object", "properties": fields, "required": ["parts", "next"]}}
    assert make_example(node, schemas) == {"parts": [], "next": None}
    assert make_example({"type": "array", "items": node}, schemas) == [{"parts": [], "next": None}]


def test_of_what_has_several_kinds_there_is_an_example_of_each():
    for place, content in contents():
        of = content.get("application/json", {})
        name = of.get("schema", {}).get("$ref", "").rpartition("/")[2]
        # The examples of these bodies are written for readers.
        if name in UNIONS and place not in ("post /v1/matches", "post /v1/deal-groups", "post /v1/tournaments"):
            examples, at = of["examples"], kinds_of(name)[2]
            assert set(examples) == set(kinds_of(name)[0]), place
            assert all(resolved(one)["value"][at] == kind for kind, one in examples.items()), place


def test_every_kind_of_notice_is_described_with_a_genuine_example():
    assert set(SPEC["webhooks"]) == {*KINDS_OF_NOTICES, TEST}
    for kind, sent in SPEC["webhooks"].items():
        content = sent["post"]["requestBody"]["content"]["application/json"]
        assert content["example"]["type"] == kind
        assert validator("/components/schemas/SentNotice").is_valid(content["example"])


def test_no_schema_holds_a_template():
    assert "x-of-game" not in str(SPEC)


def test_a_body_leaves_defaults_to_the_server():
    """A client that is generated would send them, though a preset or the other fields say otherwise."""
    assert validator("/components/schemas/MatchRequest").is_valid({"game": "hearts", "options": {"target_score": 50}})
    found = [name for name, schema in SPEC["components"]["schemas"].items() if "'default':" in str(schema)]
    assert found == []


def test_what_is_marked_as_code_on_the_page_of_problems_is_code(stranger):
    page = stranger.get("/docs/problems").text
    assert "`" not in page
    assert "<code>Authorization: Bearer &lt;token&gt;</code>" in page


@pytest.mark.long
@pytest.mark.parametrize(("path", "read"), [
    ("/openapi.json", json.loads), ("/openapi.yaml", lambda data: yaml.load(data, yaml.CSafeLoader)),
])  # fmt: skip
def test_the_description_is_served_compressed_to_those_who_take_it_and_not_again_to_those_who_have_it(
    stranger, path, read
):
    def asks(**headers):
        # The test's own client reads nothing that is compressed.
        return stranger._client.get(path, headers={name.replace("_", "-"): said for name, said in headers.items()})

    plain, short = asks(Accept_Encoding="identity"), asks(Accept_Encoding="gzip, br")
    assert read(plain.data) == read(gzip.decompress(short.data)) == SPEC
    assert (plain.headers.get("Content-Encoding"), short.headers["Content-Encoding"]) == (None, "gzip")
    assert len(short.data) < len(plain.data) / 5
    check("GET", path, plain)
    for answer, form in ((plain, "identity"), (short, "gzip")):
        assert (answer.headers["Vary"], answer.headers["Cache-Control"]) == ("Accept-Encoding", "public, no-cache")
        again = asks(Accept_Encoding=form, If_None_Match=answer.headers["ETag"])
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", answer.headers["ETag"])
        check("GET", path, again)
    # They are two representations, of which neither stands for the other.
    assert plain.headers["ETag"] != short.headers["ETag"]
    assert asks(Accept_Encoding="gzip", If_None_Match=plain.headers["ETag"]).status_code == 200


def test_every_operation_names_the_codes_of_its_refusals():
    for path, method, operation in operations():
        refusals = {status: one for status, one in operation["responses"].items() if status >= "4"}
        assert operation["x-problems"].keys() == refusals.keys(), f"{method} {path}"
        for status, codes in operation["x-problems"].items():
            said = refusals[status].get("description") or resolved(refusals[status])["description"]
            assert re.findall("`([a-z_]+)`", said) == codes, f"{method} {path} {status}"
            assert {KINDS[code].status for code in codes} == {int(status)} or (status, codes) == (
                "414",
                ["bad_request"],
            )


def test_every_code_is_one_of_an_operation():
    named = {code for _, _, operation in operations() for codes in operation["x-problems"].values() for code in codes}
    # No operation answers for a method that it is not.
    assert named == set(KINDS) - {"method_not_allowed"}


def test_every_code_has_its_title():
    assert SPEC["components"]["schemas"]["Problem"]["properties"]["code"]["x-titles"] == {
        code: kind.title for code, kind in KINDS.items()
    }


def test_an_answer_whose_code_the_operation_does_not_name_is_found(stranger, monkeypatch):
    refused = stranger.get("/v1/matches/none")
    monkeypatch.setitem(SPEC["paths"]["/v1/matches/{match_id}"]["get"]["x-problems"], "404", ["forbidden"])
    with pytest.raises(AssertionError, match="does not name not_found"):
        check("GET", "/v1/matches/none", refused)


@pytest.mark.parametrize("form", [docs_routes.YAML, "application/json"])
def test_description_is_written_from_the_code_where_other_games_are_installed(app, monkeypatch, form):
    with app.test_request_context():
        from_file = docs_routes._described(form, "")
        monkeypatch.setattr(docs_routes, "BUILT_IN", ())
        monkeypatch.setattr(docs_routes, "_file", None)
        assert docs_routes._described(form, "") == from_file


def test_description_in_json_says_the_same_as_the_one_in_yaml():
    assert json.loads(FILE.with_suffix(".json").read_text()) == SPEC


def test_description_and_page_are_served_and_load_nothing_from_elsewhere(stranger):
    assert stranger.get("/openapi.yaml").text == FILE.read_text()
    page = stranger.get("/docs")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    for closed in ("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"):
        assert closed in page.headers["Content-Security-Policy"]
    assert re.findall(r'(?:src|href)="((?!/|data:|#)[^"]*)"', page.text) == []
    for path in re.findall(r'(?:src|href)="(/play/static/[^"]*)"', page.text):
        with stranger._client.get(path) as file:
            assert file.status_code == 200
    assert re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=", page.text) == []
