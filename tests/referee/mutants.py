"""Rule faults that could be made in the engine, each a change of one line; the referees find most of them.

`mutants.json` lists 20 for each subject: a game, or the life of a match. They were drawn from all changes of a
comparison, a number, an operator or a truth value in the modules of its rules, before any was tried. `found` is what
came of each in the last full run.

.venv/bin/python -m tests.referee.mutants [SUBJECT …]

plants one after another, each in its own process, follows matches with the referee, and names the faults that it has
not found. Some of these change nothing that a record shows, such as a text or a refusal.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any, Final, NamedTuple

from tests.draws import repeatable
from tests.referee.compiled import Program, compile_referees, needed

ROOT: Final = Path(__file__).parents[2]
FACTS: Final = 5_000
"""The facts of a game that the referee follows before it gives up."""
LIVES: Final = 40
"""The records of matches that the referee judges before it gives up."""
SECONDS: Final = 90
"""The time after which a fault counts as found: the engine does not come to an end with it."""
OF_MATCHES: Final = ("crazy_eights", "five_card_draw", "hearts", "gin_rummy")
"""The games in which faults in the life of a match are looked for."""
DISAGREES, SURVIVES, RAISES, HANGS = 10, 0, 11, -signal.SIGALRM
PLANT: Final = "--plant"
"""With this argument, the command plants one fault, and its exit code says how the fault was found."""
HOW: Final = {DISAGREES: "disagrees", SURVIVES: "survives", RAISES: "raises", HANGS: "hangs"}


class Mutant(NamedTuple):
    """A mutant has `wrong` where the module has `right`, once."""

    subject: str
    module: str
    right: str
    wrong: str
    found: str

    @property
    def applies(self) -> bool:
        """Return whether the line is still there, once."""
        source = (ROOT / self.module.replace(".", "/")).with_suffix(".py").read_text("utf-8")
        return source.count(self.right) == 1


MUTANTS: Final = [Mutant(**row) for row in json.loads((Path(__file__).parent / "mutants.json").read_text("utf-8"))]


class _Planted(SourceFileLoader):
    """This loader compiles a module with the fault in it, and leaves files as they are."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
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
        return spec


def found(mutant: Mutant, node: str, programs: Path) -> str:
    """Return how a fault is found that is planted in a separate process, or that it survives."""
    # In this process, the module may have been imported without the fault.
    command = [sys.executable, "-m", "tests.referee.mutants", PLANT, str(MUTANTS.index(mutant)), node, str(programs)]
    return HOW.get(subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode, "raises")


def _follow(mutant: Mutant, node: str, programs: Path) -> int:
    """Follow matches of the engine with the fault, the same in every run, and return what comes of it."""
    signal.alarm(SECONDS)
    repeatable("mutants")
    sys.meta_path.insert(0, _Finder(mutant))
    try:
        with Program(node, programs / "judge.js") as judge, Program(node, programs / "follow.js") as follow:
            if mutant.subject == "match":
                differs = _in_lives(OF_MATCHES, judge)
            else:
                differs = _in_play(mutant.subject, follow) or _in_lives([mutant.subject], judge)
    except Exception:
        return RAISES
    return DISAGREES if differs else SURVIVES


def _in_play(game: str, referee: Program) -> bool:
    from tests.laws.games import OF
    from tests.referee.played import drawn, followed

    rng, facts = Random("mutants"), 0
    while facts < FACTS:
        entry, chosen = drawn(OF[game], rng)
        answer = referee.ask(followed(entry, chosen, rng.randrange(2**32), most=1_500))
        if "facts" not in answer:
            return True
        facts += int(str(answer["facts"]))
    return False


def _in_lives(games: Sequence[str], referee: Program) -> bool:
    from tests.proof.lives import lives

    for _, table in zip(range(LIVES), lives(list(games)), strict=False):
        if "why" in referee.ask(json.dumps(table.record())):
            return True
    return False


def main(subjects: list[str]) -> int:
    """Try the mutants of these subjects, or all, and print what came of each; return the number of those not found."""
    tried = [one for one in MUTANTS if (not subjects or one.subject in subjects) and one.applies]
    with tempfile.TemporaryDirectory() as folder:
        node, programs = needed(), compile_referees(Path(folder))
        outcomes = [found(mutant, node, programs) for mutant in tried]
    totals = Counter(zip((one.subject for one in tried), outcomes, strict=True))
    survivors = [one for one, outcome in zip(tried, outcomes, strict=True) if outcome == "survives"]
    for (subject, outcome), number in sorted(totals.items()):
        sys.stdout.write(f"{subject:20} {outcome:10} {number}\n")
    for one in survivors:
        sys.stdout.write(f"{one.subject} {one.module}: {one.wrong.strip()}\n")
    return len(survivors)


if __name__ == "__main__":
    if sys.argv[1:2] == [PLANT]:
        sys.exit(_follow(MUTANTS[int(sys.argv[2])], sys.argv[3], Path(sys.argv[4])))
    sys.exit(main(sys.argv[1:]))
