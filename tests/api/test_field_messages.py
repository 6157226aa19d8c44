"""Tests the messages about invalid fields: each names the field, the fault and the fix."""

import logging
from dataclasses import MISSING, fields
from typing import NamedTuple

import pytest

from api.app import app_with_routes
from api.http.field_messages import form_of
from api.http.openapi_operations import operation_of
from api.http.record_reader import Faults, read_fields, read_record, read_texts
from api.http.request_records import CheckedBy
from domain.core.options import OMISSIBLE, Length, Odd, Pattern, Range
from domain.core.types import fields_of, key
from domain.games.catalogue import GAMES
from domain.match.creation import Common
from domain.match.move_texts import commands
from tests.api.client import code

OF_NO_TYPE = 3.5
OWN = ["There is no such card. `GET /v1/cards` lists all cards."]


class Sent(NamedTuple):
    """A structure that clients send as one object; in a query all values are texts."""

    classes: tuple[type, ...]
    in_query: bool = False

    @property
    def types(self):
        return {key(name): t for cls in self.classes for name, t in fields_of(cls).items()}

    @property
    def required(self):
        known = [f for cls in self.classes for f in fields(cls)]
        return [key(f.name) for f in known if f.default is MISSING and f.default_factory is MISSING]

    def faults(self, given):
        read = read_texts if self.in_query else read_record
        with pytest.raises(Faults) as refused:
            read_fields(self.classes, given) if len(self.classes) > 1 else read(self.classes[0], given)
        return refused.value.sentences


def roots():
    app = app_with_routes()
    for rule in app.url_map.iter_rules():
        said = operation_of(app, rule.endpoint)
        if said and said.query:
            yield said.query.__name__, Sent((said.query,), in_query=True)
        if said and said.body and isinstance(said.body.schema, type):
            yield said.body.schema.__name__, Sent((said.body.schema,))
    for name, game in GAMES.items():
        yield f"{name} options", Sent((game.setup.options, Common))
        for move, cls in commands(game).items():
            yield f"{name} {move}", Sent((cls,))


def inside(name, sent, found):
    """Add a structure and the structures of its fields, by name."""
    if name in found:
        return
    found[name] = sent
    for field, t in sent.types.items():
        for part in parts(t):
            if part.kind == "record":
                inside(f"{name}.{field} {part.of.__name__}", Sent((part.of,)), found)


def parts(t):
    direct = {"row": lambda: [t.of], "either": lambda: t.of, "mapping": lambda: [t.of[1]]}.get(t.kind, list)()
    return [t, *(part for one in direct for part in parts(one))]


SENT: dict[str, Sent] = {}
for root, made in roots():
    inside(root, made, SENT)


def beyond(t):
    """Return values outside the limits of a type."""
    for mark in t.marks:
        match mark:
            case Range() | Odd():
                yield from (mark.low - 1, mark.high + 1)
            case Length(high=int()):
                yield "x" * (mark.high + 1)
            case Pattern():
                yield "!"
            case CheckedBy(form=str()):
                yield "zz" if "enum" in mark.json else "!"
    if t.kind == "words":
        yield "zz"


def wrong_values(t, *, in_query):
    if t.kind != "row":
        yield from (str(value) if in_query else value for value in beyond(t))
    if in_query:
        return
    yield OF_NO_TYPE
    if not t.optional or OMISSIBLE in t.marks:
        yield None


@pytest.mark.parametrize("name", SENT)
def test_message_about_an_invalid_field_describes_a_valid_value(name):
    sent = SENT[name]
    for field, t in sent.types.items():
        for value in wrong_values(t, in_query=sent.in_query):
            found = {place: said for place, said in sent.faults({field: value}).items() if place.split(".")[0] == field}
            text = next(iter(found.values()))
            assert text.startswith("Must be ") or text in OWN, (field, value)
            if text not in OWN and list(found) == [field]:
                assert form_of(t) in text, (field, value)


