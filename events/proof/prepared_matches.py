"""This module compares what entrants bring to the tables of a tournament with what they gained as they prepared."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.game import AnyGame
from domain.games.catalogue import GAMES
from domain.match.state import initial_match
from domain.tournament.pods import PodFinished
from domain.tournament.rounds import BOT, Seating
from events.log.codec import shapes
from events.proof.checks.rules import read_event
from events.proof.findings import Fact, has_sealed_parts, seats_of

OTHER: Final = "A player has brought something to a table that was not gained before the first round."


class Prepared:
    """This takes in the matches of pods and of tables, and says whether all bring what they have gained."""

    def __init__(self) -> None:
        self._gained: dict[int, Any] = {}
        self._brought: list[tuple[int, int, Any]] = []

    def take_pod(self, event: PodFinished, seats: Seating, facts: Sequence[Fact]) -> str | None:
        """Add the verified match of a pod. Returns a sentence if the tournament's event contradicts it."""
        game = GAMES.get(str(facts[0].data.get("game")))
        if game is None or any(map(has_sealed_parts, facts)):
            return None
        gained = _gains(game, facts)
        for seat, entrant in enumerate(seats):
            if entrant is not BOT:
                self._gained[entrant] = gained[seat] if seat < len(gained) else None
        without = tuple(one for one in seats if one is not BOT and self._gained[one] is None)
        return (
            None
            if without == event.without
            else "The players without gains differ from those that the tournament states."
        )

    def take_table(self, seq: int, seats: Seating, facts: Sequence[Fact]) -> None:
        """Take in the match of a table with a valid record, if it was played."""
        game = GAMES.get(str(facts[0].data.get("game")))
        if game is None or game.entry is None or any(map(has_sealed_parts, facts)):
            return
        if not any(fact.type == "MatchStarted" for fact in facts):
            return
        known, name = shapes(game.name), game.entry.event.__name__
        brings = [read_event(known, fact, seats_of(facts)) for fact in facts if fact.type == name]
        by_seat: Mapping[int, Any] = {getattr(one, game.entry.seat): getattr(one, game.entry.field) for one in brings}
        self._brought += [(seq, one, by_seat.get(seat)) for seat, one in enumerate(seats) if one is not BOT]

    def fault(self) -> tuple[int, str] | None:
        """Return the event that cites a match to which something else was brought; None if there is none."""
        wrong = (seq for seq, one, brought in self._brought if one in self._gained and self._gained[one] != brought)
        return next(((seq, OTHER) for seq in wrong), None)


def _gains(game: AnyGame, facts: Sequence[Fact]) -> tuple[Any, ...]:
    """Fold the game of a match, which is one, and give what its seats have gained; nothing where it was not begun."""
    known, seats, types = shapes(game.name), seats_of(facts), {cls.__name__ for cls in game.events}
    told = [fact for fact in facts if fact.type in types]
    if not told or game.lifecycle.gains is None:
        return ()
    begun = initial_match(game, "", read_event(known, facts[0], seats))
    state = game.start(begun.options, seats, None)
    for fact in told:
        game.evolve(state, read_event(known, fact, seats))
    return game.lifecycle.gains(state)
