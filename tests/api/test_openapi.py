"""The description of the API: generated, complete, and for clients the same as ever."""

import dataclasses
import gzip
import json
import re
import tomllib
from xml.etree.ElementTree import fromstring

import pytest
import yaml
from openapi_spec_validator import validate

from api.app import app_with_routes
from api.http.openapi import write_yaml
from api.http.openapi_examples import make_example
from api.http.openapi_refusals import COMMON
from api.http.problems import KINDS
from api.resources import docs_routes
from domain.games.catalogue import GAMES
from domain.match.events import EVENTS
from domain.match.match_parts import SEAT_COMMANDS
from events.notify.notices import KINDS as KINDS_OF_NOTICES
from events.notify.notices import TEST
from tests.api.breaking_changes import whole
from tests.api.description import FILE, METHODS, SPEC, STRICT, Described, check, mapping_of, resolved, validator

OWN_FILES = {("/play/static/{name}", "GET"), ("/play/games/{game}/verify.mjs", "GET")}  # what pages consist of


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
    mapped = {value: at.rsplit("/", 1)[-1] for value, at in mapping_of(union).items()}
    others = [one["$ref"].rsplit("/", 1)[-1] for one in union["oneOf"]]
    return mapped, [one for one in others if one not in mapped.values()], union["discriminator"]["propertyName"]


UNIONS = [name for name, schema in SPEC["components"]["schemas"].items() if "discriminator" in schema]


@pytest.mark.parametrize("name", UNIONS)
def test_of_several_kinds_exactly_one_has_the_value_that_the_discriminator_names(name):
    mapped, others, at = kinds_of(name)
    for value, kind in mapped.items():
        assert whole(SPEC, SPEC["components"]["schemas"][kind])["properties"][at]["const"] == value
    for other in others:
        of = whole(SPEC, SPEC["components"]["schemas"][other])["properties"][at]
        assert set(of["not"]["enum"]) == set(mapped)


def test_events_are_told_apart_by_their_types():
    types, others, _ = kinds_of("Event")
    assert set(types) == {cls.__name__ for cls in (*EVENTS, *(cls for game in GAMES.values() for cls in game.events))}
    assert others == ["UninstalledEvent"]


def test_what_is_about_a_game_is_told_apart_by_its_name():
    for name in ("MatchRequest", "GroupRequest", "TournamentRequest", "Match", "Replay"):
        assert set(kinds_of(name)[0]) == set(GAMES), name


def contents():
    """Give the content of every body and of every success in JSON, with its place."""
    for path, method, operation in operations():
        yield f"{method} {path}", operation.get("requestBody", {}).get("content", {})
        for status, reply in operation["responses"].items():
            if status.startswith("2"):
                yield f"{method} {path} {status}", resolved(reply).get("content", {})


def examples_of(content):
    """Give the examples of some content, or of its schema."""
    named = [resolved(one)["value"] for one in content.get("examples", {}).values()]
    return named or [content["example"]] if named or "example" in content else resolved(content["schema"])["examples"]


def test_every_body_and_every_success_has_an_example_that_its_schema_admits():
    wrong = []
    for place, content in contents():
        for form, of in content.items():
            if form.endswith("json") and form != "application/x-ndjson":
                whole_schema = {**of["schema"], "components": STRICT["components"]}
                wrong += [
                    (place, error.message[:200])
                    for value in examples_of(of)
                    for error in Described(whole_schema).iter_errors(value)
                ]
    assert wrong == []


def successes():
    """Give each form of each success that has content, by its operation and media type."""
    for _, _, operation in operations():
        for status, reply in operation["responses"].items():
            for form, of in resolved(reply).get("content", {}).items() if status.startswith("2") else ():
                yield (operation["operationId"], form), of


def test_every_form_of_every_success_has_an_example():
    assert [at for at, of in successes() if not examples_of(of)] == []


