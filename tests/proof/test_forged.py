"""Tests that carefully forged records with valid digests fail if public data contradicts them (contract 7)."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.games.catalogue import BUILT_IN
from domain.match.match_results import MatchEnded
from events.log.codec import shapes
from events.proof.record import Unreadable
from tests.draws import first_of
from tests.recorded import FINISHED, OTHERS
from tests.tampered import PRETENDED, copied, failing, of_each_version, pretend, relinked, verified

DUE = {
    "hand_end": lambda life: (life.hand_starts, life.game_starts, MatchEnded),
    "game_end": lambda life: (life.game_starts, MatchEnded),
    "match_end": lambda life: (MatchEnded,),
}
"""The types of events before which the seeds of earlier hands are disclosed, by the option `fairness_reveal`."""


def without_seeds(made: dict[str, Any], dropped: slice = slice(None)) -> dict[str, Any]:
    """Return the record as if seeds had not been disclosed: without these events, and without the parts that they
    open."""
    seeds = [e["seq"] for e in made["events"] if e["type"] == "SeedRevealed"][dropped]
    first = {e["seq"]: e["commit"] for e in made["events"]}
    made["events"] = [e for e in made["events"] if e["seq"] not in seeds]
    numbers = {e["seq"]: i for i, e in enumerate(made["events"], 1)}
    for e in made["events"]:
        e.pop("disclosed", None)
        own = [name for name in e["seals"] if name in e["data"]]
        e["unseal"] = {
            name: {r: k for r, k in e.get("unseal", {}).get(name, {}).items() if r == made["match"]["reader"]}
            for name in own
        }
        e["seq"], e["commit"] = numbers[e["seq"]], numbers[first[e["seq"]]]
    for epoch in made["fairness"]["epochs"]:
        epoch["revealed"] = [r for r in epoch["revealed"] if seeds == [] or dropped != slice(None)]
    made["match"]["version"] = len(made["events"])
    return relinked(made)


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_due_seed_cannot_be_left_out(game):
    made = without_seeds(FINISHED[game.name]().record())
    ends = {kind.__name__ for kind in DUE[game.setup.reveal](game.lifecycle)}
    dealt = next(e["seq"] for e in made["events"] if e["type"] == game.lifecycle.hand_starts.__name__)
    due = next(e["seq"] for e in made["events"][dealt:] if e["type"] in ends)
    assert ("shuffles", due) in failing(verified(made))


def test_seeds_must_be_disclosed_hand_by_hand():
    made = FINISHED["hearts"]().record()
    seed = next(e for e in made["events"] if e["type"] == "SeedRevealed")
    seed["data"]["hand_no"] = made["fairness"]["epochs"][0]["revealed"][0]["hand_no"] = 2
    assert ("shuffles", seed["seq"]) in failing(verified(relinked(made)))


def bools(x: Any) -> Any:
    """Yield booleans in place of 0 and 1, and numbers in place of booleans."""
    if isinstance(x, list):
        return [bools(entry) for entry in x]
    if isinstance(x, dict):
        return {name: bools(entry) for name, entry in x.items()}
    return int(x) if type(x) is bool else bool(x) if type(x) is int and x in (0, 1) else x


@pytest.mark.parametrize("game", first_of(game.name for game in BUILT_IN))
def test_boolean_in_place_of_a_number_is_refused(game):
    """This applies to every field of every event, although Python considers them equal."""
    made = FINISHED[game]().record()
    for kind in dict.fromkeys(e["type"] for e in made["events"]):
        twin = copied(made)
        event = next(e for e in twin["events"] if e["type"] == kind)
        public = {name: x for name, x in event["data"].items() if name not in event["seals"]}
        if (other := bools(public)) != public or str(other) != str(public):
            event["data"] |= other
            assert failing(verified(relinked(twin))), kind


@pytest.mark.parametrize("name", [name for name in OTHERS if "lobby" not in name and "cancelled" not in name])
def test_partly_judged_record_is_not_reported_as_valid(name):
    make, reader = OTHERS[name]
    report = verified(make().record(reader))
    assert report.verdict == "unverifiable"
    assert "rules" in {check.name for check in report.checks if check.skipped}


def test_part_in_two_places_is_refused():
    made = OTHERS["hearts running, second hand"][0]().record("0")
    dealt = next(e for e in made["events"] if e["type"] == "HandDealt" and "disclosed" in e)
    dealt["disclosed"]["cards"]["0"] = ["XX"]
    with pytest.raises(Unreadable, match="both"):
        verified(made)


Write = Callable[[str], str]

WRITTEN: dict[str, Write] = {
    "without milliseconds": lambda at: at[:-5] + "Z",
    "with an offset": lambda at: at[:-1] + "+00:00",
    "with a space": lambda at: at.replace("T", " "),
    "with microseconds": lambda at: at[:-1] + "000Z",
    "not at all": lambda at: "",
}


@pytest.mark.parametrize("how", WRITTEN)
def test_time_in_another_form_is_refused(how):
    made = FINISHED["crazy_eights"]().record()
    last = made["events"][-1]
    for e in made["events"]:
        if e["commit"] == last["commit"]:
            e["at"] = WRITTEN[how](e["at"])
    assert ("chain", last["commit"]) in failing(verified(relinked(made)))


def test_creation_time_may_be_missing_but_not_empty():
    made = FINISHED["crazy_eights"]().record()
    made["match"]["created_at"] = ""
    assert failing(verified(made)) == [("result", 1)]


@pytest.mark.parametrize("rules", ["ours", "others"])
def test_event_of_an_earlier_version_with_a_later_field_fails(rules, monkeypatch):
    seen = set()
    for name in ("timed out", "nonces", "hearts"):
        made = FINISHED[name]().record()
        pretend(monkeypatch, shapes(made["match"]["game"]), PRETENDED)
        if rules == "others":
            made["match"]["rules"] = made["events"][0]["data"]["rules"] = "0"
            relinked(made)
        for what, seq, twin, honest in of_each_version(made):
            failed = failing(verified(twin))
            assert failed == [] if honest else ("seals", seq) in failed, what
            seen.add(what.split()[0])
    assert seen == set(PRETENDED)
