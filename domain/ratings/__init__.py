"""Rates players by the results of finished matches.

Ratings follow only from results and are never a fact of a match. They know matches; matches do not know them.
"""

from domain.ratings.decisions import DeadlinesKept, deadlines_kept, deciders
from domain.ratings.expected import ExpectedResult, ExpectedSide, expect_result
from domain.ratings.finished import (
    READING,
    FinishedMatch,
    FinishedSeat,
    class_of,
    class_title,
    classes_of,
    figures_of,
    pool_of,
    pool_of_match,
    read_finished_match,
    unrated_because,
)
from domain.ratings.fold import FoldStep, Key, MatchFold
from domain.ratings.match_course import Course, course_of
from domain.ratings.plackett_luce import (
    MU,
    SETTLED,
    SIGMA,
    Rating,
    expected_places,
    first_chances,
    rate_sides,
    rating_after_idle,
)
from domain.ratings.rating_changes import FORMULA, LATELY, PoolStanding, opponents, standings_after
from domain.ratings.repeats import Repeats
from domain.ratings.trust import (
    FOUNDERS,
    MATCHES,
    MOST_VOUCHED,
    NEEDED,
    NOTHING_KNOWN,
    UNPROVEN,
    VOUCHES_AFTER_DAYS,
    Trust,
    trust_after,
)

__all__ = [
    "FORMULA",
    "FOUNDERS",
    "LATELY",
    "MATCHES",
    "MOST_VOUCHED",
    "MU",
    "NEEDED",
    "NOTHING_KNOWN",
    "READING",
    "SETTLED",
    "SIGMA",
    "UNPROVEN",
    "VOUCHES_AFTER_DAYS",
    "Course",
    "DeadlinesKept",
    "ExpectedResult",
    "ExpectedSide",
    "FinishedMatch",
    "FinishedSeat",
    "FoldStep",
    "Key",
    "MatchFold",
    "PoolStanding",
    "Rating",
    "Repeats",
    "Trust",
    "class_of",
    "class_title",
    "classes_of",
    "course_of",
    "deadlines_kept",
    "deciders",
    "expect_result",
    "expected_places",
    "figures_of",
    "first_chances",
    "opponents",
    "pool_of",
    "pool_of_match",
    "rate_sides",
    "rating_after_idle",
    "read_finished_match",
    "standings_after",
    "trust_after",
    "unrated_because",
]
