"""Tests `dealt serve`: everything in one real process."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from threading import Thread

import pytest
import requests

from api.http.asgi_bridge import HEARTBEAT_SECONDS
from tests.services import free_port
from tests.system.processes import ROOT, SHORT, Person, Process, answers, answers_ms, check_log, running, until

README = ROOT / "README.md"


class Served:
    """A data directory, and `dealt serve` on it as often as wanted."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.database = f"sqlite:///{data / 'dealt.sqlite3'}"
        self.processes: list[Process] = []
        self.people: list[Person] = []

    def start(self, **env: str) -> Process:
        process = Process("serve", "--port", str(self.port), "--data", str(self.data), env=env)
        self.processes.append(process)
        until(lambda: answers(self.base) or process.popen.poll() is not None, 60)
        assert process.popen.poll() is None, process.output
        return process

    def person(self) -> Person:
        self.people.append(Person(self.base))
        return self.people[-1]


@pytest.fixture
def served(tmp_path):
    here = Served(tmp_path / "data")
    try:
        yield here
    finally:
        for process in here.processes:
            process.kill()
            print(process.output)  # noqa: T201 -- shown with a test that fails
        for person in here.people:
            person.session.close()


@pytest.mark.long
def test_match_finishes_and_survives_a_restart(served):
    process = served.start()
    ann = served.person()
    match = ann.create(**SHORT)
    ann.turns(match)
    assert ann.see(match)["status"] == "finished"
    print(f"\nserve: three bots answer in {median(answers_ms(served.database, match))} ms (median)")  # noqa: T201

    assert process.interrupt() == 0
    assert served.base in process.output
    assert str(served.data) in process.output
    assert "Traceback" not in process.output
    check_log(served.database, match)
    served.start()
    assert ann.see(match)["status"] == "finished"


@pytest.mark.long
def test_invalid_value_of_a_request_is_not_logged(served):
    process = served.start(DEALT_LOG="debug")
    secret = "dealt_9f2c51d0a7e34b68"
    session = served.person().session
    for answer in (
        session.get(f"{served.base}/v1/matches?limit={secret}", timeout=40),
        session.post(f"{served.base}/v1/matches", json={"game": secret}, timeout=40),
    ):
        assert answer.status_code == 422
        assert secret in answer.text
    assert process.interrupt() == 0
    assert "DEBUG" in process.output
    assert secret not in process.output


@pytest.mark.long
def test_matches_continue_after_kills(served):
    process = served.start()
    ann = served.person()
    match, bots = ann.create(**SHORT), ann.create(**SHORT, seats=[{"kind": "bot", "level": "easy"}] * 4)
    ann.turns(match, 3)
    for _ in range(2):
        (worker,) = process.children()
        ann.move(match) if ann.await_turn(match) else None
        os.kill(worker, signal.SIGKILL)
        until(lambda: answers(served.base), 60)
    ann.turns(match, 2)

    process.kill()
    served.start()
    ann.turns(match)
    until(lambda: ann.see(bots)["status"] == "finished", 120, 0.2)
    for each in (match, bots):
        assert ann.see(each)["status"] == "finished"
        check_log(served.database, each)


@pytest.mark.long
def test_server_stops_immediately_with_open_streams(served):
    process = served.start()
    ann = served.person()
    match = ann.create()

    def listen() -> None:
        headers = {"Accept": "text/event-stream", **ann.session.headers}
        url = f"{served.base}/v1/matches/{match}/events"
        with suppress(requests.RequestException), requests.get(url, headers=headers, stream=True) as answer:
            next(answer.iter_content(1))
            heard.append(1)
            answer.raw.read()

    heard: list[int] = []
    streams = [Thread(target=listen, daemon=True) for _ in range(5)]
    for stream in streams:
        stream.start()
    until(lambda: len(heard) == 5, 60)
    start = time.monotonic()
    assert process.interrupt() == 0
    assert time.monotonic() - start < HEARTBEAT_SECONDS


