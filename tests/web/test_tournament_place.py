"""Tests the page of a tournament: for eliminated entrants, for prizes, and for a record that is not available."""

import pytest

from tests.web.evening import RESIGN, Evening

pytestmark = pytest.mark.long

PROBLEM = "document.querySelector('[role=alert] .problem')?.innerText"
IN_SIGHT = """(() => { const {top, bottom} = document.querySelector('[role=alert] .problem').getBoundingClientRect();
return top >= 0 && bottom <= innerHeight; })()"""
ANSWERS = """(() => { const asks = window.fetch;
window.fetch = (address, how) => String(address).includes("/record") && window.status_
  ? Promise.resolve(new Response(window.body_, {status: window.status_})) : asks(address, how); })()"""
"""The record's request gets the answer that the test sets."""
FAILED = '{"title": "The server has failed", "detail": "Try again later", "code": "internal_error"}'
PRIZES = [{"place": 1, "boosters": {"fw1": 2}, "promo": "fw1-019"}, {"place": 2, "boosters": {"bt1": 1}}]


@pytest.fixture(scope="module")
def lost(stage):
    """Return a knock-out that the reader has lost while others play on, on a phone."""
    one = Evening(stage, 4, game="fivewells", format="single_elimination", prizes=PRIZES).begins()
    table = next(table for table in one.tables() if stage.me["player_id"] in str(table["seats"]))
    for seat in table["seats"]:
        stage.asks(one.by_id[seat["player"]["id"]], "PUT", f"/v1/matches/{table['match']}/seats/{seat['seat']}", {})
    stage.asks(stage.me, "POST", f"/v1/matches/{table['match']}/moves", RESIGN)
    one.looks()
    stage.page.is_wide(360, 740)
    stage.page.opens(f"{stage.base}/play#tournament={one.id}")
    stage.page.until("document.querySelector('.yours')")
    return stage.page


def test_eliminated_player_sees_it_and_is_not_asked_to_leave(lost):
    assert lost.evaluates("document.querySelector('#yours').innerText").startswith("You are out.")
    assert lost.evaluates("document.querySelectorAll('#yours button').length") == 0


def test_prizes_have_display_names(lost):
    said = "[...document.querySelectorAll('aside dd')].map((one) => one.innerText)"
    lost.until(f"{said}.includes('2 boosters of First Wells, a promo of Brinewing Gull')")
    lost.until(f"{said}.includes('1 booster of Bitter Thaw')")


def test_finished_knockout_shows_the_winner_and_own_place(stage):
    one = Evening(stage, 2, format="single_elimination").begins().plays_round()
    stage.page.opens(f"{stage.base}/play#tournament={one.id}")
    stage.page.until("document.querySelector('#yours')?.innerText === 'You won.'")
    assert stage.page.evaluates("document.querySelector('[aria-current=page]').innerText") == "Bracket"


@pytest.mark.parametrize(
    ("pressed", "closed"),
    [(".verifies", "You cannot see the record"), (".keepers button", "you do not have access")],
)
def test_reason_for_a_missing_record_is_visible(pressed, closed, lost):
    lost.evaluates(ANSWERS)
    for status, body, said in (
        (500, FAILED, "The server has failed. Try again later"),
        (404, '{"title": "Nothing is here"}', closed),
    ):
        lost.evaluates(f"window.status_ = {status}; window.body_ = {body!r}")
        lost.evaluates(f"document.querySelector({pressed!r}).scrollIntoView()")
        lost.clicks(pressed)
        lost.until(f"{PROBLEM}?.includes({said!r}) && document.querySelector({pressed!r}).matches(':enabled')")
        assert lost.evaluates(IN_SIGHT)
    lost.evaluates("window.status_ = 0")
    lost.clicks(pressed)
    lost.until(f"!{PROBLEM}")


def test_arena_player_can_rest_from_a_table(stage):
    one = Evening(stage, 2, format="arena", ends_at="2026-09-21T16:00:00Z").begins()
    yours, page = "document.querySelector('#yours').innerText", stage.page
    page.opens(f"{stage.base}/play#tournament={one.id}")
    page.until(f"document.querySelector('.yours .rest') && {yours}.startsWith('Your table is ready: against Ada')")
    page.clicks(".yours .rest")
    page.until(f"{yours}.includes('Resume play') && {yours}.endsWith('You will rest after this table.')")
    (table,) = one.tables()
    for seat in table["seats"]:
        stage.asks(one.by_id[seat["player"]["id"]], "PUT", f"/v1/matches/{table['match']}/seats/{seat['seat']}", {})
    stage.asks(stage.me, "POST", f"/v1/matches/{table['match']}/moves", RESIGN)
    one.looks()
    page.until(f"{yours}.startsWith('You are resting and are not paired.')")
    page.clicks(".yours .quiet")
    page.until(f"{yours}.includes('players who leave')")
    page.clicks(".yours .leave")
    page.until(f"{yours}.endsWith('tournament. Players who left after the start cannot enter again.')")
    assert page.evaluates("document.querySelectorAll('#yours button').length") == 0
    assert [entry["rests"] for entry in one.sees("/entries")["items"]] == [True, False]


def test_announced_arena_shows_its_times_and_allows_returning(stage):
    times = {"closes_at": "2026-09-21T15:00:00Z", "ends_at": "2026-09-21T16:30:00Z"}
    one, page = Evening(stage, 3, format="arena", **times), stage.page
    yours = "document.querySelector('#yours')?.innerText"
    page.opens(f"{stage.base}/play#tournament={one.id}")
    page.until("document.querySelector('.hero')?.innerText.includes('ends: ')")
    lasts = "[...document.querySelectorAll('aside dt')].find((one) => one.innerText === 'Duration')"
    assert page.evaluates(f"{lasts}.nextElementSibling.innerText") == "90 minutes"
    page.clicks(".yours .quiet")
    page.until("document.querySelector('.yours .leave')")
    page.clicks(".yours .leave")
    said = "You are no longer in this tournament. You can enter again until the tournament begins."
    page.until(f"{yours}?.startsWith('{said}')")
    page.clicks(".enter .main")
    page.until(f"{yours}?.startsWith('You have entered.')")


def test_organiser_sees_why_the_tournament_cannot_begin(stage):
    one, page = Evening(stage, 1), stage.page
    page.opens(f"{stage.base}/play#tournament={one.id}")
    page.until("document.querySelector('.close:disabled')")
    described = "document.getElementById(document.querySelector('.close').getAttribute('aria-describedby'))?.innerText"
    assert page.evaluates(described) == "The tournament can begin once two players have entered."
    arena = {"format": "arena", "ends_at": "2026-09-21T16:00:00Z"}
    for said, more, counts in (
        ("Before the first round is over", {}, False),
        ("Interim standings, with every finished table", arena, True),
    ):
        begun = Evening(stage, 2, **more).begins()
        page.opens(f"{stage.base}/play#tournament={begun.id}&part=standings")
        page.until(f"document.querySelector('.ranks caption')?.innerText === {said!r}")
        assert page.evaluates("document.querySelector('#part').innerText.includes('No round is over')") is not counts


def test_full_table_with_bots_is_announced_with_all_players(stage):
    one = Evening(stage, 2, game="hearts", options={}, seats=4, fill="bots").begins()
    stage.page.opens(f"{stage.base}/play#tournament={one.id}")
    stage.page.until("document.querySelector('.yours.now')?.innerText.includes('is ready: against Ada, 2 bots')")
