"""Checks the worked examples of the rules common to all games."""

from itertools import count

import pytest

from domain import match as life
from domain.core import cards
from domain.core.cards import NAMES, PACK
from domain.core.choices import Below, Shuffle
from domain.core.clock import Clock, Time
from domain.core.fairness import Dealer, DrawContext, draw_below, key, seed, words
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match.creation import MatchCreated, SeatPlan, Series
from domain.match.status import judge_series
from tests.acceptance.reading import best_of, by_seat, cases, commands, listed, outcome
from tests.games.hearts.table import answer_to, state_of
from tests.match.table import options

MAIN = {
    "match_id": "m-0001",
    "root": bytes(range(32)).hex(),
    "links": 4,
    "nonces": (
        "00112233445566778899aabbccddeeff",
        "",
        "ffffffffffffffff0000000000000000",
        "0123456789abcdef0123456789abcdef",
    ),
}
TRIO = MAIN | {"match_id": "m-0002", "nonces": ("", "", "")}
VECTORS = dict.fromkeys(("main", "V1", "V3", "V4", "V5"), MAIN) | dict.fromkeys(("trio", "V2"), TRIO)
OVER = ("game_over", "match_over", "finished", "over")


def vector_of(given):
    """Return the named vector with the example's changes."""
    vector = VECTORS[given.get("vector", "main")]
    return {name: given.get(name, value) for name, value in vector.items()}


def chain(example):
    for case in cases(example):
        vector = vector_of(case)
        for name, link in case["then"].items():
            number = 0 if name == "commitment" else int(name.rpartition("_")[2])
            assert seed(bytes.fromhex(vector["root"]), vector["links"], number).hex() == link.lower()


def drawn(given, ask):
    """Return the result of a random draw under a vector."""
    vector, epoch = vector_of(given), given.get("epoch", 1)
    dealer = Dealer(vector["match_id"], (bytes.fromhex(vector["root"]),) * epoch, b"")
    return dealer.answer(ask, epoch, vector["links"], given.get("link", 1), tuple(vector["nonces"]))


def cut(example):
    for case in cases(example):
        seats = range(case.get("seats", 4))
        pack = drawn(case, Shuffle(tuple, case.get("purpose", "cut"), PACK))
        cuts, dealer = cards.cut_for_deal(pack, seats, cards.RANK_OF.__getitem__)
        rounds = split_rounds(cuts)
        for name, shown in zip(("first_cards", "second_cards", "third_cards"), rounds, strict=False):
            if name in case:
                assert shown == {seat: NAMES[cards.read_card(c)] for seat, c in by_seat(case[name]).items()}
        assert dealer == case["first_dealer"]


def split_rounds(cuts):
    """Return each round of a cut as seat -> card; a seat that occurs again begins a new round."""
    rounds = [{}]
    for seat, card in cuts:
        if seat <= max(rounds[-1], default=-1):
            rounds.append({})
        rounds[-1][seat] = NAMES[card]
    return rounds


def numbers_below(example):
    for case in cases(example):
        vector, calls, results = vector_of(case), listed(case["calls"]), listed(case["results"])
        link, n, purpose = case.get("link", 1), case.get("n", 0), case["purpose"]
        context = DrawContext(vector["match_id"], case.get("epoch", 1), link, purpose, n, tuple(vector["nonces"]))
        stream = words(key(seed(bytes.fromhex(vector["root"]), vector["links"], link), context))
        assert [draw_below(stream, bound) for bound in calls] == results
        assert drawn(case, Below(int, purpose, calls[0], n)) == results[0]


def notation(example):
    for case in cases(example):
        for written, name in (case.get("accept") or {}).items():
            assert NAMES[cards.read_card(str(written))] == name
        for written in listed(case.get("refuse")):
            with pytest.raises(ValueError, match="is not a card"):
                cards.read_card(str(written))


def refusal_order(example):
    for case in cases(example):
        for command in commands(case):
            answer = judged(case, command)
            assert (answer if isinstance(answer, str) else None) == outcome(command.get("then", case)).get("refused")


def judged(case, command):
    """Return the refusal of a command. Its match and seat are checked before its game."""
    over = case.get("phase") in OVER or bool(case.get("over") or case.get("match_over"))
    over = over or case.get("status") in OVER
    state = state_of(case | {"phase": "game_over"} if over else case)
    seat = command.get("seat")
    seated = seat in case.get("seated", range(4))
    answer = answer_to(state, command | {"seat": seat if seated else 0})
    if answer in ("bad_arguments", "duplicate_card"):
        return answer
    try:
        life.admit(
            match_with(state, "finished" if over else "playing"),
            life.Intent("seat", seat if seated else 0, None), Time(0),
        )  # fmt: skip
    except Refused as refused:
        if refused.code == "match_over":
            return refused.code
    return answer if seated else "not_seated"


def match_with(state, status):
    """Return a match of four people with this table."""
    created = MatchCreated(
        "hearts",
        life.rules_of(GAMES["hearts"]),
        options("hearts"),
        None,
        (SeatPlan("open"),) * 4,
        "public",
        Clock(),
        Series(),
        "a",
    )
    match = life.initial_match(GAMES["hearts"], "m-1", created)
    match.status, match.table, match.players = status, state, tuple("abcd")
    return match


NOBODY = ("draw", "drawn", "shared", "none", None)


def series(example):
    for case in cases(example):
        games = [None if game in NOBODY else game for game in listed(case["games"])]
        most = best_of(case, 1)
        played = next((n for n in count(1) if n > len(games) or judge_series(most, games[:n])), 0)
        verdict = judge_series(most, games[:played])
        if case.get("after_game") is not None:
            assert played == case["after_game"]
        if "over" in case:
            assert (verdict is not None) == case["over"]
        if "match_winner" in case:
            winner = None if case["match_winner"] in NOBODY else case["match_winner"]
            assert (verdict.winner if verdict else None) == winner


KINDS = {
    "chain": chain,
    "cut": cut,
    "below": numbers_below,
    "notation": notation,
    "refusal_order": refusal_order,
    "series": series,
}
