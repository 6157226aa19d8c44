"""Provides a server for the client in `clients/python`, and a connection to it that can be cut."""

import pytest
from dealt_client import Client

from tests.services import free_port
from tests.system.processes import Process, answers, running, until
from tests.system.rough_wire import RoughWire


@pytest.fixture(scope="package")
def base(tmp_path_factory):
    """Return the address of a server: each test has its own players and matches there."""
    port = free_port()
    process = Process("serve", "--port", str(port), "--data", str(tmp_path_factory.mktemp("data")))
    base = f"http://127.0.0.1:{port}"
    with running(process):
        until(lambda: answers(base), 60)
        yield base


@pytest.fixture
def wire(base):
    """Return a connection to the server."""
    made = RoughWire(("127.0.0.1", int(base.rpartition(":")[2])), seed=1)
    yield made
    made.close()


@pytest.fixture
def ann(base):
    """Return the client of a new player."""
    with Client(base) as client:
        client.token = client.create_player({"name": "Ann"})["token"]
        yield client
