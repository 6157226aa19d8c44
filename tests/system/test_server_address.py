"""Tests the addresses that a server prints at its start."""

import pytest

from api.cli.service_commands import reachability_lines, url
from events.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_local_server_prints_no_advice_for_other_machines(host):
    assert reachability_lines(Settings(), host, 8000) == ""


@pytest.mark.parametrize(
    ("host", "address"), [("192.0.2.7", "http://192.0.2.7:8000"), ("2001:db8::7", "[2001:db8::7]:8000")]
)
def test_network_server_prints_its_address_and_warns_about_missing_tls(host, address):
    said = reachability_lines(Settings(), host, 8000)
    assert f"{address}, unless a firewall blocks it" in said
    assert "HTTP without TLS" in said
    assert "DEALT_PUBLIC_URL" in said


def test_server_on_all_addresses_prints_the_reachable_ones(monkeypatch):
    monkeypatch.setattr(
        "api.cli.service_commands._own_addresses", lambda host: iter(["192.168.1.7"]) if host == "0.0.0.0" else iter(())
    )
    assert "Others can reach it at http://192.168.1.7:8000" in reachability_lines(Settings(), "0.0.0.0", 8000)
    assert url("0.0.0.0", 8000) == "http://127.0.0.1:8000"
    behind = Settings(dealt_public_url="https://cards.example")
    assert reachability_lines(behind, "0.0.0.0", 8000) == "\nOthers can reach it at https://cards.example."
