"""Finds a record: in a file, on the standard input, or on a server."""

from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from api.terminal import record_files
from api.terminal.remote import Query, Unreachable, request_server
from events.ids import is_id
from events.proof.record import MEDIA_TYPE, MOST_BYTES
from events.proof.signed_heads import BadKeyList, KnownKey, read_key_list


class NotThere(Exception):
    """The record is not available; the message gives the reason."""


def text_of(name: str, server: str, token: str | None, *, token_for_all: bool = False) -> bytes:
    """Return the record from a file, `-`, the id of a match, or its URL. Raise `NotThere`.

    The token is sent only to `server`, unless it is `token_for_all`.
    """
    if name == record_files.STDIN:
        return record_files.text(Path(name))
    if _is_address(name):
        origin, match_id = split(name)
        trusted = token_for_all or urlsplit(name)[:2] == urlsplit(server)[:2]
        return record_at(origin, match_id, token if trusted else None)
    if is_id(name) and not Path(name).exists():
        return record_at(server.rstrip("/"), name, token)
    try:
        return record_files.text(Path(name))
    except FileNotFoundError:
        raise NotThere(f"There is no file {name}, and it is not the id of a match.") from None
    except (OSError, ValueError) as error:
        raise NotThere(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}.") from None


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def keys_for(name: str, server: str) -> tuple[KnownKey, ...]:
    """Return the keys of the server of the record; none for a file, or if they are not available."""
    if not _is_address(name) and (not is_id(name) or Path(name).exists()):
        return ()
    with suppress(NotThere, BadKeyList):
        return read_key_list(key_list_at(split(name)[0] if _is_address(name) else server))
    return ()


def key_list_at(address: str) -> bytes:
    """Return what a server, or the address of its keys, answers to `GET /v1/keys`. Raises `NotThere`."""
    server = address.rstrip("/").removesuffix("/v1/keys")
    try:
        status, text = request_server(server, None, Query("GET", "/v1/keys", "application/json"))
    except Unreachable as error:
        raise NotThere(str(error)) from None
    if status != 200:
        raise NotThere(f"{server} answered {status} to the request for its keys.")
    return text


def split(address: str) -> tuple[str, str]:
    """Split the address of a match, of its record or of its table in a browser. Raises `NotThere`.

    Returns the server's address and the id.
    """
    path, _, fragment = address.partition("#")
    origin, there, rest = path.partition("/v1/matches/")
    match_id = rest.partition("?")[0].strip("/").removesuffix("/record")
    if not there and path.endswith("/play"):
        origin, there, match_id = path[: -len("/play")], "/play", dict(parse_qsl(fragment)).get("m", "")
    if not there or not is_id(match_id):
        raise NotThere(f"{address} is not the address of a match; it ends in /v1/matches/ and an id.")
    return origin, match_id


def invite_in(address: str) -> str | None:
    """Return the invite code after a link's `#`, if there is one."""
    return dict(parse_qsl(urlsplit(address).fragment)).get("invite")


def record_at(server: str, match_id: str, token: str | None) -> bytes:
    """Request the record of a match from a server. Raise `NotThere`."""
    path = f"/v1/matches/{match_id}/record"
    try:
        status, text = request_server(server, token, Query("GET", path, MEDIA_TYPE), most_bytes=MOST_BYTES + 1)
    except Unreachable as error:
        raise NotThere(str(error)) from None
    if status != 200:
        said = ANSWERS.get(status, "{server} answers {status}.")
        raise NotThere(said.format(server=server, match_id=match_id, status=status))
    return text


ANSWERS: Final = {
    401: "{server} does not know this token.",
    404: "{server} has no match {match_id} that you can see. For a private match, use --token.",
    429: "You sent too many requests to {server}. Try again later.",
}
