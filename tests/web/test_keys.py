"""Tests single keys on the page: they lead to the parts of a table, never away from a field, and can be switched
off."""

import pytest

from tests.web.stage import staged

AT = "document.activeElement"
GIVES_UP = "[...document.querySelectorAll('.also button')].find((one) => one.innerText.startsWith('Resign'))"
LAST = """[...document.querySelectorAll("main :is(a, button, summary, input)")]
.filter((one) => one.checkVisibility()).at(-1)"""


@pytest.mark.long
def test_shortcut_keys_reach_table_parts_until_turned_off(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        page = stage.page
        page.is_wide(1280)
        phases = stage.phases(stage.sits("holdem"))
        next(phases)
        page.until("document.querySelector('.keys')")
        page.presses("l")
        assert page.evaluates(f"{AT}.getAttribute('role')") == "log"
        page.presses("m")
        assert page.evaluates(f"Boolean({AT}.closest('.actions'))")
        page.evaluates("document.querySelector('.actions input')?.focus()")
        page.presses("l")
        assert page.evaluates(f"{AT}.matches('input, .actions button')")
        page.clicks(".keys [type=checkbox]")
        page.evaluates(f"{AT}.blur()")
        page.presses("l")
        assert page.evaluates(f"{AT} === document.body")
        page.reloads()
        page.until("document.querySelector('.keys input')")
        assert not page.evaluates("document.querySelector('.keys input').checked")
        assert page.errors == []


def test_rules_link_is_last_in_the_tab_order(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        stage.page.is_wide(1280)
        next(stage.phases(stage.sits("gin_rummy")))
        stage.page.until("document.querySelector('.keys')")
        assert stage.page.evaluates(f"{LAST}.pathname") == "/docs/rules/gin_rummy"
        assert stage.page.evaluates(f"{LAST}.innerText") == "Rules of Gin Rummy"


def test_escape_leaves_a_question_and_focuses_the_table(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        stage.page.is_wide(1280)
        next(stage.phases(stage.sits("hearts")))
        stage.page.clicks(".also:not(.leaves) summary")
        stage.page.until(GIVES_UP)
        stage.page.evaluates(f"{GIVES_UP}.focus()")
        stage.page.presses("Enter")
        stage.page.until("document.querySelector('.ask')?.contains(document.activeElement)")
        stage.page.presses("Escape")
        stage.page.until("!document.querySelector('.ask')")
        stage.page.until(f"{AT}.closest('.felt')")
