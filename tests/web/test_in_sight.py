"""Tests that a seat's decision and its possible moves fit in the window, and that a card can be read before it is
played."""

import pytest

from tests.web.places import LONG, ME, PLACES
from tests.web.readable import beyond, out_of_sight, untold
from tests.web.stage import SETTLED, staged

pytestmark = pytest.mark.long

BOT = {"kind": "bot"}
READ = "document.querySelector('.ask .large .says')?.innerText"
LONGEST_TEXT = """[...document.querySelectorAll('.own button.card')].sort((one, other) =>
other.querySelector('.says').textContent.length - one.querySelector('.says').textContent.length)[0]"""
ROWS = """[...document.querySelectorAll('SELECTOR')]
.map((one) => new Set([...one.children].map((card) => card.offsetTop)).size)"""
"""The number of rows in each of these elements."""
PARTED = """[...document.querySelectorAll('SELECTOR')].filter((one) => { const range = new Range();
range.selectNodeContents(one); return new Set([...range.getClientRects()].map(({top}) => top)).size > 1 })
.map((one) => one.innerText)"""
"""The texts that take more than one line."""
CLIPPED = """[...document.querySelectorAll('.row .named')].filter((one) =>
one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth).map((one) => one.innerText)"""
APART = """(() => { const [last, trick] = ["last_trick", "trick"].map((kind) =>
[...document.querySelectorAll(`.kind-${kind} .card, .kind-${kind} .who`)].map((one) => one.getBoundingClientRect()));
return last.length === 8 && last.every((one) => one.right <= innerWidth && trick.every((other) =>
one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom)); })()"""
"""No card or name of the last trick covers one of the current trick."""
PUSHED = """(([last, trick]) => last.bottom > trick.bottom)([".kind-last_trick", ".kind-trick"]
.map((one) => document.querySelector(one).getBoundingClientRect()))"""
"""The last trick is below the current one, and takes space between it and the player's cards."""
LINES = """['top', 'left'].map((side) => new Set([...document.querySelectorAll('.actions > button, .number > button')]
.filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect()[side]))).size)"""
"""The number of rows and columns of buttons: on a phone in landscape they are a column next to the table."""
LONG_WORD = 8
"""A word with this many letters may be broken."""
KNOCKS = """[...document.querySelectorAll('.felt button, .actions button')]
.find((one) => (one.ariaLabel ?? one.innerText).includes('Knock'))"""
SHOWN_AT_THE_END = """(async () => {
const {state, dispatch} = await import(document.querySelector("script[type=module]").src);
const match = structuredClone(state.match), {zones} = match.scene, {"hand-0": hand} = zones;
match.version += 1;
delete zones["hand-0"];
zones["deadwood-0"] = {...hand, kind: "deadwood", layout: "row"};
dispatch({is: "seen", match, offer: {...state.offer, version: match.version}});
})()"""
"""The hand is face up, as after a knock by the opponent."""
DRAFT = {"game": "fivewells_draft", "options": {"packs": ["fw1"]}, "seats": [ME, *[BOT] * 7]}


def begins(stage, body):
    """Create a match and show the first decision."""
    match = stage.makes(body)
    stage.page.opens(f"{stage.base}/play#m={match}")
    next(stage.phases(match))
    return match


@pytest.mark.parametrize(
    ("width", "height", "others"),
    [(360, 740, 9), (740, 360, 9), (768, 1024, 9), (768, 1024, 5), (1280, 800, 9), (1280, 800, 5)],
)
def test_crowded_poker_table_shows_own_cards_and_actions(width, height, others, stage):
    stage.page.is_wide(width, height)
    begins(stage, {"game": "holdem", "options": {"hands": 2}, "seats": [ME, *[BOT] * others]})
    stage.page.until("[...document.styleSheets].some(({href}) => href?.includes('/chips-'))")
    seen = out_of_sight(stage.page, ".own .card, .actions > button, .number .main")
    assert (seen, beyond(stage.page, width)) == ([], [])
    assert stage.page.evaluates(ROWS.replace("SELECTOR", ".between .grid > .cards, .between .row > .cards")) == [1]
    assert stage.page.evaluates(PARTED.replace("SELECTOR", ".others .badge")) == []
    stage.page.until("[...document.styleSheets].some(({href}) => href?.includes('/number-'))")
    assert 1 in stage.page.evaluates(LINES)
    stage.page.clicks(".unfolds")
    stage.page.until("document.querySelector('.unfolds').ariaExpanded === 'true'")
    assert stage.page.evaluates("document.querySelector('.stepper').checkVisibility()")
    stage.page.clicks(".unfolds")


