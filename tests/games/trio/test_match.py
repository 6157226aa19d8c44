"""Tests Trio in a match: openings, series, timed swap windows, and reading back what was written."""

from random import Random

from domain import match as life
from domain.core.clock import Clock
from domain.games.trio.table import DeclineSwap, FirstPlayerChosen, GameStarted, OfferSwap, RevealLowest
from domain.match.clocks import Credit, TimeOut
from domain.match.match_results import GameWon
from domain.match.resignations import Resign
from domain.match.seating import Sit
from events.log import codec
from tests.match.table import Table, last_state

CHAIN = ["MatchStarted", "GameStarted"]


def trio(seats=("me", "bot", "bot"), **options):
    named = {name: options.pop(name) for name in ("clock", "best_of", "seed") if name in options}
    return Table("trio", seats, options, **named)


def of(table, kind):
    return [event for event in table.events if isinstance(event, kind)]


def test_match_of_bots_finishes():
    table = trio(("bot",) * 4, max_turns=30)
    table.plays_on()
    assert table.match.status == "finished"
    kinds = table.kinds()
    begin = kinds.index("MatchStarted")
    assert kinds[begin : begin + 5] == [*CHAIN, "FirstPlayerChosen", "HandStarted", "HandDealt"]
    assert kinds[-4:] == ["GameEnded", "GameWon", "SeedRevealed", "MatchEnded"]
    assert last_state(table) == table.match


def test_seat_with_an_avocado_stated_in_the_lobby_begins():
    table = trio(("me", "open", "bot"))
    table.does(0, Sit("ann", entry=5_000))
    table.does(1, Sit("bob", entry=9_000))
    assert table.kinds().count("AvocadoStated") == 2
    assert of(table, FirstPlayerChosen) == [FirstPlayerChosen(1, "avocado")]
    assert life.to_act(table.match) == (1,)


def test_first_player_moves_left_from_game_to_game():
    table = trio(("bot",) * 3, best_of=3, max_turns=5, first_player="pick", first_player_seat=2)
    table.plays_on()
    firsts = [(event.seat, event.how) for event in of(table, FirstPlayerChosen)]
    assert firsts[:3] == [(2, "pick"), (0, "left"), (1, "left")]
    assert [event.game_no for event in of(table, GameStarted)] == list(range(1, len(firsts) + 1))
    assert last_state(table) == table.match


def test_swap_window_expires_and_missing_answers_decline():
    table = trio(("me", "bot", "bot", "bot"), teams=True, swap_seconds=30)
    assert life.first_due_time(table.match) == table.now + 30_000
    table.does(2, OfferSwap(table.match.table.hands[2][0]), "bot")
    for seat in (1, 3):
        table.does(seat, DeclineSwap(), "bot")
    table.now += 30_001
    assert life.overdue_seats(table.match, table.now) == (0,)
    said = table.does(0, TimeOut(), "timeout")
    assert said[:4] == ["DecisionTimedOut", "SwapAnswered", "SwapNotMade", "SwapWindowClosed"]
    assert life.decision(table.match) == "revealing"
    assert life.first_due_time(table.match) is None


def test_missed_short_swap_windows_do_not_count_as_absence_by_mail():
    clock = Clock(per_decision_seconds=86_400, max_defaults=1)
    table = trio(("me", "bot", "bot", "bot"), teams=True, swap_seconds=30, clock=clock)
    table.now = table.match.clocks.asked[0]
    assert "SeatHandedToBot" not in table.does(0, TimeOut(), "timeout")
    assert table.match.clocks.defaults == (0, 0, 0, 0)
    assert not table.match.over


def test_short_swap_window_also_runs_on_days_off():
    clock = Clock(per_decision_seconds=86_400, days_off=(4,))  # 1970-01-01, when the table is set, was one
    table = trio(("me", "bot", "bot", "bot"), teams=True, swap_seconds=30, clock=clock)
    until = table.now + 30_000
    assert life.overdue_seats(table.match, until) == (0,)
    table.does(0, Credit(7, "outage"), "timeout")
    assert table.match.clocks.asked[0] == until + 7_000


def test_reveal_is_timed_only_by_the_clock_of_the_match():
    clock = Clock(per_decision_seconds=100)
    table = trio(("me", "me", "me", "me"), teams=True, swap_seconds=30, clock=clock)
    assert life.first_due_time(table.match) == table.now + 30_000
    for seat in range(4):
        table.does(seat, DeclineSwap())
    assert life.first_due_time(table.match) == table.now + 100_000


def test_a_team_wins_the_match_together():
    table = trio(("bot",) * 4, teams=True)
    table.plays_on(Random(4))
    assert table.match.result.winners in ((0, 2), (1, 3))
    assert sum(table.match.result.wins) == 2


def test_resignation_ends_the_game_with_on_resign_end():
    table = trio(("me", "bot", "bot"), on_resign="end", first_player="pick", first_player_seat=0)
    table.does(0, RevealLowest(0))
    said = table.does(0, Resign())
    assert "GameEnded" in said
    assert table.match.result.places[0] == 3


def test_events_can_be_written_and_read_back():
    """The server reads its log, and each reader the events of their own feed."""
    table = trio(("bot",) * 4, teams=True, max_turns=40)
    table.plays_on()
    shapes = codec.shapes("trio")
    for event in table.events:
        shape = shapes[type(event).__name__]
        data, parts = shape.data(event), shape.parts(event, 4)
        assert shape.event(data, 4, parts, codec.EVERYBODY) == event
        if type(event).__name__ == "CardRevealed":
            assert "number" not in data
            assert set(parts["number"]) == {"0", "1", "2", "3", "spectators"}
            assert shape.event(data, 4, {}, "1").number is None
        if type(event).__name__ == "SwapAnswered":
            assert set(parts) == {"card", "answer"}
            assert set(parts["card"]) == {str(event.seat)}
        if type(event).__name__ == "HandDealt":
            assert set(parts["middle"]) == {"table"}


def test_result_names_all_seats_of_the_winning_team():
    teams, alone = trio(("bot",) * 4, teams=True), trio(("bot",) * 3)
    won = GameWon(1, (0, 1, 0, 1))
    assert life.describe_event(teams.match.game, won, teams.match) == "Seats 1 and 3 won the game."
    assert life.describe_event(alone.match.game, won, alone.match) == "Seat 1 won the game."
    assert life.describe_event(alone.match.game, GameWon(None, ()), alone.match) == "No one won the game."
    assert life.describe_event(alone.match.game, GameWon(7, ()), alone.match) == "Seat 7 won the game."
