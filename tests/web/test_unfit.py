"""Tests that a form's faults appear at their fields, in the page's words, and are gone when the form is opened
again."""

import pytest

from tests.web.places import opens
from tests.web.readable import ALL, asks_axe, violations
from tests.web.stage import staged

FIELD = "document.querySelector('[name=target_score]')"
UNFIT = "[...document.querySelectorAll('.unfit')].map((one) => one.innerText)"
FORM = "document.querySelector('.making')"


@pytest.fixture
def stage(tmp_path_factory, chromium):
    """Return a stage whose page has the form of a table of Hearts, with a target out of its bounds."""
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        opens(stage, "/play#new=hearts", FORM)
        writes(stage.page, "99999")
        yield stage


def writes(page, text):
    page.evaluates(f"{FIELD}.closest('details').open = true")
    page.evaluates(f"{FIELD}.select()")
    page.types(text)


def test_invalid_field_is_marked_until_it_is_changed(stage):
    shown = stage.page
    shown.evaluates(f"{FIELD}.closest('details').open = false")
    shown.clicks(".making [type=submit]")
    shown.until(f"{UNFIT}.length")
    assert shown.evaluates(UNFIT) == ["Must be from 1 to 1000."]
    assert shown.evaluates("[document.activeElement.name, location.hash]") == ["target_score", "#new=hearts"]
    assert shown.evaluates(f"{FIELD}.getAttribute('aria-describedby').startsWith(document.querySelector('.unfit').id)")
    shown.is_wide(1280, 900)
    asks_axe(shown)
    assert violations(shown, ALL) == []
    writes(shown, "70")
    assert shown.evaluates(UNFIT) == []


@pytest.mark.long
def test_reopened_form_has_no_earlier_errors(stage):
    opens(stage, "/play#new=hearts", FORM)
    assert stage.page.evaluates(f"{FIELD}.value") == "100"
    writes(stage.page, "70")
    opens(stage, "/play#new=hearts", FORM)
    assert stage.page.evaluates(f"{FIELD}.value") == "70"
