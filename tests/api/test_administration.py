"""Tests administration over HTTP: the role, its actions, their records, and the secrecy of suspensions."""

import pytest
from sqlalchemy import delete

from api.http.openapi_operations import SCOPES
from domain.administration_events import (
    EVENTS,
    Administration,
    AdministrationStarted,
    RoleGranted,
    find_administration_fault,
)
from events.operations import administration_acts
from events.operations.audit_streams import audit_stream
from events.operations.rebuild import rebuild_kind
from events.service import administration
from events.service.administration import Actor
from events.service.stream_kinds import ADMINISTRATION, ADMINISTRATION_ID
from events.store.schema.administration_schema import administrators, suspensions
from tests.api.client import code
from tests.api.test_chat import says

WHY = "Insults in the chat."
ADMIN = "/v1/admin"


@pytest.fixture
def context(app):
    return app.extensions["dealt"].context


@pytest.fixture
def admin(player, context):
    """Return an administrator."""
    made = player(name="Uma")
    administration.grant_role(context, made.id, "Moderates.")
    return made


def suspend(admin, other, days=7, reason=WHY):
    assert admin.post(f"{ADMIN}/players/{other.id}/suspension", {"days": days, "reason": reason}).status_code == 204


def log(admin):
    """Return the latest actions, without their numbers and times."""
    items, after = [], 0
    while page := admin.get(f"{ADMIN}/log?after={after}").json["items"]:
        items, after = items + page, page[-1]["no"]
    return [(one["type"], one["about"], one["by"], one["reason"]) for one in items]


def calls(other, table):
    """Every operation of administrators: the method, the path and the body."""
    reason = {"reason": WHY}
    return [
        ("GET", "/players?q=ann", None),
        ("PATCH", f"/players/{other}", {"name": "X", **reason}),
        ("POST", f"/players/{other}/suspension", {"days": 1, **reason}),
        ("POST", f"/players/{other}/reinstatement", reason),
        ("POST", f"/players/{other}/erasure", reason),
        ("POST", f"/matches/{table}/closing", reason),
        ("GET", "/reports", None),
        ("POST", f"/reports/{other}/resolution", reason),
        ("GET", "/log", None),
    ]


# --- Who may act ------------------------------------------------------------------------------------------


def test_caller_without_the_role_cannot_tell_whether_a_target_exists(ada, ben, context):
    table = ada.creates()
    there, missing = calls(ada.id, table["id"]), calls("8n9y4jktn4n1gzhahebf", "8n9y4jktn4n1gzhahebf")
    said = set()
    for method, path, body in [*there, *missing, *((m, p, {} if b else None) for m, p, b in there)]:
        answer = ben.send(method, ADMIN + path, json=body)
        assert code(answer) == (403, "forbidden"), (method, path)
        said.add(answer.data)
    assert len(said) == 1


def test_anonymous_callers_are_refused(stranger):
    for method, path, body in calls("x", "x"):
        assert code(stranger.send(method, ADMIN + path, json=body)) == (401, "unauthenticated")


def test_only_tokens_with_the_scope_act_for_an_administrator(admin, ben, app):
    for scope in SCOPES:
        made = admin.post("/v1/players/me/tokens", {"name": "tool", "scopes": [scope]}).json["token"]
        asked = type(admin)(app, made).get(f"{ADMIN}/log")
        assert (asked.status_code == 200) == (scope == "admin"), scope


def test_revoked_administrators_can_do_nothing(admin, ben, context):
    administration.revoke_role(context, admin.id, "Left.")
    assert code(admin.get(f"{ADMIN}/log")) == (403, "forbidden")
    with pytest.raises(administration.Forbidden):
        administration_acts.suspend_player(context, Actor(admin.id, WHY), ben.id, 1)


# --- Suspension -------------------------------------------------------------------------------------------


def test_suspended_player_is_refused_with_the_end_and_the_reason(admin, ben, clock):
    suspend(admin, ben, days=7)
    refused = ben.post("/v1/matches", {})
    assert code(refused) == (403, "suspended")
    assert WHY in refused.json["detail"]
    assert "2026-" in refused.json["detail"]
    clock.passes(7 * 24 * 3600 - 1)
    assert code(ben.post("/v1/matches", {})) == (403, "suspended")
    clock.passes(1)
    assert ben.creates()


def test_suspended_player_makes_no_move_and_writes_no_message(admin, playing):
    table, players, seat = playing()
    suspend(admin, players[seat])
    move = players[seat].sees(table)["legal_moves"][0] if "legal_moves" in players[seat].sees(table) else {}
    assert code(players[seat].post(f"{table.path}/moves", {"move": move})) == (403, "suspended")
    assert code(players[seat].post(f"{table.path}/chat", {"text": "Hello"})) == (403, "suspended")


