"""Serves a witness over HTTP: a small process with one file, apart from any server of games."""

import re
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import Any, Final

from events.transparency.witness import MOST_REQUEST, Witness, WitnessAnswer

SECONDS: Final = 10
"""The seconds of silence after which a client is disconnected."""
AT_ONCE: Final = 64
"""Maximum number of connections; further ones wait."""

CHECKPOINT: Final = re.compile(r"/([0-9a-f]{64})/checkpoint")


class WitnessServer(ThreadingHTTPServer):
    """The HTTP server of one witness."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        self.witness = witness
        self._places = BoundedSemaphore(AT_ONCE)
        super().__init__(address, _WitnessRequest)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handle a connection in a thread, as soon as there is a place."""
        self._places.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Handle a connection, and free its place."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


class _WitnessRequest(BaseHTTPRequestHandler):
    timeout = SECONDS
    protocol_version = "HTTP/1.1"
    server: WitnessServer

    def do_POST(self) -> None:
        self._answer(self._posted)

    def do_GET(self) -> None:
        self._answer(self._read)

    def _posted(self) -> WitnessAnswer:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length):
            self.close_connection = True
            return WitnessAnswer(411, "Send the header Content-Length.\n")
        if int(length) > MOST_REQUEST:
            self.close_connection = True
            return WitnessAnswer(413, f"Send a request of at most {MOST_REQUEST} bytes.\n")
        body = self.rfile.read(int(length))
        if self.path != "/add-checkpoint":
            return WitnessAnswer(404, "Not found.\n")
        return self.server.witness.add_checkpoint(body)

    def _read(self) -> WitnessAnswer:
        found = CHECKPOINT.fullmatch(self.path)
        return self.server.witness.read_checkpoint(found[1]) if found else WitnessAnswer(404, "Not found.\n")

    def _answer(self, made: Callable[[], WitnessAnswer]) -> None:
        answer = made()
        text = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.media_type)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- as the base class has it
        """Log nothing for each request."""
