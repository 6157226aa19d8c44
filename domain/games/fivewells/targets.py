"""Says what may be a target, and whether chosen targets are legal (fivewells 7)."""

from collections.abc import Sequence

from domain.card_sets.cards.card_kinds import Keyword, TargetKind
from domain.card_sets.cards.filters import EVERYTHING, TargetRule
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.characteristics import Thing, board, is_theirs, passes
from domain.games.fivewells.handles import BACK, LETTERS, NO_TARGETS, Handle, Handles, Targets, of_seat
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.state import State

CREATURES = (TargetKind.CREATURE, TargetKind.CREATURE_OR_PLAYER)
OTHER_PERMANENTS = (TargetKind.ARTIFACT, TargetKind.LAND, TargetKind.PERMANENT)
PLAYERS = (TargetKind.PLAYER, TargetKind.CREATURE_OR_PLAYER)


@value
class Candidates:
    """Candidates are what may be chosen under a letter, and how many."""

    id: str
    of: Handles
    least: int
    most: int

    @property
    def ways(self) -> int:
        """Give 0 where too few may be chosen, 1 where there is one way to choose, else 2."""
        if len(self.of) < self.least:
            return 0
        return 1 if not self.of or self.least == len(self.of) else 2


def candidates(s: State, rule: TargetRule, you: Seat, source: Handle) -> Candidates:
    """Give what may be chosen for a target: objects by their handles, then the opponent, then oneself."""
    found: list[Handle] = []
    if rule.what in CREATURES or rule.what in OTHER_PERMANENTS:
        found += permanents_for(s, rule, you, source)
    elif rule.what is TargetKind.SPELL:
        found = [
            one.item
            for one in s.stack
            if one.spell and one.source != source and is_theirs(rule.controller, one.controller, you)
        ]
    elif rule.what is TargetKind.CREATURE_CARD_IN_GRAVEYARD:
        piles = [pile for seat, pile in enumerate(s.graveyards) if is_theirs(rule.controller, seat, you)]
        found = sorted(card for pile in piles for card in pile if PRINTED[s.cards[card]].creature)
    if rule.what in PLAYERS:
        found += [of_seat(seat) for seat in (1 - you, you) if is_theirs(rule.controller, seat, you)]
    return Candidates(rule.id, tuple(found), rule.min, rule.max)


def permanents_for(s: State, rule: TargetRule, you: Seat, source: Handle) -> Handles:
    """Return the permanents that may be chosen for a target; they are searched once for all sources of a board."""
    b = board(s)
    key = ("targets", rule, you)
    if key not in b.known:
        b.known[key] = tuple(sorted([one for one, thing in b.things.items() if _is_target(rule, thing, you)]))
    known: Handles = b.known[key]
    return leave_out(known, source) if rule.filter.other else known


def leave_out(handles: Handles, source: Handle) -> Handles:
    """Leave out one of these, if it is among them."""
    return tuple([handle for handle in handles if handle != source])


def _is_target(rule: TargetRule, thing: Thing, you: Seat) -> bool:
    """Say whether a permanent may be chosen for a target by a source that is none of them."""
    return (
        _is_kind(rule.what, thing)
        and is_theirs(rule.controller, thing.controller, you)
        and (thing.controller == you or Keyword.WARDED not in thing.keywords)
        and (rule.filter == EVERYTHING or passes(rule.filter, thing, you, BACK))
    )


def _is_kind(what: TargetKind, thing: Thing) -> bool:
    match what:
        case TargetKind.ARTIFACT:
            return thing.printed.artifact
        case TargetKind.LAND:
            return thing.printed.land
        case TargetKind.PERMANENT:
            return True
        case _:
            return thing.printed.creature


def fault(known: Sequence[Candidates], chosen: Targets) -> str | None:
    """Say what is wrong with chosen targets."""
    letters = {one.id for one in known}
    rows = [(one, chosen.of(one.id)) for one in known]
    if any(set(row) - set(one.of) for one, row in rows):
        return "illegal_target"
    extra = any(chosen.of(letter) for letter in LETTERS if letter not in letters)
    if extra or any(not one.least <= len(row) <= one.most or len(set(row)) < len(row) for one, row in rows):
        return "wrong_target_count"
    return None


def still_legal(s: State, rules: Sequence[TargetRule], chosen: Targets, you: Seat, source: Handle) -> Targets:
    """Keep the targets that are legal still."""
    kept: dict[str, Handles] = {}
    for rule in rules:
        legal = candidates(s, rule, you, source).of
        kept[rule.id] = tuple(handle for handle in chosen.of(rule.id) if handle in legal)
    return Targets(**kept)


def everything(chosen: Targets) -> Handles:
    """Give all targets."""
    if chosen == NO_TARGETS:
        return ()
    return tuple([handle for letter in LETTERS for handle in chosen.of(letter)])