@pytest.mark.parametrize("name", [name for name, sent in SENT.items() if not sent.in_query])
def test_message_about_an_invalid_item_describes_a_valid_item(name):
    for field, t in SENT[name].types.items():
        if t.kind == "row":
            found = SENT[name].faults({field: [OF_NO_TYPE]})
            assert found[f"{field}.0"] == f"Must be {form_of(t.of)}, not 3.5."


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("InvitationsBody", {"players": ["ann"] * 101}, "Must be a list of 1 to 100 items."),
        ("InvitationsBody", {"players": []}, "Must be a list of 1 to 100 items."),
        ("TokenRequestBody", {"scopes": []}, "Must be a list of at least 1 item."),
    ],
)
def test_message_about_an_invalid_length_names_the_valid_length(name, given, text):
    (field,) = given
    assert SENT[name].faults(given)[field] == text


@pytest.mark.parametrize("name", SENT)
def test_message_about_a_missing_field_describes_the_value(name):
    sent = SENT[name]
    if sent.required:
        found = sent.faults({})
        assert {field: found[field] for field in sent.required} == {
            field: f"Is missing. Send {form_of(sent.types[field])}." for field in sent.required
        }


@pytest.mark.parametrize("name", SENT)
def test_message_about_an_unknown_field_asks_to_remove_it(name):
    assert SENT[name].faults({"zz": "1"})["zz"] == "Is unknown. Remove it, or correct its name."


def test_refusal_names_the_faults_of_all_fields_by_path(ada):
    seats = [{"kind": "me", "level": "steady"}, {"kind": "king", "nonce": 1, "zz": 1}]
    refused = ada.send("POST", "/v1/matches", json={"seats": seats, "clock": {"vacation": 1}, "zz": 1})
    assert list(refused.json["errors"]) == [
        "game", "seats.1.kind", "seats.1.nonce", "seats.1.zz", "clock.vacation", "zz"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "field", "text"),
    [
        ("limit=x", "limit", 'Must be a whole number from 1 to 100, not "x".'),
        ("limit=101", "limit", 'Must be a whole number from 1 to 100, not "101".'),
        ("player=A%20a", "player.0",
         'Must be `me`, the handle of a player or the id of a player, 20 characters of a-z and 0-9, not "A a".'),
        ("created_after=now", "created_after",
         'Must be an ISO 8601 time with its zone, such as 2026-11-28T12:00:00Z, not "now".'),
        ("limit=1&limit=2", "limit", "Is given more than once. Send it once."),
    ],
)  # fmt: skip
def test_detail_names_the_field_the_value_and_the_fix(stranger, query, field, text):
    refused = stranger.get(f"/v1/matches?{query}")
    assert code(refused) == (422, "bad_arguments")
    assert refused.json["errors"] == {field: [text]}
    assert refused.json["detail"] == f"`{field}` {text[0].lower()}{text[1:]}"


def test_detail_counts_the_other_invalid_fields(stranger):
    refused = stranger.get("/v1/matches?limit=x&player=A%20a&status=none")
    assert refused.json["detail"].endswith("`errors` has 2 more fields to fix.")
    assert len(refused.json["errors"]) == 3


def test_long_value_is_not_repeated(stranger):
    refused = stranger.get(f"/v1/matches?limit={'9' * 60}")
    assert refused.json["errors"]["limit"] == ["Must be a whole number from 1 to 100."]


SECRET = "dealt_9f2c51d0a7e34b68"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", f"/v1/matches?limit={SECRET}", None),
        ("POST", "/v1/matches", {"game": SECRET}),
        ("POST", "/v1/matches", {"game": "hearts", "seats": [{"kind": SECRET}]}),
        ("PATCH", "/v1/players/me", {"listed": SECRET}),
    ],
)
def test_invalid_value_is_in_the_answer_but_not_in_the_log(ada, caplog, method, path, body):
    caplog.set_level(logging.DEBUG)
    refused = ada.send(method, path, json=body)
    assert code(refused) == (422, "bad_arguments")
    assert SECRET in str(refused.json["errors"])
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("headers", "detail"),
    [
        ({}, "The header `Content-Type` is missing. Send `Content-Type: application/json`."),
        ({"Content-Type": "text/plain"},
         "The header `Content-Type` is `text/plain`. Send `Content-Type: application/json`."),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"},
         "The header `Content-Encoding` is `gzip`. Omit it, and send the body uncompressed."),
    ],
)  # fmt: skip
def test_wrong_media_type_names_the_header_to_send(stranger, headers, detail):
    refused = stranger.send("POST", "/v1/players", data=b'{"name": "Ada"}', headers=headers)
    assert (code(refused), refused.json["detail"]) == ((415, "unsupported_media_type"), detail)
