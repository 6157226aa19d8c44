"""Tests the settings for notifications: webhooks, secret feed addresses and mail."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from xml.etree import ElementTree as ET

import pytest

from api.app import create_app
from api.http import server
from api.resources import atom, feed_routes, ical
from events.follow.follower import Follower
from events.notify import mailboxes
from events.notify.handler import NoticeHandler
from events.notify.notices import KINDS
from events.store import leases
from events.store.pending_records import InboxRow
from tests.api.client import Client, code
from tests.notify.log import follow

HOOKS = "/v1/players/me/webhooks"
URL = "https://example.org/dealt"
WIDEST = 75
"""The maximum length of a calendar line in bytes (RFC 5545, 3.1)."""


@pytest.fixture
def hook(ada):
    """Create a webhook for Ada; return the answer."""

    def made(**wanted):
        response = ada.post(HOOKS, {"url": URL} | wanted)
        assert response.status_code == 201, response.json
        return response.json

    return made


# --- Webhooks -------------------------------------------------------------------------------------------


def test_new_webhook_shows_its_secret_once(ada, hook):
    made = hook(events=["match_over", "your_turn"])
    path = f"{HOOKS}/{made['id']}"
    shown = ada.get(path).json
    assert made == shown | {"secret": made["secret"]}
    assert made["secret"].startswith("whsec_")
    assert (shown["state"], shown["events"], shown["url"]) == ("enabled", ["your_turn", "match_over"], URL)
    assert ada.get(HOOKS).json["items"] == [shown]
    assert hook()["events"] == list(KINDS)


def test_webhook_is_private_to_its_player(ada, ben, hook, stranger):
    path = f"{HOOKS}/{hook()['id']}"
    change = {"url": URL, "events": []}
    for answer in (
        ben.get(path), ben.put(path, change), ben.delete(path), ben.post(f"{path}/test"), ben.post(f"{path}/secret"),
        ben.post(f"{path}/replay", {"since": "2026-01-01T00:00:00Z"}), ben.get(f"{path}/deliveries"),
    ):  # fmt: skip
        assert code(answer) == (404, "not_found")
    assert code(stranger.get(path)) == (401, "unauthenticated")
    assert code(stranger.post(HOOKS, {"url": URL})) == (401, "unauthenticated")
    assert ada.get(path).status_code == 200


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "https://u:p@example.org/",
        "https://x:22/",
        "",
    ],
)
def test_forbidden_webhook_address_is_refused_at_creation(ada, hook, url):
    refused = ada.post(HOOKS, {"url": url})
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == ["url"]
    changed = ada.put(f"{HOOKS}/{hook()['id']}", {"url": url, "events": []})
    assert code(changed) == (422, "bad_arguments")


def test_repeated_webhook_creation_returns_the_same_secret(ada, app):
    key = {"Idempotency-Key": "hook"}
    made, again = (ada.post(HOOKS, {"url": URL}, headers=key) for _ in range(2))
    assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, made.json, "true")
    assert len(ada.get(HOOKS).json["items"]) == 1
    assert code(ada.post(HOOKS, {"url": URL, "events": []}, headers=key)) == (422, "idempotency_mismatch")
    ada.delete(f"{HOOKS}/{made.json['id']}")
    assert code(ada.post(HOOKS, {"url": URL}, headers=key)) == (404, "not_found")


def test_player_can_have_at_most_ten_webhooks(ada, hook):
    for _ in range(10):
        hook()
    assert code(ada.post(HOOKS, {"url": URL})) == (409, "too_many_webhooks")


def test_concurrent_requests_respect_the_webhook_limit(ada):
    with ThreadPoolExecutor(12) as pool:
        askers = [Client(ada.app, ada.token) for _ in range(14)]
        made = list(pool.map(lambda asker: asker.post(HOOKS, {"url": URL}).status_code, askers))
    assert sorted(made) == [201] * 10 + [409] * 4
    assert len(ada.get(HOOKS).json["items"]) == 10


def test_webhook_can_be_changed_paused_and_deleted(ada, hook):
    path = f"{HOOKS}/{hook()['id']}"
    paused = ada.put(path, {"url": f"{URL}/2", "events": ["match_over"], "enabled": False}).json
    assert (paused["state"], paused["events"], paused["url"]) == ("paused", ["match_over"], f"{URL}/2")
    assert paused["disabled_at"] is not None
    assert code(ada.post(f"{path}/test")) == (409, "webhook_disabled")
    assert code(ada.post(f"{path}/replay", {"since": "2026-01-01T00:00:00Z"})) == (409, "webhook_disabled")
    enabled = ada.put(path, {"url": URL, "events": ["match_over"]}).json
    assert (enabled["state"], enabled["disabled_at"]) == ("enabled", None)
    assert ada.delete(path).status_code == 204
    assert code(ada.get(path)) == (404, "not_found")


def test_old_webhook_secret_signs_for_a_day_after_a_rotation(ada, hook, clock):
    made = hook()
    path, key = f"{HOOKS}/{made['id']}/secret", {"Idempotency-Key": "rotate"}
    new = ada.post(path, headers=key).json
    assert new["secret"] != made["secret"]
    assert datetime.fromisoformat(new["old_secret_until"]).timestamp() * 1000 == clock() + 86_400_000
    assert ada.post(path, headers=key).json == new
    assert ada.post(path).json["secret"] not in (new["secret"], made["secret"])
    assert code(ada.post(path, headers=key)) == (404, "not_found")


def test_fifth_webhook_secret_in_a_day_is_refused_until_the_first_expires(ada, hook, clock):
    path = f"{HOOKS}/{hook()['id']}/secret"
    assert [ada.post(path).status_code for _ in range(4)] == [201] * 4
    refused = ada.post(path)
    assert code(refused) == (429, "too_many_requests")
    assert refused.headers["Retry-After"] == "86401"
    clock.passes(86_401)
    assert ada.post(path).status_code == 201


def test_tests_and_replays_are_in_the_delivery_log(ada, hook):
    path = f"{HOOKS}/{hook()['id']}"
    notice = ada.post(f"{path}/test").json["notice"]
    (line,) = ada.get(f"{path}/deliveries").json["items"]
    assert (line["notice"], line["type"], line["state"], line["attempts"]) == (notice, "test", "pending", 0)
    assert ada.post(f"{path}/replay", {"notice": notice}).json == {"deliveries": 0}
    assert code(ada.post(f"{path}/replay", {"notice": f"msg_{'a' * 32}"})) == (404, "not_found")
    assert code(ada.post(f"{path}/replay", {})) == (422, "bad_arguments")
    assert ada.post(f"{path}/replay", {"since": "2026-01-01T00:00:00Z"}).json == {"deliveries": 0}


def test_the_log_of_deliveries_is_read_page_by_page(ada, hook, app, store, clock):
    path = f"{HOOKS}/{hook()['id']}"
    made = [ada.post(f"{path}/test").json["notice"] for _ in range(5)]
    first = ada.get(f"{path}/deliveries?limit=3").json
    rest = ada.get(f"{path}/deliveries?limit=3&cursor={first['next']}").json
    assert [line["notice"] for page in (first, rest) for line in page["items"]] == made[::-1]
    assert rest["next"] is None
    assert code(ada.get(f"{path}/deliveries?cursor=x")) == (422, "bad_arguments")


def test_player_sets_the_time_of_deadline_notifications(ada, ben):
    assert ada.get("/v1/players/me/notices").json == {"deadline_near_seconds": 43_200}
    assert ada.put("/v1/players/me/notices", {"deadline_near_seconds": 3_600}).json == {"deadline_near_seconds": 3_600}
    assert ben.get("/v1/players/me/notices").json == {"deadline_near_seconds": 43_200}
    assert code(ada.put("/v1/players/me/notices", {"deadline_near_seconds": 1})) == (422, "bad_arguments")


# --- Feeds ----------------------------------------------------------------------------------------------

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def test_documented_feed_examples_match_the_server():
    due, since = 1_795_341_600_000, 1_795_255_200_000
    turn = InboxRow(1, "8n9y4jktn4n1gzhahebf", "hearts", 0, 21, since, due, "play_card")
    server = "https://dealt.example"
    assert atom.write_feed("3f2a9c51", [turn], server, since).decode() == feed_routes.ATOM
    assert ical.write_calendar([turn], {1: since}, server).decode() == feed_routes.CALENDAR


def addresses(player):
    made = player.post("/v1/players/me/feeds").json
    return [made[name].removeprefix("http://localhost") for name in ("atom", "calendar")]


def test_turn_feed_is_valid_atom(ada, stranger, full_table):
    atom, _ = addresses(ada)
    empty = ET.fromstring(stranger.get(atom).data)
    assert empty.findall("a:entry", ATOM) == []
    table, _ = full_table()
    response = stranger.get(atom)
    assert response.mimetype == "application/atom+xml"
    feed = ET.fromstring(response.data)
    assert feed.tag == f"{{{ATOM['a']}}}feed"
    (entry,) = feed.findall("a:entry", ATOM)
    for element in (feed, entry):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"a:{name}", ATOM)) == 1
        datetime.fromisoformat(element.findtext("a:updated", None, ATOM))
        assert element.findtext("a:id", None, ATOM).startswith("urn:")
    assert feed.findtext("a:author/a:name", None, ATOM)
    assert entry.find("a:link", ATOM).get("href").endswith(f"/v1/matches/{table['id']}")
    assert feed.findtext("a:id", None, ATOM) == empty.findtext("a:id", None, ATOM)
    assert ada.id not in response.text


def unfolded(text):
    """Parse a calendar as RFC 5545 specifies: names and values of its lines."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    lines = text.removesuffix("\r\n").split("\r\n")
    assert all(len(line.encode()) <= WIDEST for line in lines)
    whole = re.sub(r"\r\n[ \t]", "", text).removesuffix("\r\n").split("\r\n")
    return [line.split(":", 1) for line in whole]


