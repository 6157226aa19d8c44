"""The command `dealt play` plays a match in the terminal: against bots, with friends, or one that waits."""

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

import click

if TYPE_CHECKING:
    from api.terminal.remote import Remote

USUAL_SERVER: Final = "http://127.0.0.1:8000"

AT_HOME_ALONE: Final = (
    "These lines work only on this machine. For friends on other machines, start again: run\n"
    "`dealt serve --host 0.0.0.0`, and `dealt play --server http://ADDRESS:8000` with this machine's address."
)

LISTED: Final = 9
"""A list to choose from names at most this many matches of a kind."""


@click.command()
@click.argument("what", metavar="[GAME|MATCH]", required=False)
@click.option("--server", help=f"Address of the server.  [default: {USUAL_SERVER}; started if it does not run]")
@click.option("--token", envvar="DEALT_TOKEN", help="Your token at the server.  [env: DEALT_TOKEN]")
@click.option("--name", help="Your name, if you are new.")
@click.option("--invite", help="The invite code for a seat of MATCH; a link contains it.")
@click.option("--friends", type=click.IntRange(0, 9), default=0, help="Number of friends to invite to a new match.")
@click.option("--ascii", "letters", is_flag=True, help="Use ASCII only.")
def play(
    what: str | None,
    server: str | None,
    token: str | None,
    name: str | None,
    invite: str | None,
    friends: int,
    *,
    letters: bool,
) -> None:
    """Play in the terminal.

    GAME starts a match against bots and, with --friends, against friends who get a link. MATCH is an id, an address or
    a link, to join or to watch. Without either, choose from your matches, open tables and all games. Your token is kept
    for the next time.

    Example: dealt play --friends 1
    """
    from rich.console import Console

    from api.cli.replay_command import has_keys, shows_signs
    from api.safe_text import remove_controls
    from api.terminal import live
    from api.terminal.history_watch import HistoryChanged
    from api.terminal.log_watch import LogWatch
    from api.terminal.player_state import state_folder
    from api.terminal.remote import Declined, Unreachable
    from api.terminal.source import NotThere, invite_in, split

    console = Console(highlight=False)
    if not console.is_terminal or console.is_dumb_terminal or not has_keys():
        raise click.ClickException("`dealt play` needs a terminal. In a program, use the API.")
    try:
        if what and what.startswith(("http://", "https://")):
            invite = invite or invite_in(what)
            server, what = split(what)
        with running_server_address(server) as address:
            remote = sign_in_or_register(address, token, name)
            log = LogWatch(address, state_folder())
            log.look()
            match_id = _choose_match(remote, what, friends)
            _take_free_seat(remote, match_id, invite)
            live.play_on_screen(remote, match_id, console, signs=not letters and shows_signs(console.encoding))
            log.look()
            click.echo(f"{address}/v1/matches/{match_id}")
    except (Unreachable, Declined, NotThere, HistoryChanged) as error:
        raise click.ClickException(remove_controls(str(error))) from error


@contextmanager
def running_server_address(server: str | None) -> Iterator[str]:
    """Yield the address of a running server; start one if none is named and none is running."""
    from api.terminal.remote import Remote, Unreachable
    from api.terminal.table_seen import nothing

    address = server or USUAL_SERVER
    try:
        Remote(address).get("/games", nothing)
    except Unreachable:
        if server:
            raise
    else:
        yield address
        return
    command = [sys.executable, "-c", "from api.cli.main import main; main()", "serve", "--port", str(_port())]
    # The server has its own session, so that Ctrl-C ends the table before the server.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as started:  # noqa: S603
        try:
            assert started.stdout is not None
            greeting = started.stdout.readline()
            address = next((word.rstrip(":,.") for word in greeting.split() if word.startswith("http://")), "")
            if not address:
                raise Unreachable("No server could be started here. Name a running server with --server.")
            yield address
        finally:
            started.terminate()


def _port() -> int:
    """Return the usual port, by which a returning player is known; 0, for any, if another program uses it."""
    usual = urlsplit(USUAL_SERVER)
    with socket.socket() as asks:
        asks.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            asks.bind((usual.hostname, usual.port))
        except OSError:
            return 0
    return usual.port or 0


