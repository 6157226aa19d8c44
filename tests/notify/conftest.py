"""Provides a store on each database, players with notifications, and servers that receive webhooks and mail."""

import json
import ssl
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

import pytest
import trustme

from domain import match as life
from events.notify import webhooks
from events.notify.addresses import read_allowed_addresses, read_url
from events.notify.notices import KINDS
from events.notify.signatures import new_secret
from events.service.access import Caller
from events.settings import Settings
from events.store.opening import open_store
from events.store.tables import player_rows
from tests.bound import Matches
from tests.driven import at_work, begin, matches, now
from tests.notify.log import follow
from workers import guarded_http
from workers.notifier import Notifier
from workers.tasks.webhook_tasks import WebhookCaller as Calls

__all__ = ["at_work", "begin", "matches", "now"]


@pytest.fixture
def store(url):
    with closing(open_store(url)) as opened:
        for player in ("ann", "ben", "cat", "dan", "zoe"):
            player_rows.add_player(opened, player, player.title(), player.encode() * 8, 0)
        yield opened


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """Return a certificate authority in a file that a process can trust."""
    ca = trustme.CA()
    ca.cert_pem.write_to_path(str(tmp_path_factory.mktemp("ca") / "ca.pem"))
    return ca


@pytest.fixture
def trusted(authority, tmp_path, monkeypatch):
    """Trust the certificate authority."""
    path = tmp_path / "trusted.pem"
    authority.cert_pem.write_to_path(str(path))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    guarded_http._tls.cache_clear()
    yield
    guarded_http._tls.cache_clear()


class Receiver:
    """An HTTPS server for the name `localhost` that records each request and returns the configured answer."""

    def __init__(self, authority):
        self.got = []
        self.answer = lambda request: 204
        self.lock = Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = {"path": self.path, "headers": dict(self.headers), "body": body, **json.loads(body)}
                with receiver.lock:
                    receiver.got.append(request)
                status = receiver.answer(request)
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "https://localhost/elsewhere")
                self.end_headers()

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert("localhost").configure_cert(context)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.thread = Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    @property
    def port(self):
        return self.server.server_port

    @property
    def url(self):
        return f"https://localhost:{self.port}/dealt"

    def received(self):
        """Return the received notifications: kind and version, in order of arrival."""
        return [(request["type"], request["data"]["version"]) for request in self.got]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver(authority, trusted):
    made = Receiver(authority)
    yield made
    made.close()


@pytest.fixture
def settings():
    """Return an operator's settings that allow webhooks on the server's own machine, as only a test would."""
    return Settings(
        dealt_webhook_networks="127.0.0.0/8,::1/128", dealt_webhook_ports="1-65535",
        dealt_public_url="https://cards.example", dealt_mail_collect_seconds=300,
    )  # fmt: skip


@pytest.fixture
def hook(store, settings, now, receiver):
    """Create and return a webhook of a player."""

    def made(player="ann", url=None, kinds=KINDS, mark=""):
        url = url or receiver.url
        webhook_id, host = f"hook-{player}{mark}", read_url(url, read_allowed_addresses(settings)).site
        wanted = webhooks.Subscription(url, host, " ".join(kinds))
        assert webhooks.add(store, webhook_id, player, wanted, new_secret(b"k" * 32), now())
        return webhooks.webhook_of_player(store, player, webhook_id)

    return made


class Office:
    """The notifier and a worker, run only by the test, and the log of delivered notifications."""

    def __init__(self, store, settings, now):
        self.store = store
        self.calls = Calls(store, settings, now=now)
        self.lanes, self.mails = [], []
        self.notifier = Notifier(
            store, settings, lambda *lane: self.lanes.append(lane), self.mails.append, now=now, pause=0
        )

    def look(self):
        """Follow the log, and claim due deliveries."""
        follow(self.store, self.notifier.look)

    def deliver(self):
        """Follow the log, and make all due deliveries; return the number of attempts."""
        self.look()
        claimed, self.lanes = self.lanes, []
        return sum(self.calls.deliver(*lane) for lane in claimed)


@pytest.fixture
def office(store, settings, now):
    made = Office(store, settings, now)
    made.look()
    return made


@pytest.fixture
def plays(matches, now):
    """Make a default move for a person, or for the seat to act."""

    def move(match_id, seat=None, by="ann"):
        seen = matches.see(match_id, Caller(by, "token"))
        m = seen.match
        seat = life.to_act(m)[0] if seat is None else seat
        seen = matches.see_from(match_id, Caller(m.players[seat], "token"), seat)
        move = seen.match.game.timing.default(seen.match.table, seat)
        now.passes(1_000)
        return matches.move(match_id, Caller(m.players[seat], "token"), seat, move)

    return move


@pytest.fixture
def table(begin, matches, now):
    """Create a match of Hearts with four people; return its id."""

    def made(**how):
        match_id = begin("me", "open", "open", "open", **how).match_id
        for seat, player in enumerate(("ben", "cat", "dan"), 1):
            matches.sit(match_id, Caller(player, "token"), seat)
        return match_id

    return made


@pytest.fixture
def again(store, now):
    """Return another process's view of the same matches."""
    return Matches(store, now=now)
