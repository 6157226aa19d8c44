"""Tests the page for playing: every game to its end, with the keyboard, by touch, with the mouse."""

from importlib import import_module
from random import Random

import pytest
import requests

from domain.games.catalogue import BUILT_IN
from tests.draws import first_of
from tests.system.page_hands import (
    CAN,
    CHECKS,
    OVER,
    READY,
    TURN,
    Finger,
    Keyboard,
    Mouse,
    against,
    opens,
    player,
    plays,
    tampers,
)
from tests.system.processes import until

NEWEST = 30
"""The number of a reader's matches that are listed at first, in addition to all unfinished ones."""
SEVERAL = "Boolean(document.querySelector('.some, .together')) || document.querySelectorAll('.seat.turn').length > 1"
"""Situations in which a refusal is allowed.

If all choose at the same time, a bot may be first, and the page sends the choice again. A random combination of parts
may be refused. Nothing else is refused or requested without success.
"""


LONGER = {"fivewells": {"max_turns": 6}}
"""Options for a match in which more is decided than in a short one."""
ALONE = [
    (Keyboard, "trio"),
    pytest.param(Finger, "crazy_eights", marks=pytest.mark.long),
    pytest.param(Mouse, "five_card_draw", marks=pytest.mark.long),
]
"""These matches are short. A short run plays one of them."""
TURN_MOVES = 4
"""The number of moves after which another device takes over."""
LONGEST = 2_000
"""The maximum number of moves of a match."""


@pytest.mark.whole
@pytest.mark.parametrize(("hand", "game"), ALONE)
def test_match_can_be_played_with_a_single_input_device(hand, game, page, base):
    plays_whole_match(page, base, game, [hand])


@pytest.mark.long
@pytest.mark.whole
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_match_of_each_game_can_be_played_with_each_input_device(game, page, base):
    plays_whole_match(page, base, game, [Keyboard, Finger, Mouse])


