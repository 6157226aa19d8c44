"""Tests the page in an invented language whose letters have accents and whose texts are longer by a third.

Texts without accents come from the server, whose texts are English, or from a module outside `words`.
"""

import json
from unittest.mock import patch

import pytest

from api.resources import page_files
from tests import built
from tests.web.places import PLACES
from tests.web.script_texts import READ_ALOUD
from tests.web.stage import HEIGHTS, staged

LANGUAGE = "words/language.js"
CHOSEN = "export const inLanguage = (there) => there[language] ?? there.en;"
LOCALE = "export const locale = chosenOf(globalThis.navigator?.languages ?? [], KNOWN);"
GREEK = 'export const locale = "el";'
"""A locale that writes months, days and units in its own letters."""
ANOTHER = r"""
const PLAIN = "abcdefghijklmnopqrstuvwxyz", ACCENTED = [..."áƀçđéƒğħíĵķłɱñóƥʠŕšťúṽŵẍýž"];
const letter = (one) => ACCENTED[PLAIN.indexOf(one)] ?? ACCENTED[PLAIN.indexOf(one.toLowerCase())].toLocaleUpperCase();
const accented = (text) => {
  const said = text.replace(/[a-z]/gi, letter);
  return said.length > 3 && said !== text ? `${said} ${"ĺő".repeat(Math.ceil(said.length / 6)).slice(0, 12)}` : said;
};
const another = (said) => typeof said === "string" ? accented(said)
  : typeof said === "function" ? (...given) => another(said(...given))
  : Array.isArray(said) ? said.map(another)
  : said && said.constructor === Object
  ? Object.fromEntries(Object.entries(said).map(([name, one]) => [name, another(one)])) : said;
export const inLanguage = (there) => another(there.en);
"""
HEARS = """(() => {
  const parse = JSON.parse, keep = (x) => {
    if (typeof x === "string") for (const word of x.match(/[A-Za-z]{2,}/g) ?? []) heard.add(word.toLowerCase());
    else if (x && typeof x === "object") Object.entries(x).flat().forEach(keep);
  };
  window.heard = new Set(["you", "your", "yours", "are", "have", "do", "airborne", "tapped"]);
  JSON.parse = (...given) => { const read = parse(...given); keep(read); return read; };
})()"""
"""Collects every word of the server's answers, and of the texts addressed to the reader: "You play" for "Seat 0 plays".

The marks are those that a place gives to the creatures of its duel. The rules of a table come as text, not as JSON.
"""
PLAIN = """(() => {
  const names = READ_ALOUD, found = [document.title], texts = document.createTreeWalker(document.body, 4);
  while (texts.nextNode()) {
    const {data, parentElement} = texts.currentNode;
    const said = parentElement.querySelector(":scope > i:empty") ? parentElement.textContent : data;
    if (!parentElement.closest("script, style, noscript, code, kbd, .checks .soft, .teaches .rules")) found.push(said);
  }
  for (const one of document.querySelectorAll("body *"))
    for (const name of names) found.push(one.getAttribute(name) ?? "");
  const isHeard = (word) => ["", "s", "es"].some((end) => heard.has(word.toLowerCase() + end));
  const words = (text) => text.match(/(?<![\\p{L}\\p{M}@])[A-Za-z]{2,}(?![\\p{L}\\p{M}])/gu) ?? [];
  return found.filter((text) => !words(text).every(isHeard));
})()""".replace("READ_ALOUD", json.dumps(sorted(READ_ALOUD)))
"""The texts with a word that did not come from the server, except names of keys and the verifier's findings.

A long word with possible line breaks is read as one.
"""
OURS = [place for place in PLACES if place not in ("docs", "token", "rules", "problems")]


@pytest.fixture(scope="module")
def stage(tmp_path_factory, chromium):
    """Return a stage on which the page uses the other language."""
    spoken = built.page_with({LANGUAGE: {CHOSEN: ANOTHER, LOCALE: GREEK}}, tmp_path_factory.mktemp("spoken"))
    with patch.object(page_files, "DIST", spoken), staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        stage.page.begins_with(HEARS)
        yield stage


@pytest.mark.long
@pytest.mark.parametrize("place", OURS)
def test_every_text_of_the_page_is_translated_and_fits(place, stage):
    page = stage.page
    page.is_wide(360, HEIGHTS[360])
    PLACES[place](stage)
    assert page.evaluates(PLAIN) == []
    assert page.evaluates("document.documentElement.scrollWidth") <= 360
