"""Shows a poker game to its readers: the table, its scene, prompts, and facts for standing orders."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, TypedDict

from domain.core import text as words
from domain.core.cards import BACK, Card, CardName, Cards, Seat, card_names, fewest, seat_or_none
from domain.core.game import FactKind
from domain.core.prompts import some_cards
from domain.core.scene import (
    BET,
    FOLDED,
    POT,
    SET_ASIDE,
    STACK,
    Scene,
    SeatShown,
    Spot,
    Zone,
    badges,
    by_rank,
    face_down_heap,
    face_up,
    numbers,
    zone,
)
from domain.core.scene_pointers import Where, zone_pointer
from domain.core.shown import CardTableShown
from domain.poker.betting import amount_owed, seats_in_hand
from domain.poker.betting_events import GameEnded, PotAwarded
from domain.poker.betting_moves import ShowCards, SwapCards
from domain.poker.betting_play import drawers, to_act
from domain.poker.betting_table import State, alive, middle, nets, playing, seats_out
from domain.poker.pots import Pots, form_pots


class StakesShown(TypedDict):
    """The stakes of a hand."""

    small: int
    """The small blind."""
    big: int
    """The big blind."""
    ante: int
    """The ante; 0 if there is none."""


class PotShown(TypedDict):
    """A pot from earlier betting rounds."""

    amount: int
    """The chips in it."""
    eligible: list[Seat]
    """The seats that may win it."""


class PokerShown(CardTableShown):
    """The table of a game of poker."""

    button: Seat | None
    """The seat with the button."""
    small_blind: Seat | None
    """The seat that posts the small blind."""
    big_blind: Seat | None
    """The seat that posts the big blind."""
    stakes: StakesShown
    """The stakes of the hand."""
    hands: list[list[CardName] | None]
    """The hand of each seat; null if the reader may not see it."""
    shown: list[list[CardName]]
    """The face-up cards of each seat."""
    board: list[CardName]
    """The cards that all share."""
    stock_count: int
    """The number of cards in the deck."""
    stacks: list[int]
    """The chips of each seat."""
    committed: list[int]
    """The chips that each seat has put in during this betting round."""
    current: int
    """The bet to match in this betting round."""
    pot: int
    """All chips in the middle."""
    pots: list[PotShown]
    """The main pot and the side pots, without the bets of this round."""
    folded: list[Seat]
    """The seats that have folded."""
    all_in: list[Seat]
    """The seats that are all-in."""
    swapped: Mapping[str, int]
    """The number of cards that each seat has drawn, by the number of the seat."""
    buy_ins: list[int]
    """The number of times that each seat has bought chips."""
    level: int | None
    """The level of a tournament, from 1; null in a game for chips."""
    places: list[int | None]
    """The place of each seat that is out of a tournament."""
    out: list[Seat]
    """The seats that no longer take part."""
    to_deal: int
    """The number of seats that the next hand is dealt to."""


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


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None, board: tuple[Zone, ...] = ()) -> Scene:
    """Return the table as this seat knows it, as data; `board` are the zones in the middle next to the stock."""
    stakes = s.stakes
    return Scene(
        s.phase,
        seat,
        tuple(describe_seat(s, i) for i in range(s.rules.seats)),
        (*chips(s), *hand_zones(s), *board, *piles(s), *pot_zones(s)),
        numbers(
            hand=s.hand_no,
            level=s.level if s.rules.tournament else None,
            small_blind=stakes.small or None,
            big_blind=stakes.big or None,
            ante=stakes.ante or None,
            pot=chips_in_middle(s),
        ),
        tuple(table_notes(s)),
    )


def table_notes(s: State) -> Iterator[str]:
    """Return the note on how a finished game was decided: the winner's gain, and the last pot."""
    if s.ended is None or words.ending_reason(s.ended.reason):
        return
    gain = winnings(s, s.ended)
    winners = tuple(share.seat for share in s.last_won.winners) if s.last_won else ()
    pot = last_pot(s.last_won) if s.last_won else ""
    if gain and winners == s.ended.winners:
        yield f"{words.capitalise(words.seats(winners))} {pot}, and {gain}."
        return
    if gain:
        yield f"{words.capitalise(words.seats(s.ended.winners))} {gain}."
    if pot:
        yield f"{words.capitalise(words.seats(winners))} {pot}."


