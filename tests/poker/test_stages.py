"""Tests a table of a tournament of many tables: stacks arrive, a set number of hands is played, and the stacks
leave."""

from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import Refused
from domain.core.staking import TableStakes, conserves
from domain.games.catalogue import GAMES
from domain.games.holdem import GAME
from domain.match import RecordedEvent
from domain.match.clocks import TimeOut
from domain.match.course import create_match
from domain.match.creation import MatchCreated, SeatPlan, Series, TournamentTable
from domain.match.draws import OfferDraw
from domain.match.judge import judge, judge_creation
from domain.match.match_results import MatchEnded
from domain.match.resignations import Resign
from domain.match.seating import SeatTaken, Sit
from domain.match.stakes import BringStacks, StacksArrived, StacksLeft
from domain.poker.betting_events import BlindPosted, GameEnded, HandStarted, LevelRaised, PlayerEliminated, TableResumed
from domain.poker.betting_table import middle
from tests.draws import draws
from tests.match.table import dealer, options

NOW = Time(1_000_000)
TABLE = TournamentTable("night", 2, 0, 0)
PLAYERS = ("ann", "ben", "cyd", "dan", "eve", "fay")


class Stage:
    """A match whose seats bring stacks; `commits` are the events, commit by commit."""

    def __init__(
        self,
        stacks,
        hands_before=10,
        hands=10,
        last_gone=False,
        seed=0,
        table=TABLE,
        game="holdem",
        clock=None,
        timed_from=None,
        **chosen,
    ):
        rules = {"format": "sng", "seats_per_player": 1} if game == "holdem" else {}
        plans = tuple(SeatPlan("invite", None, player) for player in PLAYERS[: len(stacks)])
        self.created = MatchCreated(
            game, life.rules_of(GAMES[game]), options(game, len(stacks), **rules | chosen), None, plans, "public",
            clock or Clock(), Series(1), None, tournament=table,
        )  # fmt: skip
        self.stakes = TableStakes(tuple(stacks), hands_before, hands, last_gone, timed_from)
        self.dealer, self.at = dealer(seed=seed), NOW
        sits = [(seat, Sit(plan.player)) for seat, plan in enumerate(plans)]
        coming = [(0, BringStacks(self.stakes)), *sits]
        self.match, happened = create_match(GAMES[game], "m-1", self.created, coming, self.dealer, NOW)
        self.commits = [happened]

    def does(self, seat, command, source="seat", now=None):
        now = now or self.at
        admitted = life.admit(self.match, life.Intent(source, seat, command), now)
        self.match, happened = life.carry_out(self.match, admitted, self.dealer, now)
        self.commits.append(happened)

    def plays(self, rng, until=lambda m: False):
        """Play at random until the match is over."""
        while not self.match.over and not until(self.match):
            (seat,) = life.to_act(self.match)
            choices = self.match.game.legal(self.match.table, seat)
            self.does(seat, rng.choice(choices).sample(rng))
        return self

    def defaults(self, until=lambda m: False):
        """Make the clock's move for every seat until the match is over."""
        while not self.match.over and not until(self.match):
            (seat,) = life.to_act(self.match)
            self.does(seat, self.match.game.timing.default(self.match.table, seat))
        return self

    def of(self, kind):
        return [one.event for commit in self.commits for one in commit if type(one.event) is kind]


def chips(m):
    return sum(m.table.stacks) + middle(m.table)


# --- How it begins --------------------------------------------------------------------------------------------


def test_stage_starts_immediately_with_all_seats_and_stacks():
    one = Stage((3000, 500, 1200))
    assert one.match.status == "playing"
    assert one.match.players == ("ann", "ben", "cyd")
    (begun,) = one.of(HandStarted)
    assert begun.stacks == (3000, 500, 1200)
    assert begun.deal_no == 11


