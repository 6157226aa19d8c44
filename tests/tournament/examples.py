"""Checks the worked examples of tournaments."""

from fractions import Fraction

from domain.tournament.rounds import PlayedRound, TableResult
from domain.tournament.tournament_standings import standings
from tests.acceptance.reading import cases, listed

RATES = {"opponents_rate": "opponents", "game_rate": "games", "opponents_game_rate": "opponents_games"}
"""The names that examples use for tie-break rates, and their real names."""


def swiss(example):
    for case in cases(example):
        results = [listed(row) for row in case["results"]]
        names = case.get("seating") or list(dict.fromkeys(name for row in results for name in row[:2]))
        number = {name: n for n, name in enumerate(names)}
        rounds = rounds_of([[number.get(one, one) for one in row[:2]] + row[2:] for row in results])
        assert len(rounds) == case.get("rounds", len(rounds))
        rows = standings(range(len(names)), rounds, 2)
        by = {names[row.entrant]: row for row in rows}
        then = case["then"]
        assert then.keys() <= {"points", "order", *RATES}
        for name, points in then.get("points", {}).items():
            assert by[name].points == points
        for said, rate in RATES.items():
            for name, expected in then.get(said, {}).items():
                assert getattr(by[name], rate) == Fraction(str(expected)), (said, name)
        assert list(by) == then.get("order", list(by))


def rounds_of(results):
    """Group results into rounds, in each of which a player occurs once."""
    rounds, seen = [], set()
    for row in results:
        players = set(row[:2])
        if not rounds or players & seen:
            rounds.append(([], []))
            seen = set()
        seen |= players
        tables, byes = rounds[-1]
        if len(row) == 1:
            byes.append(row[0])
        else:
            tables.append(ended(*row))
    return [PlayedRound(tuple(tables), tuple(byes)) for tables, byes in rounds]


def ended(one, other, wins, lost, drawn=0):
    places = (1, 1) if wins == lost else (1, 2) if wins > lost else (2, 1)
    return TableResult((one, other), places, (wins, lost), wins + lost + drawn, drawn)


KINDS = {"swiss": swiss}
