"""Tests how the sender of a request is identified before the app sees it."""

import pytest
from werkzeug.middleware.proxy_fix import ProxyFix

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


def test_invented_tokens_give_no_extra_share():
    callers = KnownCallers(0)
    named = {callers.name(scope(authorization=f"Bearer {number}"))[0] for number in range(50)}
    assert named == {Asker(f"address {ADDRESS}")}


def test_recognised_token_has_a_share_within_its_network():
    callers = KnownCallers(0)
    _, recognised = callers.name(scope(authorization="Bearer mine"))
    recognised()
    mine, _ = callers.name(scope(authorization="Bearer mine"))
    assert mine.network == f"address {ADDRESS}"
    assert mine.player != 0
    assert callers.name(scope(authorization="Bearer other"))[0].player == 0


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
