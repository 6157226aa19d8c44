"""Tests the board that other sites embed: the public table, live and as a replay, without a token or any input."""


def test_board_follows_a_match_and_replays_it_when_it_is_over(stage):
    page, match = stage.page, stage.sits("crazy_eights", on_resign="end")
    page.is_wide(360)
    page.opens(f"{stage.base}/embed/{match}")
    page.until("document.querySelector('.felt .prompt')?.innerText.includes('playing')")
    before = page.evaluates("document.querySelector('.felt').dataset.version")
    version = stage.plays_on(match, int(before) + 3)
    page.until(f"document.querySelector('.felt').dataset.version === '{version}'")
    assert page.evaluates("document.querySelectorAll('button, input').length") == 0
    hand = stage.sees(match)["scene"]["zones"]["hand-0"]["spots"]
    shown = page.evaluates("document.body.innerHTML")
    assert hand
    assert all(f'data-card="{spot["card"]}"' not in shown for spot in hand)
    stage.asks(stage.me, "POST", f"/v1/matches/{match}/moves", {"name": "resign"})
    page.until("document.querySelector('.replay')")
    count = page.evaluates("document.querySelector('.replay span').innerText")
    page.evaluates("document.querySelector('.replay button').click()")
    page.until(f"document.querySelector('.replay span').innerText === '1 of {count.split()[-1]}'")
    page.evaluates("document.querySelectorAll('.replay button')[2].click()")
    page.until("!document.querySelector('.replay span').innerText.startsWith('1 ')")
    assert page.errors == []


def test_board_of_a_private_match_shows_nothing(stage):
    match = stage.makes({"game": "trio", "visibility": "private", "seats": [{"kind": "me"}, *[{"kind": "bot"}] * 2]})
    page = stage.page
    page.opens(f"{stage.base}/embed/{match}")
    page.until("document.querySelector('.closed')")
    assert page.evaluates("document.querySelector('main').innerText") == (
        "This match is not public, or it does not exist."
    )
    page.errors.clear()  # the browser's own note of the 404
