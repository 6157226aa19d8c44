"""Reads the specifications of the cards from the files next to this module, and runs them."""

import re
from pathlib import Path

import yaml

from tests.games.fivewells.claims import shown, shown_token, targets_are
from tests.games.fivewells.deeds import WHEN
from tests.games.fivewells.findings import THEN
from tests.games.fivewells.script import TOKEN_IDS, Script, Unclear

FOLDER = Path(__file__).parent


def read(name):
    """Return the rows of a specification file."""
    return yaml.load((FOLDER / name).read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


TOKENS = "tokens.yaml"
CARD_SPECS = {
    name: row
    for file in sorted((FOLDER / "cards").glob("*.yaml"))
    if file.name != TOKENS
    for name, row in read(f"cards/{file.name}").items()
}
TOKEN_SPECS = read(f"cards/{TOKENS}")

SENTENCES = {"when": WHEN, "then": THEN}


def play(block, it=""):
    """Play a script to its end; `AssertionError` names the sentence that fails."""
    script = Script(block, it)
    for kind, line in script.lines:
        found = ((function, re.fullmatch(pattern, line)) for pattern, function in SENTENCES[kind])
        function, match = next(((function, match) for function, match in found if match), (None, None))
        if function is None:
            raise Unclear(f"{kind} {line}")
        try:
            function(script, *match.groups())
        except Unclear:
            raise
        except Exception as wrong:
            raise AssertionError(f"{it}: {kind} {line}: {wrong!r}") from wrong


def holds(name):
    """Run all specifications of a card; `AssertionError` names the one that fails."""
    row = CARD_SPECS[name]
    for block in row["plays"]:
        play(block, name)
    shown(name, row["is"], row.get("targets"))
    if row.get("targets"):
        targets_are(name, row["targets"])


def token_holds(name):
    """Run all specifications of a token."""
    shown_token(TOKEN_IDS[name], TOKEN_SPECS[name]["is"])
