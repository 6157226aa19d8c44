"""The fold of ratings: it takes the rated matches in their order, and writes what follows from them.

What it holds in memory is what it has written itself, or read again since another process did.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.core.clock import Time
from domain.core.strengths import Figures
from domain.games.catalogue import GAMES
from domain.ratings import FORMULA, Finished, PoolStanding, Rating, Repeats, after, opponents
from events.ratings.rated_handler import decode
from events.store.player_records import RatingRow
from events.store.protocol import Store
from events.store.tables import rating_rows
from events.store.tables.rating_rows import RatedRow, RatingRun
from events.store.tables.rating_step_rows import RatingStep, Stored

PAGE: Final = 10_000
"""The most matches of a step."""

MOST: Final = 200_000
"""The most standings that are kept in memory."""

UNKNOWN: Final = Figures()
"""The figures of a game that is not installed."""

Key = tuple[str, str]
"""A pool and a player."""


class RatingFold:
    """Folds rated matches into ratings, one page at a time; any number may run."""

    def __init__(self, store: Store, *, formula: str = FORMULA) -> None:
        self._store = store
        self._formula = formula
        self._at: RatingRun | None = None
        self._repeats = Repeats()
        self._known: dict[Key, PoolStanding] = {}
        self._whole = False

    def step(self, limit: int = PAGE) -> int:
        """Rate the next matches; says how many. With another formula than before, all are rated anew."""
        state = rating_rows.state(self._store)
        if state is None or state.formula != self._formula:
            rating_rows.begin(self._store, self._formula, state)
            state = rating_rows.state(self._store)
            assert state is not None
        if state != self._at:
            self._read_again(state)
        page = rating_rows.after(self._store, state.place, limit)
        if not page:
            return 0
        at = state._replace(place=page[-1].place)
        self._at = at if self._rate(state, page) else None
        return len(page)

    def _read_again(self, state: RatingRun) -> None:
        """Forget what is in memory, and read how often players have met lately."""
        self._known, self._repeats = {}, Repeats()
        # Nothing is stored where nothing was rated.
        self._whole = state.place == 0
        last = rating_rows.last_end(self._store, state.place)
        if last is not None:
            for row in rating_rows.since(self._store, Repeats.since(Time(last)), state.place):
                match = decode(row.facts)
                self._repeats.add(match.at, opponents(match))

    def _rate(self, state: RatingRun, page: Sequence[RatedRow]) -> bool:
        self._meet(page)
        touched: set[Key] = set()
        changes = []
        for row in page:
            match = decode(row.facts)
            ratings = self._rate_one(match)
            touched.update((match.pool, player) for player in ratings)
            changes.append({"match_no": row.match_no, "pool": match.pool, "ratings": encode(ratings).decode()})
        changed = [_row(key, self._known[key]) for key in sorted(touched)]
        return rating_rows.write(self._store, state, page[-1].place, changed, changes)

    def _rate_one(self, match: Finished) -> dict[str, RatingStep]:
        """Rate a match; gives what it has made of the ratings of its players."""
        here = {seat.player: (match.pool, seat.player) for seat in match.seats if seat.player is not None}
        before = {player: self._known[key] for player, key in here.items() if key in self._known}
        new = after(match, _figures(match), before, self._repeats.weight)
        self._repeats.add(match.at, opponents(match))
        for player, standing in new.items():
            self._known[here[player]] = standing
        return {player: _step(standing.rating, before.get(player)) for player, standing in new.items()}

    def _meet(self, page: Sequence[RatedRow]) -> None:
        """Read the standings of the players of these matches that are not in memory."""
        if len(self._known) > MOST:
            self._known, self._whole = {}, False
        if self._whole:
            return
        # Matches are read twice then, for that takes less than keeping all of a page.
        matches = (decode(row.facts) for row in page)
        keys = {(match.pool, seat.player) for match in matches for seat in match.seats if seat.player is not None}
        for row in rating_rows.of_players(self._store, keys - self._known.keys()):
            self._known.setdefault((row.pool, row.player_id), standing_of(row))


encode = msgspec.json.Encoder().encode


def standing_of(row: RatingRow) -> PoolStanding:
    """Give a standing as it was stored."""
    return PoolStanding(Rating(row.mu, row.sigma), row.matches, row.wins, Time(row.last_ms), row.hasty, row.lately)


def _step(now: Rating, before: PoolStanding | None) -> RatingStep:
    return RatingStep(now.mu, now.sigma, None if before is None else _stored(before))


def _row(key: Key, one: PoolStanding) -> RatingRow:
    return RatingRow._make((*key, *_stored(one)))


def _stored(one: PoolStanding) -> Stored:
    # What is shown is rounded as its parts are.
    shown = round(one.rating.shown, 3)
    return one.rating.mu, one.rating.sigma, shown, one.matches, one.wins, one.last, one.hasty, one.lately


def _figures(match: Finished) -> Figures:
    if match.game not in GAMES:
        return UNKNOWN
    _, name, _ = match.pool.split(":")
    return GAMES[match.game].setup.strengths.figures(name)