def test_suspended_player_can_read_and_leave(admin, ben):
    suspend(admin, ben)
    assert ben.get("/v1/players/me").status_code == 200
    assert ben.delete("/v1/players/me/tokens").status_code == 204
    assert ben.delete("/v1/players/me").status_code == 204


def test_scoped_token_of_a_suspended_player_is_refused(admin, ben, app):
    made = ben.post("/v1/players/me/tokens", {"name": "bot", "scopes": ["play", "read"]}).json["token"]
    suspend(admin, ben)
    assert code(type(ben)(app, made).post("/v1/matches", {})) == (403, "suspended")


def test_others_see_nothing_of_a_suspension(admin, ada, ben):
    paths = [f"/v1/players/{ben.handle}", f"/v1/players/{ben.handle}/ratings", "/v1/matches"]
    before = [ada.get(path).json for path in paths]
    suspend(admin, ben)
    assert [ada.get(path).json for path in paths] == before


def test_reinstated_player_can_play(admin, ben):
    suspend(admin, ben)
    path = f"{ADMIN}/players/{ben.id}/reinstatement"
    assert admin.post(path, {"reason": "An error."}).status_code == 204
    assert ben.creates()
    assert code(admin.post(path, {"reason": "An error."})) == (404, "not_found")


# --- Other acts -------------------------------------------------------------------------------------------


def test_administrator_finds_players_by_id_name_and_handle(admin, ben, clock):
    found = [admin.get(f"{ADMIN}/players?q={text}").json["items"] for text in (ben.id, ben.handle.upper())]
    assert [one["id"] for items in found for one in items if one["id"] == ben.id] == [ben.id] * 2
    assert ben.id in [one["id"] for one in admin.get(f"{ADMIN}/players?q=ben").json["items"]]
    suspend(admin, ben)
    (one,) = admin.get(f"{ADMIN}/players?q={ben.id}").json["items"]
    assert (one["reason"], one["administrator"], one["suspended_until"] is None) == (WHY, False, False)


def test_administrator_renames_a_player(admin, ben):
    body = {"name": "Player 7", "reason": "It was offensive."}
    assert admin.patch(f"{ADMIN}/players/{ben.id}", body).status_code == 204
    assert ben.get("/v1/players/me").json["name"] == "Player 7"
    assert "Player 7" not in str(log(admin))


def test_refused_renaming_is_not_recorded(admin, ada, ben):
    before = log(admin)
    body = {"handle": ada.handle, "reason": "It was offensive."}
    assert code(admin.patch(f"{ADMIN}/players/{ben.id}", body)) == (409, "handle_taken")
    assert log(admin) == before


def test_administrator_erases_a_player(admin, ben):
    assert admin.post(f"{ADMIN}/players/{ben.id}/erasure", {"reason": "Asked by mail."}).status_code == 204
    assert code(ben.get("/v1/players/me")) == (401, "unauthenticated")
    assert log(admin)[-1] == ("PersonErased", ben.id, admin.id, "Asked by mail.")


def test_administrator_cancels_a_lobby(admin, ada):
    table = ada.creates(open_table=True)
    assert admin.post(f"{ADMIN}/matches/{table['id']}/closing", {"reason": "Its name is offensive."}).status_code == 204
    assert ada.sees(table)["status"] == "cancelled"
    assert code(admin.post(f"{ADMIN}/matches/{table['id']}/closing", {"reason": "Again."})) == (409, "wrong_phase")


def test_administrator_stops_a_running_match_without_a_result(admin, ada):
    table = ada.creates()
    assert ada.sees(table)["status"] == "playing"
    assert admin.post(f"{ADMIN}/matches/{table['id']}/closing", {"reason": "Its name is offensive."}).status_code == 204
    seen = ada.sees(table)
    assert (seen["status"], seen["result"]) == ("stopped", None)
    assert log(admin)[-1][0] == "MatchClosed"
    assert code(admin.post(f"{ADMIN}/matches/{table['id']}/closing", {"reason": "Again."})) == (409, "wrong_phase")


# --- The log ----------------------------------------------------------------------------------------------


def test_every_action_is_recorded_with_its_actor_and_reason(admin, ben, context):
    suspend(admin, ben, reason="One.")
    administration_acts.lift_suspension(context, Actor("operator", "Two."), ben.id)
    mine = [one for one in log(admin) if ben.id in one or admin.id in one]
    assert mine == [
        ("RoleGranted", admin.id, "operator", "Moderates."),
        ("PlayerSuspended", ben.id, admin.id, "One."),
        ("SuspensionLifted", ben.id, "operator", "Two."),
    ]


def test_reason_does_not_name_the_player(admin, player):
    other = player(name="Wilhelmina")
    body = {"days": 1, "reason": "Wilhelmina insults people."}
    assert code(admin.post(f"{ADMIN}/players/{other.id}/suspension", body)) == (422, "bad_arguments")


