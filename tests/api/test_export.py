"""Tests the export of a player's data: complete, without secrets and without other people's data."""

import json

import pytest

from events.store.schema.metadata import metadata
from events.store.tables import personal_rows
from events.store.tables.personal_rows import EXPORTED, KEPT_BACK
from tests.api.client import code
from tests.api.test_chat import says, table  # noqa: F401 -- a fixture

EXPORT = "/v1/players/me/export"

OF_PLAYERS = {
    "player_id", "blocked_id", "muted_id", "partner_id", "reported_id", "creator", "organiser", "deleted_by", "owner",
}  # fmt: skip
"""The names of columns that contain a player's id; in tables of leased work, `owner` is a process."""


def test_every_table_that_has_player_ids_is_exported_or_excluded_with_a_reason():
    named = {name for name, one in metadata.tables.items() if OF_PLAYERS & set(one.c.keys())} - {"lanes"}
    assert named == EXPORTED.keys() | KEPT_BACK.keys()
    assert not EXPORTED.keys() & KEPT_BACK.keys()


@pytest.mark.both_databases
def test_export_contains_the_players_texts_and_actions(ada, ben, table):  # noqa: F811
    says(ada, table, "Good luck!")
    ada.put(f"/v1/players/me/blocks/{ben.handle}")
    ada.post("/v1/players/me/tokens", {"name": "my bot", "scopes": ["read"]})
    found = ada.get(EXPORT).json
    assert found["player"] == ada.id
    data = found["data"]
    assert [one["text"] for one in data["messages"]] == ["Good luck!"]
    assert [one["blocked_id"] for one in data["blocks"]] == [ben.id]
    assert [one["name"] for one in data["tokens"]] == ["my bot"]
    assert [one["match_id"] for one in data["seats"]] == [table["id"]]
    assert [(one["name"], one["handle"]) for one in data["players"]] == [(ada.name, ada.handle)]


def test_export_contains_no_secrets_and_no_messages_of_others(ada, ben, table):  # noqa: F811
    says(ben, table, "A secret of Ben")
    made = ada.post("/v1/players/me/tokens", {"name": "my bot", "scopes": ["read"]}).json["token"]
    text = json.dumps(ada.get(EXPORT).json)
    assert [word for word in ("A secret of Ben", made, ada.token, "salt", "hash", "leave_by") if word in text] == []


def test_export_contains_nothing_reserved_for_administrators(ada):
    columns = {f"{name}.{column.name}" for name, one in metadata.tables.items() for column in one.c}
    assert columns >= personal_rows._FOR_ADMINISTRATORS | personal_rows._OF_THE_PARTNER
    shown = {f"{name}.{column.name}" for name in EXPORTED for column in metadata.tables[name].c
             if personal_rows._is_shown(metadata.tables[name], column)}  # fmt: skip
    assert not shown & {"reports.outcome", "ratings.hasty", "ratings.gifts", "ratings.presents", "rating_trusts.trust"}


def test_export_needs_the_main_token(ada, app, stranger):
    made = ada.post("/v1/players/me/tokens", {"name": "my bot", "scopes": ["read"]}).json["token"]
    assert code(type(ada)(app, made).get(EXPORT)) == (403, "scope_missing")
    assert code(stranger.get(EXPORT)) == (401, "unauthenticated")
