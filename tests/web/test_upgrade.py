"""Tests that a page that is open during an upgrade reloads itself, and keeps the current choice."""

from unittest.mock import patch

from api.resources import page_files
from tests import built

CHOSEN = "document.querySelectorAll('.own .card[aria-pressed=true]').length"
AWAY = "document.querySelector('details.leaves')"


def test_page_of_an_old_release_reloads_and_keeps_the_chosen_cards(stage, tmp_path):
    page, match = stage.page, stage.sits("hearts")
    later = built.page_with({"words/language.js": {'names.join(", ")': 'names.join("; ")'}}, tmp_path)
    assert {path.name for path in later.glob("page-*.js")}.isdisjoint(path.name for path in built.page().iterdir())
    page.opens(f"{stage.base}/play#m={match}")
    page.until(f"{AWAY} && document.querySelector('.own .card.may')")
    page.clicks(".own .card.may")
    page.until(f"{CHOSEN} === 1")
    page.evaluates("window.isOld = true")
    with patch.object(page_files, "DIST", later):
        page.evaluates(f"{AWAY}.open = true")
        page.until(f"!window.isOld && {AWAY} && {CHOSEN} === 1")
        page.evaluates(f"{AWAY}.open = true")
        page.until("document.querySelector('details.leaves form')")
    page.errors[:] = [one for one in page.errors if "404" not in one]
    assert page.errors == []
