"""Tests that no request reaches a forbidden address, whatever a URL says, resolves to or answers."""

import socket
import ssl
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from string import ascii_lowercase
from threading import Event, Thread

import pytest

from events.notify.addresses import BadAddress, read_allowed_addresses, read_url, vet
from events.settings import Settings
from workers import guarded_http
from workers.guarded_http import Failed, ResolverBusy, post

STRICT = read_allowed_addresses(Settings())
LOCAL = read_allowed_addresses(Settings(dealt_webhook_networks="127.0.0.0/8,::1/128", dealt_webhook_ports="1-65535"))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "//example.org/",
        "example.org", "https://", "https:///x", "https://user@example.org/", "https://user:word@example.org/",
        "https://@example.org/", "https://example.org@127.0.0.1/", "https://example.org:22/", "https://example.org:0/",
        "https://example.org:99999/", "https://example.org:x/", "https://example.org/#part", "https://exa mple.org/",
        "https://example.org/a b", "https://example.org/\r\nHost: x", "https://example.org\\@127.0.0.1/",
        "https://example.org/ä", "https://ex\u0430mple.org/", "https://example.org/<x>", "https://[::1]/",
        "https://127.0.0.1/", "https://10.0.0.1/", "https://169.254.169.254/", "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1%25eth0]/", "https://[64:ff9b::7f00:1]/", "https://[::]/", "https://0.0.0.0/",
        "https://-x.example/", "https://exam..ple/", "https://%31%32%37.0.0.1/", "https://" + "a" * 300 + ".example/",
        "https://example.org/" + "a" * 2_000, "https://[::1", "https://[x]/",
    ],
)  # fmt: skip
def test_forbidden_address_is_refused(url):
    with pytest.raises(BadAddress):
        read_url(url, STRICT)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org:8443/a/b?c=d&e=%20",
        "https://93.184.215.14/",
        "HTTPS://Example.ORG/",
    ],
)
def test_public_address_can_be_called(url):
    assert read_url(url, STRICT).scheme == "https"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1", "192.0.0.9", "192.0.0.10",
        "168.63.129.16", "64:ff9b::a83f:8110", "::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1",
        "ff0e::1", "2001:db8::1", "3fff::1", "100::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:0",
        "::127.0.0.1", "::10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "64:ff9b:1::808:808", "2002:7f00:1::", "2002:a00:1::1",
        "2002:a9fe:a9fe::1", "2001:0:7f00:1::", "2001:0:808:808:0:0:80ff:fffe", "2001:0:0808:0808:0:0:f5ff:fffe",
        "2001:10::1", "2001:20::1", "2001:2::1", "5f00::1", "4000::1", "2606:2800::5efe:7f00:1",
        "2606:2800::200:5efe:a00:1", "fe80::5efe:808:808",
    ],
)  # fmt: skip
def test_non_global_address_is_not_called_in_any_form(address):
    from ipaddress import ip_address

    with pytest.raises(BadAddress):
        vet(ip_address(address), STRICT)
    with pytest.raises(Failed, match="address"):
        post("https://example.org/", {}, b"", STRICT, resolver=lambda *_: [address])


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "93.184.215.14",
        "2606:2800:21f::1",
        "2a00:1450::1",
        "64:ff9b::808:808",
        "::ffff:8.8.8.8",
        "2002:808:808::1",
    ],
)
def test_global_address_can_be_called(address):
    from ipaddress import ip_address

    vet(ip_address(address), STRICT)


def test_name_with_one_forbidden_address_is_refused(monkeypatch):
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("it was called"))
    for found in (["8.8.8.8", "127.0.0.1"], ["2606:2800::1", "::1"]):
        with pytest.raises(Failed, match="address"):
            post("https://example.org/", {}, b"", STRICT, resolver=lambda *_, found=found: found)


def test_unknown_name_and_internal_name_are_reported_alike():
    def unknown(*_):
        raise socket.gaierror

    for resolver in (unknown, lambda *_: [], lambda *_: ["10.0.0.7"]):
        with pytest.raises(Failed) as failed:
            post("https://example.org/", {}, b"", STRICT, resolver=resolver)
        assert str(failed.value) == "address"


def test_checked_address_is_called_without_a_second_lookup(monkeypatch):
    asked, called = [], []

    def rebinding(host, port):
        asked.append(host)
        return ["8.8.8.8"] if len(asked) == 1 else ["127.0.0.1"]

    def connect(address, timeout):
        called.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Failed, match="connect"):
        post("https://example.org/", {}, b"", STRICT, resolver=rebinding)
    assert (asked, called) == (["example.org"], [("8.8.8.8", 443)])


def test_every_address_of_a_name_is_tried(receiver):
    def two(host, port):
        return ["127.0.0.99", "127.0.0.1"]

    assert post(receiver.url, {}, BODY, LOCAL, resolver=two) == 204


BODY = b'{"type": "x", "data": {"version": 1}}'


def test_certificate_must_match_the_name_although_the_address_is_called(receiver):
    assert post(receiver.url, {}, BODY, LOCAL) == 204
    other = receiver.url.replace("localhost", "example.org")
    with pytest.raises(Failed, match="tls"):
        post(other, {}, BODY, LOCAL, resolver=lambda *_: ["127.0.0.1"])
    assert len(receiver.got) == 1


