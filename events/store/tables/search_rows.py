"""Searches matches: pages in order, each at a cost that does not grow with the number of matches.

A viewer can see two disjoint lists: the public matches, and their own non-public ones. Each is searched separately, so
that neither results nor times reveal private matches of others.

Several indexes can serve a search: the matches of the game, those of the player, those with an option, … For each, the
search finds how far back its next `WALK` entries reach. It follows the index that reaches furthest, and looks up the
other conditions by key for each entry. So it finds rare matches among many frequent ones quickly. If nothing is rare
and few entries fit, the page ends after `WALK` entries, and the next one continues from there.

All lookups are scalar subqueries, which fix the planner's choice. With joins, it sometimes reads a whole table.
"""

from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Executable,
    Integer,
    Select,
    and_,
    case,
    cast,
    exists,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)

from domain.core.values import mutable
from events.store.engine import Read
from events.store.protocol import Store
from events.store.records import MatchRow
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import involved, match_options, matches, public, seats
from events.store.search_records import Found, PagePlace, Search
from events.store.tables.match_rows import MATCH

WALK: Final = 1_000
"""Maximum number of index entries that a page reads."""

# They apply to the entries of an index, which may be the index for this condition.
M, S, P, O = matches.alias().c, seats.alias().c, involved.alias().c, match_options.alias().c  # noqa: E741

Condition = ColumnElement[bool]
Key = tuple[int, int]
"""A place in a list: the time by which the list is ordered, and the number of the match."""


class Stretch(NamedTuple):
    """The beginning of a list: all its places down to `until`, inclusive; None: down to its end."""

    keys: list[Key]
    until: Key | None


@mutable
class Way:
    """An index to follow: entries that satisfy `where`, in the order of `at`, the time of their matches.

    `covers` names the conditions of the search that they already satisfy.
    """

    at: Column[Any]
    where: list[Condition]
    covers: frozenset[str]

    @property
    def match_no(self) -> Column[Any]:
        column: Column[Any] = self.at.table.c.match_no
        return column


def find_matches(
    store: Store,
    viewer: str | None,
    search: Search | None = None,
    after: PagePlace | None = None,
    limit: int = 50,
) -> Found:
    """Return a page of the matches that `search` wants: public ones and the viewer's own, the latest first.

    `after` is `next` of the page before.
    """
    return _search(store.read, viewer, search or Search(), after, limit)


def _search(read: Read, viewer: str | None, search: Search, after: PagePlace | None, limit: int) -> Found:
    before = None if after is None else (after.at_ms, _number(read, after.match_id, viewer))
    keys, until = page(read, viewer, search, before, limit)
    numbers = {no for _, no in keys} | ({until[1]} if until else set())
    query = select(*MATCH).where(matches.c.match_no.in_(numbers))
    rows = {row.match_no: MatchRow(*row) for row in read(query)} if numbers else {}
    place = None if until is None else PagePlace(until[0], rows[until[1]].match_id)
    return Found([rows[no] for _, no in keys], place)


def _number(read: Read, match_id: str, viewer: str | None) -> int:
    """Return the number of a match; 0 if the viewer finds none, so that a place does not reveal others."""
    mine = exists().where(involved.c.match_no == matches.c.match_no, involved.c.player_id == viewer)
    query = select(matches.c.match_no).join(stream, stream.c.match_no == matches.c.match_no)
    there = read(query.where(stream.c.match_id == match_id, or_(public, mine)))
    return there[0].match_no if there else 0


def page(read: Read, viewer: str | None, search: Search, before: Key | None, limit: int) -> Stretch:
    """Return the next `limit` matches after a place that a viewer may see."""
    return _merged([_page_of_one(read, viewer, single, before, limit) for single in search.singles()], limit)


def _page_of_one(read: Read, viewer: str | None, search: Search, before: Key | None, limit: int) -> Stretch:
    """Find a page of the matches of one game with one status, or of any."""
    search, before = _not_above(search, before)
    if search.rating is not None:
        if search.status not in (None, "lobby"):
            return Stretch([], None)
        search = replace(search, status="lobby")
    shown = _ways_of(viewer, search, shown=True) if viewer is not None and search.mine else _ways_of_all(search)
    lists = [shown, *([] if viewer is None else [_ways_of(viewer, search, shown=False)])]
    followed = _choose_indexes(read, lists, search, before)
    queries = [_latest(_fitting(i, way, search, before, until), limit + 1) for i, (way, until) in enumerate(followed)]
    stretches = [Stretch([], until) for _, until in followed]
    for i, at, match_no in read(_union_all(queries)):
        stretches[i].keys.append((at, match_no))
    return _merged([_cut(stretch, limit) for stretch in stretches], limit)


