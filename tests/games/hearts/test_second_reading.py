"""Tests the play of Hearts against an independent implementation, at every step of all variants."""

from domain.core.cards import NAMES, card_names
from domain.games.hearts import rules as hearts
from domain.games.hearts.events import CardPlayed, HandStarted, HeartsOpened, PlayStarted, TrickTaken
from domain.games.hearts.options import variants
from tests.laws.test_laws import law

RANKS = "23456789TJQKA"


class Reader:
    """Follows a hand by its public events, with the rules of its variant."""

    def __init__(self, code, jack):
        self.l, self.h, self.s = (int(digit) for digit in code.split("-")[1:])
        self.queen = self.s >= 3
        self.jack = self.queen and jack

    def harmful(self, name):
        return name[1] == "H" or (self.queen and name == "QS")

    def may_lead_first(self, hand):
        if self.l == 1:
            lowest = next((r for r in RANKS for c in hand if c[0] == r and c[1] != "H"), None)
            if lowest is None:
                return {"2H"}
            tied = {c for c in hand if c[0] == lowest and c[1] != "H"}
            return {c for c in tied if not self.harmful(c)} or tied
        if self.l == 2:
            return {"2C"}
        if self.l == 3:
            return {"2C", "2D", "2S"} & set(hand)
        return {c for c in hand if not self.harmful(c) and not (self.jack and c == "JD")}

    def hearts_open(self, past):
        if self.h == 1:
            return True
        if self.h == 2:
            return any(c[1] == "H" for trick in past for c in trick)
        if self.h == 3:
            return len(past) >= 3
        led = [trick[0][1] for trick in past]
        twice = [suit for suit in "CDHS" if led.count(suit) > 1]
        return all(suit in led for suit in "CDS") or len(twice) > 1

    def may_play(self, hand, past, trick):
        if not trick and not past:
            return self.may_lead_first(hand)
        if not trick:
            plain = {c for c in hand if c[1] != "H"}
            return set(hand) if self.hearts_open(past) or not plain else plain
        allowed = {c for c in hand if c[1] == trick[0][1]} or set(hand)
        return allowed if past else {c for c in allowed if not self.harmful(c)} or allowed

    def first_leader(self, dealer, hands):
        order = [(dealer + i) % 4 for i in (1, 2, 3, 4)]
        wanted = {1: RANKS, 2: ["2C"], 3: ["2C", "2D", "2S"], 4: ["2C"]}[self.l]
        if self.l == 1:
            return order[0]
        return next(seat for seat in order if set(wanted) & set(hands[seat]))

    def taker(self, leader, trick):
        best = max((c for c in trick if c[1] == trick[0][1]), key=lambda c: RANKS.index(c[0]))
        return (leader + trick.index(best)) % 4


CODE_OF = {row.slugs: row.code for row in variants()}


def code_of(rules):
    return CODE_OF[rules.passing.slug, rules.leading.slug, rules.opening.slug, rules.scoring.slug]


@law(of="hearts")
def test_play_agrees_with_an_independent_implementation(entry, game, rng):
    past, trick, leader = [], [], None
    for step in game:
        reader = Reader(code_of(step.state.rules), step.options.jack_of_diamonds)
        if step.state.phase == "playing":
            hand = card_names(step.state.hands[step.seat])
            (choice,) = entry.game.legal(step.state, step.seat)
            assert set(card_names(choice.of)) == reader.may_play(hand, past, trick)
        opened = False
        for event in step.events:
            match event:
                case HandStarted():
                    past, trick, dealer = [], [], event.dealer
                case PlayStarted():
                    assert event.leader == reader.first_leader(dealer, [card_names(h) for h in step.after.hands])
                    leader = event.leader
                case CardPlayed():
                    assert event.seat == (leader + len(trick)) % 4
                    trick.append(NAMES[event.card])
                case TrickTaken():
                    leader = reader.taker(leader, trick)
                    assert event.winner == leader
                    assert event.cards == tuple(hearts.PACK[NAMES.index(c)] for c in trick)
                    opened = reader.hearts_open([*past, trick]) and not (past and reader.hearts_open(past))
                    past, trick = [*past, trick], []
                    assert event.trick_no == len(past)
                    opened = opened and len(past) < 13
                case HeartsOpened():
                    assert opened
                    assert event.after_trick == len(past)
                    opened = False
        assert not opened
