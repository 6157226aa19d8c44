"""Tests that the decks of bots are part of a match's creation, and are verified as such."""

from dataclasses import asdict, replace

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.collectible import Deck
from domain.games.catalogue import GAMES
from domain.games.fivewells.turn_events import DeckBrought
from domain.match import RecordedEvent
from domain.match.creation import MatchCreated, SeatPlan, Series
from domain.match.judge import judge_creation
from domain.match.seating import Bring, Sit
from tests.match.table import dealer, options

GAME = GAMES["fivewells"]
SUN, TIDE = Deck(("fw1-001",) * 40), Deck(("fw1-002",) * 40)
NOW = Time(1_000_000)


def created(*coming):
    """Return the first commit of a duel between a bot and an open seat, with the bot's deck."""
    opening = MatchCreated(
        GAME.name,
        life.rules_of(GAME),
        options(GAME.name, 2, format="draft", pool="0" * 20),
        None,
        (SeatPlan("open"), SeatPlan("bot", "steady")),
        "public",
        Clock(),
        Series(3),
        "ann",
        None,
        None,
    )
    match, happened = life.create_match(GAME, "m-1", opening, coming, dealer(), NOW)
    return match, [RecordedEvent(one.event, one.cause) for one in happened]


def judged(deeds):
    return judge_creation(GAME, "m-1", deeds, NOW, dealer())


def test_bot_plays_the_deck_that_it_brings():
    match, deeds = created((0, Sit("ann", entry=SUN)), (1, Bring(TIDE)))
    assert DeckBrought(1, TIDE) in [deed.event for deed in deeds]
    assert [asdict(deck)["main"] for deck in match.table.decks] == [SUN.main, TIDE.main]
    again, fault = judged(deeds)
    assert fault is None
    assert again.table.decks == match.table.decks


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        (DeckBrought(1, Deck(("fw1-001",) * 39)), "The rules refuse what a bot brings."),
        (DeckBrought(2, TIDE), "must be here, not DeckBrought."),
    ],
)
def test_invalid_deck_of_a_bot_fails_verification_at_its_event(forged, why):
    _, deeds = created((0, Sit("ann", entry=SUN)), (1, Bring(TIDE)))
    place = next(i for i, deed in enumerate(deeds) if deed.event == DeckBrought(1, TIDE))
    deeds[place] = replace(deeds[place], event=forged)
    _, fault = judged(deeds)
    assert (fault.place, why in fault.why) == (place, True)
