"""The fold of ratings: it takes the rated matches in order, and writes the results.

It caches the results that it has written, and reads them again after another process wrote.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.core.clock import Time
from domain.core.strengths import Figures
from domain.games.catalogue import GAMES
from domain.ratings.finished import FinishedMatch
from domain.ratings.plackett_luce import Rating
from domain.ratings.rating_changes import FORMULA, FoldStep, Key, MatchFold, PoolStanding
from domain.ratings.repeats import Repeats
from domain.ratings.trust import Trust
from events.ratings.rated_handler import decode
from events.store.player_records import RatedRow, RatingRow, RatingRun, TrustRow
from events.store.protocol import Store
from events.store.tables import rating_rows
from events.store.tables.rating_step_rows import RatingStep, Stored, TrustBefore

PAGE: Final = 10_000
"""Maximum matches per step."""

MOST: Final = 200_000
"""Maximum standings in memory."""

UNKNOWN: Final = Figures()
"""The figures of a game that is not installed."""


class RatingFold:
    """Folds rated matches into ratings, one page at a time; any number may run."""

    def __init__(self, store: Store, *, formula: str = FORMULA) -> None:
        self._store = store
        self._formula = formula
        self._at: RatingRun | None = None
        self._fold = MatchFold(figures_of_noted)
        self._whole = False

    def step(self, limit: int = PAGE) -> int:
        """Rate the next matches; return their number. With a new formula, all are rated again."""
        state = rating_rows.state(self._store)
        if state is None or state.formula != self._formula:
            rating_rows.begin_ratings(self._store, self._formula, state)
            state = rating_rows.state(self._store)
            assert state is not None
        if state != self._at:
            self._read_again(state)
        page = rating_rows.read_rated_after(self._store, state.place, limit)
        if not page:
            return 0
        at = state._replace(place=page[-1].place)
        self._at = at if self._rate(state, page) else None
        return len(page)

    def _read_again(self, state: RatingRun) -> None:
        """Clear the memory, and read how often players have met lately."""
        self._fold = MatchFold(figures_of_noted)
        # Without a rated match, nothing is stored.
        self._whole = state.place == 0
        self._fold.proven = rating_rows.count_proven_players(self._store)
        last = rating_rows.last_end(self._store, state.place)
        if last is not None:
            for row in rating_rows.rated_since(self._store, Repeats.since(Time(last)), state.place):
                self._fold.meet(decode(row.facts))

    def _rate(self, state: RatingRun, page: Sequence[RatedRow]) -> bool:
        self._meet(page)
        touched: set[Key] = set()
        trusted: set[str] = set()
        changes = []
        for row in page:
            match = decode(row.facts)
            change, step = self._rate_one(row.match_no, match)
            changes.append(change)
            touched.update((match.pool, player) for player in step.standings)
            trusted.update(step.trusts)
        ratings = [_row(key, self._fold.standings[key]) for key in sorted(touched)]
        trusts = [_trust_row(player, self._fold.trusts[player]) for player in sorted(trusted)]
        return rating_rows.write_ratings(self._store, state, page[-1].place, ratings, changes, trusts)

    def _rate_one(self, match_no: int, match: FinishedMatch) -> tuple[dict[str, Any], FoldStep]:
        """Rate a match; return its stored form, with the values before and the changes."""
        here = {seat.player: (match.pool, seat.player) for seat in match.seats if seat.player is not None}
        known, trusts = self._fold.standings, self._fold.trusts
        before = {player: known.get(key) for player, key in here.items()}
        trusted = {player: trusts.get(player) for player in here}
        step = self._fold.rate(match)
        ratings = {player: _step(standing.rating, before[player]) for player, standing in step.standings.items()}
        change = {
            "match_no": match_no,
            "pool": match.pool,
            "rated": step.rated,
            "ratings": encode(ratings).decode(),
            "trusts": encode({player: _trust_before(trusted[player]) for player in step.trusts}).decode(),
        }
        return change, step

    def _meet(self, page: Sequence[RatedRow]) -> None:
        """Read the standings of the players of these matches that are not in memory."""
        fold = self._fold
        if len(fold.standings) > MOST:
            fold.standings, fold.trusts, self._whole = {}, {}, False
        if self._whole:
            return
        # Matches are then read twice, which takes less than keeping a whole page.
        matches = (decode(row.facts) for row in page)
        keys = {(match.pool, seat.player) for match in matches for seat in match.seats if seat.player is not None}
        for row in rating_rows.of_players(self._store, keys - fold.standings.keys()):
            fold.standings.setdefault((row.pool, row.player_id), standing_of(row))
        for known in rating_rows.trusts(self._store, {player for _, player in keys} - fold.trusts.keys()):
            fold.trusts[known.player_id] = decode_trust(known.trust)


encode = msgspec.json.Encoder().encode
decode_trust = msgspec.json.Decoder(Trust).decode


def standing_of(row: RatingRow) -> PoolStanding:
    """Return a standing as it was stored."""
    return PoolStanding(Rating(row.mu, row.sigma), row.matches, row.wins, Time(row.last_ms), *row[-4:])


def _step(now: Rating, before: PoolStanding | None) -> RatingStep:
    return RatingStep(now.mu, now.sigma, None if before is None else _stored_columns(before))


def _row(key: Key, one: PoolStanding) -> RatingRow:
    return RatingRow._make((*key, *_stored_columns(one)))


def _stored_columns(one: PoolStanding) -> Stored:
    # The displayed rating is rounded like its parts.
    shown = round(one.rating.shown, 3)
    return one.rating.mu, one.rating.sigma, shown, one.matches, one.wins, one.last, *flags_of(one)


def flags_of(one: PoolStanding) -> tuple[int, str, int, str]:
    """Return a player's notes for flags."""
    return one.hasty, one.lately, one.gifts, one.presents


def _trust_row(player: str, trust: Trust) -> TrustRow:
    return TrustRow(player, trust.proven, encode(trust).decode())


def _trust_before(trust: Trust | None) -> TrustBefore | None:
    return None if trust is None else TrustBefore(trust.proven, encode(trust).decode())


def figures_of_noted(match: FinishedMatch) -> Figures:
    """Return the figures by which a recorded match is rated."""
    if match.game not in GAMES:
        return UNKNOWN
    _, name, _ = match.pool.split(":")
    return GAMES[match.game].setup.strengths.figures(name)
