"""`dealt play`: a match in a real terminal, at a real server."""

import re

import pytest
import requests

from api.cli import play_command
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


def test_a_hand_is_played_with_keys(server, tmp_path):
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
def test_a_friend_takes_the_seat_by_the_link(server, tmp_path):
    homes = [{"HOME": str(tmp_path / name)} for name in ("ann", "ben")]
    ann = Terminal("play", "hearts", "--friends", "1", "--server", server, "--name", "Ann", env=homes[0])
    ann.shows("Press Enter")
    assert "dealt serve --host 0.0.0.0" in ann.plain()  # the address is of this machine alone
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
def test_every_form_of_a_link_leads_to_the_seat_that_it_is_for(server, tmp_path, visibility, form):
    token = requests.post(f"{server}/v1/players", json={"name": "Ann"}, timeout=10).json()["token"]
    seats = [{"kind": kind} for kind in ("me", "invite", "invite", "bot")]
    body, ann = {"game": "hearts", "seats": seats, "visibility": visibility}, {"Authorization": f"Bearer {token}"}
    made = requests.post(f"{server}/v1/matches", json=body, headers=ann, timeout=10).json()
    invite = made["invites"][1]
    link = form.format(link=invite["link"], base=server, id=made["id"], code=invite["invite"])

    def seated():
        seen = requests.get(f"{server}/v1/matches/{made['id']}", headers=ann, timeout=10).json()["seats"]
        return [(seat["player"] or {}).get("name") for seat in seen][:3] == ["Ann", None, "Ben"]

    ben = Terminal("play", link, "--name", "Ben", env={"HOME": str(tmp_path)})
    ben.is_so(seated)
    ben.shows("Hearts")
    ben.types("q")
    assert ben.ends() == 0


@pytest.mark.long
def test_a_match_that_waits_is_chosen_from_a_list(server, tmp_path):
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
            (("chess",), "chess is no match, and no game: "),
            (("00000000000000000000",), "Resources that you cannot read are not found either"),
            (("--server", "ftp://x"), "ftp://x is not the address of a server"),
        ]
    ),
)
def test_unplayable_match_gets_a_sentence(server, tmp_path, args, why):
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
def test_a_server_is_started_where_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(play_command, "USUAL_SERVER", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    seen = []
    for name in ("Ann", None):  # who comes back is not asked again
        with play_command.running_server_address(None) as address:
            seen.append(play_command.sign_in_or_register(address, None, name).get("/players/me", dict))
    assert [player["name"] for player in seen] == ["Ann", "Ann"]
    assert seen[0]["id"] == seen[1]["id"]
    with pytest.raises(Unreachable):
        play_command.sign_in_or_register(address, None, "Ann")
