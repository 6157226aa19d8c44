"""Tests the description of the API: generated, complete and stable for clients."""

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
from api.http.openapi_refusals import COMMON
from api.http.openapi_sharing import FIELDS
from api.http.problems import KINDS
from api.resources import docs_routes
from domain.games.catalogue import GAMES
from domain.match.match_parts import EVENTS, SEAT_COMMANDS
from events.notify.notices import KINDS as KINDS_OF_NOTICES
from events.notify.notices import TEST
from tests.api.breaking_changes import whole
from tests.api.description import (
    FILE,
    SPEC,
    STRICT,
    Described,
    check,
    implied_codes,
    mapping_of,
    resolved,
    validator,
    whole_operations,
)

ROOT = Path(__file__).resolve().parents[2]
OF_PAGES = ("/play/static/{name}", "/play/games/{game}/verify.mjs", "/embed/{match_id}", "/oembed")
OF_TEXTS = ("/llms.txt", "/docs/{page}.md", "/docs/how-to/{page}.md", "/docs/rules/{book}.md")
OWN_FILES = {(path, "GET") for path in (*OF_PAGES, *OF_TEXTS)}
"""Parts of pages, and texts for language models: they are no operations."""


def camel(*names):
    """Return the name of a component, such as `CrazyEightsPlayCard`."""
    return "".join(word.capitalize() for name in names for word in name.split("_"))


def operations():
    return list(whole_operations(SPEC))


def test_openapi_file_matches_the_code():
    assert FILE.read_text() == write_yaml(app_with_routes()), "run python3 dev.py openapi"


def test_all_schemas_of_types_have_one_writer():
    others = re.compile(r"schema_components|json\.schema\(|extra_json_schema")
    sources = [path for folder in ("api", "domain", "events") for path in (ROOT / folder).rglob("*.py")]
    assert [path for path in sources if others.search(path.read_text())] == []


@pytest.mark.long
def test_description_is_valid():
    validate(SPEC)


def test_description_has_exactly_the_existing_routes(app):
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD"}
    }
    assert routes - OWN_FILES == {(path, method.upper()) for path, method, _ in operations()}


def test_every_move_command_and_option_has_a_schema():
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


VERBS = frozenset(
    ["Accept", "Audit", "Block", "Cancel", "Check", "Close", "Confirm", "Create", "Decline", "Delete", "Disqualify",
    "End", "Enter", "Erase", "Export", "Get", "Import", "Invite", "Issue", "Leave", "List", "Make", "Mute", "Offer",
    "Open", "Pause", "Practise", "Rank", "Read", "Recover", "Register", "Reinstate", "Replace", "Replay", "Report",
    "Request", "Resolve", "Rest", "Resume", "Return", "Revoke", "Rotate", "Search", "Send", "Set", "Show", "Start",
    "Suspend", "Take", "Test", "Try", "Unblock", "Unmute", "Unsubscribe", "Update", "Verify", "Withdraw"]
)  # fmt: skip


def test_summary_of_an_operation_is_a_verb_and_a_resource():
    summaries = [operation["summary"] for _, _, operation in operations()]
    assert [one for one in summaries if one.split()[0] not in VERBS or len(one.split()) < 2] == []


def test_title_of_a_problem_has_at_most_five_words():
    assert [kind.title for kind in KINDS.values() if len(kind.title.split()) > 5] == []


def test_every_description_adds_to_its_summary():
    hooks = [hook["post"] for hook in SPEC["webhooks"].values() if "description" in hook["post"]]
    said = {one["operationId"]: one for one in [*(operation for _, _, operation in operations()), *hooks]}
    poor = [
        name
        for name, one in said.items()
        if told(one["description"]).startswith((told(one["summary"]), "Needs the main", "A sc"))
    ]
    assert poor == []


def told(text):
    """Return a text without differences that writers ignore."""
    return re.sub(r"\W+", " ", text).strip()


def test_every_component_is_used():
    text = str(SPEC)
    for kind, components in SPEC["components"].items():
        if kind != "securitySchemes":
            assert [name for name in components if f"#/components/{kind}/{name}'" not in text] == [], kind


# --- What differs from game to game ---------------------------------------------------------------------


def kinds_of(name):
    """Return the schemas named by a discriminator by value, the other schemas, and its property."""
    union = SPEC["components"]["schemas"][name]
    mapped = {value: at.rsplit("/", 1)[-1] for value, at in mapping_of(union).items()}
    others = [one["$ref"].rsplit("/", 1)[-1] for one in union["oneOf"]]
    return mapped, [one for one in others if one not in mapped.values()], union["discriminator"]["propertyName"]


UNIONS = [name for name, schema in SPEC["components"]["schemas"].items() if "discriminator" in schema]


@pytest.mark.parametrize("name", UNIONS)
def test_each_discriminator_value_matches_exactly_one_schema(name):
    mapped, others, at = kinds_of(name)
    for value, kind in mapped.items():
        assert whole(SPEC, SPEC["components"]["schemas"][kind])["properties"][at]["const"] == value
    for other in others:
        of = whole(SPEC, SPEC["components"]["schemas"][other])["properties"][at]
        assert set(of["not"]["enum"]) == set(mapped)


