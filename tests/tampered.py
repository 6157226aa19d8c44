"""Tampers with records, and returns the verdicts of a verification."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from events import proof
from events.log.codec import Shape
from events.log.seals import NO_EVENT, digest, seal
from events.proof import record
from events.proof.findings import Evidence, Report


def verified(made: Any, kept: Any = None) -> Report:
    """Verify a record as parsed from its text.

    Raises `Unreadable`. `kept` are a reader's heads, by default that of the record itself, because no server has signed
    it.
    """
    read = record.read_record(json.dumps(made).encode())
    heads = [(read.match.version, read.match.head)] if kept is None else kept
    return proof.verify_match(read.match.id, record.facts(read), record.claims(read, Evidence(heads)))


def failing(report: Report) -> list[tuple[str, int | None]]:
    """Return the failed checks, and where they fail."""
    return [(check.name, check.seq) for check in report.checks if not check.ok]


def copied(x: Any) -> Any:
    """Copy parsed JSON in a fifth of the time that `deepcopy` takes."""
    if isinstance(x, dict):
        return {key: copied(below) for key, below in x.items()}
    return [copied(below) for below in x] if isinstance(x, list) else x


Path = tuple[Any, ...]


def places(x: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Return everything that can be changed in a record, with the kind of change."""
    inner = list(x.items()) if isinstance(x, dict) else list(enumerate(x)) if isinstance(x, list) else []
    for i, (key, below) in enumerate(inner):
        at = (*path, key)
        if isinstance(below, dict | list) and below:
            yield from places(below, at)
        else:
            yield at, "change"
        yield at, "drop"
        if isinstance(x, dict):
            yield at, "rename"
        else:
            yield at, "double"
            if i and inner[i - 1][1] != below:
                yield at, "swap"


def changed(made: dict[str, Any], path: Path, how: str) -> dict[str, Any]:
    """Return a copy of a record with one thing changed."""
    twin: dict[str, Any] = copied(made)
    inside: Any = twin
    for key in path[:-1]:
        inside = inside[key]
    key = path[-1]
    match how:
        case "change":
            inside[key] = other(inside[key])
        case "drop":
            del inside[key]
        case "rename":
            inside[f"{key}x"] = inside.pop(key)
        case "double":
            inside.insert(key, inside[key])
        case "swap":
            inside[key - 1], inside[key] = inside[key], inside[key - 1]
    return twin


def changed_to(made: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return a copy of a record with one value replaced."""
    twin: dict[str, Any] = copied(made)
    inside: Any = twin
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return twin


def other(x: Any) -> Any:
    """Return another value of the same kind."""
    match x:
        case bool():
            return not x
        case int():
            return x + 1
        case str():
            return f"{x[:-1]}{'b' if x[-1:] == 'a' else 'a'}"
        case _:
            return 7 if x is None else [7] if isinstance(x, list) else {"x": 7}


def leaves(x: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the place and the value of everything in a document that contains nothing else."""
    inner = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    if not inner:
        yield path, x
    for key, below in inner:
        yield from leaves(below, (*path, key))


def of_other_kinds(leaf: Any) -> Iterator[Any]:
    """Yield null, the other case and other types in place of a leaf, each of which must be rejected."""
    others: list[Any] = [None, str(leaf).upper(), str(leaf).lower(), 7, "7", [], {}, True, f" {leaf}"]
    yield from (other for other in others if type(other) is not type(leaf) or other != leaf)


def relinked(made: dict[str, Any]) -> dict[str, Any]:
    """Recompute the digests and the claims about the end, as the writer of the log could."""
    before = NO_EVENT
    for e in made["events"]:
        hidden = set(e["seals"])
        public = {name: x for name, x in e["data"].items() if name not in hidden}
        parts = {name: e[name] for name in ("at", "cause", "commit", "seals", "seq", "type", "v")}
        before = digest(before, {**parts, "data": public, "match": made["match"]["id"]})
        e["digest"] = before
    made["match"]["head"] = before
    return made


def with_option(made: dict[str, Any], name: str, setting: Any) -> dict[str, Any]:
    """Return the record as a server with one more option would have written it."""
    twin: dict[str, Any] = copied(made)
    for there in _options_in(twin):
        there[name] = setting
    return relinked(twin)


def without_option(made: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the record as a server with one option less would have written it."""
    twin: dict[str, Any] = copied(made)
    for there in _options_in(twin):
        del there[name]
    return relinked(twin)


def _options_in(made: dict[str, Any]) -> list[dict[str, Any]]:
    of_match = [event["data"] for event in made["events"] if event["type"] in ("MatchCreated", "MatchStarted")]
    return [there["options"] for there in (*of_match, made["match"])]


PRETENDED: dict[str, list[dict[str, Any]]] = {
    "MatchCreated": [{"deal_group": None, "deal_known": None}, {"tournament": None}],
    "SeatTaken": [{"player_key": None}],
    "NoncesAwaited": [{"credited": 0}],
}
"""A synthetic table of later fields: current fields, treated as if versions 2 and 3 of these events had added them."""


def pretend(patch: pytest.MonkeyPatch, known: Mapping[str, Shape], added: Mapping[str, list[dict[str, Any]]]) -> None:
    """Pretend that later versions of events added these fields."""
    for kind, versions in added.items():
        patch.setattr(known[kind], "version", 1 + len(versions))
        patch.setattr(known[kind], "added", versions)


def of_each_version(made: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any], bool]]:
    """Yield the record with an event as each version had it, and with each field that this version did not have.

    Each comes with the change, the event's number, and whether a server can have written the event.
    """
    today = copied(made)
    for e in today["events"]:
        e["v"] = 1 + len(PRETENDED.get(e["type"], []))
    for kind in dict.fromkeys(e["type"] for e in today["events"] if e["type"] in PRETENDED):
        for v in range(1, 2 + len(PRETENDED[kind])):
            twin = copied(today)
            event = next(e for e in twin["events"] if e["type"] == kind)
            event["v"], at = v, event["seq"] - 1
            came = {name: event["data"].pop(name) for fields in PRETENDED[kind][v - 1 :] for name in fields}
            yield f"{kind} {v}", event["seq"], relinked(copied(twin)), True
            for name, x in came.items():
                forged = copied(twin)
                forged["events"][at]["data"][name] = x
                yield f"{kind} {v} {name}", event["seq"], relinked(forged), False


def resealed(made: dict[str, Any]) -> dict[str, Any]:
    """Recompute the seals with the keys in the record, and the digests over them."""
    reader = made["match"]["reader"]
    for e in made["events"]:
        parts = copied(e.get("disclosed", {}))
        for name in e["seals"]:
            if name in e["data"]:
                parts.setdefault(name, {})[reader] = e["data"][name]
        for name, part in parts.items():
            for who, x in part.items():
                key = e.get("unseal", {}).get(name, {}).get(who)
                if key and who in e["seals"].get(name, {}):
                    e["seals"][name][who] = seal(bytes.fromhex(key), e["seq"], name, who, x)
    return relinked(made)
