"""Serves the guides as Markdown, and lists them at `/llms.txt` for language models. No description has these."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from flask import Response, request

from api.http.compression import compress
from api.http.guide_pages import guide_as_markdown, guide_index, guides
from api.http.path_prefix import public_link
from api.http.problems import Problem
from api.http.responses import answer_if_changed
from domain.games.catalogue import GAMES

PLAYING: Final = """\
To play, register a player (`POST /v1/players` with `{"name": "Ann"}`) and keep the `token` of the answer. Send it as
`Authorization: Bearer <token>`. Create a match against bots (`POST /v1/matches` with the name of a game as `game`).
List your legal moves (`GET /v1/matches/{match_id}/moves`), and post one of their examples to the same address.
`GET /v1/inbox?wait=20` waits until a match needs your move.

An error is JSON with a `code`, and a `detail` that says how to fix the request.
"""


def read_llms_text() -> Response:
    """Return a short text on the server for language models, with links to all guides (llmstxt.org)."""
    return _text("\n".join([_about(), PLAYING, *_sections()]), "text/plain")


def _about() -> str:
    """Return the heading and a summary."""
    titles = ", ".join(rules.words.title for rules in GAMES.values())
    summary = f"A card-game server with a REST API, for people, bots and programs. Its games: {titles}."
    return f"# Dealt\n\n> {summary} Each seat is shown only its own cards, and anyone can verify the shuffles.\n"


def _sections() -> Iterator[str]:
    """Return the sections of links: the description of the API by part, the guides by audience, the rulebooks."""
    description = public_link("/openapi.json")
    yield "## API description\n"
    yield f"- [Core]({description}?part=core): the operations that a bot needs, in OpenAPI 3.1"
    for game, rules in GAMES.items():
        yield f"- [Core and {rules.words.title}]({description}?part=core&games={game})"
    yield f"- [All operations and games]({description})"
    books = [address for address in guides() if address.startswith("/docs/rules/")]
    listed = {title: [guide.address for guide in pages] for title, pages in guide_index().items()}
    for title, addresses in {**listed, "Rulebooks": books}.items():
        yield f"\n## {title}\n"
        for address in addresses:
            yield f"- [{guides()[address].title}]({public_link(address)}.md)"
    yield ""


def guide_text(page: str) -> Response:
    """Return a reference page as Markdown."""
    return _markdown(f"/docs/{page}")


def how_to_text(page: str) -> Response:
    """Return a how-to guide as Markdown."""
    return _markdown(f"/docs/how-to/{page}")


def rulebook_text(book: str) -> Response:
    """Return a rulebook as Markdown."""
    return _markdown(f"/docs/rules/{book}")


def _markdown(address: str) -> Response:
    if address not in guides():
        raise Problem("not_found", "There is no such guide; `/llms.txt` lists them.")
    return _text(guide_as_markdown(address, request.script_root), "text/markdown")


def _text(written: str, kind: str) -> Response:
    """Answer with a text that is the same for all callers; they revalidate it."""
    response = answer_if_changed(
        Response(written, content_type=f"{kind}; charset=utf-8"), sha256(written.encode()).hexdigest()[:16]
    )
    response.headers["Cache-Control"] = "no-cache"
    response.vary.clear()
    return compress(response)
