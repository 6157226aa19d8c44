"""Tests `dealt play`: a match in a real terminal, at a real server."""

import json
import re
from contextlib import contextmanager
from shutil import copytree

import pytest
import requests
from click.testing import CliRunner

from api.cli import play_command
from api.cli.main import main
from api.terminal.remote import Unreachable
from tests.draws import first_of
from tests.services import free_port
from tests.system.processes import Process, answers, running, until
from tests.system.terminal import LEFT, Terminal


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    port = free_port()
    process = Process("serve", "--port", str(port), "--data", str(tmp_path_factory.mktemp("data")))
    base = f"http://127.0.0.1:{port}"
    with running(process):
        until(lambda: answers(base), 60)
        yield base


def test_hand_can_be_played_with_the_keyboard(server, tmp_path):
    home = {"HOME": str(tmp_path)}
    terminal = Terminal("play", "hearts", "--server", server, "--name", "Ann", env=home)
    terminal.shows("Pass cards")
    terminal.types("\r")
    terminal.shows("Pick 3 with the space bar")
    terminal.types("p")
    terminal.is_so(lambda: len(re.findall(r"\[..\]", terminal.plain())) == 3)
    terminal.types("\r")
    terminal.shows("▶ Play card")
    terminal.types("\r")
    terminal.types("cGood luck!\r")
    terminal.sized(120, 40)
    terminal.shows("Ann: Good luck!")
    terminal.types("q")
    assert terminal.ends() == 0
    assert LEFT in terminal.shown
    address = re.search(r"http\S+/v1/matches/\w+", terminal.shown.rpartition(LEFT)[2])[0]

    again = Terminal("play", address, env=home)
    again.shows("▶ Play card")
    again.types("\x1b[B\r")
    again.shows("Resign? Press Enter again.")
    again.types("\rq")
    assert again.ends() == 0


@pytest.mark.long
def test_friend_takes_the_seat_with_the_link(server, tmp_path):
    homes = [{"HOME": str(tmp_path / name)} for name in ("ann", "ben")]
    ann = Terminal("play", "hearts", "--friends", "1", "--server", server, "--name", "Ann", env=homes[0])
    ann.shows("Press Enter")
    assert "dealt serve --host 0.0.0.0" in ann.plain()  # the address works on this machine only
    link = re.search(r"dealt play '(http\S+#invite=\S+)'", ann.plain())[1]
    ann.types("\r")
    ben = Terminal("play", link, "--name", "Ben", env=homes[1])
    ben.shows("Pass cards")
    ann.shows("Pass cards")
    for player in (ann, ben):
        player.types("q")
        assert player.ends() == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("visibility", "form"),
    first_of([("private", "{link}"), ("public", "{base}/play#m={id}&seat=2&invite={code}")]),
)
def test_every_form_of_an_invite_link_leads_to_its_seat(server, tmp_path, visibility, form):
    token = requests.post(f"{server}/v1/players", json={"name": "Ann"}, timeout=60).json()["token"]
    seats = [{"kind": kind} for kind in ("me", "invite", "invite", "bot")]
    body, ann = {"game": "hearts", "seats": seats, "visibility": visibility}, {"Authorization": f"Bearer {token}"}
    made = requests.post(f"{server}/v1/matches", json=body, headers=ann, timeout=60).json()
    invite = made["invites"][1]
    link = form.format(link=invite["link"], base=server, id=made["id"], code=invite["invite"])

    def seated():
        seen = requests.get(f"{server}/v1/matches/{made['id']}", headers=ann, timeout=60).json()["seats"]
        return [(seat["player"] or {}).get("name") for seat in seen][:3] == ["Ann", None, "Ben"]

    ben = Terminal("play", link, "--name", "Ben", env={"HOME": str(tmp_path)})
    ben.is_so(seated)
    ben.shows("Hearts")
    ben.types("q")
    assert ben.ends() == 0