def test_certificate_of_an_unknown_authority_is_refused(receiver, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE")
    guarded_http._tls.cache_clear()
    with pytest.raises(Failed, match="tls"):
        post(receiver.url, {}, BODY, LOCAL)
    assert receiver.got == []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_an_answer_and_is_not_followed(receiver, status):
    receiver.answer = lambda request: status
    assert post(receiver.url, {}, BODY, LOCAL) == status
    assert [request["path"] for request in receiver.got] == ["/dealt"]


def test_only_an_allowed_loopback_address_is_called(receiver):
    with pytest.raises(Failed, match="address"):
        post(receiver.url, {}, BODY, STRICT)
    with pytest.raises(Failed, match="address"):
        post("https://localhost/", {}, BODY, STRICT)
    assert receiver.got == []


# --- Slow ones ------------------------------------------------------------------------------------------


HELD: list[socket.socket] = []
"""Open connections: one that is dropped without being closed would cause a warning in a later test."""


class Slow:
    """A plain TCP server that calls a function for each connection."""

    def __init__(self, act):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.act = act
        Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            while True:
                connection, _ = self.listener.accept()
                Thread(target=self.serve, args=(connection,), daemon=True).start()
        except OSError:
            pass

    def serve(self, connection):
        HELD.append(connection)
        try:
            connection.recv(65_536)
            self.act(connection)
        except OSError:
            pass

    @property
    def url(self):
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/"


PLAIN = read_allowed_addresses(
    Settings(dealt_webhook_networks="127.0.0.0/8", dealt_webhook_ports="1-65535", dealt_webhook_http=1)
)


def drip(data, pause):
    def act(connection):
        for byte in data:
            connection.sendall(bytes([byte]))
            time.sleep(pause)

    return act


def send(data):
    return lambda connection: connection.sendall(data)


@pytest.mark.parametrize(
    ("act", "failed"),
    [
        (lambda connection: time.sleep(3), "timeout"),
        (drip(b"HTTP/1.1 200 OK", 0.1), "timeout"),
        (drip(b"HTTP/1.1 103 Early\r\n" + b"a: b\r\n" * 99, 0.02), "timeout"),
        (send(b"HTTP/1.1 100 Continue\r\n" + b"x: y\r\n" * 20_000), "answer"),
        (send(b"x" * 1_000_000), "answer"),
        (send(b"SSH-2.0-OpenSSH\r\n"), "answer"),
        (send(b"HTTP/1.1 abc\r\n"), "answer"),
        (send(b""), "timeout"),
        (lambda connection: connection.close(), "answer"),
    ],
)
def test_slow_or_malformed_answer_times_out(act, failed):
    server, start = Slow(act), time.monotonic()
    with pytest.raises(Failed, match=f"{failed}|connect"):
        post(server.url, {}, BODY, PLAIN, seconds=0.5)
    assert time.monotonic() - start < 10
    server.listener.close()


def test_endless_body_is_not_read():
    def act(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b"x" * 65_536)

    server, start = Slow(act), time.monotonic()
    assert post(server.url, {}, BODY, PLAIN) == 200
    assert time.monotonic() - start < 10


def test_slow_name_lookup_ends_at_the_time_limit():
    start, resolved = time.monotonic(), Event()
    try:
        with pytest.raises(Failed, match="address"):
            post("https://example.org/", {}, BODY, STRICT, resolver=lambda *_: resolved.wait(30) and [], seconds=0.3)
        assert time.monotonic() - start < 10
    finally:
        resolved.set()


def test_slow_lookups_of_one_site_leave_room_for_others(receiver):
    """Its own addresses are not even looked up, which is not a failure: nothing was tried."""
    open_ = Event()

    def slow(host, port):
        open_.wait(60)
        return []

    names = [f"https://{name}.slow.example/" for name in ascii_lowercase]
    try:
        with ThreadPoolExecutor(len(names)) as pool:
            asked = [pool.submit(post, name, {}, BODY, LOCAL, resolver=slow, seconds=0.3) for name in names]
            raised = [type(each.exception()) for each in asked]
        assert Counter(raised) == {
            Failed: guarded_http.PER_SITE,
            ResolverBusy: len(names) - guarded_http.PER_SITE,
        }
        assert post(receiver.url, {}, BODY, LOCAL) == 204
        with pytest.raises(ResolverBusy):
            post("https://z.slow.example/", {}, BODY, LOCAL, resolver=slow)
    finally:
        open_.set()
    while guarded_http._resolving:
        time.sleep(0.01)


def test_first_of_several_addresses_gets_only_its_share_of_the_time(monkeypatch):
    given = []

    def connect(address, timeout):
        given.append(timeout)
        raise TimeoutError

    monkeypatch.setattr(guarded_http, "monotonic", lambda: 0.0)
    monkeypatch.setattr(socket, "create_connection", connect)
    found = ["8.8.8.8", "8.8.4.4", "2606:2800::1", "1.1.1.1"]
    with pytest.raises(Failed, match="timeout"):
        post("https://example.org/", {}, b"", STRICT, resolver=lambda *_: found, seconds=6.0)
    assert given == [1.5, 2.0, 3.0, 6.0]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://a.b.example.org/x", "example.org"),
        ("https://example.org:8443/", "example.org"),
        ("https://93.184.215.14/", "93.184.215.14"),
        ("https://[2606:2800:21f::1]/", "2606:2800:21f::1"),
    ],
)
def test_subdomains_count_as_one_site(url, site):
    assert read_url(url, STRICT).site == site


def test_endless_tls_handshake_ends_at_the_time_limit():
    server, start = Slow(lambda connection: time.sleep(2)), time.monotonic()
    with pytest.raises(Failed, match="timeout"):
        post(server.url.replace("http:", "https:"), {}, BODY, PLAIN, seconds=0.5)
    assert time.monotonic() - start < 10
    server.listener.close()


def test_old_tls_versions_are_refused(trusted):
    assert guarded_http._tls().minimum_version >= ssl.TLSVersion.TLSv1_2
    assert guarded_http._tls().verify_mode == ssl.CERT_REQUIRED
    assert guarded_http._tls().check_hostname
