"""How the examples of RULES chapter 1 are checked."""

from itertools import count

import pytest

from domain import cards, hearts
from domain.cards import NAMES, PACK
from domain.choices import Below, Shuffle
from domain.fairness import Context, Dealer, below, key, seed, words
from domain.series import decided
from tests.acceptance.table import cases, commands, state_of, told

VECTORS = {
    "main": {
        "match": "m-0001",
        "root": bytes(range(32)),
        "links": 4,
        "nonces": (
            "00112233445566778899aabbccddeeff",
            "",
            "ffffffffffffffff0000000000000000",
            "0123456789abcdef0123456789abcdef",
        ),
    },
}


def chain(example):
    given = example["given"]
    root = bytes.fromhex(given["root"])
    for name, link in example["then"].items():
        number = 0 if name == "commitment" else int(name.removeprefix("link_"))
        assert seed(root, given["links"], number).hex() == link


def drawn(given, ask):
    """What chance answers under a vector."""
    vector = VECTORS[given["vector"]]
    dealer = Dealer(vector["match"], (vector["root"],), b"")
    return dealer.answer(ask, given.get("epoch", 1), vector["links"], given.get("link", 1), vector["nonces"])


def cut(example):
    for case in cases(example):
        seats = range(case["seats"])
        pack = drawn(case, Shuffle(tuple, case["purpose"], PACK))
        cuts, dealer = hearts.cut(pack, seats)
        rounds = split_rounds(cuts)
        for name, shown in zip(("first_cards", "second_cards", "third_cards"), rounds, strict=False):
            if name in case:
                assert shown == case[name]
        assert dealer == case["first_dealer"]


def split_rounds(cuts):
    """Each round of a cut as seat -> card; a seat that comes again begins a new one."""
    rounds = [{}]
    for drawn_card in cuts:
        if drawn_card.seat <= max(rounds[-1], default=-1):
            rounds.append({})
        rounds[-1][drawn_card.seat] = NAMES[drawn_card.card]
    return rounds


def numbers_below(example):
    for case in cases(example):
        vector = VECTORS[case["vector"]]
        link = case.get("link", 1)
        context = Context(vector["match"], 1, link, case["purpose"], case.get("n", 0), vector["nonces"])
        stream = words(key(seed(vector["root"], vector["links"], link), context))
        assert [below(stream, bound) for bound in case["calls"]] == case["results"]
        first = drawn(case, Below(int, case["purpose"], case["calls"][0], case.get("n", 0)))
        assert first == case["results"][0]


def notation(example):
    for case in cases(example):
        for written, name in case.get("accept", {}).items():
            assert NAMES[cards.read(str(written))] == name
        for written in case.get("refuse", ()):
            with pytest.raises(ValueError, match="is not a card"):
                cards.read(str(written))


def refusal_order(example):
    for case in cases(example):
        for command in commands(case):
            assert told(state_of(case), command) == case["refused"]


def series(example):
    for case in cases(example):
        games = [None if game in ("draw", "drawn", "shared", None) else game for game in case["games"]]
        played = next((n for n in count(1) if n > len(games) or decided(case["best_of"], games[:n])), 0)
        verdict = decided(case["best_of"], games[:played])
        if case.get("after_game") is not None:
            assert played == case["after_game"]
        if "over" in case:
            assert (verdict is not None) == case["over"]
        winner = case.get("match_winner")
        if verdict is None:
            assert winner is None
        else:
            assert verdict.winner == (None if winner in ("draw", "drawn") else winner)


KINDS = {
    "chain": chain,
    "cut": cut,
    "below": numbers_below,
    "notation": notation,
    "refusal_order": refusal_order,
    "series": series,
}
