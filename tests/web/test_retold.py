"""The texts of all games and matches, as the page tells them to who plays."""

import json
import re
from random import Random

from domain.match.event_texts import TEXTS
from tests.built import run_in_node
from tests.laws.games import ENTRIES
from tests.laws.play import steps

HANDS = 2
TELLS = """
import {told} from "#page/table/retold.js";
let said = "";
process.stdin.on("data", (part) => { said += part; });
process.stdin.on("end", () => console.log(JSON.stringify(JSON.parse(said).flatMap((text) => [0, 1].map(
  (seat) => told(text, [seat], (one) => one === seat ? "You" : `Bot ${one}`))))));
"""
DOES = re.compile(r"\b[Ss]eat \d+ (?:and )?([a-z]+s)\b")
"""What a seat does."""
OF_YOU = re.compile(r"\b[Yy]ou\b((?:(?!\bBot \d)[^.;:])*)")
"""What is said of a reader, up to where it is said of another."""
BESIDE = re.compile(r"\b(?:and|or|then) ([a-z]+s)\b")


def texts():
    """Give the texts of some hands of every game, and those of matches."""
    for entry in ENTRIES:
        for block, (options, *_) in entry.blocks.items():
            for step in steps(entry, options, Random(block), HANDS):
                yield from (entry.game.words.text(event) for event in step.events)
    for template in TEXTS.values():
        yield re.sub(r"\{\w*seat\}", "0", re.sub(r"\{(?!\w*seat\})[^}]*\}", "x", template))


def test_texts_address_the_reader_as_you():
    said = sorted(set(texts()))
    told = json.loads(run_in_node(TELLS, json.dumps(said)))
    of_others = {verb for text in said for verb in DOES.findall(text)} | {"is", "has"}
    spans = [(text, span) for text in told for span in OF_YOU.findall(text)]
    assert len(of_others) > 30
    assert len(spans) > 1000
    wrong = [
        text
        for text, span in spans
        if ((first := span.split(maxsplit=1)) and first[0] in of_others) or set(BESIDE.findall(span)) & of_others
    ]
    assert wrong == []
    assert [text for text in told if re.search(r"\bof yours\b|\byou's\b", text)] == []