def test_deadline_feed_is_a_valid_calendar(ada, stranger, full_table):
    _, calendar = addresses(ada)
    table, _ = full_table(clock={"per_decision_seconds": 86_400})
    response = stranger.get(calendar)
    assert response.mimetype == "text/calendar"
    lines = unfolded(response.text)
    assert lines[0] == ["BEGIN", "VCALENDAR"]
    assert lines[-1] == ["END", "VCALENDAR"]
    names = [name for name, _ in lines]
    assert names.count("BEGIN") == names.count("END") == 4
    event = dict(lines[lines.index(["BEGIN", "VEVENT"]) + 1 :])
    assert event["UID"] == f"{table['id']}-0@dealt"
    due = datetime.strptime(event["DTSTART"], "%Y%m%dT%H%M%SZ")  # noqa: DTZ007 -- in UTC, as it says
    assert due.isoformat() == ada.sees(table)["deadline"].removesuffix(".000Z")
    assert re.fullmatch(r"\d{8}T\d{6}Z", event["DTSTAMP"])
    assert ["VERSION", "2.0"] in lines
    assert "PRODID" in names


@pytest.mark.parametrize("accept", ["application/json", "application/xml, text/xml", "text/plain", "image/png"])
def test_feeds_and_unsubscribe_pages_ignore_the_accept_header(ada, stranger, store, full_table, accept):
    full_table()
    ada.put(EMAIL, {"address": f"{ada.id}@players.example"})
    leave = f"/v1/email/unsubscribe/{mailboxes.mailbox_of(store, ada.id).leave_by}"
    header = {"Accept": accept}
    for path in (*addresses(ada), leave):
        assert stranger.get(path, headers=header).status_code == 200
    assert stranger.send("POST", leave, headers=header).status_code == 200
    assert code(ada.post(f"{EMAIL}/confirmation", {"code": "x"}, headers=header)) == (403, "bad_code")


