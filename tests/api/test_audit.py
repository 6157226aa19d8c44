"""Tests that everyone with read access to a match can audit it."""

from dataclasses import replace

import pytest

from api.http.app_state import store_app_state
from api.http.client_networks import network_of
from events.proof import limited_process
from events.store.tables import projection_rows, stream_rows
from tests.api.client import code
from tests.bound import Matches

CHECKS = ["chain", "seals", "shuffles", "rules", "result", "moves", "codes", "projections"]


def audited(client, table, query="", **kwargs):
    return client.get(f"{table.path}/audit{query}", **kwargs)


@pytest.fixture
def settings(settings, store):
    """Return the store's own address, for a process that opens it again."""
    return replace(settings, database_url=store.engine.url.render_as_string(hide_password=False))


@pytest.fixture
def app(app, store, clock):
    """Return the app with the functions of the service as methods of its context, as with the default settings."""
    store_app_state(app, replace(app.extensions["dealt"], context=Matches(store, now=clock)))
    return app


def test_audit_passes_for_running_and_finished_matches(ada, stranger, bots):
    table = ada.creates(bots_only=True, short=True)
    first = audited(stranger, table)
    assert first.status_code == 200
    assert first.headers["ETag"] == f'"{first.json["version"]}"'
    assert first.json["ok"]
    assert [check["name"] for check in first.json["checks"]] == CHECKS
    bots(table)
    last = audited(stranger, table).json
    assert last["ok"]
    assert not any(check["skipped"] for check in last["checks"])
    seen = ada.sees(table)
    assert (last["match"], last["game"], last["version"], last["head"]) == (
        table["id"],
        "hearts",
        seen["version"],
        seen["head"],
    )


def test_private_match_can_be_audited_only_by_its_readers(ada, ben, stranger):
    table = ada.creates(private=True)
    assert audited(ada, table).json["ok"]
    for other in (ben, stranger):
        assert code(audited(other, table)) == (404, "not_found")
    assert code(ada.get(f"/v1/matches/{'0' * 20}/audit")) == (404, "not_found")


def test_audit_compares_a_kept_head(playing):
    table, players, _ = playing()
    head = players[0].sees(table)
    version, digest = head["version"], head["head"]
    assert audited(players[0], table, f"?head={version}:{digest}").json["ok"]
    answer = audited(players[0], table, f"?head={version}:{digest}&head={version - 1}:{digest}").json
    assert [check["name"] for check in answer["checks"] if not check["ok"]] == ["chain"]
    assert code(audited(players[0], table, "?head=1:x")) == (422, "bad_arguments")
    assert code(audited(players[0], table, "?at=1")) == (422, "bad_arguments")


def test_audit_names_tampered_data(ada, app, store):
    table = ada.creates()
    head = stream_rows.head(store, table["id"])
    projection_rows.rebuild(store, head.match_no, lambda head, rows: _nobody_waits(app, head, rows))
    answer = audited(ada, table).json
    assert not answer["ok"]
    assert [check["name"] for check in answer["checks"] if not check["ok"]] == ["projections"]


def _nobody_waits(app, head, rows):
    return replace(app.extensions["dealt"].context.projected(head, rows), turns=[])


@pytest.mark.long
def test_long_match_is_audited_in_a_separate_process(playing, monkeypatch):
    table, players, _ = playing()
    here = audited(players[0], table).json
    monkeypatch.setattr("api.resources.audit_routes.SHORT", 0)
    assert audited(players[0], table).json == here
    head = f"?head={here['version']}:{'0' * 64}"
    assert not audited(players[0], table, head).json["ok"]


def test_audit_over_the_computing_limit_is_stopped(ada, monkeypatch, caplog):
    table = ada.creates()
    monkeypatch.setattr("api.resources.audit_routes.SHORT", 0)
    monkeypatch.setattr("api.resources.audit_routes.sys.executable", "/bin/false")
    refused = audited(ada, table)
    assert code(refused) == (503, "unavailable")
    assert "s of computing" in refused.json["detail"]
    assert "An audit ended with 1" in caplog.text


def test_busy_server_refuses_an_audit_with_retry_after(ada, monkeypatch):
    table = ada.creates()
    monkeypatch.setattr("api.resources.audit_routes.SHORT", 0)
    monkeypatch.setitem(limited_process.run_limited.__kwdefaults__, "seconds", 0.01)
    refused = audited(ada, table)
    assert code(refused) == (503, "unavailable")
    assert "too busy" in refused.json["detail"]
    assert int(refused.headers["Retry-After"]) > 0


def test_concurrent_audits_are_limited(ada, app):
    table = ada.creates()
    places = app.extensions["dealt"].auditing
    others = [f"192.0.2.{i}" for i in range(app.extensions["dealt"].settings.dealt_max_audits)]
    for other in others:
        assert places.take(other)
    refused = audited(ada, table)
    assert code(refused) == (503, "unavailable")
    assert int(refused.headers["Retry-After"]) > 0
    places.leave(others[0])
    for _ in others:
        assert audited(ada, table).status_code == 200  # and the place is free again


def test_audit_of_one_match_takes_no_slot_from_others(ada, app):
    """All addresses of an IPv6 network count as one sender, because one person usually has them all."""
    table = ada.creates()
    places = app.extensions["dealt"].auditing
    slow, same, honest = ({"REMOTE_ADDR": f"2001:db8:0:{end}"} for end in ("1::1", "1::2", "2::1"))
    assert places.take(network_of(slow["REMOTE_ADDR"]))
    for of_one in (slow, same):
        assert code(audited(ada, table, environ_overrides=of_one)) == (503, "unavailable")
    assert audited(ada, table, environ_overrides=honest).status_code == 200
    places.leave(network_of(slow["REMOTE_ADDR"]))
    assert audited(ada, table, environ_overrides=same).status_code == 200
