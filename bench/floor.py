"""Serves the floor of a request that writes: the same server, a checked body and one durable row."""

import os
import sys
from typing import Annotated, Any

from flask import Flask, request
from msgspec import UNSET, Meta, Struct, UnsetType, json
from psycopg_pool import ConnectionPool

from api.http.server import Processes, Served, listen, serve
from events.settings import settings

TABLE = "CREATE TABLE floor (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, match_id text, name text, card text)"
INSERT = "INSERT INTO floor (match_id, name, card) VALUES (%s, %s, %s)"


Card = Annotated[str, Meta(min_length=2, max_length=2)]


class Args(Struct, forbid_unknown_fields=True):
    card: Card | UnsetType = UNSET
    cards: list[Card] | UnsetType = UNSET


class Move(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=40)]
    args: Args


def create_app(conninfo: str) -> Flask:
    """Make an app with one route, which needs no token."""
    app = Flask("floor")
    pool = ConnectionPool(conninfo, min_size=2, max_size=10, kwargs={"autocommit": True}, open=True)

    @app.post("/v1/matches/<match_id>/moves")
    def make(match_id: str) -> Any:
        move = json.decode(request.get_data(), type=Move)
        with pool.connection() as connection:
            connection.execute(INSERT, [match_id, move.name, str(move.args)], prepare=True)
        return {"name": move.name}

    return app


def main(port: int, conninfo: str) -> None:
    """Serve it as `dealt api` serves the product."""
    given = settings()
    serve(
        lambda: Served(create_app(conninfo)),
        listen("127.0.0.1", port),
        given,
        Processes(count=given.dealt_processes, access_log=True, grace_seconds=1),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), os.environ["FLOOR"])