def winnings(s: State, ended: GameEnded) -> str:
    """Return the gain of the only winner, as the rest of a sentence; empty without a sole winner or a gain."""
    if len(ended.winners) != 1:
        return ""
    if s.rules.tournament:
        return f"had all the chips in hand {s.hand_no}" if len(alive(s)) == 1 else ""
    net = ended.totals[ended.winners[0]]
    return f"ended {net} ahead" if net > 0 else ""


def last_pot(pot: PotAwarded) -> str:
    """Return the winner and the hand of the last pot, as the rest of a sentence."""
    category = f" ({pot.category.replace('_', ' ')})" if pot.category else ""
    return f"{'won' if len(pot.winners) == 1 else 'split'} the last pot of {pot.amount}{category}"


def chips_in_middle(s: State) -> int | None:
    """Return all chips in the middle: bets of this round next to the pots formed before."""
    everything = middle(s)
    return None if everything == sum(pot.amount for pot in collected_pots(s)) else everything


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    live = playing(s) and s.round.live[seat]
    held = badges(
        turn=seat in to_act(s),
        dealer=seat == s.at.button,
        small_blind=seat == s.at.small,
        big_blind=seat == s.at.big,
        folded=playing(s) and seat in s.folded,
        all_in=live and not s.stacks[seat],
        out=seat in seats_out(s),
    )
    drew = dict(zip(s.swapped, s.swaps, strict=True)).get(seat)
    won = None if s.rules.tournament else nets(s)[seat]
    return SeatShown(seat, held, numbers(net=won, drew=drew, place=s.places[seat] or None))


def chips(s: State) -> Iterator[Zone]:
    """Return each seat's remaining chips, and its bet in this round."""
    for i, stack in enumerate(s.stacks):
        yield Zone(f"chips-{i}", STACK, "pile", i, numbers=numbers(chips=stack))
        if bet := s.round.committed[i]:
            yield Zone(f"bet-{i}", BET, "pile", i, numbers=numbers(bet=bet))


def hand_zones(s: State) -> Iterator[Zone]:
    """Return the hands, folded ones separately, and the discards."""
    for i, hand in enumerate(s.hands):
        face = partial(face_shown, s.shown[i])
        if s.round.live[i]:
            yield zone("hand", "fan", by_rank(hand), i, face=face)
        elif hand:
            yield zone(FOLDED, "pile" if BACK in hand else "row", by_rank(hand), i, face=face)
        if s.discards[i]:
            yield zone(SET_ASIDE, "pile", by_rank(s.discards[i]), i)


def face_shown(shown: Cards, card: Card) -> Spot:
    """Describe a card of a hand, marked if its seat has shown it."""
    return face_up(card, ("shown",) if card in shown else ())


def piles(s: State) -> Iterator[Zone]:
    """Return the stock, and the cards that are out of the hand unseen."""
    yield face_down_heap("stock", len(s.deck))
    if s.burnt:
        yield face_down_heap("burnt", len(s.burnt))


def pot_zones(s: State) -> Iterator[Zone]:
    """Return the pots that were formed in earlier rounds."""
    there = collected_pots(s)
    for i, pot in enumerate(there):
        label = f"side pot {i}" if i else "main pot" if len(there) > 1 else "pot"
        note = words.seats(pot.eligible) if len(there) > 1 else ""
        yield Zone(f"pot-{i}", POT, "pile", numbers=((label, pot.amount),), note=note)


def argument_places(s: State, seat: Seat) -> Where:
    """Return the places of cards to exchange or to show: in the hand, folded or not."""
    hand = zone_pointer("hand" if s.round.live[seat] else FOLDED, seat)
    return {SwapCards: {"cards": hand}, ShowCards: {"cards": hand}}


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return the facts that the seat knows; folded hands count as empty."""
    in_hand = seats_in_hand(s.round) if playing(s) else []
    return {
        "score": (s.stacks if s.rules.tournament else nets(s))[seat],
        "fewest_cards": fewest([hand if i in in_hand else () for i, hand in enumerate(s.hands)], seat),
    }


# --- The prompt -----------------------------------------------------------------------------------


def prompt(s: State, seat: Seat) -> str:
    """Return the seat's prompt."""
    if not s.open:
        most = min(s.rules.max_swap, len(s.hands[seat]))
        return f"Exchange up to {some_cards(most)}, or keep all" if most else "Keep your cards"
    owed, stack = amount_owed(s.round, seat), s.round.stacks[seat]
    if not owed:
        return "Check or raise" if s.round.current else "Check or bet"
    return f"{owed} to call" if owed < stack else f"{stack} to call, all-in"