def test_examples_that_are_no_json_have_the_form_that_the_server_writes(full_table):
    shown = {at: of.get("example") for at, of in successes()}
    table, (player, *_) = full_table()
    player.post(f"{table.path}/chat", {"text": "Good luck!"})
    event = json.loads(shown["listEvents", "application/x-ndjson"])
    schema = {**SPEC["components"]["schemas"]["Event"], "components": SPEC["components"]}
    assert list(Described(schema).iter_errors(event)) == []
    # The keys stand in the order in which the server writes them.
    first = player.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).text.splitlines()[1]
    assert list(event) == list(json.loads(first))
    told = player.get(f"{table.path}/events", headers={"Accept": "text/plain"}).text
    for text in (told, shown["listEvents", "text/plain"]):
        assert re.match(r"Hearts: match \w{20}, playing, \d+ events\n\nThree cards", text)
        assert re.search(r"\n\d{4}-\d\d-\d\d, times in UTC\n *1  \d\d:\d\d:\d\d  A Hearts match with 4 seats", text)
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
    parts = [resolved(part).get("properties", {}) for part in schema.get("allOf", ())]
    elsewhere = said | {name for part in parts for name, of in part.items() if "description" in of}
    for name, of in schema.get("properties", {}).items():
        if name not in elsewhere:
            yield f"{at}.{name}", of
        yield from properties_of(of, f"{at}.{name}")
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


def test_every_code_is_one_of_an_operation():
    named = {code for _, _, operation in operations() for code in operation.get("x-problems", ())} | set(COMMON)
    # No operation answers for a method that it is not.
    assert named == set(KINDS) - {"method_not_allowed"}


def test_an_operation_names_no_code_that_any_may_refuse_with():
    assert [one["operationId"] for _, _, one in operations() if set(one.get("x-problems", ())) & set(COMMON)] == []


def test_every_code_has_its_title_and_status():
    said = SPEC["components"]["schemas"]["Problem"]["properties"]["code"]
    assert said["x-titles"] == {code: kind.title for code, kind in KINDS.items()}
    assert said["x-statuses"] == {code: kind.status for code, kind in KINDS.items()}


def test_an_answer_whose_code_the_operation_does_not_name_is_found(stranger, monkeypatch):
    refused = stranger.get("/v1/matches/none")
    monkeypatch.setitem(SPEC["paths"]["/v1/matches/{match_id}"]["get"], "x-problems", ["forbidden"])
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


# --- Parts of it ----------------------------------------------------------------------------------------


def described(client, query):
    answer = client.get(f"/openapi.json?{query}")
    assert answer.status_code == 200
    return answer.json


def test_core_has_what_a_bot_needs_in_60_kb(stranger):
    data = stranger.get("/openapi.json?part=core").get_data()
    assert len(data) <= 60_000
    core = json.loads(data)
    assert {one["operationId"] for methods in core["paths"].values() for one in methods.values()} == set(
        docs_routes.CORE
    )
    # The parts of games are open in it.
    assert core["components"]["schemas"]["Match"]["properties"]["options"]["additionalProperties"] is True


def test_games_that_are_not_asked_for_are_left_out(stranger):
    spec = described(stranger, "games=hearts,trio")
    assert set(spec["components"]["schemas"]["Match"]["discriminator"]["mapping"]) == {"hearts", "trio"}
    types = {cls.__name__ for name in ("hearts", "trio") for cls in GAMES[name].events} | {
        cls.__name__ for cls in EVENTS
    }
    kinds = {one["$ref"].rsplit("/", 1)[-1] for one in spec["components"]["schemas"]["Event"]["oneOf"]}
    assert kinds == types | {"UninstalledEvent"}
    assert len(json.dumps(spec)) < len(json.dumps(SPEC))


def test_description_of_one_game_says_exactly_what_its_events_have(stranger):
    one = described(stranger, "games=hearts")["components"]["schemas"]["MatchCreated"]
    assert one["allOf"][1]["properties"]["data"]["properties"]["options"]["$ref"].endswith("/HeartsMatchOptions")


def test_core_with_a_game_has_its_table_and_moves(stranger):
    schemas = described(stranger, "part=core&games=hearts")["components"]["schemas"]
    assert {"HeartsTable", "HeartsPlayCard", "PlayCardMove", "TrickTaken"} <= schemas.keys()


@pytest.mark.parametrize("query", ["part=core", "part=core&games=trio", "games=holdem,hearts"])
def test_a_part_refers_to_nothing_that_it_lacks(stranger, query):
    spec = described(stranger, query)
    for at in re.findall(r"'#/components/(\w+)/(\w+)'", str(spec)):
        assert at[1] in spec["components"][at[0]]


@pytest.mark.parametrize("query", ["games=chess", "games=", "part=all", "game=hearts"])
def test_a_part_that_is_not_there_is_refused(stranger, query):
    assert stranger.get(f"/openapi.json?{query}").status_code == 422
    assert stranger.get(f"/openapi.yaml?{query}").status_code == 422
