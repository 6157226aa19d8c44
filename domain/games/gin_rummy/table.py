"""Defines the state of a game of Gin Rummy, and the effects of each event."""

from collections.abc import Iterable
from typing import Any, Final, assert_never

from domain.core.cards import BACK, NOBODY, Card, Cards, Seat, add_cards, backs, next_seat, remove_cards
from domain.core.values import Compiled, Copied, mutable, or_back, put_at, value, with_fields
from domain.games.gin_rummy import events
from domain.games.gin_rummy.melds import Meld
from domain.games.gin_rummy.options import Options, Pair, Points, Rules, compile_rules

STOCK: Final = 31

OFFERS: Final = ("offer_nondealer", "offer_dealer", "must_draw_stock")
"""The phases after a card was turned up, by the number of seats that have passed it."""


@value
class Table:
    """A hand of two seats. `taken` is the card that this turn began with, if it came from the pile."""

    pair: Pair
    stage: str = "hand_setup"
    """The last thing that happened: a phase, or `upcard` or `knocked`."""
    turn: Seat = NOBODY
    stock: Cards = ()
    pile: Cards = ()
    """The discard pile; its top card is the last."""
    taken: Card | None = None
    pile_takes: int = 0
    """The number of turns in a row that began with a card of the pile."""
    knock: events.Knocked | None = None
    answer: events.LaidOff | events.HandShown | None = None
    result: events.HandScored | None = None
    passes: int = 0
    """The number of seats that have passed the card turned up."""

    def other(self, seat: Seat) -> Seat:
        """Return the opponent."""
        return self.pair[next_seat(self.pair.index(seat), 2)]

    @property
    def phase(self) -> str:
        """Name the phase that follows from the last thing that happened."""
        if self.stage == "upcard":
            return OFFERS[self.passes]
        if self.stage == "knocked":
            return "gin" if self.knock and self.knock.gin else "lay_off"
        return self.stage


@mutable
class State(Copied):
    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    hands: tuple[Cards, ...]
    scores: Points
    boxes: Points
    """The number of hands won."""
    places: tuple[int, ...]
    """The number of each seat's table; a seat that sits out looks on at the first."""
    dealer: Seat = NOBODY
    loser: Seat = NOBODY
    """The loser of the previous game, who deals first in this one."""
    deal_no: int = 0
    tables: tuple[Table, ...] = ()
    closed: bool = False
    """Whether the hand is over at every table."""
    netted: events.PointsNetted | None = None
    """The netted points, once both tables of a partnership are over."""
    ended: events.GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; the numbers of games and hands continue from the previous game."""
    rules, nothing = compile_rules(options, seats), (0,) * seats
    if last is None:
        return State(rules, 0, 0, ((),) * seats, nothing, nothing, nothing)
    counted, hands = (last.game_no, last.hand_no), ((),) * seats
    return State(rules, *counted, hands, nothing, nothing, nothing, loser=loser_of(last))


def loser_of(s: State) -> Seat:
    """Return the seat that came last in a game that is over; `NOBODY` if the game was drawn."""
    if s.ended is None or not s.ended.winners:
        return NOBODY
    return s.ended.ranking.index(max(s.ended.ranking))


def table_number(s: State, seat: Seat) -> int:
    """Return the number of a seat's table."""
    return s.places[seat]


def evolve(s: State, event: events.Event) -> None:
    """Apply an event to the state. Cards hidden from a seat are backs."""
    match event:
        case events.StockDrawn():
            i, table = table_of(s, event.seat)
            gain(s, event.seat, or_back(event.card, BACK))
            change_table(s, i, stage="discard", stock=table.stock[1:], taken=None, pile_takes=0)
        case events.DiscardTaken():
            i, table = table_of(s, event.seat)
            gain(s, event.seat, event.card)
            takes = table.pile_takes + 1
            change_table(s, i, stage="discard", pile=table.pile[:-1], taken=event.card, pile_takes=takes)
        case events.CardDiscarded():
            i, table = table_of(s, event.seat)
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], event.card))
            pile = (*table.pile, event.card)
            change_table(s, i, stage="draw", pile=pile, taken=None, turn=table.other(event.seat))
        case events.UpcardPassed():
            i, table = table_of(s, event.seat)
            change_table(s, i, passes=table.passes + 1, turn=table.other(event.seat))
        case events.Knocked():
            i, table = table_of(s, event.seat)
            turn_face_up(s, event.seat, event.melds, event.deadwood)
            pile = table.pile + knock_discard(event)
            change_table(s, i, stage="knocked", pile=pile, knock=event, turn=table.other(event.seat))
        case events.LaidOff():
            i, _ = table_of(s, event.seat)
            laid = tuple(x.card for x in event.layoffs)
            turn_face_up(s, event.seat, (*event.melds, laid), event.deadwood)
            change_table(s, i, stage="shown", answer=event)
        case events.HandShown():
            i, _ = table_of(s, event.seat)
            turn_face_up(s, event.seat, event.melds, event.deadwood)
            change_table(s, i, stage="shown", answer=event)
        case events.HandScored():
            change_table(s, event.table, stage="scored", turn=NOBODY, result=event)
            s.scores, s.boxes = event.totals, event.boxes
        case events.HandVoided():
            change_table(s, event.table, stage="void", turn=NOBODY)
        case events.HandClosed():
            s.closed = True
        case events.PointsNetted():
            s.netted, s.scores, s.boxes = event, event.totals, event.boxes
        case events.HandStarted():
            s.hand_no, s.deal_no, s.dealer = event.hand_no, event.deal_no, event.dealer
            s.tables = tuple(Table(pair) for pair in event.pairs)
            s.hands, s.netted, s.closed = ((),) * len(s.hands), None, False
            for i, pair in enumerate(event.pairs):
                s.places = put_at(put_at(s.places, pair[0], i), pair[1], i)
        case events.HandDealt():
            for seat in s.tables[event.table].pair:
                s.hands = put_at(s.hands, seat, or_back(event.cards[seat], backs(event.counts[seat])))
            change_table(s, event.table, stock=or_back(event.stock, backs(STOCK)))
        case events.UpcardTurned():
            turn = s.tables[event.table].pair[0]
            change_table(s, event.table, stage="upcard", pile=(event.card,), turn=turn)
        case events.GameStarted():
            s.game_no = event.game_no
        case events.FirstDealerChosen():
            s.dealer = event.seat
        case events.GameEnded():
            s.ended = event
        case _:
            assert_never(event)


def table_of(s: State, seat: Seat) -> tuple[int, Table]:
    """Return the number and the state of a seat's table."""
    i = table_number(s, seat)
    return i, s.tables[i]


def change_table(s: State, i: int, **fields: Any) -> None:
    """Change a table in these fields."""
    s.tables = put_at(s.tables, i, with_fields(s.tables[i], **fields))


def knock_discard(knock: events.Knocked) -> Cards:
    """Return the card that a knocker discarded; none with big gin."""
    match knock:
        case events.Knocked(discard=int() as card):
            return (card,)
        case _:
            return ()


def gain(s: State, seat: Seat, card: Card) -> None:
    """Put a card into the seat's hand."""
    s.hands = put_at(s.hands, seat, add_cards(s.hands[seat], (card,)))


def turn_face_up(s: State, seat: Seat, melds: Iterable[Meld], deadwood: Cards) -> None:
    """Turn the seat's hand face up."""
    s.hands = put_at(s.hands, seat, add_cards(deadwood, (c for meld in melds for c in meld)))