def _not_above(search: Search, before: Key | None) -> tuple[Search, Key | None]:
    """Keep the lower one of two upper bounds, the search's and the page's: an index has only one entry point."""
    given = search.ended_before if search.by_end else search.created_before
    if before is None or (given is not None and given <= before[0]):
        return search, None
    until = before[0] + 1
    return replace(search, ended_before=until) if search.by_end else replace(search, created_before=until), before


def _cut(stretch: Stretch, limit: int) -> Stretch:
    """Close an open range at its last entry if more than `limit` entries were found."""
    keys = sorted(stretch.keys, reverse=True)
    return Stretch(keys, keys[-1] if len(keys) > limit else stretch.until)


def _merged(stretches: list[Stretch], limit: int) -> Stretch:
    until = max((s.until for s in stretches if s.until is not None), default=None)
    keys = sorted((key for s in stretches for key in s.keys if until is None or key >= until), reverse=True)
    return Stretch(keys[:limit], keys[limit - 1]) if len(keys) > limit else Stretch(keys, until)


# --- Ways -------------------------------------------------------------------------------------------------


def _ways_of_all(search: Search) -> list[Way]:
    """Return the ways to the public matches that match the search."""
    m, options = matches.c, match_options.c
    ways = [_way(search, m.created_ms, [public])]
    if search.by_end:
        ways.append(_way(search, m.ended_ms, [public, m.ended_ms.is_not(None)]))
    if search.game is not None:
        ways.append(_way(search, m.created_ms, [public, m.game == search.game], "game"))
    if search.status is not None:
        ways.append(_way(search, m.created_ms, [public, m.status == search.status], "status"))
    if search.game is not None and search.status is not None:
        both = [public, m.game == search.game, m.status == search.status]
        ways.append(_way(search, m.created_ms, both, "game", "status"))
    for player in search.players:
        ways += _ways_of_player(search, player, shown=True, covers=(f"player {player}",))
    for name, value in search.options.items():
        here = [
            options.game == search.game,
            options.name == name,
            options.value == value,
            options.public.is_(True),
        ]
        ways.append(_way(search, options.created_ms, here, "game", f"option {name}"))
    return [way for way in ways if not any(_narrower(other, way) for other in ways)]


def _narrower(one: Way, other: Way) -> bool:
    """Return whether the entries of one way are among those of the other, in the same order."""
    return one.at.name == other.at.name and one.covers > other.covers


def _ways_of(viewer: str, search: Search, *, shown: bool) -> list[Way]:
    """Return the ways to a viewer's own matches: the public ones (`shown`), or the others."""
    return _ways_of_player(search, viewer, shown=shown, covers=())


def _ways_of_player(search: Search, player: str, *, shown: bool, covers: tuple[str, ...]) -> list[Way]:
    p = involved.c
    here = [p.player_id == player, p.public.is_(shown)]
    ways = [_way(search, p.created_ms, here, *covers)]
    if search.by_end:
        ways.append(_way(search, p.ended_ms, [*here, p.ended_ms.is_not(None)], *covers))
    if search.result is not None and search.player == player:
        ways.append(_way(search, p.created_ms, [*here, p.result == search.result], *covers, "result"))
    return ways


def _way(search: Search, at: Column[Any], where: list[Condition], *covers: str) -> Way:
    if at.name == "ended_ms":
        within, time = _between(at, search.ended_after, search.ended_before), "ended"
    else:
        within, time = _between(at, search.created_after, search.created_before), "created"
    return Way(at, [*where, *within], frozenset((*covers, time)))


def _between(at: Column[Any], after: int | None, before: int | None) -> list[Condition]:
    return ([at >= after] if after is not None else []) + ([at < before] if before is not None else [])


# --- Following a way ---------------------------------------------------------------------------------------


def _choose_indexes(
    read: Read, lists: list[list[Way]], search: Search, before: Key | None
) -> list[tuple[Way, Key | None]]:
    """Choose for each list the index to follow, and how far; None for to its end.

    Choose an index whose entries all fit on a page; otherwise the one whose next `WALK` entries reach furthest back. An
    index in another order than the list must be read to its end.
    """
    straight = [_straight(ways, search) for ways in lists]
    asked = [(i, j) for i, ways in enumerate(lists) if straight[i] is None for j in range(len(ways))]
    probes = [_latest(_entries(n, lists[i][j], search, before), 1, WALK - 1) for n, (i, j) in enumerate(asked)]
    reaches = {asked[row[0]]: (row[1], row[2]) for row in read(_union_all(probes))} if probes else {}

    def best(i: int) -> tuple[Way, Key | None]:
        ways = lists[i]
        for j, way in enumerate(ways):
            if (i, j) not in reaches:
                return way, None
        until, j = min((reaches[i, j], j) for j, way in enumerate(ways) if _in_order(search, way))
        return ways[j], until

    return [best(i) if way is None else (way, None) for i, way in enumerate(straight)]


