"""Tests standing orders in real processes: an order moves for an inactive player, even after a kill."""

import pytest
import requests

from tests.services import free_port
from tests.system.processes import Process, answers, check_log, running, until

pytestmark = pytest.mark.long

ORDERS = {"auto_play_forced": True, "orders": [{"do": [{"move": "play_card", "card": "lowest"}]}]}
MATCH = {
    "game": "hearts",
    "options": {"variant": "1-1-1-1", "target_score": 1, "standing_orders": True},
    "clock": {"per_decision_seconds": 12},
    "seats": [{"kind": "me"}, *[{"kind": "bot", "level": "easy"}] * 3],
}


def test_orders_play_a_match_to_its_end_across_a_crash(tmp_path):
    port = free_port()
    base = f"http://127.0.0.1:{port}"

    def serve():
        process = Process("serve", "--port", str(port), "--data", str(tmp_path / "data"))
        until(lambda: answers(base), 60)
        return process

    first = serve()
    with running(first):
        made = requests.post(f"{base}/v1/players", json={"name": "Ada"}, timeout=30).json()
        me = {"Authorization": f"Bearer {made['token']}"}
        match = requests.post(f"{base}/v1/matches", json=MATCH, headers=me, timeout=30).json()
        path = f"{base}/v1/matches/{match['id']}"
        assert requests.put(f"{path}/orders", json=ORDERS, headers=me, timeout=30).status_code == 200

        def moves():
            events = requests.get(f"{path}/events", headers=me, timeout=30).json()["items"]
            return [e["data"]["true_cause"] for e in events if e["type"] == "CauseSealed"]

        until(lambda: len(moves()) >= 2, 60)
    second = serve()
    with running(second):
        until(lambda: requests.get(path, headers=me, timeout=30).json()["status"] == "finished", 90, pause=0.3)
        assert set(moves()) == {"order"}
        assert len(moves()) % 13 == 0  # another hand follows where the lowest score is shared
        assert requests.get(f"{path}/audit", headers=me, timeout=30).json()["ok"]
    assert check_log(f"sqlite:///{tmp_path / 'data' / 'dealt.sqlite3'}", match["id"]).status == "finished"
