"""Tests the chat on the page: a player is muted or blocked next to their last message."""

import pytest

from tests.factories import StoredPlayer
from tests.web.places import DAY, ME, opens
from tests.web.stage import staged

SAID = "[...document.querySelectorAll('.chat li')].map((one) => one.querySelector('.said, em').innerText)"
BUTTONS = "[...document.querySelectorAll('.chat .silences')].map((one) => one.ariaLabel)"
PRESS = "document.querySelector('.chat .silences[aria-label=\"{} Ben\"]').click()"


@pytest.fixture
def stage(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        yield stage


@pytest.mark.long
@pytest.mark.parametrize(
    ("button", "undo", "words", "listed"),
    [
        ("Block", "Unblock", "You block this player.", "blocks"),
        ("Mute", "Unmute", "You mute this player.", "mutes"),
    ],
)
def test_player_can_be_muted_and_unmuted_in_the_chat(stage, button, undo, words, listed):
    page, ben = stage.page, StoredPlayer(store=stage.store, name="Ben")
    match = stage.makes({"game": "gin_rummy", "seats": [ME, {"kind": "open"}], "clock": DAY})
    stage.asks(ben, "PUT", f"/v1/matches/{match}/seats/1", {})
    for player, text in ((ben, "Too slow!"), (stage.me, "Please wait."), (ben, "Boring.")):
        stage.asks(player, "POST", f"/v1/matches/{match}/chat", {"text": text})
    opens(stage, f"/play#m={match}", f"{SAID}.length === 3")
    assert page.evaluates(BUTTONS) == ["Mute Ben", "Block Ben"]

    page.evaluates(PRESS.format(button))
    page.until(f"{BUTTONS}.includes('{undo} Ben')")
    assert page.evaluates(SAID) == [words, "Please wait.", words]
    silenced = stage.asks(stage.me, "GET", f"/v1/players/me/{listed}")["items"]
    assert [one["player"]["name"] for one in silenced] == ["Ben"]

    page.evaluates(PRESS.format(undo))
    page.until(f"{BUTTONS}.includes('{button} Ben')")
    assert page.evaluates(SAID) == ["Too slow!", "Please wait.", "Boring."]
    assert stage.asks(stage.me, "GET", f"/v1/players/me/{listed}")["items"] == []
    assert page.errors == []
