"""The package for npm builds, is small, and plays every game against a server."""

import base64
import gzip
import hmac
import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN
from tests.built import packages
from tests.laws.games import LAWS

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "clients" / "typescript"
PROGRAMS = ROOT / "tests" / "clients" / "node_modules" / ".bin"
README = (PROJECT / "README.md").read_text()
(BOT,) = re.findall(r"^```js\n(// Play a match.*?)^```", README, re.MULTILINE | re.DOTALL)
LARGEST, LARGEST_VERIFIER = 10_000, 16_000
"""The maximum sizes of the client and of the verifier without games, in bytes of gzip."""


def run(*command, at):
    done = subprocess.run([*map(str, command)], check=False, cwd=at, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """Return the directory of a program that has installed the package."""
    if not (PROGRAMS / "openapi-typescript").exists():
        pytest.skip("openapi-typescript is not installed: .ci/run does it")
    packages()
    clone, app = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("app")
    for name in ("api", "domain", "tests", "openapi.json"):
        (clone / name).symlink_to(ROOT / name)
    shutil.copytree(PROJECT, clone / "clients/typescript", ignore=shutil.ignore_patterns("dist", "*.tgz"))
    run("npm", "pack", at=clone / "clients/typescript")
    (packed,) = clone.glob("clients/typescript/dealt-client-*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(app / "node_modules", filter="data")
    (app / "node_modules/package").rename(app / "node_modules/dealt-client")
    return app


def test_package_has_the_version_of_the_api_and_no_dependency(app):
    package = json.loads((app / "node_modules/dealt-client/package.json").read_text())
    assert package["version"] == json.loads((ROOT / "openapi.json").read_text())["info"]["version"]
    assert not [name for name in package if name.endswith("ependencies")]
    exported = [file for entry in package["exports"].values() for file in entry.values()]
    assert [file for file in exported if not (app / "node_modules/dealt-client" / file).is_file()] == []


def test_client_and_verifier_are_small(app):
    (app / "whole.mjs").write_text('export * from "dealt-client"; export * from "dealt-client/webhooks";')
    run(ROOT / "api/web/node_modules/.bin/rolldown", "whole.mjs", "--minify", "--file", "whole.js", at=app)
    assert len(gzip.compress((app / "whole.js").read_bytes())) <= LARGEST
    verifier = app / "node_modules/dealt-client/dist/verify.js"
    assert len(gzip.compress(verifier.read_bytes())) <= LARGEST_VERIFIER


def test_bot_of_the_readme_plays_as_printed(app, base):
    (app / "bot.mjs").write_text(BOT)
    assert 'Result: {"winners":' in run("node", "bot.mjs", base, at=app)
    assert len(BOT.strip().splitlines()) <= 20


def test_bot_of_the_readme_is_strictly_typed(app):
    wrong = BOT.replace("target_score: 1", 'target_score: "one"')
    (app / "typed.ts").write_text(BOT.replace("process.argv[2]", '"http://127.0.0.1"'))
    (app / "wrong.ts").write_text(wrong.replace("process.argv[2]", '"http://127.0.0.1"'))
    options = (
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--lib",
        "es2023,dom,dom.asynciterable",
    )
    (app / "package.json").write_text('{"type": "module"}')
    run(PROGRAMS / "tsc", *options, "typed.ts", at=app)
    with pytest.raises(AssertionError, match="is not assignable to type 'number'"):
        run(PROGRAMS / "tsc", *options, "wrong.ts", at=app)


def test_client_plays_every_game_and_verifies_its_records(app, base):
    shutil.copy(Path(__file__).with_name("play_all.mjs"), app)
    matches = [{"game": game.name, "options": LAWS[game.name].SHORT} for game in BUILT_IN]
    said = json.loads(run("node", "play_all.mjs", base, json.dumps(matches), json.dumps(webhook()), at=app))
    assert [one["game"] for one in said["played"]] == [game.name for game in BUILT_IN]
    assert {(one["status"], one["verdict"]) for one in said["played"]} == {("finished", "verified")}
    assert all(one["events"] == one["streamed"] == one["last"] for one in said["played"])
    assert (said["code"], said["notice"], said["forged"]) == ("bad_arguments", {"kind": "turn"}, True)


def webhook():
    """Return a signed webhook, with the time at which it arrives."""
    key, body = b"a key of 24 bytes of text", '{"kind": "turn"}'
    signature = base64.b64encode(hmac.digest(key, f"id.1000.{body}".encode(), "sha256")).decode()
    headers = {"Webhook-Id": "id", "webhook-timestamp": "1000", "webhook-signature": f"v1,{signature}"}
    return {"secret": f"whsec_{base64.b64encode(key).decode()}", "headers": headers, "body": body, "now": 1010}
