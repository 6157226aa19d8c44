"""Shows a seat its view of a game of poker."""

from domain.core.cards import BACK, Seat, card_names
from domain.poker.betting import seats_in_hand
from domain.poker.betting_play import drawers, seat_or_none
from domain.poker.betting_shown import PokerShown, PotShown
from domain.poker.betting_table import State, alive, middle, nets, playing, seats_out
from domain.poker.pots import Pots, form_pots


def view(s: State, seat: Seat | None) -> PokerShown:
    """Return the table as this seat knows it; the state has no cards that the seat was not shown."""
    in_hand = seats_in_hand(s.round) if playing(s) else []
    seats = range(s.rules.seats)
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": seat_or_none(s.at.button),
        "button": seat_or_none(s.at.button),
        "small_blind": s.at.small,
        "big_blind": s.at.big,
        "stakes": {"small": s.stakes.small, "big": s.stakes.big, "ante": s.stakes.ante},
        "turn": turn(s),
        "hand": [] if seat is None else card_names(s.hands[seat]),
        "hands": [None if BACK in hand else card_names(hand) for hand in s.hands],
        "shown": [card_names(cards) for cards in s.shown],
        "hand_counts": [len(s.hands[i]) if i in in_hand else 0 for i in seats],
        "board": card_names(s.board),
        "stock_count": len(s.deck),
        "stacks": list(s.stacks),
        "committed": list(s.round.committed),
        "current": s.round.current,
        "pot": middle(s),
        "pots": pots(s),
        "folded": sorted(s.folded) if playing(s) else [],
        "all_in": [i for i in in_hand if not s.stacks[i]],
        "swapped": {str(i): n for i, n in zip(s.swapped, s.swaps, strict=True)},
        "scores": list(s.stacks if s.rules.tournament else nets(s)),
        "buy_ins": list(s.buy_ins),
        "level": s.level if s.rules.tournament else None,
        "places": [place or None for place in s.places],
        "out": list(seats_out(s)),
        "to_deal": len(alive(s)),
    }


def turn(s: State) -> Seat | None:
    """Return the seat to act."""
    if s.open:
        return seat_or_none(s.round.turn)
    waiting = drawers(s) if s.phase == "draw" else []
    return waiting[0] if waiting else None


def pots(s: State) -> list[PotShown]:
    """List the pots of earlier rounds, with the seats that may win each."""
    return [{"amount": pot.amount, "eligible": list(pot.eligible)} for pot in collected_pots(s)]


def collected_pots(s: State) -> Pots:
    """Return the pots from earlier betting rounds."""
    if not playing(s) or not any(s.round.live):
        return ()
    before = tuple(paid - bet for paid, bet in zip(s.paid, s.round.committed, strict=True))
    return form_pots(before, s.round.live, s.dead)
