"""Tests the texts for language models: `/llms.txt`, and the guides as Markdown."""

import gzip
import re
from urllib.parse import urlsplit

import pytest

from api.app import create_app
from api.http.guide_pages import guides
from domain.games.catalogue import GAMES
from events.settings import Settings

LINK = re.compile(r"\]\(([^)]+)\)")

pytestmark = pytest.mark.parametrize("store", ["sqlite"], indirect=True)


@pytest.fixture
def read(store):
    app = create_app(Settings(dealt_rate_per_second=0, dealt_public_url="https://a.example/cards"), store=store)
    return app.test_client().get


def test_llms_text_links_every_guide_and_the_description_by_part(read):
    answer = read("/llms.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.text.startswith("# Dealt\n\n> ")
    links = LINK.findall(answer.text)
    assert len(links) == len(set(links))
    start = "https://a.example/cards"
    listed = {f"{start}{address}.md" for address in guides()}
    described = {f"{start}/openapi.json?part=core&games={game}" for game in GAMES}
    described |= {f"{start}/openapi.json", f"{start}/openapi.json?part=core"}
    assert set(links) == listed | described
    assert len(answer.data) < 10_000


def test_links_of_the_llms_text_can_be_read(read):
    for link in LINK.findall(read("/llms.txt").text):
        url = urlsplit(link)
        assert read(f"{url.path}?{url.query}").status_code == 200, link


def test_guide_as_markdown_is_its_file_with_links_to_markdown(read):
    for address, guide in guides().items():
        answer = read(f"/cards{address}.md")
        assert (answer.status_code, answer.content_type) == (200, "text/markdown; charset=utf-8")
        assert plain(answer.text) == plain(guide.text)


def plain(text):
    """Replace each link with its text."""
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)


def test_links_in_markdown_lead_to_guides_as_markdown(read):
    ours = re.compile(r"\]\((/cards/[^)#]+)")
    links = {link for address in guides() for link in ours.findall(read(f"/cards{address}.md").text)}
    assert len(links) > 20
    assert links <= {f"/cards{address}.md" for address in guides()}
    relative = re.compile(r"\]\((?!https?://|/cards/|#)[^)]+")
    assert [link for address in guides() for link in relative.findall(read(f"/cards{address}.md").text)] == []


def test_page_of_a_guide_names_its_markdown(read):
    page = read("/docs/how-to/verify").text
    assert '<link rel="alternate" type="text/markdown" href="/cards/docs/how-to/verify.md">' in page


@pytest.mark.parametrize("path", ["/llms.txt", "/docs/rules/hearts.md"])
def test_text_is_compressed_and_not_sent_again(path, read):
    plain, packed = read(path), read(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    again = read(path, headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/docs/none.md", "/docs/how-to/none.md", "/docs/rules/none.md", "/docs/..%2FREADME.md"]
)
def test_unknown_guide_is_refused(path, read):
    answer = read(path)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
