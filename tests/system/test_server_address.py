"""What a server says at its start of how others reach it."""

import pytest

from api.cli.server_address import reachability_lines, url
from events.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_a_server_for_its_own_machine_speaks_of_no_others(host):
    assert reachability_lines(Settings(), host, 8000) == ""


@pytest.mark.parametrize(
    ("host", "address"), [("192.0.2.7", "http://192.0.2.7:8000"), ("2001:db8::7", "[2001:db8::7]:8000")]
)
def test_a_server_for_others_says_how_they_reach_it_and_that_there_is_no_tls(host, address):
    said = reachability_lines(Settings(), host, 8000)
    assert f"{address}, if no firewall is between" in said
    assert "HTTP without TLS" in said
    assert "DEALT_PUBLIC_URL" in said


def test_a_server_on_all_addresses_names_those_that_others_can_use(monkeypatch):
    monkeypatch.setattr(
        "api.cli.server_address._own", lambda host: iter(["192.168.1.7"]) if host == "0.0.0.0" else iter(())
    )
    assert "Others reach it at http://192.168.1.7:8000" in reachability_lines(Settings(), "0.0.0.0", 8000)
    assert url("0.0.0.0", 8000) == "http://127.0.0.1:8000"
    behind = Settings(dealt_public_url="https://cards.example")
    assert reachability_lines(behind, "0.0.0.0", 8000) == "\nOthers reach it at https://cards.example."