# --- Who plays ---------------------------------------------------------------------------------------


def sign_in_or_register(address: str, token: str | None, name: str | None) -> "Remote":
    """Return the server with the player signed in; register a new player."""
    from api.terminal.remote import Declined, Remote
    from api.terminal.table_seen import nothing

    kept = _tokens()
    remote = Remote(address, token or kept.get(address))
    if remote.token:
        try:
            remote.get("/players/me", nothing)
        except Declined as error:
            if error.status != 401 or token:
                raise
        else:
            return remote
    said = name or click.prompt("Your name", default=os.environ.get("USER", "Player"))
    remote.token = Remote(address).post("/players", {"name": said}, lambda made: str(made["token"]))
    _keep({**kept, address: remote.token})
    return remote


def _kept_at() -> Path:
    return Path(click.get_app_dir("dealt")) / "tokens.json"


def _tokens() -> dict[str, str]:
    """Return the stored tokens, by the addresses of their servers."""
    try:
        kept = json.loads(_kept_at().read_text())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _keep(tokens: Mapping[str, str | None]) -> None:
    """Store the tokens in a file that only its owner can read."""
    place = _kept_at()
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(tokens, file, indent=1)


# --- What is played ----------------------------------------------------------------------------------


def _choose_match(remote: "Remote", what: str | None, friends: int) -> str:
    """Return the id of the match to play."""
    from api.terminal.table_seen import titles

    games = remote.get("/games", titles)
    if what in games:
        return _begun(remote, str(what), friends)
    if what:
        from api.safe_text import remove_controls
        from events.ids import is_id

        if not is_id(what):
            why = f"{remove_controls(what)} is neither a match nor a game. The games: {', '.join(games)}."
            raise click.BadParameter(why, param_hint="GAME|MATCH")
        return what
    matches = _matches(remote, games)
    offers = [*matches, *((game, f"{title} against bots") for game, title in games.items())]
    if not offers:
        raise click.ClickException("This server has no games.")
    for n, (_, said) in enumerate(offers, 1):
        click.echo(f"{n:>3}  {said}")
    which = click.prompt("Which", type=click.IntRange(1, len(offers)), default=1)
    key = offers[which - 1][0]
    return _begun(remote, key, friends) if key in games else key


