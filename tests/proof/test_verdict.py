"""Tests the verdict on a record: a skipped check never counts as passed (contract 7)."""

import json
from typing import Any

import pytest

from domain.core.types import fields_of, key
from domain.games.catalogue import GAMES
from events.proof.record import Unreadable
from tests.proof.test_signatures import signed
from tests.recorded import FINISHED, OTHERS
from tests.tampered import copied, relinked, resealed, verified, with_option, without_option


def relabelled(made: dict[str, Any], **created: Any) -> dict[str, Any]:
    """Return a record whose match has other creation data everywhere."""
    twin: dict[str, Any] = json.loads(json.dumps(made))
    twin["events"][0]["data"] |= created
    twin["match"] |= {name: x for name, x in created.items() if name in twin["match"]}
    return relinked(twin)


def a_play(game: str = "hearts") -> dict[str, Any]:
    made: dict[str, Any] = FINISHED[game]().record()
    return made


@pytest.mark.parametrize("game", FINISHED)
def test_fully_judged_finished_match_is_verified(game: str) -> None:
    report = verified(a_play(game))
    assert (report.verdict, report.ok) == ("verified", True)


@pytest.mark.parametrize("rules", ["2", "1.2", "99.99", "", "1.1.1"])
def test_rules_of_another_version_are_unverifiable(rules: str) -> None:
    report = verified(relabelled(a_play(), rules=rules))
    assert (report.verdict, report.ok) == ("unverifiable", False)


@pytest.mark.parametrize("game", ["bridge", "Hearts", "../hearts"])
def test_a_game_that_is_not_installed_is_unverifiable(game: str) -> None:
    report = verified(relabelled(a_play(), game=game))
    assert (report.verdict, report.ok) == ("unverifiable", False)


@pytest.mark.parametrize("game", FINISHED)
def test_an_unknown_option_makes_a_record_unverifiable(game: str) -> None:
    report = verified(with_option(a_play(game), "scoring_cards", "none"))
    assert (report.verdict, report.ok) == ("unverifiable", False)
    assert next(c.detail for c in report.checks if c.name == "rules") == "The option scoring_cards is unknown here."


def test_record_with_an_unknown_option_never_fails() -> None:
    """A newer game may deal in another way, and have events that this code does not know."""
    made = with_option(a_play(), "scoring_cards", "none")
    dealt = next(event for event in made["events"] if event["type"] == "HandDealt")
    dealt["type"] = "HandDealtFaceUp"
    assert verified(relinked(made)).verdict == "unverifiable"


@pytest.mark.parametrize("game", GAMES)
def test_record_without_an_option_is_unverifiable(game: str) -> None:
    """A default is not in the record, and another version of the game may have another."""
    made = a_play(game)
    own = fields_of(GAMES[game].setup.options)
    for name in ("rated", *map(key, own)):
        report = verified(without_option(made, name))
        assert report.verdict == "unverifiable"
        assert {check.detail for check in report.checks if check.name == "rules"} == {
            f"The record has no option {name}."
        }


def test_record_under_the_name_of_another_game_fails() -> None:
    options = a_play("trio")["match"]["options"]
    assert verified(relabelled(a_play(), game="trio", options=options)).verdict == "failed"


@pytest.mark.parametrize("game", FINISHED)
def test_match_dealt_here_cannot_pass_for_a_hand_history(game: str) -> None:
    report = verified(relabelled(a_play(game), rules="phh"))
    assert (report.verdict, report.ok) == ("failed", False)


def test_newer_schema_is_unverifiable() -> None:
    made = a_play()
    last = made["events"][-1]
    last["v"], last["data"]["told_later"] = last["v"] + 1, "what this code does not know"
    report = verified(relinked(made))
    assert report.verdict == "unverifiable"
    assert any("not known here" in check.detail for check in report.checks)


RUNNING = [name for name in OTHERS if "running" in name]


