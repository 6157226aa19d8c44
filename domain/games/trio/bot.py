"""Plays Trio: a bot gets what its seat knows and was shown before, and gives a move.

A player remembers the numbers that its seat was shown in this game, and adds them to its face-down cards. Then it
estimates how likely each place has each number. Hands are sorted, so the neighbours of a card limit its number.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import comb
from random import Random
from typing import Any, Final, get_args

from domain.core.cards import BACK, Seat
from domain.games.trio import table
from domain.games.trio.options import Number, Numbers
from domain.games.trio.play import legal, trios_of

FEW: Final = 3
"""The number of latest cards that an easy player always remembers; it remembers older ones now and then."""

EVENTS: Final = frozenset(get_args(table.Event))

Spot = tuple[float, table.Reveal]
"""A possible position of a card, with the probability that it has a number."""


def choose(level: str, state: table.State, seat: Seat, shown: Sequence[Any], rng: Random) -> table.Move:
    """Choose a move for a seat from its own table, and from all events that it was shown, including their numbers."""
    return LEVELS[level](state, seat, shown, rng)


def at_random(s: table.State, seat: Seat, shown: Sequence[Any], rng: Random) -> table.Move:
    """Make any legal move."""
    move: table.Move = rng.choice(legal(s, seat)).sample(rng)
    return move


def easy(s: table.State, seat: Seat, shown: Sequence[Any], rng: Random) -> table.Move:
    """Play soundly, but remember only some of the cards before the last few."""
    return considered_move(recall_numbers(s, shown, lambda ago: ago < FEW or rng.random() < 0.2), seat, rng)


def steady(s: table.State, seat: Seat, shown: Sequence[Any], rng: Random) -> table.Move:
    """Play soundly, and forget nothing."""
    return considered_move(recall_numbers(s, shown, lambda ago: True), seat, rng)


LEVELS: Mapping[str, Callable[[table.State, Seat, Sequence[Any], Random], table.Move]] = {
    "random": at_random,
    "easy": easy,
    "steady": steady,
    "strong": steady,
}


# --- Memory -----------------------------------------------------------------------------------------


def recall_numbers(state: table.State, shown: Sequence[Any], kept: Callable[[int], bool]) -> table.State:
    """Return the table with the numbers seen in this game; `kept` selects the readable ones by age."""
    game = this_game(shown)
    if not game:
        return state
    nobody = ((),) * state.rules.seats
    s = replace(state, hands=nobody, middle=(), face_up=(), trios=(), window=None, ended=None, phase="setup")
    left = sum(type(event) is table.CardRevealed for event in game)
    for event in game:
        table.evolve(s, event)
        if type(event) is table.CardRevealed:
            left -= 1
            if kept(left):
                note_revealed_card(s)
        elif type(event) is table.SwapMade:
            forget(s, event)
    return s


def this_game(shown: Sequence[Any]) -> list[table.Event]:
    """Return the events of Trio since the last game began."""
    begins = [i for i, event in enumerate(shown) if type(event) is table.GameStarted]
    return [event for event in shown[begins[-1] :] if type(event) in EVENTS] if begins else []


def note_revealed_card(s: table.State) -> None:
    """Remember the number of the card that was turned up last."""
    *others, last = s.face_up
    if last.number is not None:
        s.face_up = (*others, replace(last, card=last.number))


def forget(s: table.State, event: table.SwapMade) -> None:
    """Forget two hands between which a card changed unseen."""
    for seat in s.rules.teams[event.team]:
        if event.gave[seat] is None:
            s.hands = tuple((BACK,) * len(h) if i == seat else h for i, h in enumerate(s.hands))


# --- Judgement --------------------------------------------------------------------------------------


def considered_move(s: table.State, seat: Seat, rng: Random) -> table.Move:
    """Choose the most promising move by the known numbers."""
    if s.phase == "swap_window":
        return swap(s, seat)
    outlook = Outlook(s)
    if s.face_up and s.face_up[0].number is not None:
        return best(outlook.spots(s.face_up[0].number)) or at_random(s, seat, (), rng)
    return outlook.first(seat, rng) or at_random(s, seat, (), rng)


def swap(s: table.State, seat: Seat) -> table.Move:
    """Offer a single card other than a seven, the one deepest in the hand; decline without such a card."""
    hand = s.hands[seat]
    single = [i for i, n in enumerate(hand) if hand.count(n) == 1 and n != 7]
    if not single:
        return table.DeclineSwap()
    return table.OfferSwap(hand[max(single, key=lambda i: min(i, len(hand) - 1 - i))])


def best(spots: Sequence[Spot]) -> table.Reveal | None:
    """Return the likeliest of the reveals."""
    return max(spots, key=lambda spot: spot[0])[1] if spots else None


class Outlook:
    """Estimates the face-down cards."""

    def __init__(self, s: table.State) -> None:
        self.s = s
        known = [c for hand in s.hands for c in hand] + [c for c in s.middle if c is not None]
        known += [c.number for c in s.face_up if c.number is not None]
        gone = Counter(known) + Counter({t.number: 3 for t in s.trios})
        self.unseen = {n: max(0, 3 - gone[n]) for n in range(1, 13)}

    def first(self, seat: Seat, rng: Random) -> table.Reveal | None:
        """Return the reveal to begin a turn with: the one that most likely leads to a trio worth having."""
        hopes: dict[table.Reveal, float] = {}
        for number in range(1, 13):
            spots = sorted(self.spots(number), key=lambda spot: -spot[0])
            worth = self.worth(seat, number)
            for i, (chance, move) in enumerate(spots):
                if move in (m for _, m in spots[:i]):
                    continue
                others = [p for j, (p, _) in enumerate(spots[:3]) if j != i][:2]
                trio = chance * others[0] * others[1] if len(others) == 2 else 0.0
                hopes[move] = hopes.get(move, 0.0) + worth * trio
        return max(hopes, key=lambda move: (hopes[move], rng.random())) if hopes else None

    def worth(self, seat: Seat, number: Number) -> float:
        """Rate a trio: a winning one is best, in a spicy game a connectable one is good."""
        rules, mine = self.s.rules, trios_of(self.s, seat)
        if rules.won((*mine, number)):
            return 4.0
        free = set(range(1, 13)) - {t.number for t in self.s.trios}
        return 1.0 if any(rules.won((*mine, number, n)) for n in free - {7, number}) else 0.8

    def spots(self, number: Number) -> list[Spot]:
        """Return where the number may be, one entry for each card; a hand shows its deeper cards only in order."""
        return [*self.in_hands(number), *self.in_middle(number)]

    def in_middle(self, number: Number) -> list[Spot]:
        chance = self.unseen[number] / max(1, sum(self.unseen.values()))
        likely = {BACK: chance, number: 1.0}
        places = ((table.RevealMiddle(i), likely.get(c, 0.0)) for i, c in enumerate(self.s.middle) if c is not None)
        return [(p, move) for move, p in places if p]

    def in_hands(self, number: Number) -> list[Spot]:
        spots: list[Spot] = []
        for seat, hand in enumerate(self.s.hands):
            low = self.at_low_end(hand, number, self.bound(seat, "lowest", 1))
            spots += [(p, table.RevealLowest(seat)) for p in low]
            if low.count(1.0) < len(hand):
                high = self.at_high_end(hand, number, self.bound(seat, "highest", 12))
                spots += [(p, table.RevealHighest(seat)) for p in high]
        return spots

    def bound(self, seat: Seat, end: str, otherwise: Number) -> Number:
        """Return the last number that this end of the hand has shown in this turn."""
        shown = [c.number for c in self.s.face_up if (c.source.seat, c.source.end) == (seat, end)]
        return shown[-1] if shown and shown[-1] is not None else otherwise

    def at_low_end(self, hand: Numbers, number: Number, least: Number) -> list[float]:
        """Estimate how likely the lowest card is the number, then the next as well, as far as possible."""
        return likely_first(hand, number, least, self.unseen)

    def at_high_end(self, hand: Numbers, number: Number, most: Number) -> list[float]:
        """Estimate how likely the highest cards are the number, from the mirrored hand."""
        mirrored = tuple(c if c == BACK else 13 - c for c in reversed(hand))
        unseen = {13 - n: count for n, count in self.unseen.items()}
        return likely_first(mirrored, 13 - number, 13 - most, unseen)


def likely_first(hand: Numbers, number: Number, least: Number, unseen: Mapping[Number, int]) -> list[float]:
    """Estimate how likely the first cards of a hand are all the number: known ones surely, then perhaps the next."""
    sure = 0
    while sure < len(hand) and hand[sure] == number:
        sure += 1
    backs = 0
    while sure + backs < len(hand) and hand[sure + backs] == BACK:
        backs += 1
    if not backs:
        return [1.0] * sure
    rest = hand[sure + backs :]
    least, most = max(least, number if sure else 1), rest[0] if rest else 12
    chance = lowest_is(number, backs, {n: c for n, c in unseen.items() if least <= n <= most})
    return [1.0] * sure + [chance] * bool(chance)


def lowest_is(number: Number, cards: int, unseen: Mapping[Number, int]) -> float:
    """Estimate how likely the lowest of this many cards, drawn from these, is the number."""
    above = sum(count for n, count in unseen.items() if n > number)
    ways = comb(above + unseen.get(number, 0), cards) - comb(above, cards)
    total = comb(sum(unseen.values()), cards)
    return ways / total if total else 0.0
