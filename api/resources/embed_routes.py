"""Serves a board that other sites can embed, and tells them how (oEmbed). The API description does not list these.

They need no database and reveal nothing about a match: the board reads it over the API, as any spectator can.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from flask import Response, json, render_template, request

from api.http.path_prefix import public_link
from api.http.problems import Problem
from api.resources.docs_routes import POLICY, guide_page_answer
from api.resources.page_files import built_page
from events.ids import is_id

FRAMED: Final = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Any site may frame the board. It has no token and no moves, so a hidden frame cannot make a player do anything."""

WIDTH: Final = 640
HEIGHT: Final = 480


def embedded_board(match_id: str) -> Response:
    """Return the page with the board of a match."""
    if not is_id(match_id) or built_page() is None:
        raise Problem("not_found")
    oembed = public_link("/oembed?") + urlencode({"url": public_link(f"/embed/{match_id}")})
    written = render_template("embed.html", root=request.script_root, match=match_id, oembed=oembed)
    response = guide_page_answer(written)
    response.headers["Content-Security-Policy"] = FRAMED
    return response


def describe_embedding() -> Response:
    """Return how to embed the match at an address of this server (oEmbed 1.0), as JSON."""
    asked = request.args
    if asked.get("format", "json") != "json":
        raise Problem("not_found", "This server describes boards as JSON only.")
    match_id = _match_at(asked.get("url", ""))
    if match_id is None:
        raise Problem("not_found", "`url` must be the address of a match on this server.")
    width, height = _size(asked, "maxwidth", WIDTH), _size(asked, "maxheight", HEIGHT)
    frame = (
        f'<iframe src="{public_link(f"/embed/{match_id}")}" width="{width}" height="{height}"'
        ' title="A match on Dealt" style="border:0" loading="lazy"></iframe>'
    )
    described = {"version": "1.0", "type": "rich", "provider_name": "Dealt", "provider_url": public_link("/play")}
    return Response(
        json.dumps({**described, "html": frame, "width": width, "height": height}),
        content_type="application/json",
        headers={"Cache-Control": "public, max-age=3600"},
    )


def _match_at(address: str) -> str | None:
    """Return the id of the match at an address of this server's page, board or API; None if it is none of these."""
    prefixes = [public_link(path) for path in ("/embed/", "/v1/matches/")]
    for prefix in prefixes:
        if address.startswith(prefix) and is_id(found := address.removeprefix(prefix)):
            return found
    if not address.startswith(public_link("/play")):
        return None
    parts = urlsplit(address)
    named = {**parse_qs(parts.query), **parse_qs(parts.fragment)}.get("m", [""])[0]
    return named if is_id(named) else None


def _size(asked: Mapping[str, str], name: str, usual: int) -> int:
    """Return the usual size, or a smaller one if the caller asks for it."""
    wanted = asked.get(name, "")
    return max(1, min(usual, int(wanted))) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 6 else usual
