"""A game in a separate package, the tutorial's, installed with the server: everything works with it.

Its events, their fields, its phases and the keys of its views have names that no built-in game has.
"""

import json
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import requests
import trustme

from tests.notify.conftest import Receiver
from tests.services import free_port
from tests.system.processes import COMMAND, ROOT, Person, Process, answers, running, until
from tests.system.terminal import Terminal

PACKAGE = ROOT / "docs" / "tutorial" / "high_card"
TABLE = {
    "game": "high_card",
    "clock": {"per_decision_seconds": 86_400},
    "options": {"rounds": 4, "standing_orders": True},
    "seats": [{"kind": "me"}, {"kind": "bot", "level": "steady"}, {"kind": "bot", "level": "easy"}],
}
ORDERS = {"orders": [{"if": {"lead": {"min": -9}}, "do": [{"move": "lay", "card": "highest"}]}]}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a directory in which the package is installed."""
    source = shutil.copytree(PACKAGE, tmp_path_factory.mktemp("source") / "high_card")
    site = tmp_path_factory.mktemp("site")
    how = ["--quiet", "--no-deps", "--no-build-isolation", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *how, "--target", site, source], check=True)
    return site


class Server:
    """`dealt serve` on a data directory, with the packages of a site, or without."""

    def __init__(self, data, site=None, **env):
        self.data = data
        self.env = {**env, **({"PYTHONPATH": str(site)} if site else {})}
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.process = Process("serve", "--port", str(port), "--data", str(data), env=self.env)
        until(lambda: answers(self.base) or self.process.popen.poll() is not None, 60)
        assert self.process.popen.poll() is None, self.process.output

    def tells(self, *args, code=0):
        """Return the output of a command `dealt …` on the same data; it must end with this code."""
        return dealt(*args, code=code, **{"DATABASE_URL": f"sqlite:///{self.data / 'dealt.sqlite3'}", **self.env})


def dealt(*args, code=0, **env):
    """Return the output of a command `dealt …`; it must end with this code, and without a traceback."""
    done = subprocess.run([*COMMAND, *map(str, args)], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@contextmanager
def served(data, site=None, **env):
    server = Server(data, site, **env)
    with running(server.process):
        yield server
        assert "Traceback" not in server.process.output
        assert "failed" not in server.process.output


@contextmanager
def person(server):
    somebody = Person(server.base)
    yield somebody
    somebody.session.close()


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    authority = trustme.CA()
    authority.path = tmp_path_factory.mktemp("ca") / "ca.pem"
    authority.cert_pem.write_to_path(str(authority.path))
    return authority


@pytest.fixture(scope="module")
def server(site, authority, tmp_path_factory):
    printed = {
        "SSL_CERT_FILE": str(authority.path), "DEALT_WEBHOOK_NETWORKS": "127.0.0.0/8,::1/128",
        "DEALT_WEBHOOK_PORTS": "1-65535",
    }  # fmt: skip
    with served(tmp_path_factory.mktemp("here"), site, **printed) as server:
        yield server


@pytest.fixture(scope="module")
def ann(server):
    with person(server) as ann:
        yield ann


@pytest.fixture(scope="module")
def match(ann):
    """Return a match that Ann has finished with two bots."""
    match = ann.create(**TABLE)
    assert ann.turns(match) >= 4
    assert ann.see(match)["status"] == "finished"
    return match


@pytest.fixture(scope="module")
def record(ann, match, tmp_path_factory):
    """Return a file with its record."""
    path = tmp_path_factory.mktemp("records") / "high_card.json"
    path.write_text(json.dumps(ann.call("GET", f"/matches/{match}/record")))
    return path


# --- Played -----------------------------------------------------------------------------------------


def test_installed_game_is_listed_with_its_schemas(ann):
    game = ann.call("GET", "/games/high_card")
    assert [item["game"] for item in ann.call("GET", "/games")["items"]][-1] == "high_card"
    assert game["options"]["properties"]["rounds"] == {
        "title": "Rounds",
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 3,
        "description": "The number of rounds of a bout.",
    }
    assert list(game["moves"]) == ["lay"]
    asked = ann.call("GET", game["orders"].removeprefix("/v1"))["properties"]["orders"]["items"]["properties"]["if"][
        "properties"
    ]
    assert list(asked) == ["lead"]


def test_match_of_an_installed_game_can_be_played_shown_and_replayed(ann, match):
    seen = ann.see(match)
    assert seen["table"]["stage"] == seen["scene"]["phase"] == "closed"
    rounds = seen["table"]["round"]
    assert (sum(seen["result"]["scores"]), rounds % 4) == (4, 0)  # a shared bout is played again
    marks = {mark["at"]: mark["version"] for mark in ann.call("GET", f"/matches/{match}/replay/marks")["items"]}
    assert list(marks)[:5] == ["game:1", "hand:1", "hand:2", "hand:3", "hand:4"]
    assert f"hand:{rounds}" in marks
    then = ann.call("GET", f"/matches/{match}/replay", params={"at": "hand:2"})
    assert (then["table"]["round"], len(then["table"]["mine"])) == (2, 3)
    other = ann.call("GET", f"/matches/{match}/replay", params={"at": "hand:2", "seat": "1"})
    assert len(other["table"]["mine"]) == 3
    assert other["table"]["mine"] != then["table"]["mine"]


def test_illegal_move_in_an_installed_game_is_refused(ann):
    match = ann.create(**TABLE)
    assert ann.await_turn(match)
    held = ann.see(match)["table"]["mine"]
    lay = {"name": "lay", "args": {"card": "2C" if "2C" not in held else "3C"}}
    answer = ann.session.post(f"{ann.base}/v1/matches/{match}/moves", json=lay)
    assert (answer.status_code, answer.json()["code"]) == (409, "card_not_in_hand")
    assert ann.see(match)["table"]["mine"] == held


def test_installed_game_shows_each_seat_only_its_own_cards(server, ann):
    """In a match with undisclosed hands, a seat's feed and a spectator's contain no card of another seat."""
    with person(server) as bob:
        match = ann.create(
            **TABLE | {"options": {"rounds": 4, "fairness_reveal": "match_end"},
            "seats": [{"kind": "me"}, {"kind": "open"}]},
        )  # fmt: skip
        bob.call("PUT", f"/matches/{match}/seats/1", json={})
        for _ in range(3):
            for somebody in (ann, bob):
                assert somebody.await_turn(match)
                mine = somebody.see(match)["table"]["mine"]
                somebody.call("POST", f"/matches/{match}/moves", json={"name": "lay", "args": {"card": mine[0]}})
        feeds = [feed(ann, match), feed(bob, match)]
        stranger = requests.get(f"{server.base}/v1/matches/{match}/events", params={"limit": 1000}, timeout=30)
    for i, events in enumerate([*feeds, stranger.json()["items"]]):
        dealt = [event["data"] for event in events if event["type"] == "FansDealt"]
        assert len(dealt) == 4
        assert all(event.get("fans") is None or (i < 2 and len(event["fans"]) == 3) for event in dealt)
        assert all("talon" not in event for event in dealt)
        for event in events:
            if event["type"] == "CardLaid":
                assert ("card" in event["data"]) == (event["data"]["who"] == i)
                assert ("hidden" in event["text"]) == (event["data"]["who"] != i)
    assert cards(feeds[0]).isdisjoint(cards(feeds[1]))


def feed(somebody, match):
    return somebody.call("GET", f"/matches/{match}/events", params={"limit": 1000})["items"]


def cards(events):
    """Return the cards that a seat has held, by round, from its feed."""
    held, number = set(), 0
    for event in events:
        number += event["type"] == "RoundOpened"
        held |= {(number, card) for card in event["data"].get("fans") or ()}
    return held


# --- Left alone -------------------------------------------------------------------------------------


@pytest.mark.long
def test_installed_game_can_be_played_by_standing_orders(ann):
    match = ann.create(**TABLE | {"clock": {"per_decision_seconds": 8}})
    assert ann.await_turn(match)
    tried = ann.call("POST", f"/matches/{match}/orders/dry-run", json=ORDERS)
    assert tried["move"]["name"] == "lay"
    bad = {"orders": [{"if": {"scores": 1}, "do": [{"move": "lay", "card": "highest"}]}]}
    answer = ann.session.put(f"{ann.base}/v1/matches/{match}/orders", json=bad)
    assert answer.json()["errors"] == {"orders.0.if.scores": ["The valid facts are: lead."]}
    ann.call("PUT", f"/matches/{match}/orders", json=ORDERS)
    until(lambda: ann.see(match)["status"] == "finished", 40, 0.1)
    assert ann.call("GET", f"/matches/{match}/audit")["ok"]


def test_installed_game_notifies_players(server, authority):
    receiver = Receiver(authority)
    with person(server) as cat:
        cat.call("POST", "/players/me/webhooks", json={"url": receiver.url})
        match = cat.create(**TABLE)
        assert cat.await_turn(match)
        (waits,) = cat.call("GET", "/inbox")["items"]
        assert (waits["game"], waits["decision"]) == ("high_card", "laying")
        addresses = cat.call("POST", "/players/me/feeds")
        for name in ("atom", "calendar"):
            assert "High Card" in requests.get(addresses[name], timeout=30).text
        until(receiver.received, 30)
        cat.turns(match)
        until(lambda: receiver.got[-1]["type"] == "match_over", 30)
    receiver.close()


# --- Proved -----------------------------------------------------------------------------------------


def test_record_of_an_installed_game_can_be_verified(server, ann, record):
    for report in (
        ann.call("POST", "/records/verify", json=json.loads(record.read_text())),
        json.loads(server.tells("verify", record, "--json", "--key", server.base)),
    ):
        assert report["game"] == "high_card"
        assert [(c["name"], c["ok"], c["skipped"]) for c in report["checks"] if c["name"] != "log"] == [
            (name, True, False) for name in ("chain", "seals", "shuffles", "rules", "result", "moves", "signatures")
        ]
    shuffles = next(check["detail"] for check in report["checks"] if check["name"] == "shuffles")
    assert "all deals follow from" in shuffles


def test_changed_deal_of_an_installed_game_is_found(ann, record):
    changed = json.loads(record.read_text())
    dealt = next(event for event in changed["events"] if event["type"] == "FansDealt")
    parts = dealt["disclosed"]["fans"]
    parts["1"], parts["2"] = parts["2"], parts["1"]
    report = ann.call("POST", "/records/verify", json=changed)
    failed = {check["name"]: check["detail"] for check in report["checks"] if not check["ok"]}
    assert failed["shuffles"] == "The hands do not follow from the seed."


@pytest.mark.long
def test_server_with_an_installed_game_passes_the_audit(server, ann, match):
    assert ann.call("GET", f"/matches/{match}/audit")["ok"]
    assert "All checks passed." in server.tells("audit", match)
    server.tells("audit", "--all", "--jobs", "1")
    server.tells("projections", "rebuild")


@pytest.mark.long
def test_record_of_an_installed_game_can_be_imported_on_another_server(ann, match, record, site, tmp_path):
    with (
        served(tmp_path / "elsewhere", site, DEALT_SERVER_NAME="elsewhere.example") as elsewhere,
        person(elsewhere) as dan,
    ):
        elsewhere.tells("import", record)
        assert dan.see(match)["imported"]
        assert dan.see(match)["result"] == ann.see(match)["result"]
        then = dan.call("GET", f"/matches/{match}/replay", params={"at": "hand:3"})
        assert then["table"]["round"] == 3
        assert len(feed(dan, match)) == dan.see(match)["version"]
        assert dan.call("GET", f"/matches/{match}/audit")["ok"]


def test_deals_of_an_installed_game_can_be_practised(ann, match):
    again = ann.call("POST", f"/matches/{match}/practice", json={"hand_no": 2})["id"]
    assert ann.await_turn(again)
    first, then = (
        ann.see(again)["table"],
        ann.call("GET", f"/matches/{match}/replay", params={"at": "hand:2"})["table"],
    )
    assert first["mine"] == then["mine"]
    ann.turns(again)


# --- Drawn ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_installed_game_is_shown_in_the_terminal(server, record, site):
    printed = server.tells("replay", record)
    assert printed.startswith("High Card, match ")
    assert "laid" in printed
    terminal = Terminal("replay", record, "--from", "hand:2", env={"PYTHONPATH": str(site)})
    shown = terminal.shows("q quit")
    assert "seen by Ann · laying, waiting for Ann" in shown
    assert "round 2" in shown
    assert "╭──╭──╭──╮" in shown
    assert "43" in shown
    terminal.types("q")
    assert terminal.ends() == 0


# --- Removed ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def left(request, site, tmp_path_factory):
    """Return a server from which the game was removed, Ann, the remains of two matches, and a match of another game."""
    data, env = tmp_path_factory.mktemp("removed"), {}
    if request.param == "postgresql":
        env["DATABASE_URL"] = request.getfixturevalue("postgres").new_database().owner_url
    with served(data, site, **env) as before, person(before) as ann:
        over, other = ann.create(**TABLE), ann.create()
        ann.turns(over)
        on = ann.create(**TABLE | {"clock": {"per_decision_seconds": 8}})
        assert ann.await_turn(other)
        until(lambda: ann.see(on)["to_act"] == [0], 60)
        ann.call(
            "PUT",
            f"/matches/{on}/orders",
            json={"orders": [ORDERS["orders"][0] | {"if": {"lead": {"min": 9}}}]},
        )
        there = {match: (ann.see(match), feed(ann, match)) for match in (over, on)}
        secret = ann.call("POST", "/players/me/feeds")
        token = ann.session.headers["Authorization"]
        assert before.process.interrupt() == 0
    with served(data, **env) as after:
        ann = requests.Session()
        ann.headers["Authorization"] = token

        def call(method, path, **kwargs):
            return ann.request(method, f"{after.base}/v1{path}", timeout=30, **kwargs)

        secret = {name: f"{after.base}/v1{address.partition('/v1')[2]}" for name, address in secret.items()}
        yield SimpleNamespace(server=after, call=call, over=over, on=on, other=other, there=there, secret=secret)
        ann.close()


@pytest.mark.long
@pytest.mark.parametrize("which", ["over", "on"])
def test_match_of_an_uninstalled_game_can_be_read(left, which):
    match = getattr(left, which)
    was, feed = left.there[match]
    seen = left.call("GET", f"/matches/{match}").json()
    assert (seen["playable"], seen["table"], seen["scene"], seen["to_act"]) == (False, None, None, [])
    assert seen["fairness"]["note"].startswith("The game is not installed")
    for name in ("id", "game", "status", "version", "options", "clock", "result", "head", "your_seat"):
        assert seen[name] == was[name]
    assert [s["player"] for s in seen["seats"]] == [s["player"] for s in was["seats"]]
    now = left.call("GET", f"/matches/{match}/events", params={"limit": 1000}).json()["items"]
    assert [plain(event) for event in now] == [plain(event) for event in feed]
    assert {e["text"] for e in now if e["type"] == "RoundOpened"} == {"RoundOpened, of a game that is not installed."}


def plain(event):
    return {name: x for name, x in event.items() if name != "text"}


@pytest.mark.long
def test_match_of_a_removed_game_accepts_no_moves(left):
    lay = {"name": "lay", "args": {"card": "2C"}}
    for method, path, body in (
        ("POST", "moves", lay),
        ("POST", "moves", {"name": "resign"}),
        ("GET", "moves", None),
        ("PUT", "orders", ORDERS),
        ("POST", "orders/dry-run", ORDERS),
        ("GET", "replay", None),
        ("GET", "replay/marks", None),
    ):
        answer = left.call(method, f"/matches/{left.on}/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "game_not_installed"), path
    for path in ("rematch", "practice"):
        assert left.call("POST", f"/matches/{left.over}/{path}", json={}).json()["code"] == "game_not_installed"
    assert left.call("POST", "/matches", json=TABLE).status_code == 422
    assert left.call("GET", "/games/high_card").status_code == 404


@pytest.mark.long
def test_record_of_a_removed_game_is_exported_and_partly_verified(left, site, tmp_path):
    record = left.call("GET", f"/matches/{left.over}/record")
    path = tmp_path / "record.json"
    path.write_bytes(record.content)
    checks = ("chain", "seals", "shuffles", "rules", "result", "moves", "signatures")
    here = left.call("POST", "/records/verify", json=record.json()).json()
    assert {c["name"]: (c["ok"], c["skipped"]) for c in here["checks"] if c["name"] != "log"} == {
        name: (True, name in ("shuffles", "rules")) for name in checks
    }
    assert (here["ok"], here["verdict"]) == (False, "unverifiable")
    assert all("The game is not installed" in c["detail"] for c in here["checks"] if c["skipped"])
    there = json.loads(dealt("verify", path, "--json", "--key", left.server.base, PYTHONPATH=str(site)))
    found = [(c["name"], c["ok"], c["skipped"]) for c in there["checks"] if c["name"] != "log"]
    assert found == [(name, True, False) for name in checks]
    audited = left.call("GET", f"/matches/{left.over}/audit").json()
    assert not audited["ok"]
    assert all(check["ok"] for check in audited["checks"])


@pytest.mark.long
def test_removed_game_does_not_affect_lists_workers_and_audits(left):
    items = left.call("GET", "/matches", params={"player": "me"}).json()["items"]
    assert {left.over, left.on, left.other} <= {item["id"] for item in items}
    waiting = {item["match"]: item for item in left.call("GET", "/inbox").json()["items"]}
    assert left.other in waiting
    assert left.on not in waiting
    assert requests.get(f"{left.server.base}/readyz", timeout=30).json()["late_seconds"] < 30
    assert left.secret.keys() == {"atom", "calendar"}
    for address in left.secret.values():
        assert left.on not in requests.get(address, timeout=30).text
    seen = left.call("GET", f"/matches/{left.other}").json()
    assert seen["playable"]
    example = left.call("GET", f"/matches/{left.other}/moves").json()["moves"][0]["example"]
    assert left.call("POST", f"/matches/{left.other}/moves", json=example).ok
    audited = left.server.tells("audit", left.over, code=3)
    assert "not everything could be checked. Not checked: shuffles, rules, projections." in audited
    everything = left.server.tells("audit", "--all", "--jobs", "1", code=3)
    assert "could not be fully audited: The game is not installed" in everything
    left.server.tells("projections", "rebuild")
    time.sleep(2)  # its deadline has passed, and the event says so
    assert left.call("GET", f"/matches/{left.on}").json()["version"] == left.there[left.on][0]["version"]
    assert "ERROR" not in left.server.process.output


# --- Refused ----------------------------------------------------------------------------------------


BROKEN = """
from dataclasses import replace
from domain.games.hearts import GAME as OTHER
GAME = replace(OTHER, name="broken", lifecycle=replace(OTHER.lifecycle, hand_no="round"))
"""
COMMANDS = ["serve", "worker", *(pytest.param(command, marks=pytest.mark.long) for command in ("api", "scheduler"))]


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Return a site with a game whose definition breaks the contract."""
    site = tmp_path_factory.mktemp("broken")
    (site / "broken.py").write_text(BROKEN)
    about = site / "broken_game-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[dealt.games]\nbroken = broken:GAME\n")
    return site


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_no_service_starts_with_a_game_that_breaks_the_contract(command, broken, tmp_path):
    said = dealt(command, code=1, PYTHONPATH=str(broken), DEALT_DATA=str(tmp_path))
    assert said == (
        "Error: The game of broken-game, entry point broken is not admitted. "
        "lifecycle.hand_no: HandStarted has no public field round that is a whole number. "
        "`dealt check-game broken` says more.\n"
    )


@pytest.mark.long
@pytest.mark.parametrize("command", ["serve", pytest.param("worker", marks=pytest.mark.long)])
def test_no_worker_starts_with_a_game_whose_bot_cannot_be_loaded(command, site, tmp_path):
    broken = shutil.copytree(site, tmp_path / "site")
    (broken / "high_card" / "bot.py").write_text("raise RuntimeError('no model')")
    said = dealt(command, code=1, PYTHONPATH=str(broken), DEALT_DATA=str(tmp_path))
    assert said == "Error: The bot of the game high_card cannot be loaded: RuntimeError: no model.\n"
