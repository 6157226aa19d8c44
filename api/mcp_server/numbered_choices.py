"""Numbers the legal moves that can be listed; a JSON schema and an example describe the others. It knows no game."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from typing import Any, Final

from api.terminal.choosing import Row, move_rows

MOST: Final = 40
"""The maximum number of choices listed for one move."""


def list_choices(moves: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Mapping[str, Any]]]:
    """Return the bodies of all listed moves, and the moves that have too many values to list."""
    listed: list[dict[str, Any]] = []
    others: list[Mapping[str, Any]] = []
    for move in moves:
        rows = move_rows([move], [])
        if move["legal_by_schema"] and all(map(_can_be_listed, rows)):
            listed += [{"name": row.name, "args": args} for row in rows for args in _values(row)]
        else:
            others.append(move)
    return listed, others


def describe_move(move: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a move for the argument `move`: its name, the schema of `args`, and an example."""
    return {"name": move["name"], "args_schema": _without_hints(move["args"]), "example": move["example"]}


def _can_be_listed(row: Row) -> bool:
    if row.picks is not None:
        return sum(comb(len(row.values), count) for count in row.picks) <= MOST
    if row.bounds is not None:
        return len(row.bounds) <= 1
    return row.is_whole and len(row.values) <= MOST


def _values(row: Row) -> Iterator[dict[str, Any]]:
    """Yield the arguments that complete a row."""
    if row.picks is not None:
        values = [value[row.argument] for value in row.values]
        for count in row.picks:
            yield from ({row.argument: list(some)} for some in combinations(values, count))
    elif row.bounds is not None:
        yield from ({row.argument: number} for number in islice(row.bounds, MOST))
    else:
        yield from map(dict, row.values)


def _without_hints(schema: Any) -> Any:
    """Return a schema without the hints for drawing it."""
    if isinstance(schema, dict):
        return {key: _without_hints(one) for key, one in schema.items() if not key.startswith("x-")}
    return [_without_hints(one) for one in schema] if isinstance(schema, list) else schema
