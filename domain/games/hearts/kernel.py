"""Plays out hands of Hearts quickly: hands are masks of 52 bits, and the rules of the table are integers.

A law compares these rules with those of `play`: the same legal cards, and the same points.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from domain.core.cards import DIAMONDS, HEARTS, PACK, SPADES, Card, Cards, Seat
from domain.core.values import value
from domain.games.hearts.options import ALL_HEARTS, JD, QS, TRICKS, Rules
from domain.games.hearts.rules import State, taken_by


def mask(cards: Iterable[int]) -> int:
    """Return the cards as a mask."""
    made = 0
    for c in cards:
        made |= 1 << c
    return made


def cards_in(held: int) -> Cards:
    """Return the cards of a mask, in order."""
    return tuple(c for c in PACK if held >> c & 1)


SUITS: Final = tuple(0x1FFF << 13 * suit for suit in range(4))
SUIT_MASK: Final = tuple(SUITS[c // 13] for c in PACK)
HEART_CARDS: Final = SUITS[HEARTS]
QUEEN, JACK = 1 << QS, 1 << JD
COVERS: Final = 3 << QS + 1
"""The king and the ace of spades."""
NO_SHOOTER: Final = -1


@value
class Kernel:
    """The rules of a table as masks and small tables."""

    rules: Rules
    harmful: int
    moon: int
    """The cards that shoot the moon."""
    hearts: tuple[int, ...]
    """The points for each number of hearts."""
    court: int
    """The extra points for each heart from the jack up."""
    queen: int
    jack: int
    opening: int
    """The number of the rule for breaking hearts, from 0."""


OPENINGS: Final = ("hearts-after-1", "hearts-after-played", "hearts-after-3", "hearts-after-suits")
COURTS: Final = 0xF << JD - DIAMONDS * 13 + HEARTS * 13


@lru_cache(maxsize=64)
def compile_kernel(rules: Rules) -> Kernel:
    """Compile the rules of a table, with the costs of cards from the scoring function itself."""
    points = rules.scoring.points
    ranks = sorted(ALL_HEARTS)
    court = points((ranks[-1],)) - points((ranks[0],))
    hearts = [points(tuple(ranks[:n])) - court * max(0, n - 9) for n in range(14)]
    return Kernel(
        rules,
        mask(rules.scoring.harmful),
        mask(rules.moon.cards),
        tuple(hearts),
        court,
        points((QS,)),
        points((JD,)),
        OPENINGS.index(rules.opening.slug),
    )


def points_of(k: Kernel, taken: int) -> int:
    """Return the points of the cards, without a moon."""
    points = k.hearts[(taken & HEART_CARDS).bit_count()]
    if taken & COURTS:
        points += k.court * (taken & COURTS).bit_count()
    if taken & QUEEN:
        points += k.queen
    return points + k.jack if taken & JACK else points


def hand_points(k: Kernel, taken: list[int]) -> list[int]:
    """Return the points of all seats for a hand."""
    points = [points_of(k, t) for t in taken]
    for seat, t in enumerate(taken):
        if t & k.moon == k.moon:
            moon = k.rules.moon
            return [
                (moon.shooter if i == seat else moon.others) + (moon.jack if took & JACK else 0)
                for i, took in enumerate(taken)
            ]
    return points


@value
class Position:
    """A moment of play without the hands: the trick so far, and the cards that each seat has taken."""

    leader: Seat
    trick: Cards
    taken: list[int]
    tricks: int
    is_open: bool
    """Whether hearts may be led."""
    led: list[int]
    """How often each suit was led."""


def position(s: State) -> Position:
    """Return the position of a table."""
    led = [0] * 4
    for trick in s.tricks:
        led[trick.cards[0] // 13] += 1
    taken = [mask(taken_by(s.tricks, seat)) for seat in range(4)]
    return Position(s.leader, s.trick, taken, len(s.tricks), s.hearts_open, led)


def may_lead(k: Kernel, hand: int, tricks: int, *, is_open: bool) -> int:
    """Return the cards that may be led."""
    if not tricks:
        return mask(k.rules.leading.cards(cards_in(hand), k.rules.scoring))
    return hand if is_open else hand & ~HEART_CARDS or hand


def opens(k: Kernel, pile: int, tricks: int, led: list[int]) -> bool:
    """Return whether hearts may be led after this trick, which is number `tricks`."""
    match k.opening:
        case 0:
            return True
        case 1:
            return bool(pile & HEART_CARDS)
        case 2:
            return tricks >= 3
        case _:
            three = led[0] > 0 and led[1] > 0 and led[3] > 0
            return three or sum(n >= 2 for n in led) >= 2


def play_out(k: Kernel, at: Position, held: Sequence[int], first: Card | None, shooter: Seat, rng: Random) -> list[int]:
    """Play the hand on from a position and these hands, and return the cards that each seat has taken.

    `first` is the next card, if it is given. `shooter` tries to shoot the moon, the others stop it.
    """
    hands, taken, led = list(held), at.taken[:], at.led[:]
    leader, tricks, is_open = at.leader, at.tricks, at.is_open
    random, harmful = rng.random, k.harmful
    trick = at.trick
    unplayed = hands[0] | hands[1] | hands[2] | hands[3]
    if shooter != NO_SHOOTER and any(t & harmful for i, t in enumerate(taken) if i != shooter):
        shooter = NO_SHOOTER
    while tricks < TRICKS:
        pile = best = suit = played = 0
        winner = leader
        for c in trick:
            seat = (leader + played) % 4
            bit = 1 << c
            pile |= bit
            if not played:
                suit, best = SUIT_MASK[c], bit
            elif bit & suit and bit > best:
                best, winner = bit, seat
            played += 1
        trick = ()
        while played < 4:
            seat = (leader + played) % 4
            hand = hands[seat]
            if first is not None:
                bit, first = 1 << first, None
            elif not played:
                if not tricks:
                    cards = may_lead(k, hand, 0, is_open=is_open)
                else:
                    cards = hand if is_open else hand & ~HEART_CARDS or hand
                if not cards & (cards - 1):
                    bit = cards
                elif seat == shooter:
                    bit = shooting_lead(cards, unplayed & ~hand)
                else:
                    bit = lead(k, cards, hand, unplayed & ~hand, random)
            elif cards := hand & suit:
                if not tricks:
                    cards = cards & ~harmful or cards
                if not cards & (cards - 1):
                    bit = cards
                elif seat == shooter:
                    bit = 1 << cards.bit_length() - 1 if cards > best else cards & -cards
                else:
                    bit = follow(k, cards, best, pile, played, shooter >= 0 and winner == shooter)
            else:
                cards = hand if tricks else hand & ~harmful or hand
                if seat == shooter:
                    low = cards & ~harmful or cards
                    bit = low & -low
                else:
                    bit = discard(k, cards, unplayed, shooter >= 0)
            hands[seat] = hand & ~bit
            if not played:
                suit, best, winner = SUIT_MASK[bit.bit_length() - 1], bit, seat
            elif bit & suit and bit > best:
                best, winner = bit, seat
            pile |= bit
            played += 1
        led[(best.bit_length() - 1) // 13] += 1
        taken[winner] |= pile
        unplayed &= ~pile
        tricks += 1
        leader = winner
        if not is_open:
            is_open = opens(k, pile, tricks, led)
        if shooter >= 0 and winner != shooter and pile & harmful:
            shooter = NO_SHOOTER
    return taken


def top(cards: int) -> int:
    """Return the highest card of a mask."""
    return 1 << cards.bit_length() - 1


def lead(k: Kernel, cards: int, hand: int, others: int, random: Callable[[], float]) -> int:
    """Lead low, and flush the queen out while she is safe."""
    if others & QUEEN and k.queen:
        spades = cards & SUITS[SPADES]
        if spades and not hand & (COVERS | QUEEN) and random() < 0.6:
            return top(spades)
        cards = cards & ~(COVERS | QUEEN) or cards
    elif cards & QUEEN and k.queen:
        cards = cards & ~QUEEN or cards
    found, least = 0, 99.0
    for suit in SUITS:
        mine = cards & suit
        if mine:
            low = mine & -mine
            theirs = others & suit
            # The share of unseen cards that are lower than this one, so that it keeps the trick.
            lower = (theirs & (low - 1)).bit_count()
            risk = (lower + 0.5) / (theirs.bit_count() + 0.5) + 0.35 * random()
            if risk < least:
                found, least = low, risk
    return found


def follow(k: Kernel, cards: int, best: int, pile: int, played: int, is_shot: bool) -> int:  # noqa: FBT001
    """Follow suit: duck with the highest possible card, win free tricks last, drop the queen under a higher one."""
    if k.jack and cards & SUITS[DIAMONDS]:
        if played == 3 and (pile & JACK or (cards & JACK and best < JACK)) and not pile & k.harmful:
            over = cards & ~(best - 1)
            if over & JACK:
                return JACK
            if over:
                return over & -over if pile & JACK else top(cards)
        cards = cards & ~JACK or cards
    below = cards & (best - 1)
    if below & QUEEN and k.queen:
        return QUEEN
    if is_shot and pile & k.harmful and cards > best:
        over = cards & ~(best - 1)
        return over & -over
    if played == 3 and not pile & k.harmful:
        safe = cards & ~QUEEN or cards
        return top(safe)
    if below:
        return top(below)
    if played == 3:
        return top(cards & ~QUEEN or cards)
    safe = cards & ~(QUEEN | COVERS) or cards & ~QUEEN or cards
    return safe & -safe


def discard(k: Kernel, cards: int, unplayed: int, is_shot: bool) -> int:  # noqa: FBT001
    """Discard the most costly card: the queen, cards that catch her, high hearts, then the highest."""
    if is_shot:
        plain = cards & ~k.harmful & ~JACK
        if plain:
            return highest(plain)
        return cards & -cards
    if cards & QUEEN and k.queen:
        return QUEEN
    if cards & COVERS and unplayed & QUEEN and k.queen:
        return top(cards & COVERS)
    hearts = cards & HEART_CARDS
    if hearts:
        return top(hearts)
    return highest(cards & ~JACK or cards) if k.jack else highest(cards)


def highest(cards: int) -> int:
    """Return the card of the highest rank."""
    found = rank = -1
    for suit in SUITS:
        mine = cards & suit
        if mine:
            c = mine.bit_length() - 1
            if c % 13 > rank:
                found, rank = c, c % 13
    return 1 << found


def shooting_lead(cards: int, others: int) -> int:
    """Lead a card that no other seat can beat, else the highest."""
    for suit in SUITS:
        mine = cards & suit
        if mine and mine > others & suit:
            return top(mine)
    return highest(cards)