@pytest.fixture
def another_stage(tmp_path, chromium):
    """Return a separate stage: a player who joins a game there has the same cards each time, and so the same match."""
    with staged(tmp_path, chromium) as stage:
        yield stage


def test_draft_of_eight_shows_the_whole_pack_and_card_texts(stage):
    stage.page.is_wide(1280, 720)
    begins(stage, DRAFT)
    stage.page.until("document.querySelector('.own .title')")
    assert out_of_sight(stage.page, ".own .card") == []
    stage.page.evaluates(f"{LONGEST_TEXT}.focus()")
    said = "document.querySelector('.preview .says')"
    assert stage.page.finds(f"{said}.textContent") == stage.page.evaluates(
        f"{LONGEST_TEXT}.querySelector('.says').textContent"
    )
    assert stage.page.evaluates(f"{said}.scrollHeight <= {said}.clientHeight")
    assert out_of_sight(stage.page, ".preview .large") == []


def test_browser_search_finds_card_names_with_long_words(stage):
    stage.page.is_wide(1280)
    begins(stage, DRAFT)
    names = stage.page.evaluates("[...document.querySelectorAll('.own .card')].map((one) => one.dataset.card)")
    stage.page.until(f"document.querySelectorAll('.own .title').length === {len(names)}")
    read = "[...document.querySelectorAll('.own .title')].map((one) => one.textContent)"
    assert stage.page.evaluates(read) == names
    assert max(len(word) for name in names for word in name.split()) >= LONG_WORD
    found = f"{names}.filter((name) => (getSelection().empty(), !window.find(name, true)))"
    assert stage.page.evaluates(found) == []


def test_card_text_is_shown_before_picking_on_a_narrow_screen(stage):
    stage.page.is_wide(360, 740)
    match = begins(stage, DRAFT)
    before = stage.sees(match)["version"]
    stage.page.evaluates(f"{LONGEST_TEXT}.click()")
    stage.page.until(READ)
    assert stage.page.evaluates(READ) == stage.page.evaluates(f"{LONGEST_TEXT}.querySelector('.says').textContent")
    assert out_of_sight(stage.page, ".ask .large, .ask button") == []
    assert stage.sees(match)["version"] == before
    stage.page.clicks(".ask .main")
    stage.page.until(f"Number(document.querySelector('.felt').dataset.version) > {before}")


@pytest.mark.parametrize("game", ["hearts", "gin_rummy", "trio", "five_card_draw"])
def test_phone_in_landscape_shows_own_cards_and_actions(game, stage):
    stage.page.is_wide(740, 360)
    begins(stage, {"game": game, "seats": [ME, *[BOT] * (3 if game != "trio" else 2)]})
    stage.page.until("[...document.styleSheets].some(({href}) => href?.includes('/later-'))")
    seen = out_of_sight(stage.page, ".own .card, .own button, .actions > button, .others h2")
    assert (seen, beyond(stage.page, 740)) == ([], [])


@pytest.mark.parametrize("game", ["two_handed_hearts", "trio"])
def test_low_wide_window_shows_all_actions(game, stage):
    stage.page.is_wide(1280, 800)
    match = stage.makes({"game": game, "seats": [ME, *[BOT] * (1 if game != "trio" else 2)]})
    stage.page.opens(f"{stage.base}/play#m={match}")
    for phase in stage.phases(match, until="playing"):
        wanted = ".ended, .ended ~ .main" if phase == "over" else ".own .card, .felt button, .actions > button"
        stage.page.until("document.querySelector('.ended')" if phase == "over" else "document.querySelector('.own')")
        stage.page.evaluates(SETTLED)
        assert (phase, out_of_sight(stage.page, wanted)) == (phase, [])
    stage.page.is_wide(1024, 768)
    assert out_of_sight(stage.page, ".ended, .ended ~ .main") == []


