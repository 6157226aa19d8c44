"""Tests that an imported match keeps only names that a player of this server could have."""

import pytest

from events.log import imported_players


@pytest.mark.parametrize("name", ["Ann", "👩‍👧", "阿达", "ශ\u0dca\u200dර\u0dd3"])
def test_visible_name_is_kept(name):
    assert imported_players.foreign_names("m", {"p": name}) == {"foreign:m:p": name}


@pytest.mark.parametrize("name", ["A\u200dnn", "An\ufe0fn", "\u3164", "An\u202en", "x" * 41, " ", None])
def test_confusable_and_invisible_names_are_not_kept(name):
    assert imported_players.foreign_names("m", {"p": name}) == {}
