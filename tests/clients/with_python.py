"""Plays a match of every game with the client that openapi-python-client generates: `python with_python.py ADDRESS`."""

import json
import sys

from dealt_client import AuthenticatedClient, Client
from dealt_client.api.history import list_events
from dealt_client.api.matches import create_match, get_match
from dealt_client.api.play import list_moves, make_move
from dealt_client.api.players import create_player
from dealt_client.models import (
    HeartsMatch,
    HeartsPlayCard,
    HoldemMatch,
    LegalMoves,
    MatchEnded,
    PlayCardMove,
    PlayerRequest,
    Problem,
)
from matches import NEW


def counted(match: object) -> int:
    """Read data that only one game has, by the type of its match."""
    if isinstance(match, HoldemMatch) and match.table is not None:
        return match.table.pot + len(match.table.board)
    if isinstance(match, HeartsMatch) and match.table is not None:
        return len(match.table.tricks)
    return 0


def main() -> None:
    server = sys.argv[1]
    player = create_player.sync(client=Client(base_url=server), body=PlayerRequest(name="Eve"))
    assert player is not None
    assert not isinstance(player, Problem), player
    client = AuthenticatedClient(base_url=server, token=player.token)
    for new in NEW:
        match = create_match.sync(client=client, body=new)
        assert match is not None
        assert not isinstance(match, Problem), match
        moves = most = 0
        while match.status in ("playing", "lobby"):
            offered = list_moves.sync(match.id, client=client)
            assert isinstance(offered, LegalMoves), offered
            if offered.moves and match.your_seat in match.to_act:
                move = offered.moves[0].example
                if isinstance(match, HeartsMatch) and isinstance(move, PlayCardMove):
                    move = PlayCardMove(name="play_card", args=HeartsPlayCard(card=move.args.card))
                made = make_move.sync(match.id, client=client, body=move)
                assert made is not None
                assert not isinstance(made, Problem), made
                assert made.game == match.game
                moves += 1
            else:
                list_events.sync(match.id, client=client, after=match.version, wait=5)
            match = get_match.sync(match.id, client=client)
            assert match is not None
            assert not isinstance(match, Problem), match
            most = max(most, counted(match))
        page = list_events.sync(match.id, client=client, after=match.version - 1)
        assert page is not None
        assert not isinstance(page, Problem), page
        assert page.game == match.game
        end = page.items[-1]
        assert isinstance(end, MatchEnded)
        row = {"game": match.game, "status": match.status, "reason": end.data.reason, "moves": moves, "most": most}
        sys.stdout.write(json.dumps(row) + "\n")


main()