@pytest.mark.parametrize(("game", "said"), [("two_handed_hearts", "Exchange card"), ("trio", "to decide")])
def test_hint_for_playing_a_card_is_next_to_the_name(game, said, stage):
    stage.page.is_wide(1280)
    begins(stage, {"game": game, "seats": [ME, *[BOT] * (1 if game != "trio" else 2)]})
    assert stage.page.evaluates("document.querySelector('.own .badge-turn').innerText") == said


@pytest.mark.parametrize("played", [1, 2, 3])
def test_last_trick_does_not_cover_the_next_one(played, stage):
    stage.page.is_wide(360, 740)
    match = begins(stage, {"game": "hearts", "options": {"target_score": 100}, "seats": [ME, *[BOT] * 3]})
    for _ in stage.moments(match):
        seen = stage.sees(match)
        tricks = [len(seen["scene"]["zones"].get(kind, {}).get("spots", [])) for kind in ("last_trick", "trick")]
        if tricks == [4, played]:
            break
    stage.shown(stage.sees(match)["version"])
    for width, height in ((360, 740), (768, 1024), (1280, 800)):
        stage.page.is_wide(width, height)
        assert stage.page.evaluates(APART), width
        assert not stage.page.evaluates(PUSHED), width
        assert untold(stage.page) == [], width


def test_finished_match_shows_places_and_collapses_proof_numbers(stage):
    stage.page.is_wide(1280)
    match = begins(stage, {"game": "crazy_eights", "options": {"target_score": 30}, "seats": [ME, BOT]})
    for _ in stage.phases(match):
        pass
    result = stage.sees(match)["result"]
    stage.page.until("document.querySelector('.ended tbody')")
    rows = (
        "[...document.querySelectorAll('.ended tbody tr')].map((one) => [...one.cells].map((cell) => cell.innerText))"
    )
    names = ["You", "Bot 1"]
    ranked = sorted(range(2), key=lambda seat: result["places"][seat])
    told = [[str(result["places"][seat]), names[seat], str(result["scores"][seat])] for seat in ranked]
    assert stage.page.evaluates(rows) == told
    assert stage.page.evaluates("document.querySelectorAll('.log li:has(details) + li:has(details)').length") == 0
    assert not stage.page.evaluates("document.querySelector('.leaves')")


def test_finished_matches_are_listed_with_result_and_replay_link(stage):
    stage.page.is_wide(1280)
    PLACES["finished"](stage)
    ends = "[...document.querySelectorAll('.finished li')].map((one) => [one.querySelector('.says').innerText"
    rows = stage.page.evaluates(f"{ends}, one.querySelector('.since').innerText, !!one.querySelector('.looks')])")
    assert [(how, is_back) for how, _, is_back in rows][:3] == [
        ("cancelled", False),
        ("You won.", True),
        (f"{LONG[0]} won.", True),
    ]
    assert all("2026" in when and "with" in when for _, when, _ in rows[:3])
    stage.page.clicks(".finished .looks")
    stage.page.until("document.querySelector('h1').innerText === 'Replay of Gin Rummy'")
    assert stage.page.evaluates("document.querySelector('.bar .soft').innerText") == f"You · {LONG[0]}"


def test_replay_link_shows_the_name_of_the_game(stage):
    match = stage.makes({"game": "two_handed_hearts", "seats": [ME, BOT]})
    stage.page.opens("about:blank")
    stage.page.opens(f"{stage.base}/play#m={match}&v=2")
    stage.page.until("document.querySelector('.slider')")
    assert stage.page.evaluates("document.querySelector('h1').innerText") == "Replay of Two-Handed Hearts"


def test_finished_draft_shows_the_next_step(stage):
    stage.page.is_wide(1280)
    match = begins(stage, DRAFT | {"seats": [ME, BOT]})
    for _ in stage.phases(match):
        pass
    assert stage.page.evaluates("document.querySelector('.turn').innerText") == "The match is over."
    assert stage.page.evaluates("document.querySelector('.outcome p').innerText.startsWith('All decks are built')")


def test_melds_of_a_knock_are_in_a_row_on_a_phone(stage):
    stage.page.is_wide(360, 740)
    match = stage.sits("gin_rummy")
    knocks = (
        seen["version"]
        for seen in stage.moments(match)
        if "knock" in [one["name"] for one in stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]]
    )
    stage.shown(next(knocks))
    stage.page.evaluates(f"{KNOCKS}.click()")
    stage.page.until(asked := "[...document.querySelectorAll('.ask .main')].find((one) => one.innerText === 'Knock')")
    stage.page.evaluates(f"{asked}.click()")
    stage.page.until("document.querySelectorAll('.together .group:not(.loose) .card').length > 2")
    assert set(stage.page.evaluates(ROWS.replace("SELECTOR", ".together .group:not(.loose) > .cards"))) == {1}