def test_rows_follow_from_the_stream_and_the_audit_passes(admin, ben, context, store):
    suspend(admin, ben)
    rows = [sorted(map(tuple, store.read(table.select()))) for table in (administrators, suspensions)]
    assert all(rows)
    for table in (administrators, suspensions):
        store.change(delete(table))
    list(rebuild_kind(context, ADMINISTRATION))
    assert [sorted(map(tuple, store.read(table.select()))) for table in (administrators, suspensions)] == rows
    report = audit_stream(store, ADMINISTRATION_ID)
    assert report.ok


def test_verification_finds_actions_without_the_role():
    start, grant = AdministrationStarted(), RoleGranted("ann", "operator", WHY)
    act = next(one for one in EVENTS if one.__name__ == "SuspensionLifted")
    assert find_administration_fault("x", [start, grant, act("ben", "ann", WHY)]) is None
    assert find_administration_fault("x", [start, act("ben", "ann", WHY)]).place == 1
    assert find_administration_fault("x", [start, grant, RoleGranted("ben", "ann", WHY)]).place == 2
    assert find_administration_fault("x", [grant]).place == 0
    assert Administration().administrators == frozenset()


# --- Reports ----------------------------------------------------------------------------------------------


@pytest.fixture
def together(ada, ben):
    """Return a match of two people."""
    table = ada.creates(open_table=True)
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    return table


def report(reporter, table, other, *messages, **headers):
    body = {"player": other.handle, "reason": "Insults me.", "messages": list(messages)}
    return reporter.post(f"{table.path}/reports", body, **headers)


def received(admin, state="open"):
    return admin.get(f"{ADMIN}/reports?state={state}").json["items"]


def test_report_keeps_the_messages_that_its_author_deletes(admin, ada, ben, together):
    no = says(ben, together, "You fool").json["no"]
    made = report(ada, together, ben, no)
    assert made.status_code == 201, made.json
    assert ben.delete(f"{together.path}/chat/{no}").status_code == 204
    one = next(one for one in received(admin) if one["id"] == made.json["id"])
    assert [line["text"] for line in one["messages"]] == ["You fool"]
    assert (one["by"]["id"], one["player"]["id"], one["match"]) == (ada.id, ben.id, together["id"])


def test_only_messages_of_the_reported_player_are_evidence(ada, ben, together):
    mine = says(ada, together, "Hello").json["no"]
    for no in (mine, 99):
        assert code(report(ada, together, ben, no)) == (422, "bad_arguments")


def test_only_players_of_the_match_can_report_or_be_reported(ada, ben, player, together):
    cleo = player()
    assert code(report(cleo, together, ben)) == (403, "not_seated")
    assert code(report(ada, together, cleo)) == (422, "bad_arguments")
    assert code(report(ada, together, ada)) == (422, "bad_arguments")


def test_reports_are_limited_per_day(ada, ben, together, clock):
    for _ in range(10):
        assert report(ada, together, ben).status_code == 201
    refused = report(ada, together, ben)
    assert (code(refused), refused.headers["Retry-After"]) == ((429, "too_many_requests"), str(24 * 3600))
    clock.passes(24 * 3600)
    assert report(ada, together, ben).status_code == 201


def test_repeated_request_creates_one_report(admin, ada, ben, together):
    keyed = {"headers": {"Idempotency-Key": "0123456789abcdef" * 2}}
    first, second = report(ada, together, ben, **keyed), report(ada, together, ben, **keyed)
    assert first.json == second.json
    assert [one["id"] for one in received(admin)].count(first.json["id"]) == 1


def test_resolved_report_is_listed_separately_with_its_outcome(admin, ada, ben, together):
    made = report(ada, together, ben).json["id"]
    path = f"{ADMIN}/reports/{made}/resolution"
    assert admin.post(path, {"reason": "Suspended for a week."}).status_code == 204
    assert made not in [one["id"] for one in received(admin)]
    one = next(one for one in received(admin, "resolved") if one["id"] == made)
    assert one["outcome"] == "Suspended for a week."
    (mine,) = ada.get("/v1/players/me/export").json["data"]["reports"]
    assert "outcome" not in mine
    assert log(admin)[-1] == ("ReportResolved", made, admin.id, "Suspended for a week.")


def test_erasure_deletes_reports_about_a_player_and_the_players_name_as_reporter(admin, ada, ben, together):
    about, by = report(ada, together, ben).json["id"], report(ben, together, ada).json["id"]
    assert ben.delete("/v1/players/me").status_code == 204
    found = {one["id"]: one["by"] for one in received(admin)}
    assert about not in found
    assert found[by] is None


def test_suspended_administrators_cannot_read_what_only_administrators_see(player, admin, context):
    other = player(name="Vera")
    administration.grant_role(context, other.id, "Moderates.")
    assert other.get(f"{ADMIN}/log").status_code == 200
    suspend(admin, other)
    for path in ("log", "reports", "players?q=ann"):
        assert code(other.get(f"{ADMIN}/{path}")) == (403, "forbidden")