def _matches(remote: "Remote", games: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the playable matches with their titles, first those that wait for the player."""

    def title(match: Any) -> str:
        return str(games.get(match["game"], match["game"]))

    def waiting(said: Any) -> list[tuple[str, str]]:
        return [(str(item["match"]), f"{title(item)}, your turn") for item in said["items"][:LISTED]]

    def of_mine(said: Any) -> list[tuple[str, str]]:
        return [(str(m["id"]), f"{title(m)}, {m['status']}") for m in said["items"][:LISTED]]

    def open_to_me(said: Any) -> list[tuple[str, str]]:
        return [
            (str(m["id"]), f"{title(m)}, a free seat")
            for m in said["items"][:LISTED]
            if any(seat["kind"] == "open" and not seat.get("player") for seat in m["seats"])
        ]

    tables = remote.get("/matches?status=lobby", open_to_me)
    mine = [
        one for status in ("playing", "lobby") for one in remote.get(f"/matches?player=me&status={status}", of_mine)
    ]
    return list(dict((*tables, *mine, *remote.get("/inbox", waiting))).items())[::-1]


def _begun(remote: "Remote", game: str, friends: int) -> str:
    """Create a match of the player, friends and bots, and show the links that the friends need."""
    from api.terminal.remote import Declined, Unreachable

    usual, preset = remote.get(f"/games/{quote(game, safe='')}", _usual_table)
    table = {"game": game, "preset": preset}
    if not friends:
        return _against_bots(remote, table, usual)
    bots = max(usual - friends - 1, 0)
    seats = [{"kind": "me"}, *[{"kind": "invite"}] * friends, *[{"kind": "bot"}] * bots]
    match_id, links = remote.post("/matches", {**table, "seats": seats}, _invites)
    with suppress(Declined, Unreachable):  # friends are invited anyway
        _sit(remote, match_id, 0, {})
    click.echo("The match starts when your friends have taken their seats. Send each of them one line:")
    for link in links:
        click.echo(f"  dealt play {shlex.quote(link)}")
    if any(link.startswith(("http://127.", "http://localhost", "http://[::1]")) for link in links):
        click.echo(AT_HOME_ALONE)
    click.prompt("Press Enter to go to the table", default="", show_default=False, prompt_suffix=". ")
    return match_id


def _usual_table(game: Any) -> tuple[int, str]:
    """Read the usual number of seats of a game, and the preset that people are offered first."""
    return int(game["seats"]["usual"]), str(game["usual_preset"])


def _against_bots(remote: "Remote", table: Mapping[str, Any], seats: int) -> str:
    """Create a match of the player and bots, to whose shuffles the player contributes.

    The server would know a nonce that came with the creation before it commits, so its hash comes first.
    """
    from api.terminal.nonces import NonceGiver
    from api.terminal.player_state import state_folder
    from api.terminal.remote import Declined, Unreachable
    from domain.core.fairness import nonce_hash

    nonces = NonceGiver(remote.server, state_folder())
    nonce = nonces.nonce(os.urandom(16).hex())
    places = [{"kind": "me", "nonce_hash": nonce_hash(nonce)}, *[{"kind": "bot"}] * (seats - 1)]
    asked = {**table, "seats": places, "options": {"nonce_commit": True}}
    match_id = remote.post("/matches", asked, lambda made: str(made["id"]))
    with suppress(Declined, Unreachable):  # the match begins without it, a little later
        remote.put(f"/matches/{quote(match_id, safe='')}/seats/0", {"nonce": nonce}, nonces.keep_receipts)
    return match_id


def _invites(made: Any) -> tuple[str, list[str]]:
    """Read the id of a new match, and the links for those who are invited: friends will run them as a command."""
    links = [str(invite["link"]) for invite in made["invites"]]
    if not all(link.startswith(("http://", "https://")) for link in links):
        raise ValueError("an invalid link")
    return str(made["id"]), links


def _take_free_seat(remote: "Remote", match_id: str, invite: str | None) -> None:
    """Take a free seat of a match that has not begun, if the player has none and wants one."""
    from api.terminal.history_watch import find_missing_match
    from api.terminal.player_state import state_folder
    from api.terminal.remote import Declined

    kind = "invite" if invite else "open"

    def free_seats(match: Any) -> list[int]:
        if match["status"] != "lobby" or match["your_seat"] is not None:
            return []
        return [int(seat["seat"]) for seat in match["seats"] if seat["kind"] == kind and not seat.get("player")]

    try:
        free = remote.get(f"/matches/{match_id}", free_seats, invite)
    except Declined as error:
        if error.status == 404 and (alarm := find_missing_match(remote.server, match_id, state_folder())):
            raise alarm from error
        raise
    if invite:
        _invited(remote, match_id, free, invite)
    elif free and click.confirm(f"Take seat {free[0]}?", default=True):
        _sit(remote, match_id, free[0], {})


def _sit(remote: "Remote", match_id: str, seat: int, body: Mapping[str, str]) -> None:
    """Take a seat with a nonce, or with its hash if the match needs one; keep the receipt."""
    from api.terminal.nonces import NonceGiver
    from api.terminal.player_state import state_folder
    from domain.core.fairness import nonce_hash

    nonces = NonceGiver(remote.server, state_folder())

    def nonce(match: Any) -> dict[str, str]:
        if match["deal_known"]:
            return {}
        given = nonces.nonce_for(match_id, seat, match["fairness"])
        if given is None:
            return {}
        return {"nonce_hash": nonce_hash(given)} if match["options"]["nonce_commit"] else {"nonce": given}

    given = remote.get(f"/matches/{match_id}", nonce, body.get("invite"))
    remote.put(f"/matches/{match_id}/seats/{seat}", {**body, **given}, nonces.keep_receipts)


def _invited(remote: "Remote", match_id: str, free: Sequence[int], invite: str) -> None:
    """Take the seat that the invite code is for; the code does not say which."""
    from api.terminal.remote import Declined

    for seat in free:
        try:
            _sit(remote, match_id, seat, {"invite": invite})
            return
        except Declined as error:
            if error.status != 403 or seat == free[-1]:
                raise
