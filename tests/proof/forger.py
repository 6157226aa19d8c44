"""Forges records as a server with the signing key could: it changes a match, and recomputes everything that follows."""

import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from events.log.seals import seal, seal_key
from events.proof.epochs import fairness
from tests.tampered import Path, copied, relinked

Made = dict[str, Any]


class Forgery(NamedTuple):
    """A record with one lie, and what it changes: the kind of change, the type of event, and the place."""

    how: str
    type: str
    path: Path
    record: Made


def relinked_wholly(made: Made) -> Made:
    """Number, seal and chain the events, and update the fields of the match."""
    _number(made["events"])
    _seal(made)
    _tell(made)
    made["fairness"] = fairness([SimpleNamespace(**event) for event in made["events"]])  # type: ignore[misc]
    return relinked(made)


def _number(events: list[Made]) -> None:
    numbers: dict[Any, int] = {}
    for seq, event in enumerate(events, 1):
        event["seq"] = seq
        event["commit"] = numbers.setdefault(event["commit"], seq)


def _seal(made: Made) -> None:
    """Reseal each part with the key of its hand, if the record discloses it."""
    keys = {e["data"].get("hand_no"): e["data"].get("hand_key") for e in made["events"] if e["type"] == "SeedRevealed"}
    hand, reader = 0, made["match"]["reader"]
    for event in made["events"]:
        hand = _hand_of(event, hand)
        for field, readers in event["seals"].items():
            own = {reader: event["data"][field]} if field in event["data"] else {}
            parts = event.get("disclosed", {}).get(field, {}) | own
            for who in set(parts) & set(readers):
                key = event["unseal"][field].get(who)
                if hand and hand in keys and event["type"] not in OF_NO_HAND:
                    key = seal_key(bytes.fromhex(keys[hand]), event["seq"], field, who).hex()
                event["unseal"][field][who] = key
                readers[who] = seal(bytes.fromhex(key), event["seq"], field, who, parts[who])


def _hand_of(event: Made, hand: int) -> int:
    if event["type"] == "HandStarted":
        return int(event["data"]["hand_no"])
    return 0 if event["type"] == "GameEnded" else hand


OF_NO_HAND = ("CauseSealed",)


def _tell(made: Made) -> None:
    events, match = made["events"], made["match"]
    first = events[0]
    told = {name: first["data"].get(name) for name in ABOUT}
    seats = _seats(match, events)
    ended = next((e for e in events if e["type"] == "MatchEnded"), None)
    match |= told | {"created_at": first["at"], "version": len(events), "seats": seats}
    match["status"] = _status(events, ended)
    match["result"] = ended["data"].get("result") if ended else None


ABOUT = ("game", "rules", "visibility", "options", "preset", "series", "clock")


def _status(events: list[Made], ended: Made | None) -> Any:
    if ended is None:
        return "playing" if any(e["type"] == "MatchStarted" for e in events) else "lobby"
    reason = ended["data"].get("reason")
    return "finished" if reason in ("played", "resignation", "draw") else reason


def _seats(match: Made, events: list[Made]) -> list[Made]:
    plans = events[0]["data"].get("seats")
    if not isinstance(plans, list) or len(plans) != len(match["seats"]) or not all(isinstance(p, dict) for p in plans):
        return list(match["seats"])
    seats = [{"seat": i, "kind": p.get("kind"), "player": None, "level": p.get("level")} for i, p in enumerate(plans)]
    for event in events:
        seat = event["data"].get("seat")
        if type(seat) is not int or not 0 <= seat < len(seats):
            continue
        if event["type"] == "SeatTaken":
            seats[seat] |= {"kind": "player", "player": {"id": event["data"].get("player"), "name": None}}
        if event["type"] == "SeatLeft":
            seats[seat] |= {"kind": plans[seat].get("kind"), "player": None}
    return seats


# --- Lies -----------------------------------------------------------------------------------------------


def forgeries(made: Made) -> Iterator[tuple[str, str, Path, Callable[[], Made]]]:
    """Yield every lie about a match: the kind, the event type, the place, and the function that writes the record."""
    events = made["events"]
    for i, event in enumerate(events):
        for how, path, change in _of_event(events, i):
            yield how, event["type"], ("events", i, *path), _forger(made, change)


def forged(made: Made, lie: tuple[str, str, Path, Callable[[], Made]]) -> Forgery | None:
    """Return a forgery, or None if it is no longer a record or is unchanged."""
    how, kind, path, write = lie
    try:
        twin = write()
    except (KeyError, TypeError, AttributeError, ValueError, IndexError):
        return None
    return None if twin["match"]["head"] == made["match"]["head"] else Forgery(how, kind, path, twin)


def _forger(made: Made, change: Callable[[list[Made]], None]) -> Callable[[], Made]:
    def write() -> Made:
        twin = copied(made)
        change(twin["events"])
        return relinked_wholly(twin)

    return write


Change = Callable[[list[Made]], None]
CAUSES = ("move", "bot", "timeout", "auto", "operator")


