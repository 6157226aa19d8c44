"""Bots of the client play matches to their end."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest
from dealt_client import AsyncClient, Client

from domain.games.catalogue import BUILT_IN
from tests.laws.games import LAWS

PROJECT = Path(__file__).parents[2] / "clients" / "python"
BOTS = re.findall(r'^```python\n(""".*?)^```', (PROJECT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
MATCHES = [{"game": game.name, "options": LAWS[game.name].SHORT} for game in BUILT_IN]
each_game = pytest.mark.parametrize("new", MATCHES, ids=lambda new: new["game"])


@pytest.mark.long
@each_game
def test_bot_plays_every_game_to_its_end(ann, new):
    match = ann.create_match(new)
    for turn in ann.turns(match["id"]):
        assert turn.game == new["game"]
        turn.play(turn.moves[0]["example"])
    assert ann.get_match(match["id"])["status"] == "finished"


@pytest.mark.long
@each_game
def test_bot_of_coroutines_plays_every_game_to_its_end(base, new):
    async def play():
        async with AsyncClient(base) as client:
            client.token = (await client.create_player({"name": "Ben"}))["token"]
            match = await client.create_match(new)
            async for turn in client.turns(match["id"]):
                await turn.play(turn.moves[0]["example"])
            return await client.get_match(match["id"])

    assert asyncio.run(play())["status"] == "finished"


def test_inbox_loop_plays_two_matches(ann):
    """Two players wait for each other in two matches, and nothing else plays."""
    with Client(ann.address) as ben:
        ben.token = ben.create_player({"name": "Ben"})["token"]
        new = {"game": "holdem", "options": {"hands": 1}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        left = {ann.create_match(new)["id"] for _ in range(2)}
        for match_id in left:
            ben.take_seat(match_id, 1)
        players = [ann.turns(), ben.turns()]
        while left:
            client = next(one for one in (ann, ben) if one.get_inbox()["items"])
            turn = next(players[client is ben])
            turn.play(turn.moves[0]["example"])
            left = {match_id for match_id in left if ann.get_match(match_id)["status"] == "playing"}


@pytest.mark.parametrize(
    "bot", [BOTS[0], pytest.param(BOTS[1], marks=pytest.mark.long)], ids=["client", "async_client"]
)
def test_bot_of_the_readme_plays_as_printed(bot, base, tmp_path):
    (tmp_path / "bot.py").write_text(bot)
    run = [sys.executable, "bot.py", base]
    done = subprocess.run(
        run, check=False, cwd=tmp_path, env={"PYTHONPATH": str(PROJECT)}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "Result: {'winners': " in done.stdout
    assert len(bot.strip().splitlines()) <= 20


@pytest.mark.long
def test_examples_of_the_readme_are_strictly_typed(tmp_path):
    text = (PROJECT / "README.md").read_text()
    parts = [
        block for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if block not in BOTS
    ]
    given = (
        "from dealt_client import Client, verify_webhook\n\n\ndef example(client: Client, match_id: str, secret: str, "
    )
    given += "headers: dict[str, str], body: bytes) -> None:\n"
    (tmp_path / "parts.py").write_text(given + "".join(f"    {line}\n" for part in parts for line in part.splitlines()))
    for at, bot in enumerate(BOTS):
        (tmp_path / f"bot_{at}.py").write_text(bot)
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "--python-version", "3.10", "."]
    done = subprocess.run(
        check, check=False, cwd=tmp_path, env={"MYPYPATH": str(PROJECT)}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(parts) == 3
