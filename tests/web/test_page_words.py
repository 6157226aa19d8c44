"""Tests that all texts of the page are in `words/`, and that all texts in `words/` are used."""

import json
import re
import shutil
import subprocess

import pytest

from api.resources.page_files import WEB
from tests.web.script_texts import HOLE, Text, shown, texts

STATIC = WEB / "static"
WORDS = sorted(path for path in (STATIC / "words").glob("*.js") if path.stem != "language")
NOT_SHOWN = {
    "past/how_won.ts": "It finds the event of the log that decided a game, whose text the API sends.",
    "past/judged.ts": "It names events that a record may lack; its own texts are in `words/`.",
    "table/retold.js": "It retells the texts of the API, which are in English, and knows their words.",
    "past/verify": "What checks find is told in the words of the verifier, which are the same in Python and in Node.",
}
"""Modules and folders whose English text is not the page's own."""
MODULES = sorted(
    path
    for folder in STATIC.iterdir()
    if folder.is_dir() and folder.name != "words"
    for path in folder.rglob("*.[jt]s")
    if not any(path.is_relative_to(STATIC / one) for one in NOT_SHOWN)
)
NAMES = re.compile(
    r"[A-Z]+|[A-Z][a-z]+(?:-[A-Za-z]+)+|Date|Escape|Bearer \0|(?:Shift )?(?:(?:Arrow|Page)[A-Z][a-z]+)?"
    r"|[A-Z]\w+(?:Requested|Offered)"
)
"""Capitalised strings that are not sentences: methods, suits, headers, keys, events."""
PHRASE = re.compile(r"^[A-Z][a-z]|[a-z,;:] [a-zA-Z]|[a-z]\.$|\b[a-z]+ ?\0|\0 ?[a-z]+\b")
CODE = re.compile(
    r"[#=\[\]<>/{}&?]|(?:^|\s)[.:]\w|^\0?(?:card|suit|plain|named|tint|mark|mana|bounds|about|seat)\b"
    r"|^\w+-\0|\b\w+-$|px[ )]|^\("
)
"""Strings that look like phrases but are markup, addresses, selectors or lists of classes."""


def is_phrase(said):
    return bool(PHRASE.search(said)) and not NAMES.fullmatch(said) and not CODE.search(said)


def phrases(code):
    """Yield the phrases that a module shows: in its templates, and in strings that look like words."""
    for text in texts(code):
        if text.is_html:
            yield from shown(text.said)
        elif is_phrase(text.said):
            yield text.said.replace(HOLE, "…")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_modules_contain_no_visible_words(path):
    assert [*phrases(path.read_text())] == []


EXAMPLES = """html`<p>Hello</p>`
html`<p>${a ? html`<b>yes</b>` : b}</p>`
html`<p aria-label="The table"></p>`
html`<input placeholder="as ${usual}">`
const a = "Not now";
x = `waits for ${name}`;
one.textContent = "Play"
a.replace(/"/g, `${b} left`)
names = ["is over"]"""


@pytest.mark.parametrize("code", EXAMPLES.splitlines())
def test_words_in_a_module_are_found(code):
    assert [*phrases(code)] != []


def test_templates_are_read_with_nested_parts():
    assert texts("html`<p>${a ? `b${c}` : {d: 'e'}}</p>` + '\\''") == [
        Text(is_html=True, said=f"<p>{HOLE}</p>"),
        Text(is_html=False, said=f"b{HOLE}"),
        Text(is_html=False, said="e"),
        Text(is_html=False, said="\\'"),
    ]


def keys(path):
    """Return the names of the words of a module, as Node reads them."""
    if not (node := shutil.which("node") or shutil.which("nodejs")):
        pytest.skip("no Node")
    program = f"import({json.dumps(path.as_uri())}).then(({{says}}) => console.log(JSON.stringify(Object.keys(says))))"
    done = subprocess.run(
        [node, "--input-type=module", "--no-warnings", "-e", program], capture_output=True, text=True, check=True
    )
    return {*json.loads(done.stdout)}


def said_of(name):
    """Return the names of the words that other modules take from a module of words."""
    found = set()
    for path in [*MODULES, STATIC / "table/retold.js"]:
        code = path.read_text()
        for as_name in re.findall(rf'import \{{ ?says(?: as (\w+))? ?\}} from "[./]+words/{name}\.js"', code):
            found |= {*re.findall(rf"\b{as_name or 'says'}\.(\w+)", code)}
    return found


@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.stem)
def test_page_uses_all_its_words_and_lacks_none(path):
    assert said_of(path.stem) == keys(path)
