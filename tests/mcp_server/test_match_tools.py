"""A client of the Model Context Protocol plays with the tools, without a model."""

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from dealt_client import Client

pytest.importorskip("mcp")  # an extra; the locked test dependencies contain it

from mcp import Client as ModelClient
from mcp import StdioServerParameters

from api.mcp_server.session import make_session
from api.mcp_server.session_players import Players
from tests.laws.games import LAWS


class Refused(Exception):
    """The tool reported an error."""


class Session:
    """Calls tools as a model does."""

    def __init__(self, client):
        self.client = client

    async def __call__(self, tool, **arguments):
        answer = await self.client.call_tool(tool, arguments)
        if answer.is_error:
            raise Refused(answer.content[0].text)
        return answer.structured_content

    async def play_to_the_end(self, count):
        """Play the first choice each time until so many seats are over; return results, and tables by match."""
        results, tables = [], {}
        while len(results) < count:
            inbox = await self("get_inbox", wait=20)
            results += inbox["over"]
            for turn in inbox["waiting"]:
                place = {"match": turn["match"], "player": turn["player"]}
                table = await self("show_table", **place)
                tables.setdefault(turn["match"], []).append(table)
                if table["your_turn"]:
                    chosen = {"choice": 1} if "choices" in table else {"move": table["other_moves"][0]["example"]}
                    tables[turn["match"]].append(await self("make_move", **place, **chosen))
        return results, tables


def run(base, tokens, play, *, with_legal_moves=True):
    async def in_session():
        server = make_session(Players(base, tokens), with_legal_moves=with_legal_moves)
        async with ModelClient(server) as client:
            return await play(Session(client))

    return asyncio.run(in_session())


@pytest.fixture
def ben(base):
    with Client(base) as client:
        client.token = client.create_player({"name": "Ben"})["token"]
        yield client


def test_two_players_of_a_session_play_three_games(base, ann, ben):
    """One of the matches is between them; bots play in the others."""

    async def play(call):
        games = await call("list_games")
        one, other = games["players"]
        duel = {"game": "holdem", "seats": [{"kind": "me"}, {"kind": "invite"}], "options": LAWS["holdem"].SHORT}
        held = await call("create_or_join_match", new=duel, player=one)
        code = held["invites"][0]["invite"]
        joined = await call("create_or_join_match", match=held["match"], player=other, invite=code)
        assert (joined["your_seat"], joined["seats"]) == (1, ["Ann", "Ben"])
        short = {"game": "hearts", "options": LAWS["hearts"].SHORT}
        hearts = await call("create_or_join_match", new=short, player=one)
        eights = await call("create_or_join_match", new={"game": "crazy_eights"}, player=other)
        return [one["match"] for one in (held, hearts, eights)], await call.play_to_the_end(4)

    (held, hearts, eights), (results, tables) = run(base, [ann.token, ben.token], play)
    assert sorted(one["match"] for one in results) == sorted([held, held, hearts, eights])
    assert {one["status"] for one in results} == {"finished"}
    first, *later = [table for table in tables[hearts] if table["your_turn"]]
    assert first["other_moves"][0]["name"] == "pass_cards"  # 286 ways to pass are too many
    assert first["other_moves"][0]["args_schema"]["properties"]["cards"]["minItems"] == 3
    assert [one["choice"] for one in later[0]["choices"]] == [*range(1, len(later[0]["choices"]) + 1)]
    told = [text for table in tables[hearts] for text in table["happened"]]
    assert len(told) == len(set(told)) > 50


def test_replay_and_verification_agree_with_the_events_that_were_shown(base, ann):
    async def play(call):
        table = await call("create_or_join_match", new={"game": "crazy_eights"})
        await call.play_to_the_end(1)
        page = await call("replay_match", match=table["match"])
        early = await call("replay_match", match=table["match"], at="hand:1")
        return table, page, early, await call("verify_match", match=table["match"])

    table, page, early, report = run(base, [ann.token], play)
    assert [one["version"] for one in page["events"]] == [*range(1, len(page["events"]) + 1)]
    assert set(table["happened"]) <= {one["text"] for one in page["events"]}
    assert early["table"]["hand_no"] == 1
    assert report["verdict"] == "verified"
    assert report["events"] == len(page["events"])


