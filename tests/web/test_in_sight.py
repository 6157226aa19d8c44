"""What a seat decides by, and what it may do, is in the window together; a card is read before it is played."""

import pytest

from tests.web.places import LONG, ME, PLACES
from tests.web.readable import beyond
from tests.web.stage import staged

BOT = {"kind": "bot"}
BELOW = """[...document.querySelectorAll('SELECTOR')].filter((one) => {
  const {top, bottom, width} = one.getBoundingClientRect(), bar = document.querySelector('.actions');
  const isFree = bar.contains(one) || getComputedStyle(bar).position !== 'sticky';
  const end = isFree ? innerHeight : bar.getBoundingClientRect().top;
  return !width || top < 0 || bottom > end + 1;
}).map((one) => one.innerText || one.ariaLabel)"""
"""What of these things lies beyond the window, or behind the bar of what may be done."""
READ = "document.querySelector('.ask .large .says')?.innerText"
LONGEST_TEXT = """[...document.querySelectorAll('.own button.card')].sort((one, other) =>
other.querySelector('.says').textContent.length - one.querySelector('.says').textContent.length)[0]"""
LONG_WORD = 8
"""A word of so many letters may be parted."""
DRAFT = {"game": "fivewells_draft", "options": {"packs": ["fw1"]}, "seats": [ME, *[BOT] * 7]}


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with staged(tmp_path_factory.mktemp("stage")) as stage:
        yield stage


def begins(stage, body):
    """Sit down where a match begins, and show the first decision."""
    match = stage.makes(body)
    stage.page.opens(f"{stage.base}/play#m={match}")
    next(stage.phases(match))
    return match


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
def test_who_plays_poker_with_nine_others_sees_the_own_cards_and_all_that_may_be_done(width, height, stage):
    stage.page.is_wide(width, height)
    begins(stage, {"game": "holdem", "options": {"hands": 2}, "seats": [ME, *[BOT] * 9]})
    seen = stage.page.evaluates(BELOW.replace("SELECTOR", ".own .card, .actions > button, .number .main"))
    assert (seen, beyond(stage.page, width)) == ([], [])
    stage.page.clicks(".unfolds")
    stage.page.until("document.querySelector('.unfolds').ariaExpanded === 'true'")
    assert stage.page.evaluates("document.querySelector('.stepper').checkVisibility()")
    stage.page.clicks(".unfolds")


def test_a_draft_of_eight_shows_the_whole_pack_and_what_is_said_of_a_card(stage):
    stage.page.is_wide(1280, 720)
    begins(stage, DRAFT)
    assert stage.page.evaluates(BELOW.replace("SELECTOR", ".own .card")) == []
    stage.page.evaluates(f"{LONGEST_TEXT}.focus()")
    said = f"{LONGEST_TEXT}.querySelector('.says')"
    assert stage.page.evaluates(f"{said}.scrollHeight <= {said}.clientHeight")


def test_the_browser_finds_a_card_by_its_name_and_a_long_word_is_parted_by_nothing_that_is_read(stage):
    stage.page.is_wide(1280)
    begins(stage, DRAFT)
    names = stage.page.evaluates("[...document.querySelectorAll('.own .card')].map((one) => one.dataset.card)")
    stage.page.until(f"document.querySelectorAll('.own .title').length === {len(names)}")
    read = "[...document.querySelectorAll('.own .title')].map((one) => one.textContent)"
    assert stage.page.evaluates(read) == names
    assert max(len(word) for name in names for word in name.split()) >= LONG_WORD
    found = f"{names}.filter((name) => (getSelection().empty(), !window.find(name, true)))"
    assert stage.page.evaluates(found) == []


