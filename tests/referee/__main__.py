"""Follows many matches of the engine with the referee, and lists what was found.

.venv/bin/python -m tests.referee [--hands 20000] [--seed N] [GAME …]
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.laws.games import OF
from tests.referee.compiled import REFEREES, Program, compile_referees, needed
from tests.referee.played import drawn, every_value, followed

ENOUGH = 50
"""How often a run should have drawn each value of an option."""


def follow(game: str, hands: int, seed: int, referee: Program) -> bool:
    """Follow matches of a game until so many hands were dealt; say whether both agree on all of them."""
    rng, begun = Random(seed), time.monotonic()
    dealt, facts, matches, disagreements = 0, 0, 0, 0
    values: Counter[str] = Counter()
    while dealt < hands:
        entry, chosen = drawn(OF[game], rng)
        number = rng.randrange(2**32)
        line = followed(entry, chosen, number)
        dealt += line.count('{"type":"HandStarted"')
        matches += 1
        values.update(f"{name}={value}" for name, value in chosen.items())
        found = referee.ask(line)
        if "facts" in found:
            facts += int(str(found["facts"]))
        else:
            disagreements += 1
            sys.stdout.write(f"{game}, {entry.seats} seats, {json.dumps(chosen)}: {json.dumps(found)[:2000]}\n")
    took = time.monotonic() - begun
    sys.stdout.write(f"{game}: {matches} matches, {dealt} hands, {facts} facts in {took:.0f} s; ")
    sys.stdout.write(f"{disagreements} disagreements\n")
    rare = [
        one for name, all_ in every_value(game).items() for value in all_ if values[one := f"{name}={value}"] < ENOUGH
    ]
    if rare:
        sys.stdout.write(f"{game}: fewer than {ENOUGH} matches with {', '.join(rare)}\n")
    return not disagreements


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(REFEREES))
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder, Program(needed(), compile_referees(Path(folder)) / "follow.js") as referee:
        agree = [follow(game, asked.hands, asked.seed, referee) for game in asked.games]
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
