"""Calls the app, a WSGI callable, piece by piece: until there is something to send, to wait for, or the end."""

from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import IO, Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from flask import Flask

from api.http.change_poller import Wait
from api.http.log_setup import REQUEST
from api.http.request_ids import ENVIRON

PIECE_BYTES: Final = 65_536
"""A long answer is sent in pieces of about this size."""


class Piece(NamedTuple):
    """A piece of an answer. `wait` is the wait before the next piece, and `last` marks the last one."""

    data: bytes
    wait: Wait | None = None
    last: bool = False


class AppCall:
    """A call of the app answers one request. Its `status` and `headers` are there after the first piece of data."""

    def __init__(self, app: Flask, environ: dict[str, Any]) -> None:
        self._app, self._environ = app, environ
        self._answer: Any = None
        self._parts: Iterator[bytes | Wait] = iter(())
        self._busy = Lock()
        self.closed = False
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []

    def go_on(self) -> Piece:
        """Work on the answer until there is a piece of it."""
        named = REQUEST.set(self._environ[ENVIRON])
        try:
            with self._busy:
                return Piece(b"", last=True) if self.closed else self._piece()
        finally:
            REQUEST.reset(named)

    def _piece(self) -> Piece:
        if self._answer is None:
            self._answer = self._app(self._environ, self._start)
            self._parts = iter(self._answer)
        data = bytearray()
        for part in self._parts:
            if isinstance(part, Wait):
                return Piece(bytes(data), part)
            data += part
            if len(data) >= PIECE_BYTES:
                return Piece(bytes(data))
        self._close()
        return Piece(bytes(data), last=True)

    def close(self) -> None:
        """Free the answer's resources once no thread works on it."""
        with self._busy:
            if not self.closed:
                self._close()

    def _close(self) -> None:
        self.closed = True
        getattr(self._answer, "close", _nothing)()

    def _start(self, status: str, headers: list[tuple[str, str]], error: Any = None, /) -> Callable[[bytes], object]:
        self.status = int(status.split(" ", 1)[0])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return _unsupported


def _unsupported(data: bytes) -> None:
    raise NotImplementedError("An app gives its answer, and does not write it")


def _nothing() -> None:
    pass


def path_of(target: bytes) -> bytes:
    """Return the path of a request's target, which may be a full URL, as in requests to proxies.

    Any bytes have one: an invalid URL must not fail before its caller is counted.
    """
    if target[:1] in (b"/", b"*"):
        return target
    _, slash, path = target.partition(b"://")[2].partition(b"/")
    return slash + path.partition(b"?")[0].partition(b"#")[0]


def environ(scope: Mapping[str, Any], body: IO[bytes], size: int | None) -> dict[str, Any]:
    """Describe a request in WSGI form (PEP 3333). `size` is that of its body in bytes, or None."""
    target = scope["raw_path"]
    host, port = scope["server"] or ("", 0)
    made: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path_of(target)).decode("latin-1"),
        "RAW_URI": target.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": None,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if name not in _FRAMING:
            key = _NAMES.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
            text = value.decode("latin-1")
            made[key] = f"{made[key]},{text}" if key in made else text
    if size is not None:
        made["CONTENT_LENGTH"] = str(size)
    return made


_FRAMING: Final = frozenset({b"content-length", b"transfer-encoding", b"expect"})
_NAMES: Final = {b"content-type": "CONTENT_TYPE"}
