"""Makes the server of the Model Context Protocol."""

from importlib.metadata import version
from typing import Final

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from api.mcp_server.match_tools import MatchTools
from api.mcp_server.session_players import Players

ACTING: Final = ("create_or_join_match", "make_move")
"""The tools that change something."""

INSTRUCTIONS: Final = """\
You play card games at a Dealt server. Read the rules of a game before you play it. Create or join a match, then repeat:
get_inbox with a wait, show_table, make_move, until the inbox lists the match as over. Cards are written as rank and
suit: TD is the ten of diamonds. An error says what to change; nothing happened then."""


def make_session(players: Players, *, with_legal_moves: bool = True) -> MCPServer[None]:
    """Return a server with the tools, for one client."""
    server: MCPServer[None] = MCPServer(
        "dealt", title="Dealt", version=version("dealt"), instructions=INSTRUCTIONS, log_level="WARNING"
    )
    for tool in MatchTools(players, with_legal_moves=with_legal_moves).all:
        reads = ToolAnnotations(read_only_hint=tool.__name__ not in ACTING, destructive_hint=False)
        server.add_tool(tool, annotations=reads)
    return server