def test_events_are_distinguished_by_type():
    types, others, _ = kinds_of("Event")
    assert set(types) == {cls.__name__ for cls in (*EVENTS, *(cls for game in GAMES.values() for cls in game.events))}
    assert others == ["UninstalledEvent"]


def test_schemas_of_several_games_are_distinguished_by_game():
    for name in ("MatchRequest", "GroupRequest", "TournamentRequest", "Match", "Replay"):
        assert set(kinds_of(name)[0]) == set(GAMES), name


def contents():
    """Yield the JSON content of every body and every success, with its place."""
    for path, method, operation in operations():
        yield f"{method} {path}", resolved(operation.get("requestBody", {})).get("content", {})
        for status, reply in operation["responses"].items():
            if status.startswith("2"):
                yield f"{method} {path} {status}", resolved(reply).get("content", {})


def examples_of(content):
    """Return the examples of some content, or of its schema."""
    named = [resolved(one)["value"] for one in content.get("examples", {}).values()]
    return named or [content["example"]] if named or "example" in content else resolved(content["schema"])["examples"]


def test_every_body_and_successful_answer_has_a_valid_example():
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
    """Yield each media type of each successful answer with content, by operation."""
    for _, _, operation in operations():
        for status, reply in operation["responses"].items():
            for form, of in resolved(reply).get("content", {}).items() if status.startswith("2") else ():
                yield (operation["operationId"], form), of


def test_every_media_type_of_every_successful_answer_has_an_example():
    assert [at for at, of in successes() if not examples_of(of)] == []


def test_non_json_examples_look_like_real_answers(full_table):
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
    """Yield every property of a schema and of the schemas inside it, with its place, but not forbidden ones.

    The value that tells kinds apart needs no description. For properties in `said`, another part of the same object
    has the description.
    """
    parts = [resolved(part).get("properties", {}) for part in schema.get("allOf", ())]
    elsewhere = said | {name for part in parts for name, of in part.items() if "description" in of}
    for name, of in schema.get("properties", {}).items():
        if name not in elsewhere and not {"const", "not"} & of.keys():
            yield f"{at}.{name}", of
        yield from properties_of(of, f"{at}.{name}")
    for part in schema.get("allOf", ()):
        yield from properties_of(part, at, elsewhere)
    inner = [schema[part] for part in PARTS if isinstance(schema.get(part), dict)]
    for one in inner + [one for part in LISTS for one in schema.get(part, ())]:
        yield from properties_of(one, at)


def described_places():
    """Yield everything that needs a description, with its place."""
    schemas = dict(SPEC["components"]["schemas"])
    calls = operations() + [(name, "post", hook["post"]) for name, hook in SPEC["webhooks"].items()]
    for path, method, operation in calls:
        at = f"{method} {path}"
        for one in map(resolved, operation.get("parameters", ())):
            yield f"{at} {one['in']} {one['name']}", one
            schemas[f"{at} {one['name']}"] = one["schema"]
        for form, content in resolved(operation.get("requestBody", {})).get("content", {}).items():
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
    """A reference is described by its schema, unless it has its own description."""
    places = dict(described_places())
    assert len(places) > 1000
    bare = [at for at, of in places.items() if not (of.get("description") or resolved(of).get("description"))]
    assert bare == [], "\n".join(bare)


def test_example_of_a_recursive_schema_is_finite():
    node = {"$ref": "#/components/schemas/Node"}
    fields = {"parts": {"type": "array", "items": node}, "next": {"anyOf": [node, {"type": "null"}]}}
    schemas = {"Node": {"type": "object", "properties": fields, "required": ["parts", "next"]}}
    assert make_example(node, schemas) == {"parts": [], "next": None}
    assert make_example({"type": "array", "items": node}, schemas) == [{"parts": [], "next": None}]


def test_every_type_of_notification_is_described_with_a_real_example():
    assert set(SPEC["webhooks"]) == {*KINDS_OF_NOTICES, TEST}
    for kind, sent in SPEC["webhooks"].items():
        content = sent["post"]["requestBody"]["content"]["application/json"]
        assert content["example"]["type"] == kind
        assert validator("/components/schemas/SentNotice").is_valid(content["example"])


def test_no_schema_contains_an_unfilled_template():
    assert "x-of-game" not in str(SPEC)


def test_body_schema_has_no_defaults():
    """A generated client would send them and override a preset or other fields."""
    assert validator("/components/schemas/MatchRequest").is_valid({"game": "hearts", "options": {"target_score": 50}})
    found = [name for name, schema in SPEC["components"]["schemas"].items() if "'default':" in str(schema)]
    assert found == []


def test_problems_page_renders_backticks_as_code(stranger):
    page = stranger.get("/docs/problems").text
    assert "`" not in page
    assert "<code>Authorization: Bearer &lt;token&gt;</code>" in page