def _straight(ways: list[Way], search: Search) -> Way | None:
    return next((way for way in ways if _in_order(search, way) and not _other_conditions(search, way)), None)


def _entries(number: int, way: Way, search: Search, before: Key | None) -> Select[Any]:
    """Return the entries of a way, after a place if the way is in the list's order; each with the way's number."""
    query = select(literal_column(str(number)).label("way"), way.at.label("at"), way.match_no.label("no"))
    query = query.where(*way.where)
    if before is not None and _in_order(search, way):
        query = query.where(tuple_(way.at, way.match_no) < before)
    return query.order_by(way.at.desc(), way.match_no.desc())


def _fitting(number: int, way: Way, search: Search, before: Key | None, until: Key | None) -> Select[Any]:
    """Return the entries of a way that match the search."""
    if _in_order(search, way):
        query = _entries(number, way, search, before)
        return (query if until is None else query.where(tuple_(way.at, way.match_no) >= until)).where(
            *_other_conditions(search, way)
        )
    at = select(M.ended_ms).where(M.match_no == way.match_no).scalar_subquery()
    query = select(literal_column(str(number)).label("way"), at.label("at"), way.match_no.label("no"))
    query = query.where(*way.where, *_other_conditions(search, way))
    if before is not None:
        query = query.where(tuple_(at, way.match_no) < before)
    return query.order_by(at.desc(), way.match_no.desc())


def _latest(query: Select[Any], most: int, skipped: int = 0) -> Select[Any]:
    """Take the first `most` rows; the numbers are literals, so that the planner knows them."""
    return query.limit(literal_column(str(most))).offset(literal_column(str(skipped)))


def _union_all(queries: list[Select[Any]]) -> Executable:
    """Combine all queries, each wrapped, because SQLite has no other way to limit a part of a union."""
    return union_all(*[select(query.subquery()) for query in queries])


def _in_order(search: Search, way: Way) -> bool:
    return way.at.name == ("ended_ms" if search.by_end else "created_ms")


# --- Remaining conditions ----------------------------------------------------------------------------------


def _other_conditions(search: Search, way: Way) -> list[Condition]:
    """Return the conditions that the entries of an index do not imply."""
    of_match = {
        "game": [M.game == search.game] if search.game is not None else [],
        "status": [M.status == search.status] if search.status is not None else [],
        "created": _between(M.created_ms, search.created_after, search.created_before),
        "ended": _between(M.ended_ms, search.ended_after, search.ended_before),
    }
    rest: list[Condition] = []
    if wanted := [c for name, conditions in of_match.items() if name not in way.covers for c in conditions]:
        rest.append(select(and_(*wanted)).where(M.match_no == way.match_no).scalar_subquery())
    rest += [_sits(player, way.match_no) for player in search.players if f"player {player}" not in way.covers]
    if search.result is not None and "result" not in way.covers:
        rest.append(_came_out(search, way.match_no))
    if search.rating is not None:
        rest += [_admits(search.rating, way.match_no), _has_open_seat(way.match_no)]
    rest += [
        _has_option(name, value, way.match_no)
        for name, value in search.options.items()
        if f"option {name}" not in way.covers
    ]
    return rest


def _sits(player: str, match_no: Column[Any]) -> Condition:
    seat = select(S.seat).where(S.match_no == match_no, S.player_id == player).limit(literal_column("1"))
    return seat.scalar_subquery().is_not(None)


def _came_out(search: Search, match_no: Column[Any]) -> Condition:
    here = select(P.result).where(P.match_no == match_no, P.player_id == search.player)
    return here.scalar_subquery() == search.result


def _has_option(name: str, value: str, match_no: Column[Any]) -> Condition:
    return select(O.value).where(O.match_no == match_no, O.name == name).scalar_subquery() == value


def _has_open_seat(match_no: Column[Any]) -> Condition:
    seat = select(S.seat).where(S.match_no == match_no, S.kind == "open").limit(literal_column("1"))
    return seat.scalar_subquery().is_not(None)


def _admits(rating: int, match_no: Column[Any]) -> Condition:
    """Return whether a player of this rating may take an open seat."""
    # Only a bound is a number: nothing else may be read as one, whatever the order of evaluation.
    bound = case((O.name.in_(BOUNDS) & (O.value != "null"), cast(O.value, Integer)))
    beyond = or_((O.name == "least_rating") & (bound > rating), (O.name == "most_rating") & (bound < rating))
    out = select(O.name).where(O.match_no == match_no, O.name.in_(BOUNDS), beyond).limit(literal_column("1"))
    return out.scalar_subquery().is_(None)


BOUNDS: Final = ("least_rating", "most_rating")
"""The options that limit the players for open seats."""
