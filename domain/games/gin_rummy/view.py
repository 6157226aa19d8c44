"""Shows a seat its view of a game of Gin Rummy."""

from domain.core.cards import BACK, NAMES, Cards, Seat, names
from domain.games.gin_rummy.events import HandScored, HandShown, Knocked, LaidOff
from domain.games.gin_rummy.melds import Melds, arrange
from domain.games.gin_rummy.shown import (
    AnswerShown,
    ArrangedShown,
    GinRummyShown,
    HandOfTwoShown,
    HandResultShown,
    KnockShown,
    LaidDownShown,
)
from domain.games.gin_rummy.table import NOBODY, State, Table, at


def phase(s: State) -> str:
    """Name the phase: of the hand, or of both if they are in the same, else `playing`."""
    if s.ended is not None:
        return "game_over"
    phases = {table.phase for table in s.tables if table.turn != NOBODY} or {t.phase for t in s.tables}
    if not phases:
        return "hand_setup"
    return phases.pop() if len(phases) == 1 else "playing"


def view(s: State, seat: Seat | None) -> GinRummyShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    own = s.tables[at(s, NOBODY if seat is None else seat)] if s.tables else None
    single = own is not None and (seat is not None or len(s.tables) == 1)
    return {
        "phase": phase(s) if own is None or not single or s.ended else own.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": someone(s.dealer),
        "form": s.rules.form.name,
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [names(c for c in hand if c != BACK) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": list(s.scores),
        "boxes": list(s.boxes),
        "target_score": s.rules.target,
        "knock_limit": s.rules.options.knock_limit,
        "sits_out": [i for i in range(s.rules.seats) if not any(i in t.pair for t in s.tables)],
        "turn": someone(own.turn) if own and single else None,
        "opponent": own.other(seat) if own and seat in own.pair else None,
        "stock_count": len(own.stock) if own and single else None,
        "discard_top": top(own.pile) if own and single else None,
        "tables": [listed(table) for table in s.tables],
        **arranged(() if seat is None else s.hands[seat]),
    }


def someone(seat: Seat) -> Seat | None:
    """Give the seat, if it is one."""
    return None if seat == NOBODY else seat


def top(pile: Cards) -> str | None:
    """Name the top of a pile."""
    return NAMES[pile[-1]] if pile else None


def listed(table: Table) -> HandOfTwoShown:
    """List what everybody knows of a table."""
    return {
        "non_dealer": table.pair[0],
        "dealer": table.pair[1],
        "phase": table.phase,
        "turn": someone(table.turn),
        "stock_count": len(table.stock),
        "discard_top": top(table.pile),
        "discards": names(table.pile),
        "taken": None if table.taken is None else NAMES[table.taken],
        "pile_takes": table.pile_takes,
        "knock": None if table.knock is None else knocked(table.knock),
        "answer": None if table.answer is None else answered(table.answer),
        "result": None if table.result is None else scored(table.result),
    }


def knocked(event: Knocked) -> KnockShown:
    """List what a knocker has laid down."""
    discard = None if event.discard is None else NAMES[event.discard]
    return {
        "discard": discard,
        "gin": event.gin,
        **laid_down(event.seat, event.melds, event.deadwood, event.value),
    }


def answered(event: LaidOff | HandShown) -> AnswerShown:
    """List what the defender has shown, and laid off."""
    layoffs = event.layoffs if isinstance(event, LaidOff) else ()
    return {
        "layoffs": [{"card": NAMES[laid.card], "meld": laid.meld} for laid in layoffs],
        **laid_down(event.seat, event.melds, event.deadwood, event.value),
    }


def laid_down(seat: Seat, melds: Melds, deadwood: Cards, value: int) -> LaidDownShown:
    """List a hand that lies face up."""
    return {
        "seat": seat,
        "melds": [names(meld) for meld in melds],
        "deadwood": names(deadwood),
        "value": value,
    }


def scored(event: HandScored) -> HandResultShown:
    """List what a hand has brought."""
    return {"kind": event.kind, "knocker": event.knocker, "points": list(event.points)}


def arranged(hand: Cards) -> ArrangedShown:
    """Arrange the reader's own cards, so that a client need not know how."""
    if not hand or BACK in hand:
        return {"melds": [], "deadwood": [], "deadwood_value": None}
    best = arrange(hand)
    return {
        "melds": [names(meld) for meld in best.melds],
        "deadwood": names(best.deadwood),
        "deadwood_value": best.value,
    }
