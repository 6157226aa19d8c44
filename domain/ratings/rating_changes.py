"""Computes the rating changes of a finished match, and of all matches in their order."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from domain.core.clock import Time
from domain.core.strengths import Figures
from domain.core.values import value
from domain.ratings.finished import FinishedMatch, FinishedSeat
from domain.ratings.plackett_luce import MU, Rating, rate_sides, rating_after_idle
from domain.ratings.repeats import FREE, Pair, Repeats, weight_of
from domain.ratings.trust import NOTHING_KNOWN, Trust, trust_after

FORMULA: Final = "1"
"""The version of the whole computation of ratings; any change raises it, and all ratings are then recomputed."""

AGAINST_BOTS: Final = 0.5
"""How much a result against a side of bots counts."""

LATELY: Final = 10
"""The number of latest matches of a player in a pool among which quick losses are counted."""

_COUNTS: Final = {"": 0, "lost": 1, "given_up": 2}
"""The weight of a match for a flag: one that was lost soon, and one that was resigned soon."""

FLAGGED: Final = 10
"""A player is flagged from this count of the latest matches on: five resigned or ten lost.

The same count of won matches flags a player as one who receives gifts.
"""

_DIGITS: Final = 3

Sides = Sequence[Sequence[FinishedSeat]]
"""The seats of a match by their sides."""

Weight = Callable[[str, str], float]
"""Returns the weight of a match for the first of two players, by the trust in the other."""


@value
class PoolStanding:
    """A player in a pool: the rating at the last match, the matches played and won, and its time.

    `lately` has the weight of each of the latest matches for a flag, one digit each, the latest last. `hasty` counts
    the matches that the player lost soon after their start: 0 until the player is flagged, then those of the latest
    matches and all later ones.
    """

    rating: Rating = Rating()
    matches: int = 0
    wins: int = 0
    last: Time = Time(0)
    hasty: int = 0
    lately: str = ""
    gifts: int = 0
    presents: str = ""

    def at(self, now: Time) -> Rating:
        """Return the rating as of now: its deviation grows with the time without a match."""
        return rating_after_idle(self.rating, now - self.last) if self.matches else self.rating


NEW: Final = PoolStanding()


def opponents(match: FinishedMatch) -> list[Pair]:
    """Return the pairs of people on different sides."""
    people = [(seat.player, seat.side) for seat in match.seats if seat.player is not None]
    return [
        (one, other) if one < other else (other, one)
        for at, (one, side) in enumerate(people)
        for other, beyond in people[at + 1 :]
        if side != beyond
    ]


def rate_match(
    match: FinishedMatch, figures: Figures, before: Mapping[str, PoolStanding], weight: Weight
) -> tuple[bool, dict[str, PoolStanding]]:
    """Return whether a match changes ratings, and the standings of its players after it.

    Players who are not in `before` are new in its pool. Players who left rank behind all others, whatever their bot
    achieved. A side of bots without a known strength does not count; nor does one whose people decided nothing. If
    fewer than two sides remain, no rating changes.
    """
    here = {seat.player: before.get(seat.player, NEW) for seat in match.seats if seat.player is not None}
    sides = _sides_of(match, figures)
    changes = _is_rated(match, sides)
    ratings = _rated(match, sides, figures, here, weight) if changes else {}
    new = {
        seat.player: _standing_after(match, seat, here, ratings.get(seat.player))
        for seat in match.seats
        if seat.player is not None
    }
    return changes, new


def _is_rated(match: FinishedMatch, sides: Sides) -> bool:
    """Return whether a match with these sides changes ratings: not if only one side decided anything."""
    return len(sides) > 1 or all(seat.decided for seat in match.seats)


def _rated(
    match: FinishedMatch, sides: Sides, figures: Figures, here: Mapping[str, PoolStanding], weight: Weight
) -> dict[str, Rating]:
    """Return the ratings, after a match, of the players who decided something.

    Each is rated by the order among the sides that count for the player, as if no others had played.
    """
    rest = {player: standing.at(match.at) for player, standing in here.items()}
    ratings = [[_rating(seat, figures, rest) for seat in side] for side in sides]
    places = [_place(side) for side in sides]

    @cache
    def rated(table: tuple[int, ...], places: tuple[int, ...]) -> list[list[Rating]]:
        return rate_sides([ratings[at] for at in table], places, figures.beta, figures.lower_places_weight)

    found: dict[str, Rating] = {}
    for at, side in enumerate(sides):
        for n, seat in enumerate(side):
            if seat.player is None or not seat.decided:
                continue
            weights = _weights(seat.player, at, sides, weight)
            table = tuple(sorted([at, *weights]))
            own = tuple(_BEHIND if other == at and seat.left else places[other] for other in table)
            share = sum(weights.values()) / len(weights) if weights else 0.0
            new = rated(table, own)[table.index(at)][n] if weights else rest[seat.player]
            found[seat.player] = _partly(rest[seat.player], new, share)
    return found


def _sides_of(match: FinishedMatch, figures: Figures) -> Sides:
    """Return the sides of a match, without bots of unknown strength and people who decided nothing."""
    sides: dict[int, list[FinishedSeat]] = {}
    for seat in match.seats:
        sides.setdefault(seat.side, []).append(seat)
    return [side for side in sides.values() if _is_there(side, figures)]


def _is_there(side: Sequence[FinishedSeat], figures: Figures) -> bool:
    people = [seat for seat in side if seat.player is not None]
    return any(seat.decided for seat in people) if people else all(seat.level in figures.bots for seat in side)


def _rating(seat: FinishedSeat, figures: Figures, people: Mapping[str, Rating]) -> Rating:
    if seat.player is not None:
        return people[seat.player]
    return Rating(float(figures.bots.get(seat.level or "", MU)), 0.0)


_BEHIND: Final = 1_000
"""A place behind all others."""


def _place(side: Sequence[FinishedSeat]) -> int:
    """Return the place of a side: the last, if all its people left it."""
    left = [seat.left for seat in side if seat.player is not None]
    return _BEHIND if left and all(left) else min([seat.place for seat in side])


def _weights(player: str, mine: int, sides: Sides, weight: Weight) -> dict[int, float]:
    """Return the weights of the other sides that count for a player: less for bots, and for people met repeatedly.

    A side counts as far as the one of its people who counts least. Sides that do not count may have helped the player,
    so none counts unless most sides of people do, and bots count only if all of these do.
    """
    people: dict[int, float] = {}
    bots: dict[int, float] = {}
    for at, side in enumerate(sides):
        weights = [weight(player, seat.player) for seat in side if seat.player is not None]
        if at != mine:
            (people if weights else bots)[at] = min(weights, default=AGAINST_BOTS)
    counted = {at: found for at, found in people.items() if found > 0}
    if len(counted) == len(people):
        return counted | bots
    return counted if 2 * len(counted) > len(people) else {}


def _partly(rest: Rating, new: Rating, share: float) -> Rating:
    """Return the rating with only a share of the change, rounded so that it is the same on every machine."""
    variance = rest.sigma**2 + share * (new.sigma**2 - rest.sigma**2)
    return Rating(round(rest.mu + share * (new.mu - rest.mu), _DIGITS), round(variance**0.5, _DIGITS))


def _standing_after(
    match: FinishedMatch, mine: FinishedSeat, here: Mapping[str, PoolStanding], rating: Rating | None
) -> PoolStanding:
    """Return the standing of the player in a seat; `rating` is the new one, None if the match does not change it.

    For flags, it records how the player lost the match, and whether it was a gift to the player.
    """
    assert mine.player is not None
    before = here[mine.player]
    lost, given = _COUNTS[mine.quick], _gift_weight(match, mine, here)
    lately, presents = f"{before.lately}{lost}"[-LATELY:], f"{before.presents}{given}"[-LATELY:]
    # Later matches do not remove a flag.
    hasty = before.hasty + (lost > 0) if before.hasty else _suspect(lately)
    gifts = before.gifts + (given > 0) if before.gifts else _suspect(presents)
    if rating is None:
        return PoolStanding(before.rating, before.matches, before.wins, before.last, hasty, lately, gifts, presents)
    wins = before.wins + (not mine.left and mine.place == 1)
    # A match that ended before the last one, by another machine's clock, does not count as idle time.
    last = max(before.last, match.at)
    return PoolStanding(rating, before.matches + 1, wins, last, hasty, lately, gifts, presents)


def _gift_weight(match: FinishedMatch, mine: FinishedSeat, here: Mapping[str, PoolStanding]) -> int:
    """Return the weight of a won match as a gift: 2, 1, or 0 if any other person played on."""
    if mine.left or mine.place != 1:
        return 0
    others = [(seat, seat.player) for seat in match.seats if seat.side != mine.side and seat.player is not None]
    return min([_handed_over_weight(seat, here[other].rating) for seat, other in others], default=0)


def _handed_over_weight(seat: FinishedSeat, rating: Rating) -> int:
    if not seat.decided or seat.quick == "given_up":
        return 2
    return int(seat.left and rating.provisional)


def _suspect(lately: str) -> int:
    """Return the number of flagged latest matches, if there are too many to be chance, and 0 if not."""
    ones, twos = lately.count("1"), lately.count("2")
    return ones + twos if ones + 2 * twos >= FLAGGED else 0


Key = tuple[str, str]
"""A pool and a player."""


@value
class FoldStep:
    """The effects of a match on the standings of its players, and on the trust in players.

    `rated`: it has changed ratings; other matches count only for flags.
    """

    rated: bool
    standings: Mapping[str, PoolStanding]
    trusts: Mapping[str, Trust]


class MatchFold:
    """Folds matches one by one.

    `standings` and `trusts` hold the current knowledge; `proven` counts the proven players.
    """

    def __init__(self, figures: Callable[[FinishedMatch], Figures]) -> None:
        self.standings: dict[Key, PoolStanding] = {}
        self.trusts: dict[str, Trust] = {}
        self._repeats = Repeats()
        self.proven = 0
        self._figures = figures

    def rate(self, match: FinishedMatch) -> FoldStep:
        """Add a match, and return its changes."""
        people = [seat.player for seat in match.seats if seat.player is not None]
        before = {who: self.standings[match.pool, who] for who in people if (match.pool, who) in self.standings}
        rated, new = rate_match(match, self._figures(match), before, self._weight)
        trusts = trust_after(match, self.trusts, self.proven)
        self.meet(match)
        for who, standing in new.items():
            self.standings[match.pool, who] = standing
        for who, trust in trusts.items():
            self.proven += trust.proven - self.trusts.get(who, NOTHING_KNOWN).proven
            self.trusts[who] = trust
        return FoldStep(rated, new, trusts)

    def meet(self, match: FinishedMatch) -> None:
        """Count that players have met in a match."""
        self._repeats.add(match.at, opponents(match))

    def _weight(self, player: str, other: str) -> float:
        met = self._repeats.count_meetings((player, other) if player < other else (other, player))
        share = self.trusts.get(other, NOTHING_KNOWN).share_for(player, met)
        return share if met < FREE else share * weight_of(met)
