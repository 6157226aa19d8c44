"""Faults that could be made in the life of a match, each a change of one line; the tests of a match find them.

`python -m tests.match.mutants 0 1` plants one after another, each in a process of its own, and runs the quick tests
of a match until one fails. It names the faults that no test has found, and its exit code is their number.
"""

import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Any, Final, NamedTuple

import pytest

TESTS: Final = (
    "giving_up", "draws", "taking_back", "series", "match", "admit", "later_epochs",
)  # fmt: skip
"""The files of tests that run, those first that are quick."""


class Mutant(NamedTuple):
    """A mutant has `wrong` where the module has `right`, once."""

    module: str
    right: str
    wrong: str


def in_(module: str, *changes: tuple[str, str]) -> tuple[Mutant, ...]:
    """Give the mutants of a module of the match."""
    return tuple(Mutant(f"domain.match.{module}", right, wrong) for right, wrong in changes)


MUTANTS: Final = (
    # Who wins, and in which place.
    *in_(
        "status",
        ("m.resigned[::-1].index(seat)", "m.resigned.index(seat)"),
        ("sides[s] in lost, places[s]", "False, places[s]"),
        ('if m.common.on_resign == "end"}', "if True}"),
        ("1 + sum(other < mine for other in rank)", "1 + sum(other <= mine for other in rank)"),
        ("return len(left) <= 1", "return len(left) <= 2"),
        ('(len(m.seats) == DUEL or m.common.on_resign == "end")', 'm.common.on_resign == "end"'),
        ("return Verdict(m.winners[-1])", "return judge_series(m.created.series.best_of, m.winners)"),
        ('best_of == 1 and _ended_by(m) == "draw"', '_ended_by(m) == "draw"'),
        ('best_of == 1 and _ended_by(m) == "draw"', "False"),
        ('    if given_up(m):\n        return "resignation"\n', ""),
        ('"draw": "draw"}', "}"),
        ('{"resignation": "resignation", ', "{"),
    ),
    *in_(
        "match_results",
        ("rows = [(-won, 0 if won == most else total)", "rows = [(-won, total)"),
        ("rows = [(-won, 0 if won == most else total)", "rows = [(-won, 0)"),
        ("sign = 1 if m.game.setup.low_wins else -1", "sign = 1"),
        ("winners = () if drawn else", "winners ="),
        ("drawn = decided.winner is None and not given_up(m)", "drawn = False"),
        ("and not any(ahead[s] == 1 for s in m.resigned)", ""),
        ("places = ahead if by_game else rank_with_resigned(m, ahead)", "places = rank_with_resigned(m, ahead)"),
        ("outcome.places if m.game.leaving.resign else rank_with_resigned(m, outcome.places)", "outcome.places"),
        ("return sides.index(first.pop()) if len(first) == 1 else None", "return sides.index(min(first))"),
    ),
    *in_("series", ("len(winners) < 3 * best_of", "len(winners) < 2 * best_of"), ("> best_of // 2", ">= best_of // 2")),
    # Giving up, and offers of a draw.
    *in_(
        "resignations",
        ("c.whole_match or not duel or not is_game_on(m)", "c.whole_match or not duel"),
        ("c.whole_match or not duel or not is_game_on(m)", "c.whole_match or not is_game_on(m)"),
        ('elif not duel and m.common.on_resign == "bot":', 'elif m.common.on_resign == "bot":'),
        ("if m.game.leaving.resign and m.table is not None:", "if False:"),
        ("case SeatResigned(whole_match=True):", "case SeatResigned():"),
    ),
    *in_(
        "draws",
        ("m.draw_offer is None and m.draw_refused != seat", "m.draw_offer is None"),
        ("m.draw_offer is None and m.draw_refused != seat", "m.draw_refused != seat"),
        ("m.stakes is None and is_game_on(m)", "m.stakes is None"),
        ("m.draw_offer, m.draw_refused = None, m.draw_offer", "m.draw_offer = None"),
    ),
    *in_(
        "legal",
        ("for s in humans(m) if offered and s != m.draw_offer", "for s in humans(m) if offered"),
    ),
    *in_(
        "take_backs",
        ("m.take_back is None and not m.defaults[seat]", "not m.defaults[seat]"),
        ("if s != m.take_back and s not in m.granted", "if s not in m.granted"),
        ("            m.take_back = m.undo = None\n", "            m.take_back = None\n"),
        ("put_at(m.banks, event.seat, m.undo.bank)", "m.banks"),
    ),
    *in_(
        "evolve",
        ("    m.draw_offer = m.draw_refused = None\n", ""),
    ),
    # Moves that stand.
    *in_(
        "take_backs",
        ("return consequences_losing_undo(game) | frozenset(game.events)", "return consequences_losing_undo(game)"),
        ("m.undo is not None and not kinds.isdisjoint(ending)", "False"),
        ("if ends and UndoKept not in kinds else", "if ends else"),
        ("        SeatResigned,\n", ""),
        ("shows | ends | game.answers.by.keys()", "ends"),
    ),
    # Nonces.
    *in_(
        "status",
        ("max(NONCE_SECONDS, min(first_budget(m.clock) // 1000, DAY))", "0"),
        ("max(NONCE_SECONDS, min(first_budget(m.clock) // 1000, DAY))", "first_budget(m.clock) // 1000"),
        ("return NONCE_SECONDS if m.common.nonce_commit else 0", "return NONCE_SECONDS"),
    ),
    *in_("match_shuffles", ('"hashes" if m.common.nonce_commit else "nonces", until', '"nonces", until')),
    *in_("state", ("if s not in m.resigned and s not in out)", ")")),
    # Absence and the clock.
    *in_("time_outs", ("m.defaults[seat] + 1 >= m.clock.max_defaults", "m.defaults[seat] >= m.clock.max_defaults")),
    *in_(
        "status",
        ("all(m.defaults[s] >= m.clock.max_defaults for s in people)", "bool(people)"),
        ("if not m.clock.ticks or any(m.moved) or", "if not m.clock.ticks or"),
        ("time_after(running_clock(m), until, 1000 * m.clock.grace_seconds)", "until"),
    ),
)


