"""Tests that a table can be played with a screen reader: buttons have distinct names, and the log uses the same
names."""

from tests.system.page_hands import READY, against, opens

NAMES = "[...document.querySelectorAll('.between button:enabled')].map((one) => one.ariaLabel)"


def test_face_down_cards_are_distinguished_by_position(page, base):
    opens(page, base, "trio", against(2), {})
    page.until(READY)
    names = page.evaluates(NAMES)
    assert len(names) > 1
    assert len(set(names)) == len(names)
    place, _, _ = names[1].partition(",")
    page.evaluates("document.querySelectorAll('.between button:enabled')[1].click()")
    page.until(f"document.querySelector('.log').innerText.includes('You turned up {place}:')")
    page.until(f"document.querySelector('.between [aria-label^=\"{place}, \"].up')")


def test_position_number_is_visible_on_a_face_down_card(page, base):
    opens(page, base, "trio", against(2), {})
    page.until(READY)
    drawn = "getComputedStyle(document.querySelector('.grid .back'), '::after').content"
    assert page.evaluates(drawn).startswith("counter(")
