"""Tests the forms of the page: refusals appear at their field, and lists are made of choices."""

import pytest
import requests

WRONG = "(document.querySelector('#wrong-{}')?.innerText ?? '')"


def thinks_of(page, base, game):
    page.opens(f"{base}/play#new={game}")
    page.until("document.querySelector('.making')")
    page.evaluates("document.querySelector('.making details').open = true")


def test_refused_option_is_reported_at_its_field_until_it_is_changed(page, base):
    thinks_of(page, base, "gin_rummy")
    page.evaluates("document.querySelector('[name=players]').select()")
    page.types("3")
    page.chooses("[name=clock]", 1)
    page.reloads()
    page.until("document.querySelector('[name=players]')?.value === '3'")
    assert page.evaluates("document.querySelector('[name=clock]').value") == "minute"
    page.clicks(".making button[type=submit]")
    page.until(f"{WRONG.format('players')}.includes('2 seats')")
    focused = "document.activeElement.name + document.activeElement.getAttribute('aria-invalid')"
    assert page.evaluates(focused) == "playerstrue"
    described = page.evaluates("document.activeElement.getAttribute('aria-describedby')")
    assert described == "wrong-players about-players"
    assert page.evaluates("document.querySelector('[role=alert]').innerText") == ""
    page.evaluates("document.activeElement.select()")
    page.types("2")
    page.until(f"{WRONG.format('players')} === '' && !document.querySelector('.making [aria-invalid]')")
    page.clicks(".making button[type=submit]")
    page.until("document.querySelector('.lobby')")
    page.evaluates("history.back()")  # the sent text is no longer there
    page.until("document.querySelector('[name=clock]')?.value === 'none'")
    page.errors[:] = [one for one in page.errors if "status of 422" not in one]


def test_rules_summary_states_the_usual_number_of_players(page, base):
    thinks_of(page, base, "crazy_eights")
    told = "document.querySelector('#preset-about').innerText.startsWith('Defaults for 4 players: 4 seats get')"
    assert not page.evaluates(told)
    page.chooses("[name=seats]", 0)
    page.until(told)


def test_rules_summary_follows_changed_options(page, base):
    thinks_of(page, base, "hearts")
    rules = "document.querySelector('#preset-about').innerText"
    assert not page.evaluates(f"{rules}.includes('jack of diamonds') || {rules}.includes('you changed')")
    page.clicks("[name=jack_of_diamonds]")
    page.until(f"{rules}.includes('the jack of diamonds scores −10')")
    assert page.evaluates("document.querySelector('[name=preset]').value") == "standard"
    assert not page.evaluates(f"{rules}.includes('you changed')")
    page.evaluates("document.querySelector('[name=target_score]').select()")
    page.types("70")
    page.until(f"{rules}.includes('Changed: Target score: 70; Jack of diamonds scores minus ten: on.')")


@pytest.mark.long
def test_packs_of_a_draft_are_chosen_from_lists(page, base):
    thinks_of(page, base, "fivewells_draft")
    chosen = "[...document.querySelectorAll('.list select')].map((one) => one.value).join()"
    assert page.evaluates(chosen) == "fw1,fw1,bt1"
    page.clicks(".list button")
    page.until(f"{chosen} === 'fw1,fw1,bt1,bt1'")
    page.chooses(".list label:first-child select", 2)  # it is left out
    page.until(f"{chosen} === 'fw1,bt1,bt1'")
    page.chooses(".list label:first-child select", 1)
    page.until(f"{chosen} === 'bt1,bt1,bt1'")
    page.clicks(".making button[type=submit]")
    page.until("document.querySelector('.lobby')")
    token, match = page.evaluates("[localStorage['dealt.token /'], location.hash.slice(3)]")
    mine = {"Authorization": f"Bearer {token}"}
    made = requests.get(f"{base}/v1/matches/{match}?fields=options", headers=mine, timeout=60).json()
    assert made["options"]["packs"] == ["bt1"] * 3


@pytest.mark.long
def test_refused_name_is_reported_at_its_field_until_one_is_accepted(page, base):
    made = requests.post(f"{base}/v1/players", json={"name": "Guest"}, timeout=60).json()
    page.opens(f"{base}/docs/problems")
    page.until("location.pathname === '/docs/problems'")
    page.evaluates(f"localStorage.setItem('dealt.token /', '{made['token']}')")
    page.opens(f"{base}/play")
    page.until("document.querySelector('.named')")
    for name, is_taken in (("   ", False), ("Ann", True)):
        page.evaluates("document.querySelector('.named').open = true")
        page.until("document.querySelector('.named [name=name]')")
        page.evaluates("document.querySelector('.named [name=name]').select()")
        page.types(name)
        page.clicks(".named button")
        page.until(f"Boolean({WRONG.format('name')}) !== {str(is_taken).lower()}")
        field = "document.querySelector('.named [name=name]')"
        assert page.evaluates(f"{field}?.getAttribute('aria-invalid') ?? ''") == ("" if is_taken else "true")
        assert page.evaluates("document.querySelector('[role=alert]').innerText") == ""
    page.until("document.querySelector('.named summary').innerText.includes('You play as Ann')")
    page.errors[:] = [one for one in page.errors if "status of 422" not in one]