def test_a_card_is_read_on_a_narrow_screen_before_it_is_taken(stage):
    stage.page.is_wide(360, 740)
    match = begins(stage, DRAFT)
    before = stage.sees(match)["version"]
    stage.page.evaluates(f"{LONGEST_TEXT}.click()")
    stage.page.until(READ)
    assert stage.page.evaluates(READ) == stage.page.evaluates(f"{LONGEST_TEXT}.querySelector('.says').textContent")
    assert stage.page.evaluates(BELOW.replace("SELECTOR", ".ask .large, .ask button")) == []
    assert stage.sees(match)["version"] == before
    stage.page.clicks(".ask .main")
    stage.page.until(f"Number(document.querySelector('.felt').dataset.version) > {before}")


@pytest.mark.parametrize("game", ["hearts", "gin_rummy", "trio", "five_card_draw"])
def test_on_a_telephone_that_lies_the_own_cards_and_all_that_may_be_done_are_in_sight(game, stage):
    stage.page.is_wide(740, 360)
    begins(stage, {"game": game, "seats": [ME, *[BOT] * (3 if game != "trio" else 2)]})
    stage.page.until("[...document.styleSheets].some(({href}) => href?.endsWith('landscape.css'))")
    seen = stage.page.evaluates(BELOW.replace("SELECTOR", ".own .card, .own button, .actions > button, .others h2"))
    assert (seen, beyond(stage.page, 740)) == ([], [])


def test_a_match_that_is_over_shows_the_places_and_folds_the_numbers_that_prove_it(stage):
    stage.page.is_wide(1280)
    match = begins(stage, {"game": "crazy_eights", "options": {"target_score": 30}, "seats": [ME, BOT]})
    for _ in stage.phases(match):
        pass
    result = stage.sees(match)["result"]
    rows = (
        "[...document.querySelectorAll('.ended tbody tr')].map((one) => [...one.cells].map((cell) => cell.innerText))"
    )
    names = ["You", "Bot 1"]
    ranked = sorted(range(2), key=lambda seat: result["places"][seat])
    told = [[str(result["places"][seat]), names[seat], str(result["scores"][seat])] for seat in ranked]
    assert stage.page.evaluates(rows) == told
    assert stage.page.evaluates("document.querySelectorAll('.log li:has(details) + li:has(details)').length") == 0
    assert not stage.page.evaluates("document.querySelector('.leaves')")


def test_finished_matches_are_listed_by_how_they_ended_and_each_that_was_played_is_looked_back_at(stage):
    stage.page.is_wide(1280)
    PLACES["finished"](stage)
    ends = "[...document.querySelectorAll('.finished li')].map((one) => [one.querySelector('.says').innerText"
    rows = stage.page.evaluates(f"{ends}, one.querySelector('.since').innerText, !!one.querySelector('.looks')])")
    assert [(how, is_back) for how, _, is_back in rows][:3] == [
        ("was cancelled", False),
        ("You won.", True),
        (f"{LONG[0]} won.", True),
    ]
    assert all("2026" in when and "with" in when for _, when, _ in rows[:3])
    stage.page.clicks(".finished .looks")
    stage.page.until("document.querySelector('h1').innerText === 'Looking back at Gin Rummy'")
    assert stage.page.evaluates("document.querySelector('.bar .soft').innerText") == f"You · {LONG[0]}"


def test_who_looks_back_by_a_link_reads_the_name_of_the_game(stage):
    match = stage.makes({"game": "two_handed_hearts", "seats": [ME, BOT]})
    stage.page.opens("about:blank")
    stage.page.opens(f"{stage.base}/play#m={match}&v=2")
    stage.page.until("document.querySelector('.slider')")
    assert stage.page.evaluates("document.querySelector('h1').innerText") == "Looking back at Two-Handed Hearts"


def test_a_draft_that_is_over_says_what_follows_and_not_that_nobody_won(stage):
    stage.page.is_wide(1280)
    match = begins(stage, DRAFT | {"seats": [ME, BOT]})
    for _ in stage.phases(match):
        pass
    assert stage.page.evaluates("document.querySelector('.turn').innerText") == "The match is over."
    assert stage.page.evaluates("document.querySelector('.felt .note').innerText.startsWith('All have drafted')")
