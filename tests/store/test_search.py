"""Tests the search for matches: every filter, every reader's view, and pages that continue in any order."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from events.store.protocol import Store
from events.store.records import MatchRow, NewStream, Projected, ResultRow, SeatRow
from events.store.search_records import PagePlace, Search
from events.store.tables import projection_rows, search_rows
from tests.store.commits import ANNA, BERT, NOW, commit, match_row

pytestmark = pytest.mark.both_databases

CARL = "carl-3456789012345678"
LATER = 10_000


@pytest.fixture(params=[pytest.param(search_rows.WALK, marks=pytest.mark.long), 2], ids=["at once", "two at a time"])
def _walk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_rows, "WALK", request.param)


def all_of(store: Store, viewer: str | None, search: Search, limit: int = 2) -> list[str]:
    """Return all results, page by page."""
    return [row.match_id for page in pages(store, viewer, search, limit) for row in page]


def pages(store: Store, viewer: str | None, search: Search, limit: int) -> Iterator[list[MatchRow]]:
    after: PagePlace | None = None
    while True:
        rows, after = search_rows.find_matches(store, viewer, search, after, limit)
        assert len(rows) <= limit
        yield rows
        if after is None:
            return


class Made:
    """A match as a test remembers it."""

    def __init__(self, store: Store, number: int, visibility: str, at: int | None = None, **of_match: str) -> None:
        creator = (ANNA, BERT, CARL)[number % 3]
        self.players = [(BERT, CARL), (CARL, None), (ANNA, BERT), (CARL, CARL)][number % 4]
        said = (
            50 + number % 2,
            ("true", "false", "null")[number % 3],
            ("2-2-2-3", "4-1-3-2")[number % 5 == 0],
        )
        options = '{{"target_score":{},"teams":{},"variant":"{}"}}'.format(*said)
        row = match_row(visibility=visibility, creator=creator, options=options, **of_match)
        self.row = row
        seats = [SeatRow(s, "player" if p else "bot", p) for s, p in enumerate(self.players)]
        first = commit(1, 2, f"m{number}", projected=Projected(row, seats))
        _, head = store.create(
            NewStream(
                f"m{number}",
                b"s" * 32,
                "aa",
                replace(first, at_ms=NOW + number * 5 % 24 // 2 if at is None else at),
                [],
            )
        )
        assert head is not None
        self.head = head
        self.created, self.creator = self.head.created_ms, creator
        self.ended: int | None = None
        self.results: dict[str, str] = {}

    def ends(self, store: Store, at: int, *how: str) -> None:
        places = [1 if result != "lost" else 2 for result in how]
        rows = [
            ResultRow(s, p, self.row.game, place, 0, at, result)
            for s, (p, place, result) in enumerate(zip(self.players, places, how, strict=True))
        ]
        self.row.status, self.row.ended_ms = "finished", at
        store.append(self.head.match_no, commit(3, projected=Projected(match=self.row, results=rows)))
        self.ended = at
        for player, result in zip(self.players, how, strict=True):
            if player is not None:
                self.results[player] = max(result, self.results.get(player, ""))

    def seen_by(self, viewer: str | None) -> bool:
        own = viewer is not None and viewer in (self.creator, *self.players)
        return self.row.visibility == "public" or own

    def fits(self, search: Search) -> bool:
        options = {"preset": self.row.preset, **_texts(self.row.options)}
        return all([
            _is(search.game, self.row.game), _is(search.status, self.row.status),
            set(search.players) <= set(self.players),
            search.result is None or self.results.get(search.player or "") == search.result,
            all(options.get(name) == value for name, value in search.options.items()),
            search.created_after is None or self.created >= search.created_after,
            search.created_before is None or self.created < search.created_before,
            search.ended_after is None or (self.ended is not None and self.ended >= search.ended_after),
            search.ended_before is None or (self.ended is not None and self.ended < search.ended_before),
        ])  # fmt: skip


def _is(wanted: str | tuple[str, ...] | None, value: str) -> bool:
    return wanted is None or value in (wanted if isinstance(wanted, tuple) else (wanted,))


def _texts(options: str) -> dict[str, str]:
    pairs = (pair.split(":") for pair in options.strip("{}").split(","))
    return {name.strip('"'): value.strip('"') for name, value in pairs}


@pytest.fixture
def made(store: Store) -> list[Made]:
    """Return two dozen matches of every kind; some are over, in another order than they began."""
    found = []
    for i in range(24):
        of_match: dict[str, Any] = {
            "game": ["hearts", "trio"][i % 7 == 0],
            "preset": ["seed", "club"][i % 6 == 0],
        }
        match = Made(store, i, ["public", "private", "public", "unlisted"][i % 4 if i < 16 else 0], **of_match)
        if i % 5 < 3:
            match.ends(
                store,
                NOW + LATER - 7 * i % 11,
                *[("won", "lost"), ("shared", "shared"), ("lost", "won")][i % 3],
            )
        found.append(match)
    return found


SEARCHES = [
    Search(),
    Search(game="hearts"),
    Search(game="trio"),
    Search(game="gin_rummy"),
    Search(status="finished"),
    Search(game="hearts", status="playing"),
    Search(game=("hearts", "trio", "hearts"), status=("playing", "finished")),
    Search(game=("trio", "gin_rummy"), player=CARL, ended_after=NOW),
    Search(player=BERT, opponents=(CARL,)),
    Search(player=BERT, opponents=(CARL, BERT), result="won"),
    Search(player=ANNA),
    Search(player=BERT, status="finished"),
    *[Search(player=player, result=result) for player in (BERT, CARL) for result in ("won", "shared", "lost")],
    *[Search(game=game, options={"variant": code}) for game in ("hearts", "trio") for code in ("2-2-2-3", "4-1-3-2")],
    *[Search(game="hearts", options={"teams": value}) for value in ("true", "false", "null")],
    Search(game="hearts", options={"target_score": "51", "teams": "true"}, player=CARL),
    Search(game="hearts", options={"preset": "club"}),
    Search(game="hearts", options={"preset": "seed"}, player=BERT, result="won"),
    Search(created_after=NOW + 5),
    Search(created_before=NOW + 5),
    Search(created_after=NOW, created_before=NOW + 8, player=CARL),
    Search(ended_after=NOW),
    Search(ended_before=NOW + LATER - 3),
    Search(ended_after=NOW + LATER - 6, ended_before=NOW + LATER - 2),
    Search(ended_after=NOW, player=CARL),
    Search(ended_after=NOW, player=CARL, result="won", game="hearts"),
    Search(ended_before=NOW + LATER - 1, game="hearts", options={"target_score": "50"}, created_after=NOW + 2),
]


@pytest.mark.long
@pytest.mark.usefixtures("_walk")
def test_search_finds_exactly_the_matching_visible_matches(store: Store, made: list[Made]):
    for viewer, search in product((None, ANNA, CARL), SEARCHES):
        fitting = [m for m in made if m.seen_by(viewer) and m.fits(search)]
        order = [((m.ended if search.by_end else m.created), m.head.match_no, m.head.match_id) for m in fitting]
        wanted = [match_id for *_, match_id in sorted(order, reverse=True)]
        assert all_of(store, viewer, search, 4) == wanted, (viewer, search)


def test_every_search_filter_finds_a_match(made: list[Made]):
    unfound = [s for s in SEARCHES if not any(m.fits(s) for m in made)]
    assert unfound == [Search(game="gin_rummy")]


@pytest.mark.usefixtures("_walk")
def test_viewer_can_list_only_own_matches(store: Store, made: list[Made]):
    seated = [m for m in made if CARL in m.players or (m.creator == CARL and m.row.visibility != "public")]
    for search in (Search(mine=True), Search(mine=True, game=("hearts", "trio"), player=BERT)):
        wanted = [m.head.match_id for m in seated if m.fits(search)]
        assert sorted(all_of(store, CARL, search, 4)) == sorted(wanted)


@pytest.mark.usefixtures("_walk")
def test_pages_neither_miss_nor_repeat_matches_during_changes(store: Store, made: list[Made]):
    for i, search in enumerate((Search(), Search(player=CARL), Search(ended_after=0))):
        there = all_of(store, CARL, search, 50)
        seen = []
        for n, page in enumerate(pages(store, CARL, search, 2)):
            seen += [row.match_id for row in page]
            new = Made(store, 100 * (i + 1) + n, ["public", "private"][n % 2], NOW + 100 * (i + 1) + n)
            if search.by_end:
                new.ends(store, NOW + 2 * LATER + n, "lost", "won")
        assert seen == there


def test_page_cut_short_has_a_cursor(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search_rows, "WALK", 2)
    wanted = Made(store, 0, "public")
    for i in (1, 2, 5, 6):
        Made(store, i, "public")
    search = Search(game="hearts", options={"variant": "4-1-3-2", "target_score": "50"}, player=CARL)
    found = list(pages(store, None, search, 10))
    assert [row.match_id for page in found for row in page] == [wanted.head.match_id]


# --- What others do in private ----------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("walk", [pytest.param(search_rows.WALK, marks=pytest.mark.long), 2])
def test_private_matches_of_others_do_not_change_results(
    store: Store, made: list[Made], monkeypatch: pytest.MonkeyPatch, walk: int
):
    monkeypatch.setattr(search_rows, "WALK", walk)

    def all_pages() -> list[tuple[list[MatchRow], PagePlace | None]]:
        return [
            tuple(search_rows.find_matches(store, viewer, search, after, 3))  # type: ignore[misc]
            for viewer, search, after in product(
                (None, "somebody"), SEARCHES, (None, PagePlace(NOW + 1, made[7].head.match_id))
            )
        ]

    before = all_pages()
    for i in range(8):
        Made(store, 100 + i, ["private", "unlisted"][i % 2]).ends(store, NOW + LATER - i, "won", "lost")
    assert all_pages() == before


def test_cursor_does_not_reveal_a_private_match(store: Store):
    older = Made(store, 0, "public")
    private = Made(store, 1, "private")
    for viewer in (None, "somebody"):
        known, unknown = (
            search_rows.find_matches(store, viewer, None, PagePlace(older.created, name))
            for name in (private.head.match_id, "nothing")
        )
        assert known == unknown
    assert [
        row.match_id
        for row in search_rows.find_matches(store, CARL, None, PagePlace(older.created, private.head.match_id)).rows
    ] == ["m0"]


# --- As matches change ------------------------------------------------------------------------------------


def test_leaving_a_private_lobby_removes_it_from_search(store: Store):
    match = Made(store, 2, "private")
    store.append(match.head.match_no, commit(3, projected=Projected(seats=[SeatRow(0, "player", BERT)])))
    finders = [p for p in (ANNA, BERT, CARL) if all_of(store, p, Search())]
    assert finders == [BERT, CARL]  # Carl has created it
    assert all_of(store, BERT, Search(player=CARL)) == []


def test_rebuild_repairs_the_search_tables(store: Store, made: list[Made]):
    def everything() -> list[list[str]]:
        return [all_of(store, viewer, search, 50) for viewer, search in product((None, CARL), SEARCHES)]

    before = everything()
    match = made[0]
    rows = [SeatRow(s, "player", p) for s, p in enumerate(match.players)]
    results = [
        ResultRow(0, BERT, match.row.game, 1, 0, NOW + LATER, "won"),
        ResultRow(1, CARL, match.row.game, 2, 0, NOW + LATER, "lost"),
    ]
    whole = {"match": match.row, "seats": rows, "results": results}
    for names in (("match",), ("seats",), ("results",), tuple(whole)):
        projected = Projected(**{name: whole[name] for name in names})  # type: ignore[arg-type]
        projection_rows.rebuild(store, match.head.match_no, lambda *_, projected=projected: projected)
        assert everything() == before, names
