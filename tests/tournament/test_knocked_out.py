"""Tests that eliminated entrants are no longer paired, and are known as soon as their table is over."""

from random import Random

import pytest

from domain.tournament.formats.format_catalogue import is_out
from domain.tournament.tournament_plan import TournamentPlan
from tests.tournament.evenings import Evening
from tests.tournament.nights import Night, hands_played, many

COUNT = 13
PLANS = {
    "single": TournamentPlan("single_elimination", 2, 2),
    "single of tables": TournamentPlan("single_elimination", 4, 2, fill="short", advance=2),
    "double": TournamentPlan("double_elimination", 2, 2),
    "double of tables": TournamentPlan("double_elimination", 4, 2, fill="short", advance=2),
    "shoot-out": TournamentPlan("shoot_out", 4, 2, fill="short"),
    "swiss and cut": TournamentPlan("swiss", 2, 2, rounds=3, cut=4),
    "many tables": many(4),
    "swiss": TournamentPlan("swiss", 2, 2, rounds=3),
}


def ends_a_table(one, rng):
    """End a random open table; each seat gets a different place."""
    table, t = rng.choice(one.waiting()), one.state
    if isinstance(one, Night):
        one.ends(table, hands_played(t.stakes[table], rng))
    else:
        seats = len(t.tables[table])
        one.finish(table, tuple(rng.sample(range(1, seats + 1), seats)))


def out_of(t):
    return {one for one in range(COUNT) if is_out(t, one)}


def there_in(t, *, over):
    """Return the entrants at the finished tables of a round, or at all others, or those with a bye."""
    seats = {
        one for table, result in zip(t.tables, t.results, strict=True) if (result is not None) == over for one in table
    }
    return seats - {None} if over else seats - {None} | {*t.byes}


@pytest.mark.parametrize("kind", PLANS)
def test_only_eliminated_entrants_are_not_paired_again(kind):
    plan, rng = PLANS[kind], Random(kind)
    one = (Night if plan.format == "multi_table" else Evening)(plan).begun(COUNT)
    knocks_out = kind != "swiss"
    assert out_of(one.state) == set()
    while one.state.status == "playing":
        before, was_out = one.state, out_of(one.state)
        ends_a_table(one, rng)
        now, out = one.state, out_of(one.state)
        assert was_out <= out
        if now.status == "over":
            assert (len(out) == COUNT - 1) == knocks_out
        elif now.round > before.round:
            paired = there_in(now, over=False)
            assert not knocks_out or out == {*range(COUNT)} - paired
            if not plan.cut or before.stage == "elimination":
                assert out.isdisjoint(there_in(before, over=True) - was_out)  # who was to be out was so before
        else:
            assert out.isdisjoint(there_in(now, over=False))