@pytest.mark.parametrize("hands_before", [0, 10])
@pytest.mark.parametrize(
    ("stacks", "last_gone", "button", "small", "big"),
    [
        ((900, 900, 900, 900), False, 2, 3, 0),
        # The player who posted the big blind last is gone: the small blind is dead, and the button is where the small
        # blind was.
        ((900, 900, 900, 900), True, 3, None, 0),
        ((900, 900, 900), True, 2, None, 0),
        # With two players the button posts the small blind, whoever is gone.
        ((900, 900), False, 1, 1, 0),
        ((900, 900), True, 1, 1, 0),
    ],
)
def test_next_big_blind_posts_with_a_dead_button_after_a_seat_left(stacks, last_gone, button, small, big, hands_before):
    one = Stage(stacks, hands_before, last_gone=last_gone)
    one.defaults(until=lambda m: m.table.deal_no == hands_before + 2)
    first, second = one.of(HandStarted)
    assert (first.button, first.small_blind, first.big_blind) == (button, small, big)
    assert second.big_blind == 1
    # The button follows the blinds: it is where the small blind was, and with a dead one stays where it is.
    if len(stacks) > 2:
        assert (second.button, second.small_blind) == (len(stacks) - 1, 0)


def test_the_level_follows_from_all_hands_of_the_tournament():
    assert [event.amount for event in Stage((900,) * 3, hands_before=25, hands_per_level=10).of(BlindPosted)] == [
        25,
        50,
    ]
    raised = Stage((900,) * 3, hands_before=9, hands=3).defaults()
    assert [event.big for event in raised.of(TableResumed)] == [20]
    posted = [event.amount for event in raised.of(BlindPosted) if event.kind == "big"]
    assert posted == [20, 30, 30]


def test_level_by_the_clock_follows_the_time_since_the_tournament_began():
    one = Stage((900,) * 3, minutes_per_level=5, timed_from=Time(NOW - 11 * 60_000), hands_before=40)
    assert [event.level for event in one.of(LevelRaised)] == [3]
    assert [event.amount for event in one.of(BlindPosted)] == [25, 50]
    one.at = Time(NOW + 5 * 60_000)
    later = one.defaults(until=lambda m: m.table.deal_no == 42)
    assert [event.level for event in later.of(LevelRaised)] == [3, 4]
    early = Stage((900,) * 3, minutes_per_level=5, timed_from=Time(NOW + 60_000), hands_before=0)
    assert [event.amount for event in early.of(BlindPosted)] == [10, 20]


# --- How it ends ----------------------------------------------------------------------------------------------


def test_stage_ends_after_its_hands():
    one = Stage((900, 900, 900), hands=3).defaults()
    assert [event.deal_no for event in one.of(HandStarted)] == [11, 12, 13]
    (ended,) = one.of(GameEnded)
    assert (ended.reason, ended.prizes) == ("hands_played", ())
    assert one.match.status == "finished"
    kinds = [type(each.event) for each in one.commits[-1]]
    assert kinds[kinds.index(StacksLeft) + 1 :] == [MatchEnded]


def test_stage_can_end_with_equal_stacks():
    one = Stage((900, 900), hands=2, hands_before=0).defaults()
    (ended,) = one.of(MatchEnded)
    assert ended.result.places == (1, 1)


def test_stacks_leave_in_the_order_in_which_seats_would_post_the_big_blind():
    one = Stage((900, 900, 900, 900), hands=2).defaults()
    (left,) = one.of(StacksLeft)
    # Seats 0 and 1 have posted it.
    assert [row.seat for row in left.stacks] == [2, 3, 0, 1]
    assert conserves(one.stakes, left.stacks)


def test_eliminated_seat_records_its_hand_and_earlier_stack():
    for seed in range(draws(20)):
        one = Stage((400, 2000, 700, 60), seed=seed, hands=40).plays(Random(seed))
        (left,) = one.of(StacksLeft)
        out = {event.seat: event for event in one.of(PlayerEliminated)}
        assert {row.seat for row in left.stacks if row.hand} == out.keys()
        hands = {event.deal_no: event for event in one.of(HandStarted)}
        for row in left.stacks:
            assert (row.stack == 0) == (row.hand > 0)
            if row.hand:
                assert row.before == hands[row.hand].stacks[row.seat]


