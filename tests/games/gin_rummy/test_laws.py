"""Tests laws that apply only to Gin Rummy (rules 2)."""

from domain.games.gin_rummy import events
from domain.games.gin_rummy.melds import deadwood
from tests.laws.test_laws import law


@law(of="gin_rummy", hands=4)
def test_a_seat_that_is_not_to_act_has_ten_cards(entry, game, rng):
    for step in game:
        for table in step.after.tables:
            if table.phase not in ("hand_setup", "lay_off", "scored"):
                sizes = {seat: len(step.after.hands[seat]) for seat in table.pair}
                assert sizes == {seat: 10 + (table.phase == "discard" and seat == table.turn) for seat in table.pair}


@law(of="gin_rummy", hands=4)
def test_every_hand_ends(entry, game, rng):
    """The stock limits the draws from it, and the pile lock limits the turns between two of them."""
    draws, takes = {}, {}
    for step in game:
        options = step.state.rules.options
        for event in step.events:
            match event:
                case events.HandStarted():
                    draws, takes = {}, {}
                case events.StockDrawn():
                    table = frozenset(at_table(step.after, event.seat).pair)
                    draws[table], takes[table] = draws.get(table, 0) + 1, 0
                    assert draws[table] <= 31 - options.stock_floor
                case events.DiscardTaken():
                    table = frozenset(at_table(step.after, event.seat).pair)
                    takes[table] = takes.get(table, 0) + 1
                    assert takes[table] <= options.max_pile_takes


def at_table(state, seat):
    return next(table for table in state.tables if seat in table.pair)


@law(of="gin_rummy", hands=4)
def test_automatic_arrangement_has_the_least_deadwood(entry, game, rng):
    for step in game:
        for event in step.events:
            if isinstance(event, events.Knocked):
                cards = [*event.deadwood, *(c for meld in event.melds for c in meld)]
                assert deadwood(cards) <= event.value <= step.state.rules.options.knock_limit
                assert event.gin == (event.value == 0)


@law(of="gin_rummy", hands=6)
def test_only_one_side_scores_in_a_hand_and_the_game_ends_at_the_target(entry, game, rng):
    sides = entry.game.setup.sides(None, entry.seats)
    for step in game:
        for event in step.events:
            if isinstance(event, events.HandScored | events.PointsNetted):
                assert len({side for side, n in zip(sides, event.points, strict=True) if n > 0}) <= 1
            if isinstance(event, events.GameEnded):
                assert max(event.totals) >= step.state.rules.target
        reached = max(step.after.scores) >= step.after.rules.target
        assert (step.after.ended is not None) == reached