def test_finished_gin_of_four_shows_own_melds_on_a_phone(stage):
    stage.page.is_wide(360, 740)
    for random in (stage.draws, stage.rng):
        random.seed(1)
    match = begins(stage, {"game": "gin_rummy", "options": {"target_score": 20}, "seats": [ME, *[BOT] * 3]})
    for _ in stage.phases(match):
        pass
    stage.page.until("[...document.styleSheets].some(({href}) => href?.includes('/over-'))")
    assert out_of_sight(stage.page, ".own .card") == []


def test_ten_shown_cards_are_in_one_centred_row(stage):
    stage.page.is_wide(1280)
    begins(stage, {"game": "gin_rummy", "seats": [ME, BOT]})
    stage.page.evaluates(SHOWN_AT_THE_END)
    stage.page.until("document.querySelectorAll('.own .card').length === 10 && !document.querySelector('.own .hand')")
    assert stage.page.evaluates(ROWS.replace("SELECTOR", ".own .cards")) == [1]
    sides = "(({left, right}, felt) => [left - felt.left, felt.right - right])"
    boxes = ", ".join(f"document.querySelector('{one}').getBoundingClientRect()" for one in (".own .cards", ".felt"))
    left, right = stage.page.evaluates(f"{sides}({boxes})")
    assert abs(left - right) <= 1


def test_full_battlefield_cuts_off_no_card_on_a_phone(stage):
    stage.page.is_wide(360, 740)
    PLACES["full-duel"](stage)
    assert stage.page.evaluates(CLIPPED) == []


ARROW = "[...document.querySelectorAll('.arrows > path')].map((one) => one.getAttribute('d'))"
ENDS = """(() => { const felt = document.querySelector('.felt').getBoundingClientRect();
return ['.between [data-id=stack1]', '.own [data-id=battlefield-00]'].map((one) => {
const at = document.querySelector(one).getBoundingClientRect();
return [Math.round(at.x + at.width / 2 - felt.x), Math.round(at.y + at.height / 2 - felt.y)].join(' ') }) })()"""


def test_arrows_lead_from_a_spell_to_its_targets_and_the_step_is_named(stage):
    stage.page.is_wide(1280, 800)
    PLACES["full-duel"](stage)
    stage.page.until(f"{ARROW}.length === 2 && {ARROW}.every(Boolean)")
    spell, creature = stage.page.evaluates(ENDS)
    to_creature, to_player = stage.page.evaluates(ARROW)
    assert to_creature.startswith(f"M{spell}Q")
    assert to_player.startswith(f"M{spell}Q")
    assert to_creature != to_player
    x, y = map(int, creature.split())
    ends = [int(one) for one in to_creature.rsplit("Q", 1)[1].split()[-2:]]
    assert max(abs(ends[0] - x), abs(ends[1] - y)) <= 22  # an arrow ends at the edge of what it points to
    step = stage.sees(stage.page.evaluates("location.hash.slice(3)"))["scene"]["steps"]
    (now,) = [one["name"] for one in step if one["now"]]
    assert stage.page.evaluates("document.querySelector('.steps [aria-current]').innerText").lower().startswith(now)


def test_own_and_opponents_stops_are_in_separate_blocks(stage):
    stage.page.is_wide(1280)
    PLACES["stops"](stage)
    words = "[...one.children].map((stop) => stop.innerText.split(' ')[0])"
    blocks = stage.page.evaluates(f"[...document.querySelectorAll('.also .run')].map((one) => {words})")
    assert blocks == [["Own"] * 8, ["Opponent"] * 8] * 2


@pytest.mark.parametrize("width", [360, 768])
def test_code_words_in_rule_tables_are_not_broken(width, stage):
    stage.page.is_wide(width)
    PLACES["rules"](stage)
    parted = stage.page.evaluates(PARTED.replace("SELECTOR", "td code"))
    assert [word for word in parted if " " not in word] == []
    assert beyond(stage.page, width) == []