def plays_whole_match(page, base, game, hands):
    """Play a short match to its end with input devices that take turns."""
    law, rng = import_module(f"tests.games.{game}.law"), Random(game)
    options = law.SHORT | LONGER.get(game, {})
    address, mine = opens(page, base, game, against(law.SETUPS[0][0] - 1), options)
    may_be_refused, means = False, hands[0](page)
    page.clicks(".leaves summary")
    for move in range(LONGEST):
        now = page.finds(f"({READY}) && {{isOver: {OVER}, isSeveral: {SEVERAL}}}")
        if now["isOver"]:
            break
        may_be_refused |= now["isSeveral"]
        if len(hands) > 1 and move % TURN_MOVES == 0:
            page.is_wide(1280)
            page.has_touch(is_there=False)
            means = hands[move // TURN_MOVES % len(hands)](page)
        plays(page, means, rng)
    else:
        pytest.fail(f"no end: {page.evaluates('document.body.innerText')}")
    match = requests.get(address, headers=mine, timeout=60).json()
    assert (match["status"], len(match["result"]["places"])) == ("finished", len(match["seats"]))
    if may_be_refused:
        page.errors[:] = [one for one in page.errors if not ("status of 412" in one or "status of 409" in one)]


def contributors(base, match, token):
    """Return the seats whose nonces are in the shuffles."""
    headers = {"Authorization": f"Bearer {token}"}
    return requests.get(f"{base}/v1/matches/{match}", headers=headers, timeout=60).json()["fairness"]["contributed"]


def test_visitor_starts_a_match_with_one_click(page, base):
    page.opens(f"{base}/play")
    page.until("document.querySelectorAll('.games li').length")
    page.clicks(".games button")
    page.until(f"{TURN} && document.querySelector('.felt button:enabled')")
    assert page.evaluates("location.pathname") == "/play"
    place = page.evaluates("location.hash")
    page.reloads()
    page.until(f"{TURN} && document.querySelector('.felt button:enabled')")
    assert page.evaluates("location.hash") == place
    token = page.evaluates("localStorage['dealt.token /']")
    assert token not in page.evaluates("document.documentElement.outerHTML + location.href")
    assert contributors(base, place[3:], token) == [0]
    page.evaluates("location.hash = ''")
    page.until("document.querySelector('.mine a') && document.querySelector('.named')")
    page.evaluates("document.querySelector('.named').open = true")
    page.until("document.querySelector('.named [name=name]')")
    page.evaluates("document.querySelector('.named [name=name]').select()")
    page.types("Ann")
    page.clicks(".named button")
    page.until("document.querySelector('.named summary').innerText.includes('You play as Ann')")
    assert page.evaluates("document.querySelector('.mine a').hash") == place


@pytest.mark.parametrize("whose", first_of(["the page", "the API"]))
def test_friend_joins_by_the_link_and_both_see_the_table(whose, page, base):
    page.opens(base)
    page.clicks(".games li:nth-child(2) .ways a")  # a game for two
    page.until("document.querySelector('.making')")
    page.chooses("[name=clock]", 4)  # a day for each decision
    page.evaluates("document.querySelector('.making details').open = true")
    page.chooses("[name=mode]", 1)
    page.evaluates("document.querySelector('[name=target_score]').select()")
    page.types("50")
    page.clicks(".making button[type=submit]")
    page.until("document.querySelector('.lobby input')")
    link, creator = page.evaluates("[document.querySelector('.lobby input').value, localStorage['dealt.token /']]")
    mine, made = {"Authorization": f"Bearer {creator}"}, page.evaluates("location.hash.slice(3)")
    match = requests.get(f"{base}/v1/matches/{made}", headers=mine, timeout=60).json()
    assert (match["options"]["target_score"], match["options"]["mode"]) == (50, "replenish")
    assert match["clock"]["per_decision_seconds"] == 86400
    page.evaluates("localStorage.clear()")
    page.opens("about:blank")
    page.opens(link if whose == "the page" else match["invites"][0]["link"])
    page.until("document.querySelector('h1').innerText === 'You are invited to play Two-Handed Hearts'")
    assert page.evaluates("document.querySelector('.lead').innerText") == "Guest waits for you there."
    places = page.evaluates("history.length")
    page.clicks("main .main")
    page.until("document.querySelector('.own .card')")
    friend = page.evaluates("localStorage['dealt.token /']")
    assert friend != creator
    assert contributors(base, made, friend) == [0, 1]
    assert "invite" not in page.evaluates("location.href")
    assert page.evaluates("history.length") == places  # the invitation is over, and nothing leads back to it
    page.opens(link)  # a player who keeps the link can return with it
    page.until("document.querySelector('.own .card')")
    page.evaluates("localStorage.clear()")
    page.opens("about:blank")
    page.opens(link)  # a third player is told so and offered nothing that would be refused
    page.until("document.querySelector('main').innerText.includes('has already started')")
    assert not page.evaluates("document.querySelector('main .main')")


@pytest.mark.long
def test_visitor_joins_an_open_table_with_one_click(page, base):
    ann = player(base, "Ann")
    table = {"game": "gin_rummy", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": {"per_decision_seconds": 86400}}
    match = requests.post(f"{base}/v1/matches", json=table, headers=ann, timeout=60).json()["id"]
    page.opens(f"{base}/play")
    page.until("document.querySelector('.joins')?.innerText.includes('with Ann')")
    page.clicks(".joins button")
    page.until("document.querySelector('.own .card')")
    assert page.evaluates("location.hash") == f"#m={match}"
    assert contributors(base, match, page.evaluates("localStorage['dealt.token /']")) == [1]
    page.until("/^(1 day 0 hr|23 hr 59 min) left$/.test(document.querySelector('.seat.turn .time')?.innerText)")
    page.until("/You joined the table[.]/.test(document.querySelector('.log').innerText)")
    page.until("/you got [^A-Z]*[0-9JQKA][♣♦♥♠]/.test(document.querySelector('.log').innerText)")
    assert not page.evaluates("/[Ss]eat 1|\\b[0-9TJQKA][CDHS]\\b/.test(document.querySelector('.log').innerText)")
    page.evaluates("location.hash = ''")
    page.until("/(Your turn.*|waiting for Ann), (23 h|1 day)/.test(document.querySelector('.mine')?.innerText)")
    assert page.evaluates("document.querySelector('.joins')") is None


@pytest.mark.long
def test_running_match_is_listed_before_newer_finished_ones(page, base):
    ben = player(base, "Ben")
    old, mine = opens(page, base, "gin_rummy", [{"kind": "me"}, {"kind": "open"}], {})
    assert requests.put(f"{old}/seats/1", json={}, headers=ben, timeout=60).status_code == 200
    while move := requests.get(f"{old}/moves", headers=mine, timeout=60).json()["moves"]:  # then it waits for Ben
        requests.post(f"{old}/moves", json=move[0]["example"], headers=mine, timeout=60)
    table = {"game": "gin_rummy", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    for _ in range(NEWEST + 1):
        made = requests.post(f"{base}/v1/matches", json=table, headers=mine, timeout=60).json()["id"]
        requests.post(f"{base}/v1/matches/{made}/moves", json={"name": "resign"}, headers=mine, timeout=60)
    page.evaluates("location.hash = ''")
    listed = f"""[...document.querySelectorAll('.mine li')].find((one) => one.querySelector('[href$="{old[-20:]}"]'))"""
    page.until(f"/waiting for Ben.*with Ben/s.test({listed}?.innerText)")
    count = "document.querySelectorAll('.mine li').length"
    before = page.evaluates(count)
    assert before < NEWEST
    page.clicks(".more")
    page.until(f"{count} >= {NEWEST}")
    page.clicks(".more")
    page.until(f"{count} === {NEWEST + 2} && !document.querySelector('section:has(.mine) .more')")


@pytest.mark.long
def test_two_players_can_chat(page, base):
    ann = player(base, "Ann")
    # A player who comes from another table already has all that loads late except the chat.
    _, mine = opens(page, base, "gin_rummy", against(1), {})
    page.until(f"{READY} && document.querySelector('.keys')")
    table = {"game": "gin_rummy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    made = requests.post(f"{base}/v1/matches", json=table, headers=mine, timeout=60).json()["id"]
    match = f"{base}/v1/matches/{made}"
    assert requests.put(f"{match}/seats/1", json={}, headers=ann, timeout=60).status_code == 200
    page.evaluates(f"location.hash = 'm={made}'")
    page.until("document.querySelector('.chat input')")
    requests.post(f"{match}/chat", json={"text": "Hello <b>you</b>"}, headers=ann, timeout=60)
    page.until("document.querySelector('.chat .said')?.textContent === 'Hello <b>you</b>'")
    page.evaluates("document.querySelector('.chat input').focus()")
    page.types("Good luck!")
    page.presses("Enter")
    page.until("document.querySelectorAll('.chat .said').length === 2")
    said = requests.get(f"{match}/chat", headers=ann, timeout=60).json()["items"]
    assert [(one["seat"], one["text"]) for one in said] == [(1, "Hello <b>you</b>"), (0, "Good luck!")]
    assert page.evaluates("document.querySelector('.chat li:last-child strong').innerText") == "You"


APART = """(([one, other]) => other.getBoundingClientRect().left - one.getBoundingClientRect().right)(
document.querySelectorAll('.answers button'))"""
"""The distance between the two answers in pixels."""


@pytest.mark.long
def test_draw_can_be_offered_and_answered_at_the_table(page, base):
    ann = player(base, "Ann")
    match, mine = opens(page, base, "gin_rummy", [{"kind": "me"}, {"kind": "open"}], {})
    assert requests.put(f"{match}/seats/1", json={}, headers=ann, timeout=60).status_code == 200
    page.clicks(".also:not(.leaves) summary")
    page.clicks(".also .more button:last-child")
    page.until("/^You offered a draw/m.test(document.querySelector('.log').innerText)")
    page.until("document.querySelector('.asked').innerText === 'You offered a draw.'")
    page.reloads()
    page.until("document.querySelector('.asked')?.innerText === 'You offered a draw.'")
    for name, said in (("decline_draw", "Ann declined the draw."), ("offer_draw", "Ann offered a draw.")):
        assert requests.post(f"{match}/moves", json={"name": name}, headers=ann, timeout=60).status_code == 200
        page.until(f"document.querySelector('.asked').innerText === '{said}'")
    page.until(f"{APART} >= 4")
    page.clicks(".answers button:first-child")
    page.until(OVER)
    assert requests.get(match, headers=mine, timeout=60).json()["result"]["winners"] == []


@pytest.mark.long
def test_bet_is_chosen_by_steps_and_useful_amounts(page, base):
    match, mine = opens(page, base, "holdem", against(1), {})
    page.until("document.querySelector('.number')")
    bet = requests.get(f"{match}/moves", headers=mine, timeout=60).json()["moves"]
    chips = next(move["args"]["properties"]["to"] for move in bet if "to" in move["args"]["properties"])
    page.clicks(".step:last-of-type")
    page.until(f"document.querySelector('.number .main').innerText.endsWith('{chips['minimum'] + chips['x-step']}')")
    page.clicks(".useful button:last-child")
    most = chips["x-useful"][-1]["value"]
    page.until(f"document.querySelector('.number input').value === '{most}'")
    page.reloads()  # the choice stays
    page.until(f"document.querySelector('.number input')?.value === '{most}'")
    page.evaluates("document.querySelector('.number input').select()")
    page.types("1")
    page.until("document.querySelector('.number .main').disabled && document.querySelector('.number .problem')")
    page.clicks(".useful button:first-child")
    page.clicks(".number .main:enabled")
    page.until("/^You (raised|bet)/m.test(document.querySelector('.log').innerText)")


COUNTS_MOTIONS = """(() => {
  const animate = Element.prototype.animate;
  window.motions = 0;
  Element.prototype.animate = function (...how) { window.motions += 1; return animate.apply(this, how); };
})()"""


@pytest.mark.long
def test_card_animations_do_not_block_input(page, base):
    page.is_wide(1280, is_calm=False)
    opens(page, base, "gin_rummy", against(1), {})
    page.evaluates(COUNTS_MOTIONS)
    for speed, moves in (("0.5", None), ("0.5", True), ("0", False)):  # it comes with the first move
        page.evaluates(f"localStorage.setItem('dealt.speed', '{speed}')")
        page.until(f"{TURN} && {CAN}")
        seen = page.evaluates("document.querySelector('.felt').dataset.version")
        page.evaluates("window.motions = 0")
        page.evaluates(f"{CAN}.click()")
        page.until(f"document.querySelector('.felt').dataset.version !== '{seen}'")
        page.until("!document.querySelector('main button:disabled')")  # while they move, the next may be pressed
        assert moves is None or page.evaluates("window.motions > 0") is moves


@pytest.mark.long
def test_deck_can_be_changed_card_by_card(page, base):
    match, mine = opens(page, base, "fivewells", against(1), {"format": "sealed"})
    page.until("document.querySelectorAll('.deck').length === 2")
    (asked,) = requests.get(f"{match}/moves", headers=mine, timeout=60).json()["moves"]
    (usual,), known = asked["args"]["x-proposals"], asked["args"]["properties"]["main"]["items"]
    out, free = usual["main"][0], known["x-free"][0]
    labels = [
        f"{known['x-names'][card]}: {way} the deck" for card, way in ((out, "remove one from"), (free, "add one to"))
    ]
    page.clicks(f'[aria-label="{labels[0]}"]')
    page.until("document.querySelector('.together .main').disabled")
    page.reloads()  # the selection stays
    page.until("document.querySelector('.together .main')?.disabled")
    page.clicks(f'[aria-label="{labels[1]}"]')
    page.clicks(".together .main:enabled")
    page.until("!document.querySelector('.deck')")
    events = requests.get(f"{match}/events", headers=mine, timeout=60).json()["items"]
    told = next(one["data"] for one in events if one["type"] == "DeckSubmitted" and one["data"]["seat"] == 0)
    assert sorted(told["deck"]["main"]) == sorted([*usual["main"][1:], free])


@pytest.mark.long
def test_standing_orders_can_be_tested_and_set_and_notes_are_saved(page, base):
    slow = {"clock": {"per_decision_seconds": 86400}}
    match, mine = opens(page, base, "hearts", against(3), {}, slow)
    page.clicks(".leaves summary")
    page.clicks(".orders > .ends button:first-child")
    page.clicks(".orders > .ends button:nth-child(2)")
    page.until("document.querySelector('.orders .row [aria-invalid]') === document.activeElement")
    about = "document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText"
    hint = "enter cards, such as QS 10D for the queen of spades and the 10 of diamonds"
    assert page.evaluates(about) == f"Invalid value: {hint}."
    seen = requests.get(match, headers=mine, timeout=60).json()
    cards = [spot["card"] for spot in seen["scene"]["zones"]["hand-0"]["spots"][:3]]
    page.types(" ".join(cards))
    page.until("!document.querySelector('.orders .problem, .orders [aria-invalid]')")
    page.clicks(".orders > .ends button:nth-child(2)")
    tried = "/^It would play now: pass cards: .*, by order 1[.]$/"
    page.until(f"{tried}.test(document.querySelector('.orders [role=status]').innerText)")
    page.clicks(".orders .main")
    page.until("document.querySelector('.orders h3').innerText.endsWith(': on')")
    given = requests.get(f"{match}/orders", headers=mine, timeout=60).json()["orders"]["orders"]
    assert given == [{"do": [{"move": "pass_cards", "args": {"cards": cards}}]}]
    page.evaluates("document.querySelector('.notes textarea').focus()")
    page.types("West has no clubs")
    page.clicks(".notes button:enabled")
    page.until("document.querySelector('.notes [role=status]').innerText")
    assert requests.get(f"{match}/notes", headers=mine, timeout=60).json()["text"] == "West has no clubs"
    page.reloads()
    page.clicks(".leaves summary")
    page.until("document.querySelector('.orders h3')?.innerText.endsWith(': on')")
    assert page.evaluates("document.querySelector('.notes textarea').value") == "West has no clubs"
    # everything is given; another test may have left unsent orders of its match
    kept = f"#m={match.rpartition('/')[2]} away"
    assert page.evaluates(f"Object.keys(sessionStorage).filter((one) => one.endsWith({kept!r}))") == []
    assert all("422" in error for error in page.errors)  # one was refused
    page.errors.clear()


@pytest.mark.long
def test_orders_from_another_device_are_not_overwritten(page, base):
    match, mine = opens(page, base, "hearts", against(3), {}, {"clock": {"per_decision_seconds": 86400}})
    page.clicks(".leaves summary")
    page.until("document.querySelector('.orders .main')")
    other, forced = {"orders": []}, {"auto_play_forced": True}
    assert requests.put(f"{match}/orders", json=forced, headers=mine, timeout=60).status_code == 200
    page.clicks(".orders .main")
    page.until("/on another device/.test(document.querySelector('.orders [role=alert]').innerText)")
    assert requests.get(f"{match}/orders", headers=mine, timeout=60).json()["orders"] == forced
    page.clicks(".orders .main")
    page.until("/^Orders set/.test(document.querySelector('.orders [role=status]').innerText)")
    assert requests.get(f"{match}/orders", headers=mine, timeout=60).json()["orders"] != forced
    requests.put(f"{match}/orders", json=other, headers=mine, timeout=60)
    page.clicks(".orders > .ends button:last-child")
    page.until("/on another device/.test(document.querySelector('.orders [role=alert]').innerText)")
    assert requests.get(f"{match}/orders", headers=mine, timeout=60).json()["orders"] == other
    assert all("412" in error for error in page.errors)
    page.errors.clear()


def test_finished_match_can_be_replayed_with_the_keyboard(page, base, tmp_path):
    address, mine = opens(page, base, "hearts", against(3), {"target_score": 1})
    done = requests.post(f"{address}/moves", json={"name": "resign"}, headers=mine, timeout=60)
    assert done.status_code == 200, done.text
    page.until(OVER)
    page.saves_into(tmp_path)
    page.clicks(".actions .record")
    kept = tmp_path / f"dealt-{address.rpartition('/')[2]}.json"
    until(kept.exists, 60)
    assert kept.read_bytes() == requests.get(f"{address}/record", headers=mine, timeout=60).content
    page.clicks(".actions a.button")
    page.until("document.querySelector('.slider input')")
    last = requests.get(address, headers=mine, timeout=60).json()["version"]
    asked = page.evaluates("performance.getEntriesByType('resource').map((one) => one.name)")
    assert sum("/replay?" in address for address in asked) == 1
    page.evaluates("document.querySelector('.slider input').focus()")
    begun = int(page.evaluates("document.querySelector('.slider input').value"))
    ways = (("ArrowRight", begun + 1), ("PageDown", None), ("End", last), ("ArrowLeft", last - 1))
    for key, version in ways:
        page.presses(key)
        page.until(f"document.querySelector('.slider').innerText.startsWith('Event {version or ''}')")
        if version is None:  # the hand has been dealt then, and the reader's own cards lie open
            page.until("document.querySelectorAll('.own .card.up').length === 13")
    page.until(f"location.hash.endsWith('&v={last - 1}')")
    page.chooses(".past [name=seat]", 2)  # another's hand, which is open now that the match is over
    page.until("document.querySelector('.own .seat, .own').innerText.includes('Bot 1')")
    assert page.evaluates("location.hash").endswith(f"&v={last - 1}&seat=1")
    page.chooses(".past [name=seat]", 0)
    page.until("!location.hash.includes('seat')")
    page.reloads()
    page.until(f"document.querySelector('.slider')?.innerText.startsWith('Event {last - 1} ')")


def resigns(address, mine):
    """Resign a match, and wait until it is over."""
    requests.post(f"{address}/moves", json={"name": "resign"}, headers=mine, timeout=60)
    until(lambda: requests.get(address, headers=mine, timeout=60).json()["status"] == "finished", 60)


@pytest.mark.long
def test_match_started_on_the_page_is_intact_and_so_is_its_rematch(page, base):
    page.opens(f"{base}/play")
    page.until("document.querySelectorAll('.games li').length")
    page.clicks(".games li:nth-child(4) .main")
    for _ in range(2):
        page.until(f"{TURN} && document.querySelector('.felt button:enabled')")
        match, mine = page.evaluates(
            "[location.hash.slice(3), {Authorization: `Bearer ${localStorage['dealt.token /']}`}]"
        )
        address = f"{base}/v1/matches/{match}"
        resigns(address, mine)
        page.evaluates("location.hash += '&v=1'")
        page.until("document.querySelector('.verifies')")
        page.clicks(".verifies")
        page.until("document.querySelector('.verdict.intact')")
        assert page.evaluates("document.querySelector('.verdict p').innerText") == "This match is intact"
        page.evaluates(f"location.hash = '#m={match}'")
        page.until("document.querySelector('.sheet.last .main')")
        page.clicks(".sheet.last .main")
        page.until(f"location.hash.startsWith('#m=') && location.hash !== '#m={match}'")


@pytest.mark.parametrize("game", ["gin_rummy", pytest.param("holdem", marks=pytest.mark.long)])
def test_browser_verifies_a_match_and_marks_a_tampered_record(game, page, base):
    seats = {"gin_rummy": 1, "holdem": 5}[game]
    address, mine = opens(page, base, game, against(seats), {"on_resign": "end"})
    resigns(address, mine)
    page.evaluates("location.hash += '&v=1'")
    page.until("document.querySelector('.verifies')")
    page.clicks(".verifies")
    page.until("document.querySelector('.verdict.chosen')")
    assert page.evaluates(CHECKS) == ["holds"] * 5 + ["unused", "holds"]
    said = page.evaluates("[...document.querySelectorAll('.verdict p')].map((one) => one.innerText)")
    assert said[0] == "Intact, but the server could have chosen the deals"
    assert len(said) == 4
    assert "Every move was checked in your browser" in page.evaluates("document.querySelector('.verdict').innerText")
    page.evaluates(tampers("/record", '"cause":"auto"', '"cause":"move"'))
    page.clicks(".verifies")
    page.until("document.querySelector('.verdict.altered')")
    assert page.evaluates("document.querySelector('.found').open")
    chain, *_, signature = page.evaluates(CHECKS)
    assert (chain, signature == "holds") == ("fails", False)
    assert page.evaluates("getComputedStyle(document.querySelector('.verdict')).backgroundColor") == "rgb(179, 32, 31)"
