"""Measures a move posted to the production server, next to a route that checks a body and writes one row."""

from bench.clients import table
from bench.crew import Done, crew
from bench.database import database
from bench.servers import api, floor
from bench.tables import Line, Table, compared

TABLES = 8
TARGET = 0.5


def measure(*, quick: bool) -> Table:
    """Compare requests per second at tables with four connections each, which send one request at a time."""
    seconds, count = (1.0, 3) if quick else (1.5, 8)
    made = Table(
        f"moves: POST moves on PostgreSQL, {TABLES} tables of 4 connections;"
        " floor: a body checked, one durable row, same server"
    )
    with database() as found, api(found) as ours, floor(found) as bare:
        servers = {"ours": (ours, found.app_url), "floor": (bare, found.app_url)}
        with crew(TABLES, table, servers) as clients:
            done: dict[str, list[Done]] = {name: [] for name in servers}
            for name in servers:
                # Every connection has been used, every statement prepared.
                clients.work(name, 1.0)
            for _ in range(count):
                for name, rounds in done.items():
                    rounds.append(clients.work(name, seconds))
    rates = {name: [d.rate for d in rounds] for name, rounds in done.items()}
    made.lines.append(compared("requests", rates["ours"], rates["floor"], "/s", TARGET))
    for name, q in (("p50", 0.5), ("p99", 0.99)):
        made.lines.append(latency(name, q, done["ours"], done["floor"]))
    return made


def latency(name: str, q: float, ours: list[Done], floor_: list[Done]) -> Line:
    """Compare the times within which a share of the answers came."""
    return compared(name, [1000 * d.quantile(q) for d in ours], [1000 * d.quantile(q) for d in floor_], "ms")