@pytest.mark.long
def test_waiting_match_can_be_chosen_from_a_list(server, tmp_path):
    home = {"HOME": str(tmp_path)}
    first = Terminal("play", "holdem", "--server", server, "--name", "Ben", env=home)
    first.shows("Texas Hold'em")
    first.types("q")
    assert first.ends() == 0
    again = Terminal("play", "--server", server, env=home)
    listed = again.shows("Which")
    assert "Texas Hold'em, " in listed
    assert "Hearts against bots" in listed
    again.types("\r")
    again.shows("▶")
    again.types("q")
    assert again.ends() == 0


def test_token_is_stored_privately(server, tmp_path):
    terminal = Terminal("play", "hearts", "--server", server, "--name", "Cy", env={"HOME": str(tmp_path)})
    terminal.shows("Pass cards")
    terminal.types("q")
    assert terminal.ends() == 0
    kept = tmp_path / ".config/dealt/tokens.json"
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize(
    ("args", "why"),
    first_of(
        [
            (("chess",), "chess is neither a match nor a game. The games: "),
            (("00000000000000000000",), "Resources that you cannot read are not found either"),
            (("--server", "ftp://x"), "ftp://x is not the address of a server"),
        ]
    ),
)
def test_unplayable_match_is_reported_in_a_sentence(server, tmp_path, args, why):
    terminal = Terminal(
        "play",
        *args,
        *([] if "--server" in args else ["--server", server]),
        "--name",
        "Di",
        env={"HOME": str(tmp_path)},
    )
    assert terminal.ends() in (1, 2)
    assert why in terminal.shown
    assert "Traceback" not in terminal.shown


@pytest.mark.long
def test_play_starts_a_server_if_none_is_running(tmp_path, monkeypatch):
    monkeypatch.setattr(play_command, "USUAL_SERVER", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    seen = []
    for name in ("Ann", None):  # a returning player is not asked again
        with play_command.running_server_address(None) as address:
            seen.append(play_command.sign_in_or_register(address, None, name).get("/players/me", dict))
    assert [player["name"] for player in seen] == ["Ann", "Ann"]
    assert seen[0]["id"] == seen[1]["id"]
    with pytest.raises(Unreachable):
        play_command.sign_in_or_register(address, None, "Ann")


@pytest.mark.long
def test_evidence_saved_by_the_terminal_convicts_a_rewriting_server(tmp_path):
    """The database is restored to an earlier state, and the match continues differently: the second history has
    other times."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    env = {"HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state")}

    @contextmanager
    def serves(folder):
        process = Process("serve", "--port", str(port), "--data", str(tmp_path / folder))
        with running(process):
            until(lambda: answers(base), 60)
            yield

    with serves("true"):
        terminal = Terminal("play", "hearts", "--server", base, "--name", "Ann", env=env)
        terminal.shows("Pass cards")
        terminal.types("q")
        assert terminal.ends() == 0
    address = re.search(r"http\S+/v1/matches/\w+", terminal.shown.rpartition(LEFT)[2])[0]
    copytree(tmp_path / "true", tmp_path / "set-back")

    def plays():
        (token,) = json.loads((tmp_path / "home/.config/dealt/tokens.json").read_text()).values()
        ann = {"Authorization": f"Bearer {token}"}
        (*_, move) = requests.get(f"{address}/moves", headers=ann, timeout=60).json()["moves"]
        assert requests.post(f"{address}/moves", json=move["example"], headers=ann, timeout=60).ok

    with serves("true"):
        plays()
        terminal = Terminal("play", address, "--server", base, env=env)
        terminal.shows("Play card")
        terminal.types("q")
        assert terminal.ends() == 0
    with serves("set-back"):
        plays()
        terminal = Terminal("play", address, "--server", base, env=env)
        assert terminal.ends(60) == 1
        (tmp_path / "keys.json").write_bytes(requests.get(f"{base}/v1/keys", timeout=60).content)
    assert "The server contradicts itself about this match." in terminal.shown
    kept = sorted(map(str, (tmp_path / "state/dealt/alarms").iterdir()))
    assert len(kept) == 2
    compared = CliRunner().invoke(main, ["verify", "--compare", *kept, "--key", str(tmp_path / "keys.json")])
    assert (compared.exit_code, "it lied" in compared.output) == (1, True)