class _Planted(SourceFileLoader):
    """This loader compiles a module with the fault in it, and leaves files as they are."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
        assert source.count(self.mutant.right) == 1, self.mutant
        code: Any = self.source_to_code(source.replace(self.mutant.right, self.mutant.wrong).encode(), self.path)
        assert isinstance(code, CodeType)
        return code


class _Finder(MetaPathFinder):
    """This finder finds the module in which the fault is planted, and leaves all others to the rest."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname == self.mutant.module else None
        if spec is not None and spec.origin is not None:
            loader = _Planted(fullname, spec.origin)
            loader.mutant = self.mutant
            spec.loader = loader
            assert isinstance(spec.loader, Loader)
        return spec


def found(mutant: Mutant) -> bool:
    """Say whether a test fails where the fault is planted, in a process of its own."""
    child = os.fork()
    if child == 0:
        sys.meta_path.insert(0, _Finder(mutant))
        files = [f"tests/match/test_{name}.py" for name in TESTS]
        plain = ("-p", "no:cacheprovider", "--noconftest", "--no-header")
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # to import them takes longer than to run the tests
        os._exit(int(pytest.main(["-x", "-q", *plain, *files])))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == pytest.ExitCode.TESTS_FAILED


def main(part: int, parts: int) -> int:
    """Try every mutant whose number is `part` modulo `parts`; name on standard error those that no test finds."""
    survivors = [mutant for mutant in MUTANTS[part::parts] if not found(mutant)]
    for mutant in survivors:
        sys.stderr.write(f"{mutant}\n")
    return len(survivors)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
