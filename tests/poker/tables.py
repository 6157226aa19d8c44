"""Provides poker tables for tests: any stacks, given cards, actions by name."""

from typing import Any

from domain.core.cards import PACK, Cards, Seat, drop_cards
from domain.core.cards import card as named
from domain.core.game import CHANCE, Game, Refused, check_move, play_move
from domain.core.values import with_fields
from domain.games.five_card_draw import GAME as DRAW_GAME
from domain.games.five_card_draw import play as five_card_draw
from domain.games.holdem import GAME as HOLDEM_GAME
from domain.games.holdem import play as holdem
from domain.poker.betting import clockwise
from domain.poker.betting_moves import AllIn, Bet, Call, Check, Deal, Fold, LeaveTable, Raise, ShowCards, SwapCards
from domain.poker.betting_table import State, alive

HOLDEM, DRAW = HOLDEM_GAME, DRAW_GAME
AnyGame = Game[Any, State, Any, Any]


class Poker:
    """A table that a test plays hand by hand; `said` are the events of the last action."""

    def __init__(self, game: AnyGame, stacks: tuple[int, ...], button: Seat = 0, **options: Any) -> None:
        n = len(stacks)
        chosen = game.setup.options(**game.setup.resolve({"starting_stack": 100, "rebuy": "never", **options}, n))
        self.game = game
        self.state = game.start(chosen, n, None)
        self.state.round = with_fields(self.state.round, stacks=stacks)
        self.state.at, self.state.game_no = with_fields(self.state.at, button=button), 1
        self.said: list[Any] = []
        self.log: list[Any] = []

    def deals(self, hands: dict[Seat, str], rest: str = "", button: Seat | None = None) -> "Poker":
        """Deal a hand in which these seats get these cards, and the rest begins with those."""
        if button is not None:
            self.state.at = with_fields(self.state.at, button=button)
        return self._do(CHANCE, Deal(self.pack(hands, cards(rest))))

    def pack(self, hands: dict[Seat, str], rest: Cards) -> Cards:
        """Return a pack that deals these cards."""
        at = holdem.places(self.state).button if self.state.rules.blinds else five_card_draw.button(self.state)
        order = clockwise(alive(self.state), at, self.state.rules.seats)
        size, wanted = self.state.rules.hand_size, {seat: cards(text) for seat, text in hands.items()}
        spare = list(drop_cards(PACK, {*rest, *(c for hand in wanted.values() for c in hand)}))
        dealt = {seat: wanted.get(seat) or tuple(spare.pop() for _ in range(size)) for seat in order}
        first = tuple(dealt[seat][i] for i in range(size) for seat in order)
        return (*first, *rest, *spare)

    def does(self, *actions: str) -> "Poker":
        """Carry out actions such as `1 raise 40`, `2 fold`, `0 swap QS 2C`."""
        for action in actions:
            seat, move = read(action)
            check_move(self.game, self.state, seat, move)
            self._do(seat, move)
        return self

    def refuses(self, action: str) -> str:
        """Return the refusal code of an action."""
        seat, move = read(action)
        try:
            check_move(self.game, self.state, seat, move)
        except Refused as refused:
            return refused.code
        return "accepted"

    def explains(self, action: str) -> str:
        """Return the refusal text of an action."""
        return self.game.words.explain(self.state, *read(action))

    def _do(self, seat: Seat, move: Any) -> "Poker":
        self.state, self.said = play_move(self.game, self.state, seat, move)
        self.log += self.said
        return self

    def events(self, kind: type) -> list[Any]:
        """Return the events of a type from the last action."""
        return [e for e in self.said if type(e) is kind]

    def kinds(self) -> list[str]:
        return [type(e).__name__ for e in self.said]


def cards(text: str) -> Cards:
    """Parse cards, in order."""
    return tuple(named(name) for name in text.split())


def read(action: str) -> tuple[Seat, Any]:
    seat, name, *rest = action.split()
    bare = {"fold": Fold, "check": Check, "call": Call, "all_in": AllIn, "leave": LeaveTable}
    if name in bare:
        return int(seat), bare[name]()
    sized = {"bet": Bet, "raise": Raise}
    if name in sized:
        return int(seat), sized[name](int(rest[0]))
    return int(seat), {"swap": SwapCards, "show": ShowCards}[name](cards(" ".join(rest)))
