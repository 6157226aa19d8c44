"""Describes the parts of a poker table that the games have in common, as data."""

from collections.abc import Iterator
from functools import partial

from domain.core import text as words
from domain.core.cards import BACK, Card, Cards, Seat
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, by_rank, face_down_heap, face_up, numbers, zone
from domain.core.scene_pointers import Where, zone_pointer
from domain.poker.betting_moves import ShowCards, SwapCards
from domain.poker.betting_play import to_act
from domain.poker.betting_table import State, middle, nets, playing, seats_out
from domain.poker.betting_view import collected_pots


def scene(s: State, seat: Seat | None, board: tuple[Zone, ...] = ()) -> Scene:
    """Return the table as this seat knows it, as data; `board` are the zones in the middle next to the stock."""
    stakes = s.stakes
    return Scene(
        s.phase,
        seat,
        tuple(describe_seat(s, i) for i in range(s.rules.seats)),
        (*chips(s), *hand_zones(s), *board, *piles(s), *pots(s)),
        numbers(
            hand=s.hand_no,
            level=s.level if s.rules.tournament else None,
            small_blind=stakes.small or None,
            big_blind=stakes.big or None,
            ante=stakes.ante or None,
            pot=chips_in_middle(s),
        ),
    )


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
        yield Zone(f"chips-{i}", "chips", "pile", i, numbers=numbers(chips=stack))
        if bet := s.round.committed[i]:
            yield Zone(f"bet-{i}", "bet", "pile", i, numbers=numbers(bet=bet))


def hand_zones(s: State) -> Iterator[Zone]:
    """Return the hands, folded ones separately, and the discards."""
    for i, hand in enumerate(s.hands):
        face = partial(face_shown, s.shown[i])
        if s.round.live[i]:
            yield zone("hand", "fan", by_rank(hand), i, face=face)
        elif hand:
            yield zone("folded", "pile" if BACK in hand else "row", by_rank(hand), i, face=face)
        if s.discards[i]:
            yield zone("set_aside", "pile", by_rank(s.discards[i]), i)


def face_shown(shown: Cards, card: Card) -> Spot:
    """Describe a card of a hand, marked if its seat has shown it."""
    return face_up(card, ("shown",) if card in shown else ())


def piles(s: State) -> Iterator[Zone]:
    """Return the stock, and the cards that are out of the hand unseen."""
    yield face_down_heap("stock", len(s.deck))
    if s.burnt:
        yield face_down_heap("burnt", len(s.burnt))


def pots(s: State) -> Iterator[Zone]:
    """Return the pots that were formed in earlier rounds."""
    there = collected_pots(s)
    for i, pot in enumerate(there):
        label = f"side pot {i}" if i else "main pot" if len(there) > 1 else "pot"
        note = words.seats(pot.eligible) if len(there) > 1 else ""
        yield Zone(f"pot-{i}", "pot", "pile", numbers=((label, pot.amount),), note=note)


def argument_places(s: State, seat: Seat) -> Where:
    """Return the places of cards to exchange or to show: in the hand, folded or not."""
    hand = zone_pointer("hand" if s.round.live[seat] else "folded", seat)
    return {SwapCards: {"cards": hand}, ShowCards: {"cards": hand}}