@pytest.mark.long
@pytest.mark.parametrize(("path", "read"), [
    ("/openapi.json", json.loads), ("/openapi.yaml", lambda data: yaml.load(data, yaml.CSafeLoader)),
])  # fmt: skip
def test_description_is_served_compressed_and_not_repeated_if_unchanged(stranger, path, read):
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


def test_every_problem_code_belongs_to_an_operation():
    named = set(COMMON)
    for path, method, operation in operations():
        named |= {*operation.get("x-problems", ()), *implied_codes(path, method, operation)}
    # No operation answers a method other than its own.
    assert named == set(KINDS) - {"method_not_allowed"}


def test_operation_lists_no_code_that_follows_from_its_form():
    for path, method, operation in operations():
        known = {*COMMON, *implied_codes(path, method, operation)}
        assert known.isdisjoint(operation.get("x-problems", ())), operation["operationId"]


def test_shared_fields_are_found_by_their_descriptions():
    """A changed description would silently describe the field in each schema again."""
    assert [name for name in FIELDS if name not in SPEC["components"]["schemas"]] == []


def test_whole_description_has_at_most_600_kb():
    assert FILE.with_suffix(".json").stat().st_size <= 600_000


def test_undocumented_status_code_is_found(stranger, monkeypatch):
    refused = stranger.get("/v1/matches/none")
    monkeypatch.setattr("tests.api.description.implied_codes", lambda *of: set())
    with pytest.raises(AssertionError, match="does not name not_found"):
        check("GET", "/v1/matches/none", refused)


@pytest.mark.parametrize("form", [docs_routes.YAML, "application/json"])
def test_description_includes_installed_games(app, monkeypatch, form):
    with app.test_request_context():
        from_file = docs_routes._described(form, "")
        monkeypatch.setattr(docs_routes, "BUILT_IN", ())
        monkeypatch.setattr(docs_routes, "_file", None)
        assert docs_routes._described(form, "") == from_file


def test_json_and_yaml_descriptions_are_equal():
    assert json.loads(FILE.with_suffix(".json").read_text()) == SPEC


def test_description_and_docs_page_load_nothing_from_other_hosts(stranger):
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


def test_an_entry_is_refused_with_codes_of_its_game_only():
    entries = {name: game for name, game in GAMES.items() if game.entry}
    assert [name for name, game in entries.items() if set(game.entry.refusals) - set(game.words.refusals)] == []
    taking = {one["operationId"]: one.get("x-problems", ()) for _, _, one in operations()}
    assert "deck_too_small" in taking["createMatch"]
    assert "may_not_attack" not in taking["createMatch"], "a deck does not attack"


# --- Parts of it ----------------------------------------------------------------------------------------


def described(client, query):
    answer = client.get(f"/openapi.json?{query}")
    assert answer.status_code == 200
    return answer.json


def test_core_description_for_bots_fits_in_60_kb(stranger):
    data = stranger.get("/openapi.json?part=core").get_data()
    assert len(data) <= 60_000
    core = json.loads(data)
    assert {one["operationId"] for _, _, one in whole_operations(core)} == set(docs_routes.CORE)
    # The parts of games are open in it.
    assert core["components"]["schemas"]["Match"]["properties"]["options"]["additionalProperties"] is True


def test_games_not_requested_are_left_out(stranger):
    spec = described(stranger, "games=hearts,trio")
    assert set(spec["components"]["schemas"]["Match"]["discriminator"]["mapping"]) == {"hearts", "trio"}
    types = {cls.__name__ for name in ("hearts", "trio") for cls in GAMES[name].events} | {
        cls.__name__ for cls in EVENTS
    }
    kinds = {one["$ref"].rsplit("/", 1)[-1] for one in spec["components"]["schemas"]["Event"]["oneOf"]}
    assert kinds == types | {"UninstalledEvent"}
    assert len(json.dumps(spec)) < len(json.dumps(SPEC))


def test_description_of_one_game_has_exactly_the_fields_of_its_events(stranger):
    one = described(stranger, "games=hearts")["components"]["schemas"]["MatchCreated"]
    assert one["allOf"][1]["properties"]["data"]["properties"]["options"]["$ref"].endswith("/HeartsMatchOptions")


def test_core_description_with_a_game_includes_its_table_and_moves(stranger):
    schemas = described(stranger, "part=core&games=hearts")["components"]["schemas"]
    assert {"HeartsTable", "HeartsPlayCard", "PlayCardMove", "TrickTaken"} <= schemas.keys()


@pytest.mark.parametrize("query", ["part=core", "part=core&games=trio", "games=holdem,hearts"])
def test_partial_description_has_no_dangling_references(stranger, query):
    spec = described(stranger, query)
    for at in re.findall(r"'#/components/(\w+)/(\w+)'", str(spec)):
        assert at[1] in spec["components"][at[0]]


@pytest.mark.parametrize("query", ["games=chess", "games=", "part=all", "game=hearts"])
def test_unknown_part_of_the_description_is_refused(stranger, query):
    assert stranger.get(f"/openapi.json?{query}").status_code == 422
    assert stranger.get(f"/openapi.yaml?{query}").status_code == 422
