"""The eight tools with which a language model plays at a Dealt server."""

import json
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from typing import Annotated, Any, Final
from urllib.parse import quote

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from api.mcp_server.numbered_choices import describe_move, list_choices
from api.mcp_server.session_players import Players
from api.terminal.source import NotThere, keys_for, record_at

Json = dict[str, Any]
Player = Annotated[str | None, Field(description="Your handle; only needed if you play for several players.")]
Match = Annotated[str, Field(description="The id of the match.")]

LONGEST_WAIT: Final = 20
LATEST: Final = 10
"""The number of past events that the first look at a match shows."""
MOST_EVENTS: Final = 100
SHOWN: Final = "game,status,version,head,your_seat,seats,to_act,deadline,table,result,offer"


class MatchTools:
    """The tools of one session, and its memory of them: the events seen, the choices offered, the heads shown."""

    def __init__(self, players: Players, *, with_legal_moves: bool) -> None:
        self._players: Final = players
        self._with_legal_moves: Final = with_legal_moves
        self._seen: Final[dict[tuple[str, str], int]] = {}
        self._offered: Final[dict[tuple[str, str], tuple[int, Sequence[Json]]]] = {}
        self._heads: Final[dict[str, set[tuple[int, str]]]] = {}
        self._over: Final[set[tuple[str, str]]] = set()

    @property
    def all(self) -> tuple[Callable[..., Any], ...]:
        """Return all tools."""
        return (
            self.list_games,
            self.read_rules,
            self.create_or_join_match,
            self.get_inbox,
            self.show_table,
            self.make_move,
            self.replay_match,
            self.verify_match,
        )

    def list_games(self) -> Json:
        """List the games of the server, and the players for whom you can act."""
        said = self._players.get(self._players.handles[0], "/games")
        names = ("game", "title", "seats", "minutes", "summary", "presets")
        return {
            "players": self._players.handles,
            "games": [{name: game[name] for name in names} for game in said["items"]],
        }

    def read_rules(
        self, game: Annotated[str, Field(description="The name of the game, as list_games returns it.")]
    ) -> str:
        """Read the rules of a game, the JSON schemas of its moves, and the options of a match."""
        said = self._players.get(self._players.handles[0], f"/games/{quote(game, safe='')}")
        book = self._players.read_text(f"/docs/rules/{quote(game, safe='')}.md", "text/markdown")
        moves = {
            name: describe_move({"name": name, "args": args, "example": None}) for name, args in said["moves"].items()
        }
        schemas = "\n".join(f"- `{name}`: `{json.dumps(one['args_schema'])}`" for name, one in moves.items())
        options = said["options"]["properties"]
        names = "\n".join(
            f"- `{name}` ({json.dumps(one.get('default'))} by default): {one.get('description', '')}"
            for name, one in options.items()
        )
        return f"{book}\n\n# Moves\n\n{schemas}\n\n# Options of a match\n\n{names}\n"

    def create_or_join_match(
        self,
        new: Annotated[
            Json | None,
            Field(
                description="Create this match: {'game': 'NAME'} against bots; optionally with 'preset', 'options' (as"
                " read_rules lists them) and 'seats', a list of {'kind': 'me'}, {'kind': 'bot'}, {'kind': 'open'} and"
                " {'kind': 'invite'}."
            ),
        ] = None,
        match: Annotated[str | None, Field(description="Join this match instead.")] = None,
        seat: Annotated[int | None, Field(description="The seat to take when you join; by default a free one.")] = None,
        invite: Annotated[str | None, Field(description="The invite code of the seat, if it has one.")] = None,
        player: Player = None,
    ) -> Json:
        """Create a match, or take a seat in one. Returns its table; `invites` has the codes for invited players."""
        who = self._players.named(player)
        if (new is None) == (match is None):
            raise ToolError("Give either `new`, to create a match, or `match`, to join one.")
        if new is not None:
            made = self._players.post(who, "/matches", new)
            invites = [{"seat": one["seat"], "invite": one["invite"]} for one in made["invites"]]
            return self._shown(who, made["id"]) | ({"invites": invites} if invites else {})
        assert match is not None
        self._take_seat(who, match, seat, invite)
        return self._shown(who, match)

    def _take_seat(self, who: str, match: str, seat: int | None, invite: str | None) -> None:
        """Take the seat, or the first one that is free."""
        path = f"/matches/{quote(match, safe='')}"
        free = [seat] if seat is not None else self._free_seats(who, path, invite)
        body = {"invite": invite} if invite else {}
        for at in free[:-1]:
            try:
                self._players.put(who, f"{path}/seats/{at}", body)
            except ToolError:
                continue  # the code is for another seat, or someone was faster
            return
        self._players.put(who, f"{path}/seats/{free[-1]}", body)

    def _free_seats(self, who: str, path: str, invite: str | None) -> list[int]:
        said = self._players.get(who, path, invite)
        free = [
            one["seat"]
            for one in said["seats"]
            if one["player"] is None and one["kind"] in ("open", "invite", "player")
        ]
        if not free:
            raise ToolError("This match has no free seat.")
        return free

    def get_inbox(
        self,
        wait: Annotated[int, Field(ge=0, le=LONGEST_WAIT, description="Seconds to wait until a match needs you.")] = 0,
        player: Annotated[str | None, Field(description="Only this player; by default all of yours.")] = None,
    ) -> Json:
        """List the matches that wait for you, and once each of your matches that has ended."""
        handles = [self._players.named(player)] if player is not None else self._players.handles
        for seconds in (0, wait):
            found = {"waiting": self._waiting(handles, seconds), "over": self._ended(handles)}
            if any(found.values()):
                return found
        return found

    def _waiting(self, handles: Sequence[str], seconds: int) -> list[Json]:
        """Return the items of the first inboxes that have any; each is read in its own thread."""
        answers: SimpleQueue[list[Json] | ToolError] = SimpleQueue()

        def read(who: str) -> None:
            try:
                answers.put(
                    [{"player": who, **item} for item in self._players.get(who, f"/inbox?wait={seconds}")["items"]]
                )
            except ToolError as error:
                answers.put(error)

        for who in handles:
            Thread(target=read, args=(who,), daemon=True).start()
        found: list[Json] = []
        for _ in handles:
            answer = answers.get()
            if isinstance(answer, ToolError):
                raise answer
            found += answer
            if found and seconds:
                break  # the other inboxes still wait
        return found

    def _ended(self, handles: Sequence[str]) -> list[Json]:
        """Return the matches shown in this session that have ended, each once, with their results."""
        ended = []
        for who, match in [*self._seen]:
            if who not in handles or (who, match) in self._over:
                continue
            said = self._players.get(who, f"/matches/{match}?fields=status,result")
            if said["status"] not in ("lobby", "playing"):
                self._over.add((who, match))
                ended.append({"player": who, "match": match, **said})
        return ended

    def show_table(self, match: Match, player: Player = None) -> Json:
        """Show the table as you see it, the events since your last look, and your legal moves."""
        return self._shown(self._players.named(player), match)

    def _shown(self, who: str, match: str) -> Json:
        path = f"/matches/{quote(match, safe='')}"
        said = self._players.get(who, f"{path}?fields={SHOWN}")
        version, key = said["version"], (who, match)
        after = max(0, self._seen.get(key, version - LATEST), version - MOST_EVENTS)
        happened = self._players.get(who, f"{path}/events?after={after}&limit={MOST_EVENTS}&fields=seq,text")["items"]
        self._seen[key] = version
        self._heads.setdefault(match, set()).add((version, said["head"]))
        shown = {name: said[name] for name in ("game", "status", "version", "your_seat", "to_act", "deadline", "table")}
        shown["seats"] = [one["player"]["name"] if one["player"] else one["kind"] for one in said["seats"]]
        if said["result"] is not None:
            shown["result"] = said["result"]
        return {
            "match": match,
            **shown,
            "happened": [one["text"] for one in happened if one["seq"] <= version],
            **self._offer(key, said["offer"]),
        }

    def _offer(self, key: tuple[str, str], offer: Mapping[str, Any] | None) -> Json:
        """Return the prompt and the legal moves, and remember the choices by their numbers."""
        self._offered.pop(key, None)
        if not offer or not (offer["moves"] or offer["also"]):
            return {"your_turn": False}
        about: Json = {"your_turn": bool(offer["moves"]), "prompt": offer["prompt"]}
        if not self._with_legal_moves:
            return about
        listed, others = list_choices(offer["moves"])
        self._offered[key] = (offer["version"], listed)
        about["choices"] = [{"choice": number, **body} for number, body in enumerate(listed, 1)]
        about["other_moves"] = list(map(describe_move, others))
        about["also_possible"] = [move["example"] for move in offer["also"]]
        return {name: one for name, one in about.items() if one != []}

    def make_move(
        self,
        match: Match,
        choice: Annotated[int | None, Field(description="The number of a choice that show_table listed.")] = None,
        move: Annotated[
            Json | None, Field(description="Or the move itself: {'name': …, 'args': {…}}, as its schema says.")
        ] = None,
        player: Player = None,
    ) -> Json:
        """Make a move. Returns the table after it, with what happened."""
        who = self._players.named(player)
        if (choice is None) == (move is None):
            raise ToolError("Give either `choice`, a number, or `move`, with a name and arguments.")
        headers = {}
        if choice is not None:
            version, listed = self._offered.get((who, match), (0, ()))
            if not 1 <= choice <= len(listed):
                raise ToolError(f"`choice` must be a number that show_table listed last; it listed {len(listed)}.")
            move, headers = listed[choice - 1], {"If-Match": f'"{version}"'}
        assert move is not None
        self._players.post(who, f"/matches/{quote(match, safe='')}/moves", move, headers)
        return self._shown(who, match)

    def replay_match(
        self,
        match: Match,
        after: Annotated[int, Field(ge=0, description="List the events after this version.")] = 0,
        at: Annotated[
            str | None,
            Field(description="Show the table at a version ('57') or a mark ('hand:3', 'trick:2.7') instead."),
        ] = None,
        player: Player = None,
    ) -> Json:
        """List the events of a match in words, up to 100 at a time, or show the table as it was."""
        who, path = self._players.named(player), f"/matches/{quote(match, safe='')}"
        if at is not None:
            at = f"version={at}" if at.isdecimal() else f"at={quote(at, safe='')}"
            said = self._players.get(who, f"{path}/replay?{at}")
            return {name: said[name] for name in ("version", "seat", "status", "to_act", "table", "result")}
        page = self._players.get(who, f"{path}/events?after={after}&limit={MOST_EVENTS}&fields=seq,text")
        events = [{"version": one["seq"], "text": one["text"]} for one in page["items"]]
        return {"events": events, "next_after": page["next"] if len(events) == MOST_EVENTS else None}

    def verify_match(self, match: Match, player: Player = None) -> Json:
        """Verify the record of a match on this machine: its chain, its shuffles, its moves, and what you were shown."""
        from events.proof.documents import verify_document  # noqa: PLC0415 -- a session may verify nothing
        from events.proof.findings import Evidence  # noqa: PLC0415

        who, server = self._players.named(player), self._players.server
        try:
            record = record_at(server, match, self._players.token(who))
        except NotThere as error:
            raise ToolError(str(error)) from error
        heads = sorted(self._heads.get(match, ()))
        _, report = verify_document(BytesIO(record), Evidence(heads, keys_for(match, server)))
        checks = [
            {
                "check": one.name,
                "result": "skipped" if one.skipped else "passed" if one.ok else "failed",
                "detail": one.detail,
            }
            for one in report.checks
        ]
        return {"verdict": report.verdict, "events": report.version, "head": report.head, "checks": checks}