@pytest.mark.long
def test_first_move_of_the_readme_can_be_typed_in(served):
    served.start()
    section = README.read_text().split("## Your first move over the API")[1].split("\n## ")[0]
    register, create, offer, move = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    set_before = ""

    def typed_in(step, said, meant):
        """Run a step of the README with this reader's values instead of the example's; return its parsed answer."""
        nonlocal set_before
        assert said in step
        sets, curl, call = step.replace(said, meant).rpartition("curl ")
        set_before += sets
        run = subprocess.run(
            ["bash", "-eu", "-c", set_before + curl + call], capture_output=True, check=True, timeout=60
        )
        assert run.stderr == b""
        return json.loads(run.stdout)

    player = typed_in(register, "http://127.0.0.1:8000", served.base)
    match = typed_in(create, "dealt_pw9e…", player["token"])
    assert (match["game"], match["status"]) == ("crazy_eights", "playing")
    until(lambda: typed_in(offer, "zcc0…", match["id"])["moves"], 60)
    offered = typed_in(offer, "zcc0…", match["id"])
    example = offered["moves"][0]["example"]
    made = typed_in(move, '{"name": "play_card", "args": {"card": "KS"}}', json.dumps(example))
    assert made["events"][0]["text"]
    for shown, given in zip(
        re.findall(r"```json\n(.*?)```", section, re.DOTALL), (player, match, offered, made), strict=True
    ):
        assert fields(shown) - {"card"} <= fields(json.dumps(given))


def fields(text: str) -> set[str]:
    return set(re.findall(r'"(\w+)": ', text))


@pytest.mark.long
def test_serve_refuses_a_used_port_and_data_directory(served, tmp_path):
    served.start()
    same_data = Process("serve", "--port", "0", "--data", str(served.data))
    same_port = Process("serve", "--port", str(served.port), "--data", str(tmp_path / "other"))
    with running(same_data, same_port):
        assert same_data.popen.wait(60) == 1
        assert same_port.popen.wait(60) == 1
    assert same_data.output == f"Error: another `dealt serve` is running on {served.data}.\n"
    assert same_port.output == f"Error: cannot listen on 127.0.0.1:{served.port}: Address already in use.\n"


@pytest.mark.long
def test_idle_server_uses_little_cpu(served):
    process = served.start()
    pids = [process.popen.pid, *process.children()]
    time.sleep(1)
    before, seconds = cpu_seconds(pids), 5
    time.sleep(seconds)
    share = (cpu_seconds(pids) - before) / seconds
    resident = sum(memory_mb(pid) for pid in pids)
    print(f"\nserve, idle: {share:.2%} of a core, {resident:.0f} MB")  # noqa: T201
    assert share < 0.1
    assert resident < 200


def cpu_seconds(pids: list[int]) -> float:
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(user) + int(system) for *_, user, system in (f[:13] for f in fields)) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.long
def test_server_signs_with_its_own_key_from_the_first_start(served, tmp_path):
    served.start()
    file = served.data / "keys.json"
    assert file.stat().st_mode & 0o777 == 0o600
    person = served.person()
    path = f"/matches/{person.create()}/record"
    record, listed = person.call("GET", path), person.call("GET", "/keys")
    (tmp_path / "record.json").write_text(json.dumps(record))
    (tmp_path / "keys").write_text(json.dumps(listed))
    verify = ["verify", str(tmp_path / "record.json"), "--key", str(tmp_path / "keys")]
    told = run(*verify, code=3)  # the match is not over and its cards are not disclosed
    assert "signed by dealt with a key that you named" in told
    assert "✓ signatures" in told
    assert told.endswith("not everything could be checked. Not checked: shuffles, rules.\n")
    run("keys", "rotate", "--data", str(served.data))
    old, new = person.call("GET", "/keys")["items"]
    assert (old["key"], old["until"]) == (record["signed"]["key"], new["since"])
    assert person.call("GET", path)["signed"]["key"] == new["key"]
    assert run("keys", "list", "--data", str(served.data)).count("\n") == 2


def run(*arguments: str, code: int = 0) -> str:
    """Run `dealt`, which must end with this exit code; return its output."""
    program = Path(sys.executable).with_name("dealt")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout
