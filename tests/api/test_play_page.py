"""Tests how the page is served: its files, their caching and compression, and what it may load."""

import gzip
import json
import re
import subprocess

import pytest

from api.resources import page_files
from api.resources.page_files import WEB
from tests import built

pytestmark = pytest.mark.usefixtures("built_page")

PACKED = {"Accept-Encoding": "gzip"}
START = "table/page.js"


def linked(page):
    return re.findall(r'(?:src|href)="(/[^"]*)"', page)


def test_root_serves_the_page_to_browsers_and_redirects_programs(stranger):
    browser = stranger.app.test_client()
    shown = browser.get("/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (shown.status_code, shown.data) == (200, browser.get("/play").data)
    led = stranger.get("/")
    assert (led.status_code, led.headers["Location"]) == (302, "/play")
    assert {"Accept", "Authorization"} <= {*shown.vary} & {*led.vary}


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nosuch", "/docs/nosuch", "/docs/rules/nosuch", "/play/nosuch"])
def test_browser_gets_a_not_found_page_with_a_link_home(path, stranger):
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
def test_unknown_address_returns_a_problem_to_programs_and_in_the_api(path, stranger):
    browser = stranger.app.test_client()
    asked = BROWSER if path.startswith("/v1/") else {"Accept": "*/*"}
    answer = browser.get(path, headers=asked)
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")


def test_files_of_the_page_can_be_cached_for_ever(stranger):
    page = stranger.get("/play")
    assert page.headers["Cache-Control"] == "no-cache"
    files = [one for one in linked(page.text) if "/static/" in one]
    assert files == [f"/play/static/{built.entry(name)}" for name in ("table/table.css", START)]
    for address in files:
        file = stranger.app.test_client().get(address)
        assert (file.status_code, file.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
        assert file.headers["Content-Type"] in ("text/javascript; charset=utf-8", "text/css; charset=utf-8")


def test_page_files_have_a_digest_in_their_name_and_scripts_have_source_maps(stranger):
    unserved = {"entries.json", "licences.md", "sources.txt", "verify.mjs", "verify.mjs.map"}
    names = {path.name for path in built.page().iterdir()} - unserved
    assert len(names) > 50
    assert [name for name in names if not re.fullmatch(r"[\w-]+-[\w-]{8}\.((css|js)(\.br)?|js\.map)", name)] == []
    for script in (name for name in names if name.endswith(".js") and "runtime" not in name):
        assert f"{script}.map" in names
    sources = stranger.app.test_client().get(f"/play/static/{built.entry(START)}.map").json["sources"]
    assert any(source.endswith("static/table/page.js") for source in sources)


def test_file_of_another_release_returns_404(stranger):
    file = stranger.app.test_client().get("/play/static/page-01234567.js")
    assert (file.status_code, file.json["code"]) == (404, "not_found")


def test_server_without_the_page_explains_it_and_serves_the_api(stranger, tmp_path, monkeypatch):
    monkeypatch.setattr(page_files, "DIST", tmp_path)
    shown = stranger.app.test_client().get("/play")
    assert (shown.status_code, shown.headers["Cache-Control"]) == (503, "no-store")
    assert "The page is not built yet" in shown.text
    (tmp_path / "unbuilt.txt").write_text("The npm registry does not answer.")
    assert "The npm registry does not answer." in stranger.app.test_client().get("/play").text
    assert [stranger.app.test_client().get(path).status_code for path in ("/v1/games", "/docs")] == [200, 200]


FORM = """
import {readFileSync} from "node:fs";
import {fresh, request, withPreset} from "#page/making/draft.js";
const games = JSON.parse(readFileSync(0, "utf8"));
const tables = games.flatMap((game) => Object.keys(game.presets).map((name) => request(withPreset(fresh(game), name))));
console.log(JSON.stringify(tables));
"""


@pytest.mark.long
def test_form_can_create_every_game_with_every_preset(stranger, ada):
    games = stranger.get("/v1/games").json["items"]
    tables = json.loads(built.run_in_node(FORM, json.dumps(games)))
    assert {(table["game"], table["preset"]) for table in tables} == {
        (game["game"], preset) for game in games for preset in game["presets"]
    }
    for table in tables:
        made = ada.post("/v1/matches", table)
        assert (made.status_code, made.json.get("preset")) == (201, table["preset"]), made.json


@pytest.mark.parametrize(
    "name", ["none.js", "../docs.html", "entries.json", "sources.txt", "verify.mjs", "%2e%2e/docs.html"]
)
def test_files_outside_the_page_are_not_served(stranger, name):
    assert stranger.app.test_client().get(f"/play/static/{name}").status_code == 404


def test_play_page_loads_nothing_from_other_hosts_and_has_no_inline_script(stranger):
    page = stranger.get("/play")
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "://" not in re.sub(r"http://www.w3.org", "", page.text)
    assert re.findall(r"<script(?![^>]*src=)[^>]*>|\son\w+=|\sstyle=", page.text) == []


def test_static_files_are_compressed_for_clients_that_accept_gzip(stranger):
    path = f"/play/static/{built.entry(START)}"
    plain, packed = (stranger.app.test_client().get(path, headers=headers) for headers in ({}, PACKED))
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2


UNPACKS = "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync(0)))"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br, zstd", "br"), ("br", "br"), ("gzip, br;q=0.5", "gzip"), ("br;q=0, gzip", "gzip")],
)
def test_scripts_are_sent_with_brotli_to_browsers_that_accept_it(accepted, encoding, stranger):
    name = built.entry(START)
    answer = stranger.app.test_client().get(f"/play/static/{name}", headers={"Accept-Encoding": accepted})
    assert (answer.headers["Content-Encoding"], answer.headers["Vary"]) == (encoding, "Accept-Encoding")
    if encoding == "br":
        assert (
            subprocess.run(
                [built.node(), "-e", UNPACKS], input=answer.data, capture_output=True, check=True, timeout=60
            ).stdout
            == (built.page() / name).read_bytes()
        )


def test_start_page_loads_one_script(stranger):
    text = (built.page() / built.entry(START)).read_text()
    assert re.findall(r'\bimport ?[{*"`]|\bfrom ?"[.\w]', text) == []


def test_every_script_can_be_parsed():
    program = [built.node(), *PARSES, *built.page().glob("*.js")]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


READS = (
    "import {SourceTextModule} from 'node:vm'; import {readFileSync} from 'node:fs';"
    " for (const one of process.argv.slice(1)) new SourceTextModule(readFileSync(one, 'utf8'), {identifier: one});"
)
PARSES = ["--experimental-vm-modules", "--input-type=module", f"--eval={READS}"]
"""Node parses all modules in one process without running them, since each start takes a tenth of a second."""


def test_built_in_games_have_their_verifiers_in_separate_chunks():
    parts = [*built.page().glob("verify-*.js")]
    assert len(parts) == len([*WEB.parents[1].glob("domain/games/*/verify.mjs")])


def test_verifier_of_an_installed_game_is_served_as_a_file(stranger, tmp_path, monkeypatch):
    monkeypatch.setattr("api.resources.page_routes.folder_of", lambda game: tmp_path)
    client = stranger.app.test_client()
    assert client.get("/play/games/hearts/verify.mjs").status_code == 404
    (tmp_path / "verify.mjs").write_text("export const part = () => ({});\n")
    file = client.get("/play/games/hearts/verify.mjs")
    assert (file.status_code, file.text) == (200, "export const part = () => ({});\n")
    assert file.headers["Content-Type"] == "text/javascript; charset=utf-8"
    again = client.get("/play/games/hearts/verify.mjs", headers={"If-None-Match": file.headers["ETag"]})
    assert again.status_code == 304
    assert client.get("/play/games/nosuch/verify.mjs").status_code == 404


def test_pure_page_modules_pass_their_specifications():
    program = [built.node(), built.packages() / "vitest/vitest.mjs", "run", "--reporter=dot"]
    done = subprocess.run(program, cwd=WEB, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
