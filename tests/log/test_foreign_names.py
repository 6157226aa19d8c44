"""Of the names that an imported match brings, those are kept which a player of this server may have as well."""

import pytest

from events.log import imported_players


@pytest.mark.parametrize("name", ["Ann", "👩‍👧", "阿达", "ශ\u0dca\u200dර\u0dd3"])
def test_a_name_that_can_be_seen_is_kept(name):
    assert imported_players.foreign_names("m", {"p": name}) == {"foreign:m:p": name}


@pytest.mark.parametrize("name", ["A\u200dnn", "An\ufe0fn", "\u3164", "An\u202en", "x" * 41, " ", None])
def test_a_name_that_looks_like_another_or_like_none_is_not_kept(name):
    assert imported_players.foreign_names("m", {"p": name}) == {}