def test_turn_without_a_deadline_is_not_in_the_calendar(ada, stranger, full_table):
    _, calendar = addresses(ada)
    full_table()
    lines = unfolded(stranger.get(calendar).text)
    assert ["BEGIN", "VEVENT"] not in lines
    assert lines.index(["BEGIN", "VTIMEZONE"]) < lines.index(["TZID", "UTC"]) < lines.index(["END", "VTIMEZONE"])


def test_moved_deadline_is_a_later_revision_of_the_same_calendar_event():
    """RFC 5545, 3.8.7: a calendar program prefers the revision with the greater number."""
    turn = InboxRow(1, "m", "hearts", 0, 5, 1_000_000, 9_000_000)

    def event(turn, revised):
        lines = unfolded(ical.write_calendar([turn], {1: revised}, "https://cards.example").decode())
        return dict(lines[lines.index(["BEGIN", "VEVENT"]) + 1 :])

    before = event(turn, 1_000_000)
    after = event(turn._replace(deadline_ms=90_000_000, version=7), 8_000_000)
    assert before["UID"] == after["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert after["DTSTAMP"] == after["LAST-MODIFIED"] > before["DTSTAMP"] == before["LAST-MODIFIED"]
    assert after["DTSTART"] > before["DTSTART"]


def test_long_calendar_line_with_special_characters_unfolds_correctly():
    """RFC 5545, 3.1 and 3.3.11: `unfolded` checks the bytes of each line."""
    name = "é€😀;,\\" * 20
    turn = InboxRow(1, "m", name, 0, 5, 1_000_000, 9_000_000)
    written = ical.write_calendar([turn], {1: 1_000_000}, "https://cards.example").decode()
    event = dict(unfolded(written)[unfolded(written).index(["BEGIN", "VEVENT"]) + 1 :])
    assert event["SUMMARY"] == "é€😀\\;\\,\\\\" * 20 + ": your turn ends"


def test_unchanged_feed_is_not_sent_again(ada, stranger, full_table):
    for path in addresses(ada):
        had = stranger.get(path)
        assert had.headers["Cache-Control"] == "private, max-age=60"
        again = stranger.get(path, headers={"If-None-Match": had.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    full_table()
    assert stranger.get(path.replace(".ics", ".atom")).headers["ETag"] != had.headers["ETag"]


def test_new_feed_addresses_replace_the_old_ones_and_can_be_revoked(ada, ben, stranger):
    old, new = addresses(ada), addresses(ada)
    assert ada.get("/v1/players/me/feeds").json["issued_at"] is not None
    for path in old:
        assert code(stranger.get(path)) == (404, "not_found")
    for path in new:
        assert stranger.get(path).status_code == 200
        assert len(path.split("/")[3]) >= 32
    assert ada.delete("/v1/players/me/feeds").status_code == 204
    for path in new:
        assert code(stranger.get(path)) == (404, "not_found")
    assert ada.get("/v1/players/me/feeds").json == {"issued_at": None}


def test_repeated_request_returns_the_same_feed_addresses(ada):
    key = {"Idempotency-Key": "feed"}
    made, again = (ada.post("/v1/players/me/feeds", headers=key) for _ in range(2))
    assert made.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    ada.delete("/v1/players/me/feeds")
    assert code(ada.post("/v1/players/me/feeds", headers=key)) == (404, "not_found")


def test_feed_contains_no_card_and_no_name(ada, stranger, playing):
    paths = addresses(ada)
    table, players, _ = playing(clock={"per_decision_seconds": 86_400})
    hand = set(ada.sees(table)["table"]["hand"])
    for path in paths:
        text = stranger.get(path).text.replace(table["id"], "")
        assert not [card for card in hand if re.search(rf"\b{card}\b", text)]
        assert not [player.id for player in players if player.id in text]


def test_feed_addresses_of_an_erased_player_stop_working(ada, stranger, hook, store):
    hook()
    paths = addresses(ada)
    assert ada.delete("/v1/players/me").status_code == 204
    for path in paths:
        assert code(stranger.get(path)) == (404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/feeds/s3cret/turns.atom",
        "/v1/feeds/s3cret",
        "/v1/email/unsubscribe/s3cret",
        "/V1/FEEDS/s3cret/x",
        "/v1/feeds;x/s3cret",
        "/v1/feeds\\s3cret",
        "/v1/feeds%2fs3cret",
        "/v1/feeds\t/s3cret",
        "/v1/feed/s3cret-" + "a" * 25,
    ],
)
def test_secret_feed_address_is_not_in_the_access_log(path):
    logger = server.QuietLogger.__new__(server.QuietLogger)
    environ = {"PATH_INFO": path, "RAW_URI": path, "REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1"}

    class Answer:
        status, sent, headers = "200 OK", 1, ()

    class Asked:
        headers = ()

    import datetime as dt

    shown = logger.atoms(Answer(), Asked(), environ, dt.timedelta(seconds=1))
    assert "s3cret" not in f"{shown['m']} {shown['U']} {shown['s']}"


# --- Mail -----------------------------------------------------------------------------------------------

EMAIL = "/v1/players/me/email"


@pytest.fixture
def settings(settings):
    return replace(
        settings,
        dealt_mail_host="mail.invalid",
        dealt_mail_from="cards@cards.example",
        dealt_public_url="http://localhost",
    )


def test_mail_address_can_be_set_confirmed_and_deleted(ada, store, clock):
    assert code(ada.get(EMAIL)) == (404, "not_found")
    given = ada.put(EMAIL, {"address": f"{ada.id}@players.example", "every_hours": 4}).json
    assert given == {
        "address": f"{ada.id}@players.example",
        "state": "unconfirmed",
        "every_hours": 4,
        "last_mail": None,
    }
    (box,) = leases.claim(store, mailboxes.MAILS, clock(), [(ada.id,)])
    assert mailboxes.set_code(store, box, "abcdef", clock())
    assert code(ada.post(f"{EMAIL}/confirmation", {"code": "wrong"})) == (403, "bad_code")
    assert ada.post(f"{EMAIL}/confirmation", {"code": " ABCDEF "}).json["state"] == "confirmed"
    assert ada.post(f"{EMAIL}/confirmation", {"code": "abcdef"}).json["state"] == "confirmed"
    assert ada.put(EMAIL, {"address": f"{ada.id}@players.example", "every_hours": 8}).json["state"] == "confirmed"
    assert ada.delete(EMAIL).status_code == 204
    assert code(ada.get(EMAIL)) == (404, "not_found")


@pytest.mark.parametrize(
    "address",
    [
        "", "ada", "@x.example", "ada@", "ada@x", "a b@x.example", "ada@x.example\n",
        "ada@x.example\r\nBcc: b@x.example", "a,b@x.example", "ada@x.example,b@x.example", "<ada@x.example>",
        "ada@x..example", "ada@-x.example", "ä@x.example", f"{'a' * 65}@x.example", "ada@" + "a." * 130 + "example",
        '"a b"@x.example', "ada@[127.0.0.1]", "=?utf-8?q?a=0D=0ABcc=3A_v=40e.org?=@x.example", "a=?b@x.example",
        ".ada@x.example", "ada.@x.example", "a..da@x.example",
    ],
)  # fmt: skip
def test_invalid_address_is_refused(ada, address):
    refused = ada.put(EMAIL, {"address": address})
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == ["address"]


def test_number_of_requested_confirmations_is_limited(ada, clock):
    assert ada.put(EMAIL, {"address": f"{ada.id}@players.example"}).status_code == 200
    refused = ada.put(EMAIL, {"address": f"b{ada.id}@players.example"})
    assert code(refused) == (429, "too_many_requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 60


def test_other_players_requests_for_an_address_are_hidden(ada, ben, store, clock):
    answers = [each.put(EMAIL, {"address": f"victim{ada.id}@players.example"}) for each in (ada, ben)]
    assert answers[0].status_code == answers[1].status_code == 200
    assert answers[0].json == answers[1].json
    due = leases.read_earliest(store, mailboxes.MAILS, clock(), 10**6)
    assert ((ada.id,) in due, (ben.id,) in due) == (True, False)


def test_limit_of_confirmation_mails_per_player_is_a_setting(store, settings, clock, ada):
    server = create_app(replace(settings, dealt_mails_of_player_a_day=1), store=store, now=clock)
    asking = Client(server, ada.token)
    assert asking.put(EMAIL, {"address": "one@players.example"}).status_code == 200
    clock.passes(3600)
    assert code(asking.put(EMAIL, {"address": "two@players.example"})) == (429, "too_many_requests")


def test_email_routes_report_a_server_without_mail(store, settings, clock, ada):
    silent = create_app(replace(settings, dealt_mail_host=""), store=store, now=clock)
    assert code(Client(silent, ada.token).put(EMAIL, {"address": f"{ada.id}@players.example"})) == (
        409,
        "no_mail",
    )


def test_unsubscribe_link_changes_nothing_until_a_post_request(ada, stranger, store, clock):
    ada.put(EMAIL, {"address": f"{ada.id}@players.example"})
    path = f"/v1/email/unsubscribe/{mailboxes.mailbox_of(store, ada.id).leave_by}"
    page = stranger.get(path)
    assert (page.mimetype, "<form" in page.text) == ("text/html", True)
    assert "base-uri 'none'; form-action 'self'; frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert ada.get(EMAIL).json["state"] == "unconfirmed"
    one_click = {"Content-Type": "application/x-www-form-urlencoded"}
    for _ in range(2):
        done = stranger.send("POST", path, headers=one_click, data="List-Unsubscribe=One-Click")
        assert done.status_code == 200
    assert ada.get(EMAIL).json["state"] == "unsubscribed"
    for method in ("GET", "POST"):
        assert code(stranger.send(method, "/v1/email/unsubscribe/nobody")) == (404, "not_found")


def test_log_contains_no_secret_addresses_or_codes(ada, stranger, caplog, hook):
    with caplog.at_level(logging.DEBUG):
        made = hook()
        (atom, _) = addresses(ada)
        stranger.get(atom)
    assert made["secret"] not in caplog.text
    assert atom.split("/")[3] not in caplog.text


# --- What nobody may learn ------------------------------------------------------------------------------


def test_player_is_notified_only_of_matches_they_play_in(ada, ben, hook, player, store, clock):
    made = hook()
    hers, his = ada.creates(private=True), ben.creates(private=True)
    follow(store, Follower(store, NoticeHandler(store, now=clock), now=clock).step)
    lines = ada.get(f"{HOOKS}/{made['id']}/deliveries").json["items"]
    assert {line["match"] for line in lines} == {hers["id"]}
    assert his["id"] not in str(lines)
