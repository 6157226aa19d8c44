"""Runs the commands of the guides in the shell as printed, one guide after the other, on a fresh server.

A block of `sh` is run. A following block of `json` or `text` is its expected output, in which `…` stands for anything.
"""

import email
import os
import re
import subprocess
import sys
from email.policy import default
from itertools import pairwise
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from tests.services import free_port
from tests.system.processes import ROOT, Process, answers, running, until

GUIDES = sorted(path for folder in ("docs", "docs/how-to", "docs/tutorial") for path in (ROOT / folder).glob("*.md"))
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$|^(#)", re.MULTILINE | re.DOTALL)
UNRUN = {
    "dealt admin": "needs the players and reports of a server",
    "openssl rand -hex 24": "is for containers",
    "docker compose": "starts containers",
    "dealt api &": "needs PostgreSQL and a broker",
    "MIGRATION_DATABASE_URL": "needs PostgreSQL and a broker",
    "fw1-007": "needs two players who won boosters",
    "dealt import record.json": "needs the record of another server",
    "npm install": "needs packages from npm, and changes the clone",
    "python3 dev.py": "installs Dealt, serves until it is stopped, or runs tests",
    "npx --yes": "needs a package from npm; tests/clients uses its types",
    "/accept": "needs the trade before",
    "$MATCH --reason": "needs a rated match of two people",
    "curl -sN": "ends with the tournament",
    "pip install": "needs an environment of its own; test_installed_game.py and tests/python_client build the packages",
    '"game": "high_card"': "needs the tutorial's game; test_installed_game.py plays it",
}
"""Blocks that are not run: a part of the text, and the reason."""

SETTINGS = {
    "DEALT_WEBHOOK_HTTP": "1",
    "DEALT_WEBHOOK_PORTS": "1024-65535",
    "DEALT_WEBHOOK_NETWORKS": "127.0.0.1/32",
    "DEALT_MAIL_HOST": "127.0.0.1",
    "DEALT_MAIL_TLS": "none",
    "DEALT_MAIL_FROM": "Dealt <cards@cards.example>",
}
"""The server may call a receiver on this machine, and send mail to one."""

SHORTER = (
    ('"preset": "standard"', '"preset": "standard", "options": {"target_score": 1}'),
    ("?wait=30", "?wait=2"),
)
"""A match of Hearts in a guide takes half an hour; the test's is one hand."""

BEFORE = """
set -eu -o pipefail
curl() { command curl --fail-with-body --max-time 90 "$@"; }
API=http://127.0.0.1:8000/v1
code() { for _ in {1..100}; do [ ! -s ../code ] || break; sleep .2; done; cat ../code; rm ../code; }
"""
"""A refused request ends the guide. `code` reads the code of the next mail."""

CONTINUES = {"tokens": "notifications", "verify": "play-over-the-api"}
"""Guides that begin where another ends."""

SET_UP = "(play-over-the-api.md#set-up-your-shell)"
"""A guide with this link begins in a shell that is set up in this way."""

NEXT = "\x1e"
"""Separates the outputs of the blocks."""


def blocks(guide):
    """List the blocks of a guide, without their indentation: language and text. A heading is a block of `#`."""
    return [
        (heading or language, re.sub(rf"^{indent}", "", text, flags=re.MULTILINE))
        for indent, language, text, heading in BLOCK.findall(guide.read_text())
    ]


def runs(language, text):
    return language == "sh" and not any(part in text for part in UNRUN)


def squeezed(text):
    return re.sub(r"\s", "", text)


def expected(text):
    """Compile the printed output into a pattern: `…` is anything, and whitespace is ignored."""
    return re.compile(".*".join(re.escape(part) for part in squeezed(text).split("…")), re.DOTALL)


def steps(guide):
    """List the blocks of a guide that are run, each with the printed output, or None."""
    listed = [*blocks(guide), ("", "")]
    return [
        (text, after if kind in ("json", "text") else None)
        for (language, text), (kind, after) in pairwise(listed)
        if runs(language, text)
    ]


class Mailbox:
    """Keeps the code of each mail in a file."""

    def __init__(self, file):
        self.file = file

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 -- so it is called
        letter = email.message_from_bytes(envelope.content, policy=default).get_body(["plain"]).get_content()
        self.file.write_text("".join(re.findall(r"^    (\w+)", letter, re.MULTILINE)))
        return "250 OK"


@pytest.fixture
def base(tmp_path):
    port, mail = free_port(), Controller(Mailbox(tmp_path / "code"), hostname="127.0.0.1", port=free_port())
    base = f"http://127.0.0.1:{port}"
    settings = {**SETTINGS, "DEALT_MAIL_PORT": str(mail.port), "DEALT_PUBLIC_URL": base}
    process = Process("serve", "--port", str(port), "--data", str(tmp_path / "data"), env=settings)
    mail.start()
    try:
        with running(process):
            until(lambda: answers(base) or process.popen.poll() is not None, 60)
            yield base
    finally:
        mail.stop()


def script(guide, base, folder):
    """Return the commands of a guide as one script, after the preparations that the guide asks for."""
    receiver = free_port()
    earlier = [guide.with_name(f"{CONTINUES[guide.stem]}.md")] if guide.stem in CONTINUES else []
    before = [text for one in earlier for text, _ in steps(one)]
    if any(SET_UP in one.read_text() for one in (*earlier, guide)):
        before.insert(0, steps(guide.with_name("play-over-the-api.md"))[0][0])
    written = "\n".join(
        [
            BEFORE,
            f"mkdir {folder}/backups",
            *before,
            *(f"printf '{NEXT}'\n{text}" for text, _ in steps(guide)),
        ]
    )
    here = (
        ("http://127.0.0.1:8000", base),
        ("witness --name", f"witness --port {receiver} --name"),
        (":8099", f":{receiver}"),
        (", 8099)", f", {receiver})"),
        ("/backups/", f"{folder}/backups/"),
        ("the code from the mail", "'$(code)'"),
    )
    for said, meant in (*SHORTER, *here):
        written = written.replace(said, meant)
    return written


def environment(folder):
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    client = str(ROOT / "clients" / "python")  # the guide installs it, the tests do not
    return {**os.environ, "PATH": path, "PYTHONPATH": client, "DEALT_DATA": str(folder / "data")}


@pytest.mark.long
@pytest.mark.parametrize("guide", [guide for guide in GUIDES if steps(guide)], ids=lambda guide: guide.stem)
def test_commands_of_a_guide_run_as_printed(guide, base, tmp_path):
    here = steps(guide)
    work = tmp_path / "work"
    work.mkdir()
    run = subprocess.run(
        ["bash", "-c", script(guide, base, tmp_path)],
        cwd=work,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, f"{run.stdout[-3000:]}\n{run.stderr[-3000:]}"
    printed = run.stdout.split(NEXT)[1:]
    assert len(printed) == len(here)
    for (text, wanted), given in zip(here, printed, strict=True):
        if wanted is not None:
            assert expected(wanted).search(squeezed(given)), f"{text}\nprints\n{given}"


def test_every_skipped_command_still_occurs_in_a_guide():
    every = [text for guide in GUIDES for language, text in blocks(guide) if language == "sh"]
    assert [part for part in UNRUN if not any(part in text for text in every)] == []
    assert len([text for text in every if runs("sh", text)]) >= 60


def test_every_call_of_a_guide_is_run():
    """A block that begins with a command is one of `sh`, so it is run or has a reason."""
    hidden = [
        (guide.stem, text.split("\n")[0])
        for guide in GUIDES
        for language, text in blocks(guide)
        if language == "" and re.match(r"(?:curl|dealt|\w+=\$\()", text)
    ]
    assert hidden == []
