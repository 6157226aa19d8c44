"""A client that checks every answer against the description."""

import time
from typing import Any

from flask.testing import FlaskClient

from tests.api import description
from tests.factories import MatchBody


class Client:
    """Sends requests as a player, or without a token as an anonymous caller."""

    def __init__(self, app, token=None, player_id=None, name=None, handle=None):
        self.app, self.token, self.id, self.name, self.handle = app, token, player_id, name, handle
        self._client: FlaskClient = app.test_client()

    def send(self, method, path, headers=None, **kwargs):
        mine = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        response = self._client.open(path, method=method, headers=mine | (headers or {}), **kwargs)
        if response.mimetype != "text/event-stream":
            description.check(method, path.partition("?")[0], response)
        return response

    def get(self, path, **kwargs):
        return self.send("GET", path, **kwargs)

    def post(self, path, json=None, **kwargs):
        return self.send("POST", path, json=json, **kwargs)

    def put(self, path, json=None, **kwargs):
        return self.send("PUT", path, json=json, **kwargs)

    def patch(self, path, json=None, **kwargs):
        return self.send("PATCH", path, json=json, **kwargs)

    def delete(self, path, **kwargs):
        return self.send("DELETE", path, **kwargs)

    def creates(self, **traits):
        """Create and return a match."""
        response = self.post("/v1/matches", MatchBody(**traits))
        assert response.status_code == 201, response.json
        return Table(response.json)

    def sees(self, table, **kwargs):
        response = self.get(table.path, **kwargs)
        assert response.status_code == 200, response.json
        return response.json

    def offers(self, table):
        """Return the legal moves of the player."""
        return self.get(f"{table.path}/moves").json

    def plays(self, table, move=None, **kwargs):
        """Make the given move, or the first one offered."""
        move = move or self.offers(table)["moves"][0]["example"]
        return self.post(f"{table.path}/moves", move, **kwargs)

    def events(self, table, query=""):
        """Return the events of a page, or without a query those of all pages."""
        found = self.get(f"{table.path}/events{query}").json["items"]
        while not query and (page := self.get(f"{table.path}/events?after={len(found)}").json["items"]):
            found += page
        return found


class Table(dict[str, Any]):
    """A match as it was created; `path` is its address."""

    @property
    def path(self):
        return f"/v1/matches/{self['id']}"


def waits(app):
    """Wait until a request is waiting for changes in the app."""
    ends = time.monotonic() + 60
    while not app.extensions["dealt"].poller._waits:
        assert time.monotonic() < ends, "no request waits for news"
        time.sleep(0.005)


def code(response):
    """Return the status and the code of a refusal."""
    return response.status_code, response.json["code"]
