"""Tests `dealt serve` on a full disk: requests are refused without failures until there is space again."""

import resource
import time

import pytest
import requests

from tests.system.test_serve import served

__all__ = ["served"]

UNLIMITED = resource.RLIM_INFINITY


def limit(pid: int, most: int) -> None:
    """Limit the size of files that the process can write."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, UNLIMITED))


@pytest.mark.long
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_writes_are_refused_while_the_disk_is_full_and_accepted_afterwards(served):
    process = served.start()
    ann = served.person()
    match = ann.create()
    (worker,) = process.children()
    ann.await_turn(match)
    said = len(process.said)

    limit(worker, 0)
    for _ in range(20):
        refused = requests.post(f"{served.base}/v1/players", json={"name": "Ben"}, timeout=60)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert refused.headers["Retry-After"]
    assert requests.get(f"{served.base}/readyz", timeout=60).status_code == 503
    assert requests.get(f"{served.base}/healthz", timeout=60).status_code == 200
    assert ann.see(match)["id"] == match
    time.sleep(0.5)
    log = "".join(process.said[said:])
    assert log.count("cannot be written to") == 1, log
    assert "Traceback" not in log

    limit(worker, UNLIMITED)
    assert requests.get(f"{served.base}/readyz", timeout=60).status_code == 200
    assert requests.post(f"{served.base}/v1/players", json={"name": "Ben"}, timeout=60).status_code == 201
    ann.turns(match, 2)
