"""Tests that the verifier in TypeScript accepts no value of a wrong type, and no other notation of a time."""

from collections.abc import Callable, Iterator
from typing import Any

from domain import match as life
from domain.core.clock import Clock
from domain.match.clocks import ContinueMatch, Credit
from domain.match.resignations import Resign
from domain.match.seating import Sit
from tests.proof.forger import relinked_wholly
from tests.proof.test_lies import held
from tests.proof.test_second_verifier import node, reports
from tests.recorded import Recorded

__all__ = ["node"]


def hearts() -> Any:
    """Return a match of hearts in which a deadline was extended, and seats continued after a hand."""
    table = Recorded("hearts", ("me", "open", "bot", "bot"), {"pause_between_hands": True}, Clock(60))
    table.does(1, Sit("ben"))
    table.does(0, Credit(60, "outage"), "timeout")
    table.plays_on(until=life.is_paused)
    table.does(0, ContinueMatch())
    table.does(1, ContinueMatch())
    table.does(0, Resign(whole_match=True))
    table.does(1, Resign(whole_match=True))
    table.plays_on()
    return table.record()


def levels() -> Any:
    """Return a sit-and-go whose levels are raised by time."""
    chosen = {"format": "sng", "starting_stack": 20, "minutes_per_level": 5}
    table = Recorded("holdem", ("me", "bot", "bot"), chosen)
    table.plays_on()
    return table.record()


def changed(made: Any, kind: str, change: Callable[[Any], Any]) -> Any:
    """Return the record with changed data in the first event of a type, rechained."""
    change(next(event["data"] for event in made["events"] if event["type"] == kind))
    return relinked_wholly(made)


def continued_by_bot(made: Any) -> Any:
    """Return the record in which a bot's seat confirms the next hand too."""
    events = made["events"]
    at = next(i for i, event in enumerate(events) if event["type"] == "HandContinued")
    events.insert(at, {**events[at], "data": {"seat": 2}, "commit": -1})
    return relinked_wholly(made)


def lies() -> Iterator[tuple[str, Any]]:
    yield "a seat in text", changed(hearts(), "PassChosen", lambda data: data.update(seat=str(data["seat"])))
    yield "a list of one reason", changed(hearts(), "ClockCredited", lambda data: data.update(why=[data["why"]]))
    yield "a bot continues", continued_by_bot(hearts())
    yield (
        "a time without its fraction",
        changed(levels(), "LevelsTimed", lambda data: data.update(at=data["at"].replace(".000Z", "Z"))),
    )


def test_second_verifier_rejects_values_of_a_wrong_type(node: str) -> None:
    honest = [report["verdict"] for report in reports(node, [held(hearts()), held(levels())])]
    told = dict(lies())
    found = [report.get("verdict") for report in reports(node, [held(one) for one in told.values()])]
    believed = [name for name, verdict in zip(told, found, strict=True) if verdict == "verified"]
    assert (honest, believed) == (["verified", "verified"], [])
