"""Provides tournaments whose entrants prepare before the first round, with only their commands."""

from msgspec import json

from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.tournament.entrants import CloseEntries
from domain.tournament.pods import FinishPod, RepeatPod
from domain.tournament.tournament_plan import MatchTerms, Preparation, TournamentPlan
from tests.match.table import options
from tests.tournament.evenings import ORGANISER, Evening

DRAFT = "fivewells_draft"
SWISS = TournamentPlan("swiss", 2, 2, rounds=2)
CLOCK = Clock(per_decision_seconds=600)


def preparation(kind="sealed", seats=4, **chosen):
    """Return the preparation in pods: six boosters are kept, or one is drafted."""
    packs = {"packs": ("fw1",)} if kind == "draft" else GAMES[DRAFT].setup.presets["sealed"]
    given = json.decode(json.encode(options(DRAFT, seats, **packs, **chosen)))  # as they are stored
    return Preparation(MatchTerms(DRAFT, given, None, CLOCK, 1), seats, 2)


def prepared_evening(count=5, seats=3):
    """Return a tournament whose entrants have begun to prepare."""
    one = Evening(SWISS, preparation=preparation(seats=seats))
    one.entered(count)
    one.told(CloseEntries(ORGANISER))
    return one


def story():
    """Apply everything that can happen while entrants prepare."""
    one = prepared_evening()
    one.told(RepeatPod(0, 0, "pod 0", "00" * 32, one.state.pods[0][:1]))
    one.told(FinishPod(0, 1, "pod 0 again", "00" * 32, ()))
    one.told(FinishPod(1, 0, "pod 1", "00" * 32, one.state.pods[1][1:]))
    return one.play()


PREPARED = story().events