@pytest.mark.parametrize("name", RUNNING)
def test_a_running_match_cannot_be_verified_before_its_cards_are_disclosed(name: str) -> None:
    make, reader = OTHERS[name]
    report = verified(make().record(reader))
    assert report.verdict == "unverifiable"
    skipped = {check.name: check.detail for check in report.checks if check.skipped}
    assert "not disclosed" in skipped["rules"]


@pytest.mark.parametrize("name", [name for name in RUNNING if "seat" in name])
def test_record_of_a_running_match_names_unverified_parts(name: str) -> None:
    make, reader = OTHERS[name]
    made = make().record(reader)
    seals = next(check.detail for check in verified(made).checks if check.name == "seals")
    shown = [e["seq"] for e in made["events"] if set(e["seals"]) & set(e["data"]) and "disclosed" not in e]
    assert f"in events {shown[0]} to {shown[-1]}, belong to undisclosed hands" in seals


@pytest.mark.parametrize("name", [name for name in RUNNING if "seat" in name])
def test_resealed_and_rechained_running_record_is_never_verified(name: str) -> None:
    make, reader = OTHERS[name]
    made = signed(make().record(reader))
    twin = copied(made)
    dealt = next(e for e in twin["events"] if e["type"] == "HandDealt" and "disclosed" not in e)
    dealt["data"]["cards"] = dealt["data"]["cards"][::-1]
    again = resealed(twin)
    assert again["match"]["head"] != made["match"]["head"]
    unsigned = {field: part for field, part in again.items() if field != "signed"}
    assert [verified(one, ()).verdict for one in (again, unsigned)] == ["failed", "unverifiable"]
    assert "the word of the person who shows it" in verified(unsigned, ()).checks[-1].detail


def test_score_before_the_next_deal_of_the_same_commit_is_judged() -> None:
    make, reader = OTHERS["hearts running, second hand"]
    made = make().record(reader)
    scored = next(event for event in made["events"] if event["type"] == "HandScored")
    assert any(event["type"] == "HandDealt" and event["commit"] == scored["commit"] for event in made["events"])
    scored["data"]["points"][0] += 1
    rules = next(check for check in verified(relinked(made)).checks if check.name == "rules")
    assert (rules.ok, rules.seq) == (False, scored["seq"])


def test_unvouched_record_is_unverifiable() -> None:
    made = a_play()
    end = made["match"]["version"]
    for kept, says in (
        ((), "All of it rests on the word of the person who shows it."),
        (
            [(9, made["events"][8]["digest"])],
            "All after event 9, whose head you hold, rests on the word of the person who shows it.",
        ),
    ):
        report = verified(made, kept)
        (skipped,) = [check for check in report.checks if check.skipped]
        assert (report.verdict, skipped.name) == ("unverifiable", "signatures")
        assert says in skipped.detail
    assert verified(made, [(end, made["match"]["head"])]).verdict == "verified"


@pytest.mark.parametrize("name", ["preset", "series", "clock", "created_at", "result"])
def test_match_fields_of_a_record_are_required(name: str) -> None:
    made = a_play()
    del made["match"][name]
    with pytest.raises(Unreadable):
        verified(made)


@pytest.mark.parametrize(("name", "value"), [("preset", "quick"), ("preset", ""), ("series", {"best_of": 3})])
def test_preset_and_series_must_match_the_first_event(name: str, value: Any) -> None:
    made = a_play()
    made["match"][name] = value
    assert [(check.name, check.seq) for check in verified(made).checks if not check.ok] == [("result", 1)]


def test_a_finished_match_that_never_discloses_cannot_be_verified() -> None:
    for name in ("never, seat", "never, spectator"):
        make, reader = OTHERS[name]
        assert verified(make().record(reader)).verdict == "unverifiable"


def test_running_match_of_unknown_rules_is_unverifiable() -> None:
    make, reader = OTHERS["hearts running, second hand"]
    assert verified(relabelled(make().record(reader), rules="2.1")).verdict == "unverifiable"
