"""Plays duels that are written in sentences: a situation, the actions, and the expected outcome.

A script is a block of lines. Each begins with `given`, `when`, `then` or `and`, which continues the line before. `you`
are seat 0, in the first main step of your turn; `they` are seat 1. `it` is the card that the script is about. The
sentences after `when` are in `deeds`, those after `then` in `findings`.
"""

import re
from collections import Counter
from typing import Any

from domain.card_sets.cards.card_kinds import Keyword
from domain.card_sets.cards.costs import read_cost
from domain.card_sets.cards.library import CARDS, TOKENS
from domain.core.game import CHANCE
from domain.core.values import put_at
from domain.games.fivewells.characteristics import PRINTED, board
from domain.games.fivewells.moves import DeclareAttackers, DeclareBlockers, PassPriority
from domain.games.fivewells.records import Targets, of_seat
from domain.games.fivewells.waiting import ALL_STOPS, ask, default, to_act
from tests.card_sets.to_come import TO_COME
from tests.games.fivewells.table import IDS, LIBRARY, Duel

WORDS = {"no": 0, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
TOKEN_IDS = {token.name: token.id for token in TOKENS.values()}
NAMES = sorted([card.name for card in (*CARDS.values(), *TO_COME.cards)] + [*TOKEN_IDS], key=len, reverse=True)
THING = rf"(?:your |their )?(?:{'|'.join(map(re.escape, NAMES))}|\bit\b|\byou\b|\bthem\b)"
LISTED = re.compile(rf"(?:(\d+|one|two|three|four|five|six) )?({THING})(?: \(([^)]*)\))?")
SEATS = {"you": 0, "your": 0, "they": 1, "their": 1, "them": 1}
MANA = "STRFGN"
STEPS = ("dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk")


Sentences = list[tuple[str, Any]]
"""Sentences, each a pattern and the function that handles it, in the order in which they are tried."""


def understood_by(rows):
    """Return the decorator of the functions that handle sentences, each by its pattern."""

    def of(pattern):
        def known(function):
            rows.append((pattern, function))
            return function

        return known

    return of


class Unclear(Exception):
    """A sentence is not understood; this is a fault of the script, not of the game."""


class Script:
    """A duel played by sentences; `it` names the card that they are about."""

    def __init__(self, block, it=""):
        self.it = it
        lines = list(sentences(block))
        self.lines = [line for line in lines if line[0] != "given"]
        rows = {zone: [[], []] for zone in ("hands", "board", "libraries", "graveyards")}
        fields = {"stops": (ALL_STOPS, ALL_STOPS)}
        for _, line in (line for line in lines if line[0] == "given"):
            self._give(line, rows, fields)
        self._hold(rows["hands"], rows["board"])
        rows["libraries"] = [row or list(LIBRARY) for row in rows["libraries"]]
        self.duel = Duel(**rows, **fields)

    @property
    def state(self):
        return self.duel.state

    # --- Given ----------------------------------------------------------------------------------------------

    def _give(self, line, rows, fields):
        if match := re.fullmatch(r"(you|they) have (.+)", line):
            rows["board"][SEATS[match[1]]] += [(self.card(name), how) for name, how in self.listed(match[2])]
        elif match := re.fullmatch(r"(your|their) (hand|library|graveyard) is (.+)", line):
            zone = {"hand": "hands", "library": "libraries", "graveyard": "graveyards"}[match[2]]
            rows[zone][SEATS[match[1]]] += [self.card(name) for name, _ in self.listed(match[3])]
        elif match := re.fullmatch(r"(your|their) life is (\d+)", line):
            life = list(fields.get("life", (20, 20)))
            life[SEATS[match[1]]] = int(match[2])
            fields["life"] = tuple(life)
        elif match := re.fullmatch(r"(your|their) pool is (\w+)", line):
            pools = fields.get("pools", ((0,) * 6,) * 2)
            fields["pools"] = changed(pools, SEATS[match[1]], [match[2].count(kind) for kind in MANA])
        elif match := re.fullmatch(r"(you|they) stop at (.+)", line):
            fields["stops"] = put_at(fields["stops"], SEATS[match[1]], stops(match[2]))
        elif match := re.fullmatch(r"it is (your|their) (turn|\w+)", line):
            step = "main1" if match[2] == "turn" else match[2]
            fields |= {"active": SEATS[match[1]], "priority": SEATS[match[1]], "step": step}
        else:
            raise Unclear(f"given {line}")

    def listed(self, text):
        """Return the objects that a list names, each with its description in brackets."""
        found = []
        for count, name, said in LISTED.findall(text):
            number = WORDS.get(count) or int(count or 1)
            found += [(name, described(said))] * number
        if LISTED.sub("", text).replace("and", "").strip(" ,"):
            raise Unclear(text)
        return found

    def card(self, name):
        name = re.sub(r"^(your|their) ", "", self.it if name == "it" else name)
        return TOKEN_IDS.get(name, name)

    def _hold(self, hands, boards):
        """Add cards that are cast or played later to the hands, once for each time."""
        said = (re.match(rf"(you|they) (?:cast|announce|play) ({THING})", line) for _, line in self.lines)
        cast = Counter((SEATS[match[1]], self.card(match[2])) for match in said if match)
        for _, line in self.lines:
            if match := re.match(rf"(you|they) cannot cast ({THING})", line):
                cast.setdefault((SEATS[match[1]], self.card(match[2])), 1)
        for (seat, name), count in cast.items():
            there = sum(one == name for one, _ in boards[seat])
            hands[seat] += [name] * (count - hands[seat].count(name) - there)

    # --- Finding things -------------------------------------------------------------------------------------

    def there(self, name):
        """Return the objects on the battlefield with this name, in the order of their handles."""
        whose = re.match(r"(your|their) ", name)
        name = self.card(name)
        named = PRINTED[IDS.get(name, name)].name
        things = [thing for _, thing in sorted(board(self.state).things.items()) if thing.printed.name == named]
        return [thing for thing in things if not whose or thing.controller == SEATS[whose[1]]]

    def one(self, name):
        """Return the handle of a named object: on the battlefield, else on the stack, else in a graveyard or a hand."""
        if name in ("you", "them"):
            return of_seat(SEATS[name])
        if things := self.there(name):
            return things[0].object
        card = IDS[self.card(name)]
        for one in reversed(self.state.stack):
            if one.spell and one.card == card:
                return one.item
        zones = (*self.state.graveyards, *self.state.hands, *self.state.libraries)
        return next(handle for zone in zones for handle in zone if self.state.cards[handle] == card)

    def all(self, text):
        """Return the handles of all objects in a list; objects with the same name follow each other."""
        found = []
        for name, _ in self.listed(text or ""):
            handles = [thing.object for thing in self.there(name)] if name not in ("you", "them") else []
            handle = next((handle for handle in handles if handle not in found), None)
            found.append(self.one(name) if handle is None else handle)
        return tuple(found)

    def targets(self, text):
        """Return the targets in a list; `against` separates those of the first and the second letter."""
        if text is None:
            return None
        return Targets(**dict(zip("ab", map(self.all, text.split(" against ")), strict=False)))

    # --- Moves ----------------------------------------------------------------------------------------------

    def act(self, seat, move):
        """Move for a seat that has priority, or gets it by the other seat's pass."""
        self.give_priority(seat)
        self.duel.play(seat, move)

    def give_priority(self, seat):
        if not self.state.asked and self.state.priority == 1 - seat and self.state.passes == 0:
            self.duel.play(1 - seat, PassPriority())

    def go_on(self, until):
        """Continue without decisions until the condition holds, a player is asked to choose, or the duel is over."""
        for _ in range(200):
            actors = to_act(self.state)
            if until() or not actors or self.state.asked or self.state.random_discard >= 0:
                return
            if actors == (CHANCE,):
                move = ask(self.state)
                self.duel.play(
                    CHANCE, move.make(tuple(sorted(self.state.libraries[self.state.to_shuffle.index(True)])))
                )
            elif self.state.step == "attack" and not self.state.declared:
                self.duel.play(actors[0], DeclareAttackers(()))
            elif self.state.step == "block" and not self.state.declared:
                self.duel.play(actors[0], DeclareBlockers(()))
            elif self.state.unordered:
                self.duel.play(actors[0], default(self.state, actors[0]))
            else:
                self.duel.play(actors[0], PassPriority())
        raise AssertionError("this goes on for ever")

    def settle(self):
        """Resolve the whole stack."""
        self.go_on(lambda: not self.state.stack and to_act(self.state) != (CHANCE,))

    def pay(self, seat, move, cost, x, *, exactly):
        """Move with exactly this mana in the pool. With `exactly`, no other pool can pay for the move."""
        due = read_cost("0" if cost == "nothing" else cost)
        pool = [*due.colored, due.generic + x]
        pools = list(self.state.pools)
        if exactly:
            for kind in [kind for kind in range(6) if pool[kind]]:
                less = [have - (at == kind) for at, have in enumerate(pool)]
                self.state.pools = changed(pools, seat, less)
                assert self.duel.refusal(seat, move) == "cannot_pay", f"it costs no {MANA[kind]}"
                for other in set(range(6)) - {kind} if kind < 5 else ():
                    self.state.pools = changed(pools, seat, [have + (at == other) for at, have in enumerate(less)])
                    assert self.duel.refusal(seat, move) == "cannot_pay", f"it costs no {MANA[kind]}"
        self.state.pools = changed(pools, seat, pool)
        self.duel.play(seat, move)
        if exactly:
            assert sum(self.state.pools[seat]) == 0, f"{cost} is too much"

    def names(self, handles):
        return [PRINTED[self.state.cards[handle]].name for handle in handles]

    def zone(self, whose, zone):
        seat = SEATS[whose]
        zones = {"hand": self.state.hands, "library": self.state.libraries, "graveyard": self.state.graveyards}
        return self.names(zones[zone][seat])


def sentences(block):
    """Yield the sentences of a block, each with its kind; `and` continues the kind before."""
    kind = ""
    for line in filter(None, (line.strip() for line in block.splitlines())):
        word, _, rest = line.partition(" ")
        kind = kind if word == "and" else word
        if kind not in ("given", "when", "then"):
            raise Unclear(line)
        for sentence in rest.split("; "):
            yield kind, sentence.strip()


def described(said):
    """Return the fields of a permanent from its description, such as `tapped, damaged 2, with flying, gets +1/+1`."""
    fields = {}
    for part in filter(None, (part.strip() for part in said.split(","))):
        match part.split():
            case [("tapped" | "new" | "frozen" | "attacking") as mark]:
                fields[mark] = True
            case ["damaged", number]:
                fields["damage"] = int(number)
            case ["with", number, "counter" | "counters"]:
                fields["counters"] = WORDS[number]
            case ["with", *words]:
                fields["keywords"] = tuple(map(Keyword, words))
            case ["gets", sizes]:
                fields["power"], fields["toughness"] = map(int, sizes.split("/"))
            case _:
                raise Unclear(said)
    return fields


def stops(text):
    """Return the windows in a list, such as `own main1, opponent block`, or `nothing`."""
    named = () if text == "nothing" else tuple(text.split(", "))
    if set(named) - set(ALL_STOPS):
        raise Unclear(text)
    return named


def changed(pools, seat, pool):
    """Return the pools with this one for a seat."""
    return tuple(tuple(pool) if at == seat else tuple(row) for at, row in enumerate(pools))
