"""Sends one request to a host that a user named, with checked addresses and limits.

The name is resolved once. All of its addresses are checked, and only a checked one is called, so a later change of the
name has no effect. Redirects and proxies are not used, and only the status of the answer is read. The limit for all of
this is five seconds.
"""

import socket
import ssl
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import cache
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final

from domain.core.values import mutable
from events.notify.addresses import Address, Allowed, BadAddress, Target, read_url, vet

SECONDS: Final = 5.0
MOST_BYTES: Final = 8_192
"""The longest head of an answer, in bytes; its body is not read."""

Resolve = Callable[[str, int], Collection[str]]


class Failed(Exception):
    """There was no answer; the message is one word for the log: address, connect, tls, timeout, answer.

    An unresolvable name and one that leads to a forbidden address have the same word: otherwise the owner of a
    webhook could find out which internal names exist.
    """


class ResolverBusy(Exception):
    """Too many names are being resolved. Nothing was tried."""


@mutable
class Budget:
    """The time that is left for all parts of a request."""

    until: float

    def left(self) -> float:
        """Return the seconds that are left. Raise `Failed` if there are none."""
        left = self.until - monotonic()
        if left <= 0:
            raise Failed("timeout")
        return left


def resolve(host: str, port: int) -> list[str]:
    """Return all addresses of a name, from the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def post(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    rules: Allowed,
    *,
    resolver: Resolve = resolve,
    seconds: float = SECONDS,
) -> int:
    """Post a body to an address; return the status of the answer. Raise `Failed` or `ResolverBusy`."""
    budget = Budget(monotonic() + seconds)
    try:
        target = read_url(url, rules)
    except BadAddress:
        raise Failed("address") from None
    addresses = _vetted(target, rules, resolver, budget)
    try:
        with _connected(target, addresses, budget) as connection:
            return _exchange(connection, _request(target, headers, body), budget)
    except TimeoutError:
        raise Failed("timeout") from None
    except ssl.SSLError:
        raise Failed("tls") from None
    except OSError:
        raise Failed("connect") from None


def _vetted(target: Target, rules: Allowed, resolver: Resolve, budget: Budget) -> list[Address]:
    """Resolve the name, and return its addresses. Raise `Failed` if any of them is not allowed."""
    try:
        found = [ip_address(text) for text in _patiently(target, resolver, budget)]
        for address in found:
            vet(address, rules)
    except (BadAddress, OSError, ValueError):
        raise Failed("address") from None
    if not found:
        raise Failed("address")
    return found


MOST_RESOLVING: Final = 32
PER_SITE: Final = 4
"""Maximum open questions to the resolver, in total and per site, since some take far too long."""

_resolving: Counter[str] = Counter()
_lock: Final = Lock()


def _begin(site: str) -> None:
    with _lock:
        if _resolving[site] >= PER_SITE or _resolving.total() >= MOST_RESOLVING:
            raise ResolverBusy
        _resolving[site] += 1


def _end(site: str) -> None:
    with _lock:
        _resolving[site] -= 1
        if not _resolving[site]:
            del _resolving[site]


def _patiently(target: Target, resolver: Resolve, budget: Budget) -> Collection[str]:
    """Resolve the name in a separate thread, because the system's resolver has no time limit."""
    answer: SimpleQueue[Collection[str] | Exception] = SimpleQueue()

    def work() -> None:
        try:
            answer.put(resolver(target.host, target.port))
        except Exception as error:
            answer.put(error)
        finally:
            _end(target.site)

    _begin(target.site)
    Thread(target=work, name="resolve", daemon=True).start()
    try:
        found = answer.get(timeout=budget.left())
    except Empty:
        raise Failed("address") from None
    if isinstance(found, Exception):
        raise found
    return found


def _connected(target: Target, addresses: list[Address], budget: Budget) -> socket.socket:
    """Connect to the first address that answers, with a part of the time for each; check the certificate."""
    for i, address in enumerate(addresses):
        try:
            share = budget.left() / (len(addresses) - i)
            plain = socket.create_connection((str(address), target.port), timeout=share)
            break
        except OSError:
            if i == len(addresses) - 1:
                raise
    if target.scheme == "http":
        return plain
    try:
        plain.settimeout(budget.left())
        return _tls().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


@cache
def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.authority}",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if any("\r" in line or "\n" in line for line in lines):
        raise Failed("address")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def _exchange(connection: socket.socket, request: bytes, budget: Budget) -> int:
    """Send a request, and return the status of the answer."""
    connection.settimeout(budget.left())
    connection.sendall(request)
    head = b""
    while True:
        while b"\n" not in head:
            head += _receive_some(connection, head, budget)
        status = _status(head)
        if status >= 200:
            return status
        while b"\r\n\r\n" not in head:  # an interim status, before the real answer
            head += _receive_some(connection, head, budget)
        head = head.partition(b"\r\n\r\n")[2]


def _receive_some(connection: socket.socket, head: bytes, budget: Budget) -> bytes:
    connection.settimeout(budget.left())
    data = connection.recv(1_024)
    if not data or len(head) > MOST_BYTES:
        raise Failed("answer")
    return data


def _status(head: bytes) -> int:
    version, _, rest = head.partition(b"\n")[0].partition(b" ")
    digits = rest[:3]
    if not version.startswith(b"HTTP/1.") or len(digits) != 3 or not digits.isdigit() or digits[:1] not in b"12345":
        raise Failed("answer")
    return int(digits)