def test_resigned_seat_leaves_with_nothing():
    one = Stage((900, 900, 900), hands=2)
    one.does(1, Resign(whole_match=True))
    one.defaults()
    (left,) = one.of(StacksLeft)
    (gone,) = [row for row in left.stacks if row.seat == 1]
    assert (gone.stack, gone.hand, gone.before) == (0, 11, 0)
    assert sum(row.stack for row in left.stacks) == 1800
    assert conserves(one.stakes, left.stacks)


def test_seat_that_resigns_after_its_elimination_keeps_its_place():
    one = Stage((4000, 2000, 3000, 60), hands=40).plays(Random(3), until=lambda m: any(m.table.places))
    (eliminated,) = one.of(PlayerEliminated)
    stack = one.of(HandStarted)[-2].stacks[eliminated.seat]
    one.does(eliminated.seat, Resign(whole_match=True))
    one.defaults()
    (left,) = one.of(StacksLeft)
    row = next(row for row in left.stacks if row.seat == eliminated.seat)
    assert (row.stack, row.before) == (0, stack)
    assert stack > 0


def test_draw_cannot_be_offered_in_a_stage():
    one = Stage((900, 900))
    with pytest.raises(Refused):
        one.does(0, OfferDraw())


def test_stage_with_absent_players_runs_to_its_end():
    one = Stage((900, 900, 900), hands=20, clock=Clock(per_decision_seconds=60, max_defaults=1))
    for hour in range(1, 10):
        (seat,) = life.to_act(one.match)
        source = "bot" if one.match.by_bot[seat] else "time"
        command = one.match.game.timing.default(one.match.table, seat) if source == "bot" else TimeOut()
        one.does(seat, command, source, Time(NOW + hour * 3_600_000))
    assert one.match.by_bot == (True, True, True)
    assert one.match.status == "playing"


# --- Always ---------------------------------------------------------------------------------------------------


def test_chips_are_conserved_at_every_event_and_the_judge_agrees():
    for seed in range(draws(8)):
        rng = Random(seed)
        stacks = [rng.randrange(20, 3000) for _ in range(rng.randrange(2, 7))]
        one = Stage(stacks, rng.randrange(40), rng.choice((0, 1, 5, 30)), rng.random() < 0.5, seed).plays(rng)
        m, fault = judge_creation(GAME, "m-1", deeds(one.commits[0]), NOW, one.dealer)
        assert fault is None
        for commit in one.commits[1:]:
            assert chips(m) == sum(stacks)
            assert judge(m, deeds(commit), NOW, one.dealer) is None
        (left,) = one.of(StacksLeft)
        assert sum(row.stack for row in left.stacks) == sum(stacks)


def deeds(commit):
    return [RecordedEvent(one.event, one.cause) for one in commit]


# --- What is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": None},
        {"format": "cash"},
        {"minutes_per_level": 5},
        {"timed_from": NOW},
        {"stacks": (900, 0)},
        {"hands": -1},
        {"hands_before": -1},
        {"game": "five_card_draw"},
    ],
)
def test_stacks_can_be_brought_only_to_tables_of_such_tournaments(wrong):
    with pytest.raises(Refused):
        Stage(**{"stacks": (900, 900)} | wrong)


def test_judge_finds_impossible_stacks():
    one = Stage((900, 900))
    happened = deeds(one.commits[0])
    for stakes in (TableStakes((900, 0), 10, 10, False), TableStakes((900, 900, 900), 10, 10, False)):
        happened[2] = RecordedEvent(StacksArrived(stakes), "auto")
        _, fault = judge_creation(GAME, "m-1", happened, NOW, one.dealer)
        assert fault is not None
        assert fault.place == 2


def test_player_cannot_sit_twice_at_a_table_with_stacks():
    one = Stage((900, 900))
    happened = deeds(one.commits[0])
    at = next(i for i, deed in enumerate(happened) if type(deed.event) is SeatTaken and deed.event.seat == 1)
    happened[at] = RecordedEvent(SeatTaken(1, "ann"), "auto")
    _, fault = judge_creation(GAME, "m-1", happened, NOW, one.dealer)
    assert fault is not None