def _of_event(events: list[Made], i: int) -> Iterator[tuple[str, Path, Change]]:
    event = events[i]
    yield from _moved(events, i)
    for cause in CAUSES:
        if cause != event["cause"]:
            yield f"cause {cause}", ("cause",), _setter(i, ("cause",), _always(cause))
    for part in ("data", "disclosed"):
        for path, value in _places(event.get(part, {})):
            for how, change in _values(value):
                yield how, (part, *path), _setter(i, (part, *path), change)
    yield "add field", ("data",), _setter(i, ("data",), lambda d: {**d, "zz": 1})


def _setter(i: int, path: Path, change: Callable[[Any], Any]) -> Change:
    return lambda es: _change(es, i, path, change)


def _always(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _more(by: int) -> Callable[[Any], Any]:
    return lambda x: x + by


def _moved(events: list[Made], i: int) -> Iterator[tuple[str, Path, Change]]:
    if i:
        yield "remove event", (), lambda es: _remove(es, i)
        yield "begin commit", (), lambda es: _begin(es, i)
        yield "join commit", (), lambda es: _join(es, i)
    if 0 < i < len(events) - 1:
        yield "swap events", (), lambda es: _swap(es, i)
    yield "repeat event", (), lambda es: es.insert(i, copied(es[i]))
    yield "later time", ("at",), lambda es: _later(es, i)


def _remove(es: list[Made], i: int) -> None:
    gone = es.pop(i)
    for e in es:
        if e["commit"] == gone["seq"]:
            e["commit"] = "again"


def _begin(es: list[Made], i: int) -> None:
    commit = es[i]["commit"]
    for e in es[i:]:
        if e["commit"] == commit:
            e["commit"] = "new"


def _join(es: list[Made], i: int) -> None:
    commit, before = es[i]["commit"], es[i - 1]
    for e in es[i:]:
        if e["commit"] == commit:
            e.update(commit=before["commit"], at=before["at"])


def _swap(es: list[Made], i: int) -> None:
    a, b = es[i], es[i + 1]
    a["commit"], b["commit"], a["at"], b["at"] = b["commit"], a["commit"], b["at"], a["at"]
    es[i], es[i + 1] = b, a


def _later(es: list[Made], i: int) -> None:
    commit = es[i]["commit"]
    for e in es:
        if e["commit"] == commit:
            e["at"] = _other_second(e["at"])


def _other_second(at: str) -> str:
    return at[:-5] + ("1" if at[-5] != "1" else "2") + at[-4:]


def _places(x: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    inner = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    for key, below in inner:
        yield (*path, key), below
        yield from _places(below, (*path, key))


GONE = object()
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def _values(x: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield replacements for a value."""
    yield "remove", lambda _: GONE
    if x is not None:
        yield "null", lambda _: None
    yield "another type", lambda _: 7 if isinstance(x, str) else "7"
    match x:
        case bool():
            yield "other", lambda _: not x
            yield "number for truth", lambda _: int(x)
        case int():
            for by in (1, -1, 2, 60):
                yield f"other {by:+}", _more(by)
            yield "truth for number", lambda _: True
        case str() if TIME.fullmatch(x):
            yield "other time", _other_second
        case str():
            for other in OTHERS.get(x, ("UTC", "zz", "")):
                yield "other text", _always(other)
        case list():
            yield "empty", lambda _: []
            if x:
                yield "longer", lambda _: [*x, x[-1]]
                yield "shorter", lambda _: x[:-1]
                yield "backwards", lambda _: x[::-1]
        case dict():
            yield "empty", lambda _: {}
            yield "add field", lambda _: {**x, "zz": 1}
        case None:
            values: tuple[Any, ...] = (0, 1, "ann", [])
            for value in values:
                yield "not null", _always(value)


def _enums() -> dict[str, tuple[str, ...]]:
    rows = (
        ("hand_end", "game_end", "match_end", "never"), ("bot", "end"), ("public", "unlisted", "private"),
        ("default_action", "bot", "forfeit"), ("simple", "fischer", "byo_yomi", "canadian"), ("hashes", "nonces"),
        ("outage", "vacation"), ("played", "resignation", "draw", "abandoned", "stopped"), ("cancelled", "expired"),
        ("open", "invite", "bot"), ("random", "pick", "cut"), ("UTC", "Europe/Berlin", "Mars/Olympus", "Europe"),
        ("ann", "ben", "cem"), ("move", "order"),
    )  # fmt: skip
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        for one in row:
            found[one] = (*found.get(one, ()), *(other for other in row if other != one))
    return found


OTHERS = _enums()


def _change(es: list[Made], i: int, path: Path, change: Callable[[Any], Any]) -> None:
    """Change a value of an event, and its copy in `MatchStarted` if it belongs to the creation."""
    _set(es[i], path, change)
    if es[i]["type"] == "MatchCreated" and path[:2] == ("data", "options"):
        for e in es:
            if e["type"] == "MatchStarted":
                _set(e, path, change)
    if es[i]["type"] == "NonceSubmitted" and path == ("data", "nonce"):
        for e in es:
            if e["type"] == "MatchStarted":
                e["data"]["nonces"][es[i]["data"]["seat"]] = es[i]["data"]["nonce"]


def _set(inside: Any, path: Path, change: Callable[[Any], Any]) -> None:
    for key in path[:-1]:
        inside = inside[key]
    new = change(inside[path[-1]])
    if new is GONE:
        del inside[path[-1]]
    else:
        inside[path[-1]] = new
