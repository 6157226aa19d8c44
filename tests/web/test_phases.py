"""Tests every phase of every game on the page: axe-core's findings, and the outline for screen readers."""

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.outline import outline, outlines
from tests.web.readable import ALL, asks_axe, beyond, looks, out_of_sight, small_targets, unseen, untold, violations
from tests.web.stage import HEIGHTS, further_matches, staged

MATCHES = [(game.name, number) for game in BUILT_IN for number in range(1 + len(further_matches(game.name)))]
LOW = {1280: 800}
"""The minimum height of a window on a desk."""


@pytest.fixture
def stage(tmp_path_factory, chromium):
    """A separate stage for each test, and for each attempt.

    No player joins a game twice on one stage, because its match has the same id each time.
    """
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        yield stage


@pytest.mark.long
@pytest.mark.parametrize(("game", "number"), MATCHES)
def test_every_phase_passes_the_accessibility_check(game, number, stage):
    page, met, found, kept = stage.page, {}, [], outlines(game)
    page.is_wide(1280)
    page.errors.clear()
    for phase in stage.phases_of(game, number):
        met[phase] = outline(page)
        if len(met) == 1:
            asks_axe(page)
        for width, is_dark in looks(len(met)):
            page.is_wide(width, LOW.get(width, HEIGHTS[width]), is_dark=is_dark)
            found += [f"{phase} {width} {one}" for one in (*beyond(page, width), *out_of_sight(page), *untold(page))]
            found += [f"{phase} {width} {'dark' if is_dark else 'light'} {one}" for one in violations(page, ALL)]
        page.is_wide(360, HEIGHTS[360])
        found += [f"{phase} {one}" for one in (*unseen(page), *small_targets(page))]
        page.is_wide(1280)
    assert found == []
    assert page.errors == []
    assert met == {phase: kept[phase] for phase in met}, "python -m tests.web.outline writes it anew"


@pytest.mark.parametrize("game", BUILT_IN, ids=[game.name for game in BUILT_IN])
def test_every_phase_with_a_question_has_a_recorded_outline(game):
    assert outlines(game.name).keys() >= game.facts.phases | {"over"}


HANDLES = """[...new Set([document.querySelector('main').innerText,
...[...document.querySelectorAll('main [aria-label]')].map((one) => one.ariaLabel)]
.join(' ').match(/\\b[os][0-9]+\\b/g))]"""
"""Handles of objects that the page shows or speaks."""
FORMS = "[...document.querySelectorAll('form.together')].map((form) => form.ariaLabel)"
PAYING = "[...document.querySelectorAll('.own .kind-lands .paired')]"
PRESSES = "[...document.querySelectorAll('%s')].find((one) => (one.ariaLabel ?? one.innerText).includes('%s')).click()"


def comes_to_a_spell(stage):
    """Play a duel up to a spell with targets; return the match, its version, the moves and such spells."""
    match = stage.sits("fivewells", max_turns=30)
    for seen in stage.moments(match):
        offered = stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
        if aimed := [move["args"] for move in offered if "targets" in move["args"].get("required", ())]:
            stage.shown(seen["version"])
            return match, seen["version"], offered, aimed
    raise AssertionError("there was none")


@pytest.mark.long
def test_spell_is_cast_and_paid_in_one_form_with_object_names(stage):
    page = stage.page
    page.is_wide(1280)
    match, version, offered, aimed = comes_to_a_spell(stage)
    assert {move["args"]["title"] for move in offered} >= {"Cast, and choose what pays", aimed[0]["title"]}
    assert page.evaluates(HANDLES) == []
    asks_axe(page)
    for title in ("Cast, and choose what pays", aimed[0]["title"]):
        page.evaluates(PRESSES % (".own .fan button", aimed[0]["title"]))
        page.until("document.querySelector('.ask')")
        page.evaluates(PRESSES % (".ask button", title))
        page.until("document.querySelector('form.together')")
        card = aimed[0]["title"].removeprefix("Cast ")
        assert page.evaluates(FORMS) == [f"{title}, Card: {card}"]
        assert (page.evaluates(HANDLES), violations(page, ALL)) == ([], [])
        page.evaluates(PRESSES % (".own .fan button", aimed[0]["title"]))
        page.until("document.querySelector('.ask') && !document.querySelector('form.together')")
        page.evaluates(PRESSES % (".ask button", title))
        page.until("!document.querySelector('.ask') && document.querySelector('form.together')")
        page.evaluates(PRESSES % ("form.together button", "Not now"))
        page.until("!document.querySelector('form.together')")
    page.evaluates(PRESSES % (".actions > button", "Pass priority, until the next turn"))
    page.until(
        "[...document.querySelectorAll('.log li')].some((line) => /You passed until next turn/.test(line.innerText))"
    )
    events = stage.asks(stage.me, "GET", f"/v1/matches/{match}/events?after={version}")["items"]
    assert [one["data"]["until"] for one in events if one["type"] == "PriorityPassed"] == ["next_turn"]


@pytest.mark.long
def test_spell_is_paid_as_chosen_and_too_little_is_explained(stage):
    page = stage.page
    match, _, offered, _ = comes_to_a_spell(stage)
    by_hand = next(move for move in offered if move["args"]["title"] == "Cast, and choose what pays")
    proposed = by_hand["example"]["args"]
    hand = [spot["id"] for spot in stage.sees(match)["scene"]["zones"]["hand-0"]["spots"]]
    page.evaluates(f"document.querySelectorAll('.own .fan .card')[{hand.index(proposed['card'])}].click()")
    page.until("document.querySelector('.ask, form.together')")
    page.evaluates(PRESSES % (".ask button", "Cast, and choose what pays"))
    page.until(f"{PAYING}.length")
    assert page.evaluates(f"{PAYING}.length") == len(proposed["pay"]) > 0
    page.is_wide(360, HEIGHTS[360])
    assert (small_targets(page), beyond(page, 360)) == ([], [])
    page.is_wide(1280)
    page.evaluates("document.querySelector('.others .fits').click()")
    page.evaluates(f"window.payer = {PAYING}[0]; payer.click()")
    page.clicks("form.together [type=submit]")
    page.until("document.querySelector('[role=alert] .problem')")
    assert "409" in page.errors.pop()
    page.evaluates("payer.click()")
    page.clicks("form.together [type=submit]")
    page.until("!document.querySelector('form.together, [role=alert] .problem')")
    events = stage.asks(stage.me, "GET", f"/v1/matches/{match}/events")["items"]
    cast = [one["data"] for one in events if one["type"] == "SpellCast"][-1]
    assert (cast["by_hand"], len(cast["paid"])) == (True, len(proposed["pay"]))
