"""Lists faults that could be made in the code of a match, each a change of one line, which its tests must detect.

`python -m tests.match.mutants 0 1` plants one after another, each in a separate process, and runs the quick tests of a
match until one fails. It names the undetected faults, and its exit code is their number.
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
"""The test files to run, the quick ones first."""


class Mutant(NamedTuple):
    """A fault that replaces `right`, which occurs once in the module, with `wrong`."""

    module: str
    right: str
    wrong: str


def in_(module: str, *changes: tuple[str, str]) -> tuple[Mutant, ...]:
    """Return the mutants of a module of the match."""
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
        ("return Verdict(series.winners[-1])", "return judge_series(m.created.series.best_of, series.winners)"),
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
    *in_("status", ("len(winners) < 3 * best_of", "len(winners) < 2 * best_of"), ("> best_of // 2", ">= best_of // 2")),
    # Giving up, and offers of a draw.
    *in_(
        "resignations",
        ("c.whole_match or not duel or not is_game_on(m)", "c.whole_match or not duel"),
        ("c.whole_match or not duel or not is_game_on(m)", "c.whole_match or not is_game_on(m)"),
        ('elif not duel and m.common.on_resign == "bot":', 'elif m.common.on_resign == "bot":'),
        ("if m.game.leaving.resign and m.table is not None:", "if False:"),
        ("case SeatResigned(whole_match=True):", "case SeatResigned():"),
        ("frozenset({SeatResigned, SeatHandedToBot})", "frozenset({SeatHandedToBot})"),
    ),
    *in_(
        "draws",
        ("m.draws.offer is None and seat not in m.draws.refused", "m.draws.offer is None"),
        ("m.draws.offer is None and seat not in m.draws.refused", "seat not in m.draws.refused"),
        ("m.stakes.arrived is None and is_game_on(m)", "m.stakes.arrived is None"),
        ("draws.refused, draws.offer = (*draws.refused, draws.offer), None", "draws.offer = None"),
        ("(*draws.refused, draws.offer)", "(draws.offer,)"),
    ),
    *in_(
        "legal",
        ("for s in humans(m) if offered and s != m.draws.offer", "for s in humans(m) if offered"),
    ),
    *in_(
        "take_backs",
        ("m.take_backs.asked_by is None and not m.clocks.defaults[seat]", "not m.clocks.defaults[seat]"),
        ("if s != take_backs.asked_by and s not in take_backs.granted", "if s not in take_backs.granted"),
        ("            take_backs.asked_by = m.undo = None\n", "            take_backs.asked_by = None\n"),
        ("    was.asked, was.credited,", "    was.banks = now.banks\n    was.asked, was.credited,"),
        ("was.credited, was.defaults, was.moved = deadlines, now.credited,", "was.defaults, was.moved = deadlines,"),
        ("keep else None for until", "until else None for until"),
    ),
    *in_(
        "evolve",
        ("    m.draws.offer, m.draws.refused = None, ()\n", ""),
    ),
    # Moves that stand.
    *in_(
        "take_backs",
        (
            "return consequences_losing_undo(game, of_the_match) | frozenset(game.events)",
            "return consequences_losing_undo(game, of_the_match)",
        ),
        ("m.undo is not None and not kinds.isdisjoint(ending)", "False"),
        ("if ends and UndoKept not in kinds else", "if ends else"),
        ("shows | ends | of_the_match | game.answers.by.keys()", "ends | of_the_match"),
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
    *in_(
        "clocks",
        ("defaults[seat] + 1 >= m.clock.max_defaults", "defaults[seat] >= m.clock.max_defaults"),
    ),
    *in_(
        "status",
        ("all(m.clocks.defaults[s] >= m.clock.max_defaults for s in people)", "bool(people)"),
        ("if not m.clock.ticks or any(m.clocks.moved) or", "if not m.clock.ticks or"),
        ("time_after(running_clock(m), until, 1000 * m.clock.grace_seconds)", "until"),
    ),
)


class _Planted(SourceFileLoader):
    """Loads a module with the fault in it, without changing files."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
        assert source.count(self.mutant.right) == 1, self.mutant
        code: Any = self.source_to_code(source.replace(self.mutant.right, self.mutant.wrong).encode(), self.path)
        assert isinstance(code, CodeType)
        return code


class _Finder(MetaPathFinder):
    """Finds the module with the planted fault, and leaves all others to the other finders."""

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
    """Return whether a test fails after the fault is planted, in a separate process."""
    child = os.fork()
    if child == 0:
        sys.meta_path.insert(0, _Finder(mutant))
        files = [f"tests/match/test_{name}.py" for name in TESTS]
        plain = ("-p", "no:cacheprovider", "--noconftest", "--no-header")
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing them takes longer than running the tests
        os._exit(int(pytest.main(["-x", "-q", *plain, *files])))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == pytest.ExitCode.TESTS_FAILED


def main(part: int, parts: int) -> int:
    """Try every mutant whose number is `part` modulo `parts`; print the undetected ones to standard error."""
    survivors = [mutant for mutant in MUTANTS[part::parts] if not found(mutant)]
    for mutant in survivors:
        sys.stderr.write(f"{mutant}\n")
    return len(survivors)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