def test_legal_moves_can_be_withheld(base, ann):
    async def play(call):
        rules = (await call("read_rules", game="crazy_eights"))["result"]
        assert "# Crazy Eights" in rules
        assert '- `draw_card`: `{"title": "Draw card"' in rules
        new = {"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "bot"}]}
        table = await call("create_or_join_match", new=new)
        while not table["your_turn"]:
            await call("get_inbox", wait=20)
            table = await call("show_table", match=table["match"])
        assert table.keys().isdisjoint({"choices", "other_moves", "also_possible"})
        with pytest.raises(Refused, match="it listed 0"):
            await call("make_move", match=table["match"], choice=1)
        return await call("make_move", match=table["match"], move={"name": "draw_card", "args": {}})

    assert any("drew" in text for text in run(base, [ann.token], play, with_legal_moves=False)["happened"])


def test_refusal_is_the_sentence_of_the_server(base, ann, ben):
    async def play(call):
        new = {"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]}
        one, _ = (await call("list_games"))["players"]
        match = (await call("create_or_join_match", new=new, player=one))["match"]
        said = []
        for tool, arguments in (
            ("show_table", {"match": match}),
            ("make_move", {"match": match, "player": one, "move": {"name": "draw_card", "args": {}}}),
            ("make_move", {"match": match, "player": one, "choice": 3}),
            ("create_or_join_match", {"new": {**new, "options": {"packs": 9}}, "player": one}),
            ("read_rules", {"game": "none"}),
        ):
            with pytest.raises(Refused) as refused:
                await call(tool, **arguments)
            said.append(str(refused.value).partition(": ")[2])
        return said

    several, lobby, choice, options, game = run(base, [ann.token, ben.token], play)
    assert several.startswith("`player` must be one of: ann-")
    assert lobby == "No player can do this at the moment. Choose one of the offered moves."
    assert choice == "`choice` must be a number that show_table listed last; it listed 0."
    assert options.startswith("options.packs: ")
    assert game == "Check the address. Resources that you cannot read are not found either."


def test_choice_from_an_outdated_list_is_refused(base, ann, ben):
    """Ben's resignation changes the match after Ann has seen her choices."""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    match = ann.create_match({"game": "trio", "seats": seats})["id"]
    with Client(base) as eve:
        eve.token = eve.create_player({"name": "Eve"})["token"]
        ben.take_seat(match, 1)
        eve.take_seat(match, 2)
    clients = {0: ann, 1: ben, 2: eve}
    (acting,) = ann.get_match(match)["to_act"]
    with Client(base) as other:
        other.token = clients[(acting + 1) % 3].token

        async def play(call):
            shown = await call("show_table", match=match)
            other.make_move(match, {"name": "resign", "args": {}})
            with pytest.raises(Refused) as refused:
                await call("make_move", match=match, choice=1)
            assert len(shown["choices"]) > 1
            return str(refused.value)

        assert "The match went on since your choices were listed." in run(base, [clients[acting].token], play)


def test_there_are_eight_described_tools():
    async def play(call):
        return (await call.client.list_tools()).tools

    tools = run("http://127.0.0.1:9", ["none"], play)
    assert len(tools) == 8
    assert all(tool.description for tool in tools)
    assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == ["create_or_join_match", "make_move"]


@pytest.mark.long
def test_command_serves_the_tools_over_standard_input_and_output(base, ann):
    @asynccontextmanager
    async def started():
        dealt = str(Path(sys.executable).with_name("dealt"))
        env = {**os.environ, "DEALT_TOKEN": ann.token}
        async with ModelClient(StdioServerParameters(command=dealt, args=["mcp", "--server", base], env=env)) as client:
            yield Session(client)

    async def listed():
        async with started() as call:
            return await call("list_games")

    assert len(asyncio.run(listed())["games"]) >= 9
