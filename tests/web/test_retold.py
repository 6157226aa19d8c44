"""Tests the texts of all games and matches, as the page shows them to a player."""

import json
import re
from random import Random

from domain.match.evolve import TEXTS
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
VERB = re.compile(r"\b[Ss]eat \d+ (?:and )?([a-z]+s)\b")
"""A verb after a seat in the present tense, or one that changes after `you`."""
STATES = {"is", "has", "was"}
"""Verbs that change after `you`. All others are in the past tense."""
OF_YOU = re.compile(r"\b[Yy]ou\b((?:(?!\bBot \d)[^.;:])*)")
"""The words about a reader, up to those about another player."""
FURTHER = re.compile(r"\b(?:and|or|then) ([a-z]+s)\b")


def texts():
    """Return the texts of some hands of every game, and of some matches."""
    for entry in ENTRIES:
        for block, (options, *_) in entry.blocks.items():
            for step in steps(entry, options, Random(block), HANDS):
                yield from (entry.game.words.text(event) for event in step.events)
    for template in TEXTS.values():
        yield re.sub(r"\{\w*seat\}", "0", re.sub(r"\{(?!\w*seat\})[^}]*\}", "x", template))


def test_event_texts_are_in_the_past_tense():
    assert {verb for text in texts() for verb in VERB.findall(text)} <= STATES


def test_texts_address_the_reader_as_you():
    said = sorted(set(texts()))
    told = json.loads(run_in_node(TELLS, json.dumps(said)))
    spans = [(text, span) for text in told for span in OF_YOU.findall(text)]
    assert len(spans) > 1000
    wrong = [
        text
        for text, span in spans
        if ((first := span.split(maxsplit=1)) and first[0] in STATES) or set(FURTHER.findall(span)) & STATES
    ]
    assert wrong == []
    assert [text for text in told if re.search(r"\bof yours\b|\byou's\b", text)] == []
