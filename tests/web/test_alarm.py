"""Tests that the page notices a server that contradicts itself, without any action of the player."""

import json

from tests.system.processes import until
from tests.web.test_comfort import BEGUN

ALARM = "document.querySelector('.alarm')"
HEADS = "JSON.parse(localStorage.getItem('dealt.heads /') ?? '{}')"


def test_changed_match_raises_an_alarm_with_evidence_until_it_is_accepted(stage, tmp_path):
    page = stage.page
    page.begins_with(BEGUN)
    page.is_wide(360)
    match = stage.sits("crazy_eights")
    page.until(f"{HEADS}[{json.dumps(match)}]?.version > 0")
    kept = page.evaluates(f"{HEADS}[{json.dumps(match)}]")
    assert kept["head"] == stage.sees(match)["head"]
    version = stage.plays_on(match, kept["version"] + 2)
    page.reloads()
    page.until(f"{HEADS}[{json.dumps(match)}].version === {version}")
    kept = page.evaluates(f"{HEADS}[{json.dumps(match)}]")
    assert not page.evaluates(ALARM)
    other = kept | {"head": "0" * 64}
    page.evaluates(f"localStorage.setItem('dealt.heads /', {json.dumps(json.dumps({match: other}))})")
    page.reloads()
    page.until(ALARM)
    page.opens(f"{stage.base}/docs/problems")
    page.opens(f"{stage.base}/play")
    page.until(f"{ALARM}?.innerText.includes('The events of this match have changed.')")
    page.saves_into(tmp_path)
    names = ("dealt-before.json", "dealt-now.json", "dealt-keys.json")
    for button, name in enumerate(names):
        page.evaluates(f"document.querySelectorAll('.alarm button')[{button}].click()")
        until((tmp_path / name).exists, 60)
    before, now = (json.loads((tmp_path / name).read_text()) for name in names[:2])
    assert (before["match"], before["head"]) == (match, "0" * 64)
    assert now["items"][before["version"] - 1]["digest"] == kept["head"]
    page.evaluates("document.querySelectorAll('.alarm button')[3].click()")
    page.until(f"!{ALARM}")
    page.reloads()
    page.until("document.querySelector('.games li')")
    assert not page.evaluates(ALARM)
