"""Checks the worked examples of a draft."""

from domain.card_sets.cards.library import CARDS
from domain.card_sets.decks.deck import faults, limited_rules
from domain.core.collectible import Deck
from domain.core.fairness import Dealer
from domain.core.game import CHANCE, fold, play_move
from domain.games.fivewells_draft import GAME
from domain.games.fivewells_draft.events import HandStarted, PackOffered, PickCard
from tests.acceptance.reading import by_seat, cases, options_of
from tests.games.fivewells_draft.table import Draft

ROOT, LINKS = bytes(range(32)), 4


def opened(example):
    """Compare the packs of a round with those that chance draws from the vector's secret."""
    for case in cases(example):
        dealer, seats = Dealer(case["match"], (ROOT,), b""), case["seats"]
        state = GAME.start(options_of(GAME, {}, seats), seats, None)
        round_no = case.get("round", 1)
        state = fold(GAME, state, [HandStarted(round_no, round_no, case["set"], "left")])
        while GAME.to_act(state) == (CHANCE,):
            answer = dealer.answer(GAME.ask(state), 1, LINKS, case["link"], ("",) * seats)
            state, _ = play_move(GAME, state, CHANCE, answer)
        for seat, cards in by_seat(case["packs"]).items():
            assert list(state.packs[seat]) == [f"{case['set']}-{number:03}" for number in cards]


def passed(example):
    """Compare whose pack each seat is offered after all seats have picked."""
    for case in cases(example):
        draft = Draft(seats=case["seats"])
        while draft.state.round_no < case["round"]:
            draft.default(GAME.to_act(draft.state)[0])
        rest = []
        for seat, pack in enumerate(draft.packs()):
            draft.move(seat, PickCard(min(pack)))
            rest.append(pack - {min(pack)})
        assert [rest.index(pack) for pack in draft.packs()] == case["offered"]


def picked(example):
    """Compare the result of a pick, or of the clock's if no card is named."""
    for case in cases(example):
        draft = Draft(seats=2)
        pack = tuple(case["pack"])
        draft.state = fold(GAME, draft.state, [PackOffered(0, 1, len(pack), pack)])
        move = PickCard(case["card"]) if "card" in case else GAME.timing.default(draft.state, 0)
        admitted = any(choice.admits(move) for choice in GAME.legal(draft.state, 0))
        assert (None if admitted else GAME.refusal(draft.state, 0, move)) == case.get("refused")
        assert move == PickCard(case.get("picks", case.get("card")))


def deck(example):
    """Compare the faults of a deck built from these picks."""
    for case in cases(example):
        rules = limited_rules(CARDS[card] for card in case["picks"])
        main = tuple(card for card, count in case["main"].items() for _ in range(count))
        found = faults(Deck(main), rules)
        assert (found[0].code if found else None) == case.get("refused")


KINDS = {"draft_packs": opened, "draft_pass": passed, "draft_pick": picked, "draft_deck": deck}

ABOUT = [
    (3, {"packs": ("bt1",)}, "3 players draft cards for Fivewells."),
    (8, {}, "The packs are of First Wells, First Wells, Bitter Thaw."),
]
"""Check the rules summary of a table with these seats and options."""
