"""The page on which people play, as it is served: its files, how they are kept and compressed, what it may load."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from shutil import which

import pytest

from api.resources import page_files
from api.resources.docs_routes import WEB
from api.resources.page_files import START, NotJoined, browser_files, files_digest, read_served_file

PACKED = {"Accept-Encoding": "gzip"}
SPECIFICATIONS = Path(__file__).parents[1] / "web"
VENDOR = WEB / "static" / "table" / "vendor"


def linked(page):
    return re.findall(r'(?:src|href)="(/[^"]*)"', page)


def test_the_root_is_the_page_for_a_browser_and_leads_programs_there(stranger):
    browser = stranger.app.test_client()
    shown = browser.get("/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (shown.status_code, shown.data) == (200, browser.get("/play").data)
    led = stranger.get("/")
    assert (led.status_code, led.headers["Location"]) == (302, "/play")
    assert {"Accept", "Authorization"} <= {*shown.vary} & {*led.vary}


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nosuch", "/docs/nosuch", "/docs/rules/nosuch", "/play/nosuch"])
def test_who_opens_what_is_not_there_reads_so_and_finds_the_way_home(path, stranger):
    browser = stranger.app.test_client()
    shown = browser.get(path, headers=BROWSER)
    assert (shown.status_code, shown.content_type) == (404, "text/html; charset=utf-8")
    assert "There is no page at this address." in shown.text
    assert "/play" in linked(shown.text)
    assert {"Accept", "Authorization"} <= {*shown.vary}
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
    for address in linked(shown.text):
        assert browser.get(address).status_code == 200


@pytest.mark.parametrize("path", ["/v1/nosuch", "/v1/matches/nosuch", "/nosuch"])
def test_a_program_and_who_asks_the_api_is_answered_with_a_problem(path, stranger):
    browser = stranger.app.test_client()
    asked = BROWSER if path.startswith("/v1/") else {"Accept": "*/*"}
    answer = browser.get(path, headers=asked)
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")


def test_the_page_consists_of_files_that_may_be_kept_for_ever(stranger):
    page = stranger.get("/play")
    assert page.headers["Cache-Control"] == "no-cache"
    assert {f"/play/static/{files_digest()}/table/page.js", f"/play/static/{files_digest()}/table/table.css"} <= {
        *linked(page.text)
    }
    for address in (one for one in linked(page.text) if "/static/" in one):
        file = stranger.app.test_client().get(address)
        assert (file.status_code, file.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
        assert file.headers["Content-Type"] in ("text/javascript; charset=utf-8", "text/css; charset=utf-8")


def test_a_file_of_another_release_is_not_kept(stranger):
    file = stranger.app.test_client().get("/play/static/0123456789abcdef/table/page.js")
    assert (file.status_code, file.headers["Cache-Control"]) == (200, "no-store")


FORM = """
import {fresh, request, withPreset} from "./making/draft.js";
const games = JSON.parse(process.argv[1]);
const tables = games.flatMap((game) => Object.keys(game.presets).map((name) => request(withPreset(fresh(game), name))));
console.log(JSON.stringify(tables));
"""


@pytest.mark.long
def test_the_form_makes_a_table_of_every_game_by_every_preset(stranger, ada, tmp_path):
    if not (node := which("node") or which("nodejs")):
        pytest.skip("no Node")
    games = stranger.get("/v1/games").json["items"]
    for folder in ("making", "words"):
        shutil.copytree(WEB / "static" / folder, tmp_path / folder)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = [node, "--input-type=module", "-e", FORM, json.dumps(games)]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    tables = json.loads(done.stdout)
    assert {(table["game"], table["preset"]) for table in tables} == {
        (game["game"], preset) for game in games for preset in game["presets"]
    }
    for table in tables:
        made = ada.post("/v1/matches", table)
        assert (made.status_code, made.json.get("preset")) == (201, table["preset"]), made.json


@pytest.mark.parametrize("name", ["table/none.js", "../docs.html", "table/vendor/lit-html/LICENSE", "%2e%2e/docs.html"])
def test_nothing_else_is_served(stranger, name):
    assert stranger.app.test_client().get(f"/play/static/{files_digest()}/{name}").status_code == 404


def test_the_page_loads_nothing_from_elsewhere_and_runs_no_other_script(stranger):
    page = stranger.get("/play")
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "://" not in re.sub(r"http://www.w3.org", "", page.text)
    assert re.findall(r"<script(?![^>]*src=)[^>]*>|\son\w+=|\sstyle=", page.text) == []


def test_files_are_compressed_for_who_takes_it_so(stranger):
    path = f"/play/static/{files_digest()}/table/page.js"
    plain, packed = (stranger.app.test_client().get(path, headers=headers) for headers in ({}, PACKED))
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2


BROUGHT = sorted(
    page_files._at(name, place)
    for name in browser_files()
    if name.endswith(".js")
    for place in page_files._BROUGHT.findall(page_files._text(name))
)


def test_a_start_is_one_module_and_each_that_is_brought_later_has_what_that_one_lacks(tmp_path):
    assert BROUGHT
    there = page_files._closure(START)
    assert read_served_file(START).decode().count("(()=>{\n") >= len(there)
    for name in BROUGHT:
        text = read_served_file(name).decode()
        held = re.findall(r'^modules\["([^"]+)"\]\?\?=', text, re.MULTILINE)
        assert held == [one for one in page_files._closure(name) if one not in there]
        assert held[-1] == name
        assert len(re.findall(r'^import \* as \$start from "[./a-z]+/page.js";$', text, re.MULTILINE)) == 1
    for i, name in enumerate((START, *BROUGHT)):
        (tmp_path / f"{i}.js").write_bytes(read_served_file(name))
    if node := which("node") or which("nodejs"):
        subprocess.run([node, *PARSES, *tmp_path.iterdir()], check=True, timeout=60)


READS = (
    "import {SourceTextModule} from 'node:vm'; import {readFileSync} from 'node:fs';"
    " for (const one of process.argv.slice(1)) new SourceTextModule(readFileSync(one, 'utf8'), {identifier: one});"
)
PARSES = ["--experimental-vm-modules", "--input-type=module", f"--eval={READS}"]
"""Node reads modules without running them, all in one process, as each start of it takes a tenth of a second."""


def test_a_module_that_is_joined_into_a_file_elsewhere_still_finds_what_lies_beside_it():
    assert 'new URL("../keys/keys.css", import.meta.url)' in read_served_file("past/looking.js").decode()


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        'import * as a from "./b.js";',
        'import "./c.js";',
        'import {second} from "./b.js";',
    ],
)
def test_a_module_that_cannot_be_joined_is_refused(line, monkeypatch):
    monkeypatch.setattr(
        page_files,
        "browser_files",
        lambda: {"table/odd.js": line.encode(), "table/b.js": b"export const first = 1, second = 2;"},
    )
    with pytest.raises(NotJoined):
        page_files._code("table/odd.js", START)
    page_files._text.cache_clear()


def test_no_two_modules_of_a_start_export_one_name(monkeypatch):
    here = {
        START: b'import {one} from "./a.js"; import {one as other} from "./b.js";',
        "table/a.js": b"export const one = 1;",
        "table/b.js": b"export const one = 2;",
    }
    monkeypatch.setattr(page_files, "browser_files", lambda: here)
    for cached in (page_files._text, page_files._wanted, page_files._closure):
        cached.cache_clear()
    with pytest.raises(NotJoined, match="both export one"):
        [*page_files._of_start()]
    for cached in (page_files._text, page_files._wanted, page_files._closure):
        cached.cache_clear()


def test_comments_are_left_out_and_licences_are_not():
    text = read_served_file(START).decode()
    assert "SPDX-License-Identifier: BSD-3-Clause" in text
    assert "@param" not in text
    assert "/**" not in read_served_file("past/looking.js").decode()


def test_what_is_not_ours_is_as_its_makers_published_it():
    listed = json.loads((VENDOR / "vendored.json").read_text())
    kept = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*.js")}
    assert {*listed["files"]} == kept | {"lit-html/LICENSE"}
    for name, known in listed["files"].items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == known
    assert listed["licence"] == "BSD-3-Clause"


def test_states_and_controls_are_as_their_specifications_say(tmp_path):
    """They know no browser, and so Node runs them, in one process; a package beside them says that they are modules."""
    if not (node := which("node") or which("nodejs")):
        pytest.skip("no Node")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copytree(WEB / "static", tmp_path / "api" / "web" / "static")
    specifications = shutil.copytree(SPECIFICATIONS, tmp_path / "tests" / "web").glob("*.mjs")
    imports = "".join(f"import {json.dumps(str(one))};" for one in sorted(specifications))
    done = subprocess.run(
        [node, "--input-type=module", f"--eval={imports}"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
