"""Tests a webhook of `dealt serve` with real calls while the process is killed."""

import os
import signal
import time
from statistics import median

import pytest
import trustme

from tests.notify.conftest import Receiver
from tests.services import free_port
from tests.system.processes import SHORT, Person, Process, answers, until

pytestmark = pytest.mark.long


@pytest.fixture
def authority():
    return trustme.CA()


@pytest.fixture
def receiver(authority):
    made = Receiver(authority)
    yield made
    made.close()


@pytest.fixture
def serve(tmp_path, authority):
    """Start the service, which trusts the receiver; return its address and its process."""
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    env = {
        "SSL_CERT_FILE": str(tmp_path / "ca.pem"), "DEALT_WEBHOOK_NETWORKS": "127.0.0.0/8,::1/128",
        "DEALT_WEBHOOK_PORTS": "1-65535",
    }  # fmt: skip
    port, started = free_port(), []

    def start():
        process = Process("serve", "--port", str(port), "--data", str(tmp_path / "data"), env=env)
        started.append(process)
        until(lambda: answers(f"http://127.0.0.1:{port}"), 60)
        return f"http://127.0.0.1:{port}", process

    yield start
    for process in started:
        process.kill()


PATIENCE = 60
"""The seconds to wait for a notification: one in flight when its server is killed is retried when the next one
starts."""


def test_every_turn_is_notified_in_order_despite_server_kills(serve, receiver):
    base, process = serve()
    ann = Person(base)
    made = ann.call("POST", "/players/me/webhooks", json={"url": receiver.url})
    match = ann.create(**SHORT)
    waits, moved = [], 0
    for turn in range(8):
        assert ann.await_turn(match)
        since = time.monotonic()
        # Seats that pass at the same time go on meanwhile: the notice of a turn names the version that began it.
        until(lambda moved=moved: any(k == "your_turn" and v >= moved for k, v in receiver.received()), PATIENCE)
        waits.append(time.monotonic() - since)
        if turn == 3:
            os.killpg(process.popen.pid, signal.SIGKILL)
            base, process = serve()
        moved = ann.move(match)
    ann.turns(match)
    until(lambda: receiver.got[-1]["type"] == "match_over", PATIENCE, 0.2)
    print(f"\nfrom turn to delivery {1000 * median(waits):.0f} ms (median)")  # noqa: T201
    received = list(dict.fromkeys((r["data"]["version"], r["type"]) for r in receiver.got))
    assert [version for version, _ in received] == sorted(version for version, _ in received)
    path = f"/players/me/webhooks/{made['id']}/deliveries?limit=100"
    until(lambda: {d["state"] for d in ann.call("GET", path)["items"]} == {"delivered"}, PATIENCE, 0.5)
    assert {d["notice"] for d in ann.call("GET", path)["items"]} <= {r["data"]["notice"] for r in receiver.got}
    ann.session.close()
