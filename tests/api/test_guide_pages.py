"""Tests the guides that a server serves: how-tos, rulebooks, the contract. All links work."""

import gzip
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from api.app import create_app
from api.http.guide_pages import Guide, guides, render_guide
from domain.games.catalogue import GAMES
from events.settings import Settings

ROOT = Path(__file__).parents[2]
HOW_TOS = sorted(path.stem for path in (ROOT / "docs" / "how-to").glob("*.md"))

pytestmark = pytest.mark.parametrize("store", ["sqlite"], indirect=True)


class Page(HTMLParser):
    """Collects the links of a page, the anchors that links may lead to, and its tags and attributes."""

    def __init__(self, text):
        super().__init__()
        self.links, self.marks, self.tags, self.attributes = [], set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.tags.add(tag)
        self.attributes |= known.keys()
        self.links += [known["href"]] if tag == "a" else []
        self.marks |= {known["id"]} if "id" in known else set()


@pytest.fixture
def read(store):
    client = create_app(Settings(dealt_rate_per_second=0, dealt_public_url="https://a.example/cards"), store=store)
    return client.test_client().get


@pytest.mark.parametrize(
    "path", ["/docs", "/docs/contract", "/docs/rules/hearts", "/docs/how-to/notifications", "/docs/problems"]
)
def test_page_is_compressed_and_not_sent_again(path, read):
    plain, packed = read(path), read(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["Cache-Control"] == "no-cache"
    again = read(path, headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Vary"] == packed.headers["Vary"]


def test_the_page_links_every_guide(read):
    links = Page(read("/docs").text).links
    wanted = ["/docs/contract", "/docs/rules", "/docs/proof", "/docs/problems", "/openapi.yaml"]
    wanted += ["/docs/concepts", "/docs/glossary", "/docs/runbook"]
    wanted += [f"/docs/how-to/{name}" for name in HOW_TOS] + [f"/docs/rules/{game}" for game in GAMES]
    assert {f"/cards{path}" for path in wanted} <= set(links)
    assert len(HOW_TOS) >= 7


def test_links_between_guides_lead_to_existing_pages_and_headings(read):
    pages = {f"/cards{address}": Page(read(f"/cards{address}").text) for address in guides()}
    pages["/cards/docs/problems"] = Page(read("/cards/docs/problems").text)
    followed = 0
    for address, page in pages.items():
        for link in page.links:
            path, _, mark = link.partition("#")
            if "://" not in link and path != "/cards/docs":
                assert (path or address) in pages, f"{address}: {link}"
                assert not mark or mark in pages[path or address].marks, f"{address}: {link}"
                followed += 1
    assert followed > 100


def test_guide_obeys_the_content_security_policy(read):
    for address in guides():
        answer = read(address)
        page = Page(answer.text)
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert page.tags.isdisjoint({"script", "style", "img", "iframe"})
        assert "style" not in page.attributes


def test_guide_text_is_never_interpreted_as_html(store, monkeypatch):
    text = "# Evil\n\n<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
    monkeypatch.setattr("api.http.guide_pages.guides", lambda: {"/evil": Guide("/evil", text, "docs/evil.md")})
    page = Page(render_guide("/evil", "").html)
    assert page.tags == {"h1", "p"}
    assert page.links == []


def test_table_cells_are_aligned_without_inline_styles(store, monkeypatch):
    text = "# Table\n\n| a | b |\n|---|---:|\n| 1 | 2 |\n"
    monkeypatch.setattr("api.http.guide_pages.guides", lambda: {"/table": Guide("/table", text, "docs/table.md")})
    assert '<td class="right">2</td>' in render_guide("/table", "").html


def test_cells_of_a_wide_table_repeat_their_column_heading(store, monkeypatch):
    rows = "| `a` | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n| 5 | 6 | 7 | 8 |\n"
    text = f"# Tables\n\n{rows}\n| a | b |\n|---|---|\n| x | y |\n"
    monkeypatch.setattr("api.http.guide_pages.guides", lambda: {"/tables": Guide("/tables", text, "docs/tables.md")})
    html = render_guide("/tables", "").html
    assert '<td data-column="a">5</td>\n<td data-column="b">6</td>\n<td data-column="c">7</td>' in html
    assert html.count('class="wide"') == 1
    assert "<td>y</td>" in html


def test_table_with_long_code_is_wide(store, monkeypatch):
    row = f"| `{'A' * 20}` | `{'b' * 20}`, `{'c' * 9}` | `{{}}` |"
    tables = "\n\n".join(f"| a | b | c |\n|---|---|---|\n{row.replace('{}', 'd' * last)}\n" for last in (7, 8))
    monkeypatch.setattr("api.http.guide_pages.guides", lambda: {"/t": Guide("/t", f"# T\n\n{tables}", "docs/t.md")})
    assert render_guide("/t", "").html.count('class="wide"') == 1


@pytest.mark.parametrize("path", ["/docs/none", "/docs/how-to/none", "/docs/rules/none", "/docs/how-to/..%2Fcontract"])
def test_unknown_page_returns_404(read, path):
    answer = read(path)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.mark.long
def test_installed_package_contains_the_guides(store, tmp_path):
    """The wheel is built and unpacked, and a separate process reads its contents."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=ROOT, check=True,
        capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-c", "import api; from api.http.guide_pages import guides; print(api.__path__, *guides())"],
        cwd=tmp_path / "site", env={"PYTHONPATH": str(tmp_path / "site")}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    where, *addresses = re.split(r"(?<=\]) | (?=/docs)", done.stdout.strip())
    assert str(tmp_path) in where
    assert addresses == [*guides()]
