"""Tests how the sender of a request is identified before the app sees it."""

import pytest
from werkzeug.middleware.proxy_fix import ProxyFix

from api.http import client_networks
from api.http.client_networks import KnownCallers, address_of_client, network_of
from api.http.fair_queue import Asker

ADDRESS = "192.0.2.1"


def scope(*forwarded, authorization=None, address=ADDRESS):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    if authorization:
        headers.append((b"authorization", authorization.encode()))
    return {"client": (address, 9), "headers": headers}


@pytest.mark.parametrize("proxies", [0, 1, 2])
@pytest.mark.parametrize(
    "forwarded",
    [(), ("",), ("1.1.1.1",), ("1.1.1.1, 2.2.2.2",), ("1.1.1.1", "2.2.2.2,3.3.3.3"), ('"4.4.4.4"',), ("::1, ",)],
)
def test_client_address_is_the_one_used_for_rate_limits(proxies, forwarded):
    seen = {"REMOTE_ADDR": ADDRESS}
    if forwarded:
        seen["HTTP_X_FORWARDED_FOR"] = ",".join(forwarded)
    if proxies:
        ProxyFix(lambda environ, start: [], proxies)(seen, None)
    assert address_of_client(scope(*forwarded), proxies) == seen["REMOTE_ADDR"]


def named(callers, token=None, address=ADDRESS):
    return callers.name(scope(authorization=token and f"Bearer {token}", address=address))[0]


def recognise(callers, token, player, address=ADDRESS):
    _, recognised = callers.name(scope(authorization=f"Bearer {token}", address=address))
    recognised(player)


def test_invented_tokens_give_no_extra_share():
    callers = KnownCallers(0)
    assert {named(callers, number) for number in range(1, 50)} == {Asker(f"address {ADDRESS}")}


def test_recognised_token_has_a_share_within_its_network():
    callers = KnownCallers(0)
    recognise(callers, "mine", "ann")
    assert named(callers, "mine") == Asker(f"address {ADDRESS}", "ann")
    assert named(callers, "other") == named(callers) == Asker(f"address {ADDRESS}")


@pytest.mark.parametrize("header", ["Bearer second", "bearer second", "Bearer   second ", "BEARER second"])
def test_all_tokens_of_a_player_are_one_caller_however_they_are_written(header):
    callers = KnownCallers(0)
    recognise(callers, "first", "ann")
    recognise(callers, "second", "ann")
    assert callers.name(scope(authorization=header))[0] == named(callers, "first")


def test_refused_token_is_a_players_no_longer():
    callers = KnownCallers(0)
    recognise(callers, "replaced", "ann")
    recognise(callers, "replaced", None)
    assert named(callers, "replaced").player == ""
    recognise(callers, "never known", None)
    assert named(callers, "never known").player == ""


def test_player_with_many_tokens_displaces_no_neighbour(monkeypatch):
    monkeypatch.setattr(client_networks, "MOST_TOKENS_EACH", 10)
    callers = KnownCallers(0)
    for player in ("ann", "ben", "cem"):
        recognise(callers, player, player)
    for number in range(100):
        recognise(callers, f"token {number}", "eve")
    assert [named(callers, token).player for token in ("ann", "ben", "cem")] == ["ann", "ben", "cem"]
    assert [named(callers, f"token {number}").player for number in (0, 99)] == ["", "eve"]


def test_network_with_many_players_displaces_no_other_network(monkeypatch):
    monkeypatch.setattr(client_networks, "MOST_TOKENS", 10)
    callers = KnownCallers(0)
    recognise(callers, "mine", "ann", "192.0.2.9")
    for number in range(100):
        recognise(callers, f"token {number}", f"player {number}")
    assert named(callers, "mine", "192.0.2.9").player == "ann"
    known = [number for number in range(100) if named(callers, f"token {number}").player]
    assert known == list(range(91, 100))


def test_addresses_of_one_network_of_ipv6_are_one_caller():
    callers = KnownCallers(0)
    assert callers.name(scope(address="2001:db8::1"))[0] == callers.name(scope(address="2001:db8::2"))[0]
    assert callers.name(scope(address="2001:db8::1"))[0] != callers.name(scope(address="2001:db8:0:1::1"))[0]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("1.2.3.4", "address 1.2.3.4"),
        ("1.2.3.4:5678", "address 1.2.3.4"),
        ("[2001:db8::1]:443", "address 2001:db8::"),
        ("[2001:db8::1]", "address 2001:db8::"),
        ("::ffff:1.2.3.4", "address 1.2.3.4"),
        ("2001:db8::1", "address 2001:db8::"),
        ("unknown", "address unknown"),
        ("1.2.3.4:", "address 1.2.3.4:"),
    ],
)
def test_network_does_not_depend_on_the_port_that_a_proxy_writes(address, network):
    assert network_of(address) == network
