"""Sets up duels for specifications: cards by name in any zone, and moves by seat."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from domain.card_sets.cards.library import CARDS, TOKENS
from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.game import Refused, is_admitted
from domain.games.fivewells.characteristics import PRINTED, board, printed_on, program
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.moves import ActivateAbility, CastSpell, PassPriority
from domain.games.fivewells.options import Rules
from domain.games.fivewells.play import consequences, decide, refusal
from domain.games.fivewells.records import Handle, Targets, of_seat
from domain.games.fivewells.state import Arrival, Permanent, State
from domain.games.fivewells.turn_events import StepEntered
from domain.games.fivewells.waiting import legal, to_act

IDS = {card.name: card.id for card in CARDS.values()}
LANDS = {"S": "Sunfield", "T": "Tidepool", "R": "Rootwood", "F": "Forgehill", "G": "Gloomfen"}
LIBRARY = ("Sunfield",) * 5
PLAYER = [of_seat(0), of_seat(1)]


class Duel:
    """A duel, by default in the first main step of seat 0's turn.

    `board` contains names of permanents, or pairs of a name and the changed fields; `lands` contains letters of basic
    lands.
    """

    def __init__(
        self,
        hands=((), ()),
        board=((), ()),
        lands=("", ""),
        libraries=(LIBRARY, LIBRARY),
        graveyards=((), ()),
        **fields,
    ):
        self.events = []
        names: list[str] = []
        rows = {"hands": [], "libraries": [], "graveyards": []}
        permanents: list[Permanent] = []
        counts = []
        for seat in (0, 1):
            before = len(names)
            for zone, given in (("hands", hands), ("libraries", libraries), ("graveyards", graveyards)):
                rows[zone].append(tuple(Handle(len(names) + 1 + i) for i in range(len(given[seat]))))
                names += given[seat]
            for one in (*board[seat], *(LANDS[letter] for letter in lands[seat])):
                name, more = (one, {}) if isinstance(one, str) else one
                names.append(name)
                permanents.append(self.permanent(len(names), name, seat, more))
            counts.append(len(names) - before)
        decks = tuple(Deck(("fw1-001",) * count) for count in counts)
        cards = ("", *(IDS.get(name, name) for name in names), "")
        start = {"step": "main1", "active": 0, "first": 0, "priority": 0, "turn": 3}
        self.names = names
        self.state = State(
            Rules(decks),
            1,
            1,
            hand_of="duel",
            decks=decks,
            sizes=tuple(counts),
            submitted=(True, True),
            begun=True,
            numbered=2,
            kept=(True, True),
            cards=cards,
            ids=tuple(p.object for p in permanents),
            permanents=tuple(permanents),
            arrivals=tuple(Arrival(p.object, p.card, p.controller) for p in permanents),
            next_token=Handle(len(names) + 1),
            **{zone: tuple(row) for zone, row in rows.items()},
            **start | {"stops": (Rules(decks).stops,) * 2} | fields,
        )

    @staticmethod
    def permanent(number, name, seat, more):
        token = name in TOKENS
        return Permanent(Handle(number), IDS.get(name, name), seat, seat, token=token, **{"new": False} | more)

    def of(self, name: str, nth: int = 0):
        """Return the handle of the card with this name; of several, the nth."""
        handles = [i for i, there in enumerate(self.names, 1) if there == name]
        return Handle(handles[nth])

    def play(self, seat: Seat, move) -> "Duel":
        """Make a move for a seat or chance; raises `Refused` if it is not legal."""
        if seat >= 0 and not is_admitted(legal(self.state, seat), move):
            raise Refused(refusal(self.state, seat, move))
        self.events = []
        happening = decide(self.state, seat, move)
        while happening:
            for event in happening:
                evolve(self.state, event)
            self.events += happening
            happening = consequences(self.state)
        return self

    def refusal(self, seat: Seat, move) -> str | None:
        """Return the refusal code of a move, without making it, or None if it is legal."""
        before = self.state.copy()
        try:
            self.play(seat, move)
        except Refused as refused:
            assert self.state == before
            return refused.code
        self.state = before
        return None

    def cast(self, seat: Seat, name: str, x=None, pay=None, **targets) -> "Duel":
        """Cast a card for a seat at these targets."""
        return self.play(seat, CastSpell(self.held(seat, name), aim(targets), x, pay))

    def held(self, seat: Seat, name: str):
        """Return a card of this name in a hand."""
        return next(card for card in self.state.hands[seat] if self.state.cards[card] == IDS[name])

    def activate(self, seat: Seat, name: str, ability=0, sacrifice=None, x=None, **targets) -> "Duel":
        return self.play(seat, ActivateAbility(self.of(name), ability, aim(targets), x, None, sacrifice))

    def passes(self, *seats: Seat) -> "Duel":
        """Make seats pass, one after another."""
        told = []
        for seat in seats:
            told += self.play(seat, PassPriority()).events
        self.events = told
        return self

    def resolve(self) -> "Duel":
        """Make the seats pass until the top of the stack has resolved, or a player is asked."""
        told, depth = [], len(self.state.stack)
        while len(self.state.stack) >= depth and not self.state.asked and to_act(self.state) in [(0,), (1,)]:
            told += self.passes(*to_act(self.state)).events
        self.events = told
        return self

    def told(self, kind):
        """Return the events of a type from the last moves."""
        return [event for event in self.events if isinstance(event, kind)]

    def begun(self):
        """Return the steps begun by the last moves."""
        told = [event if isinstance(event, StepEntered) else getattr(event, "then", None) for event in self.events]
        return [one for one in told if one]

    def thing(self, name: str, nth: int = 0):
        """Return the current state of a permanent, or None if it is not on the battlefield."""
        return board(self.state).things.get(self.of(name, nth))

    def size(self, name: str) -> tuple[int, int]:
        thing = self.thing(name)
        return thing.power, thing.toughness

    def in_graveyard(self, seat: Seat):
        return [CARDS[self.state.cards[card]].name for card in self.state.graveyards[seat]]


def aim(targets) -> Targets | None:
    """Return targets by letter: one object, or several."""
    if not targets:
        return None
    return Targets(**{letter: one if isinstance(one, tuple) else (one,) for letter, one in targets.items()})


def refused(duel: Duel, seat: Seat, name: str, x=None, pay=None, **targets) -> str | None:
    """Return the refusal code for casting a card."""
    return duel.refusal(seat, CastSpell(duel.held(seat, name), aim(targets), x, pay))


@contextmanager
def with_abilities(name: str, *abilities, **fields) -> Iterator[None]:
    """Give a card other abilities, for rules that no printed card needs yet."""
    card = replace(CARDS[IDS[name]], abilities=abilities, **fields)
    program.cache_clear()
    with patch.dict(CARDS, {card.id: card}), patch.dict(PRINTED, {card.id: printed_on(card)}):
        yield
    program.cache_clear()
