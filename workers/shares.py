"""The shares: which of the work that is due is taken next, so that nobody's work keeps that of others waiting.

Work for matches in which a person plays goes before the turns of bots among themselves. In both, owners come in turn,
and of each owner the work that has waited longest.
"""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from events.store.pending_records import Owed
from events.store.tables.pending_rows import BOT

OF_AN_OWNER: Final = 8
"""The most bots' turns in the matches of one owner that workers have at the same time."""

PEOPLE_MS: Final = 1_000
"""The time for which people count as playing after a bot has answered one of them, in milliseconds."""

REST_MS: Final = 200
"""The time that bots among themselves leave to people who are playing between their turns, in milliseconds."""

REMEMBERED: Final = 10_000
"""The most owners of whom it is remembered when they had their turn."""

Whose = tuple[str, bool]
"""The owner of a match, and whether only bots play in it."""


class Shares:
    """This object deals out work; of matches in which only bots play, workers have at most `bots_alone` at once."""

    def __init__(self, bots_alone: int) -> None:
        self._bots_alone = bots_alone
        self._taken: deque[int] = deque(maxlen=bots_alone)
        self._people_ms = -PEOPLE_MS
        self._served: dict[Whose, int] = {}
        self._round = 0

    def choose(self, owed: Sequence[Owed], at_work: Mapping[Whose, int], limit: int, now: int) -> list[Owed]:
        """Choose from what can be claimed at `now`, in milliseconds; it comes the earliest first.

        `at_work` counts the bots' turns that workers have.
        """
        queues = self._queues(owed, at_work)
        first = self._in_turn({whose: queue for whose, queue in queues.items() if not whose[1]}, limit)
        if any(work.kind == BOT for work in first):
            self._people_ms = now
        then = {whose: queue for whose, queue in queues.items() if whose[1]}
        then_taken = self._in_turn(then, min(self._room(at_work, now), limit - len(first)))
        self._taken.extend([now] * len(then_taken))
        return first + then_taken

    def _room(self, at_work: Mapping[Whose, int], now: int) -> int:
        """Say how many matches of bots may be taken now; while people play, fewer than workers could do."""
        busy = sum(n for (_, bots_alone), n in at_work.items() if bots_alone)
        if abs(now - self._people_ms) < PEOPLE_MS:
            busy = max(busy, sum(abs(now - taken) < REST_MS for taken in self._taken))
        return self._bots_alone - busy

    def _queues(self, owed: Sequence[Owed], at_work: Mapping[Whose, int]) -> dict[Whose, deque[Owed]]:
        """Part the work by owners; of bots' turns each has no more than there is room for."""
        queues: defaultdict[Whose, deque[Owed]] = defaultdict(deque)
        turns: defaultdict[Whose, int] = defaultdict(int, at_work)
        for work in owed:
            whose = (work.owner, work.bots_alone)
            if work.kind == BOT:
                turns[whose] += 1
                if turns[whose] > OF_AN_OWNER:
                    continue
            queues[whose].append(work)
        return queues

    def _in_turn(self, queues: dict[Whose, deque[Owed]], most: int) -> list[Owed]:
        """Take one of each queue after the other, beginning with the owner whose last turn is the longest ago."""
        chosen: list[Owed] = []
        while queues and len(chosen) < most:
            whose = min(queues, key=lambda each: (self._served.get(each, 0), queues[each][0].claimable_ms))
            chosen.append(queues[whose].popleft())
            if not queues[whose]:
                del queues[whose]
            self._note(whose)
        return chosen

    def _note(self, whose: Whose) -> None:
        self._round += 1
        self._served.pop(whose, None)
        self._served[whose] = self._round
        if len(self._served) > REMEMBERED:
            del self._served[next(iter(self._served))]
