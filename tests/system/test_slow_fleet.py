"""Tests slow matches over a broker: orders move, webhooks are called, and tables begin together."""

import pytest
import trustme

from tests.notify.conftest import Receiver
from tests.system.processes import check_log, until

pytestmark = pytest.mark.long

SLOW = {
    "game": "hearts",
    "options": {"variant": "1-1-1-1", "target_score": 1, "standing_orders": True},
    "clock": {"per_decision_seconds": 12},
    "seats": [{"kind": "me"}, *[{"kind": "bot", "level": "easy"}] * 3],
}
ORDERS = {"auto_play_forced": True, "orders": [{"do": [{"move": "play_card", "card": "lowest"}]}]}
BOT = {"kind": "bot", "level": "easy"}
TWINS = {"game": "crazy_eights", "tables": [[{"kind": "me"}, BOT], [{"kind": "open"}, BOT]]}


@pytest.fixture
def trusting(tmp_path):
    """Return a receiver of webhooks, and the settings of a service that trusts it."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    receiver = Receiver(authority)
    yield (
        receiver,
        {
            "SSL_CERT_FILE": str(tmp_path / "ca.pem"),
            "DEALT_WEBHOOK_NETWORKS": "127.0.0.0/8,::1/128",
            "DEALT_WEBHOOK_PORTS": "1-65535",
        },
    )
    receiver.close()


def test_orders_webhooks_and_groups_work_despite_a_killed_worker(fleet, trusting):
    receiver, env = trusting
    fleet.env |= env
    fleet.start("scheduler")
    worker = fleet.start("worker")
    fleet.start_api()
    with fleet.person() as ann, fleet.person() as bob:
        ann.call("POST", "/players/me/webhooks", json={"url": receiver.url})
        match = ann.call("POST", "/matches", json=SLOW)["id"]
        ann.call("PUT", f"/matches/{match}/orders", json=ORDERS)

        def ordered():
            events = ann.call("GET", f"/matches/{match}/events")["items"]
            return [e["data"]["true_cause"] for e in events if e["type"] == "CauseSealed"]

        until(ordered, 40, 0.2)
        worker.kill()
        had = len(ordered())
        fleet.start("worker")
        until(lambda: len(ordered()) > had, 60, 0.2)
        assert set(ordered()) == {"order"}

        tables = [t["match"] for t in ann.call("POST", "/deal-groups", json=TWINS)["tables"]]
        bob.call("PUT", f"/matches/{tables[1]}/seats/0", json={})
        until(lambda: {ann.see(tables[0])["status"], bob.see(tables[1])["status"]} == {"playing"}, 40, 0.2)
        until(lambda: {kind for kind, _ in receiver.received()} >= {"match_started", "your_turn"}, 60, 0.2)
        versions = [r["data"]["version"] for r in receiver.got if r["data"]["match"] == match]
        assert versions == sorted(versions)
    check_log(fleet.url, match)
