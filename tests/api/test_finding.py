"""Tests the search of the page at `/docs`: everyday words find the right operation or section first."""

import json
from functools import cache

import pytest

from api.app import app_with_routes
from api.http.guide_pages import guides, render_guide
from api.http.openapi import list_operations
from tests.api.description import SPEC
from tests.built import run_in_node

PROGRAM = """
import {readFileSync} from "node:fs";
import {entries, find} from "#page/finding.js";
import {reader} from "#page/schema.js";
const {api, sections, searches, notes} = JSON.parse(readFileSync(0, "utf8"));
const all = entries({introduction: api.info.description, operations: reader(api).operations(), sections, notes});
console.log(JSON.stringify(searches.map((one) => find(all, one).map(({href}) => href))));
"""

EVERYDAY = {
    "register": "createPlayer",
    "login": "createPlayer",
    "auth": "createPlayer",
    "token": "createToken",
    "takeback": "makeMove",
    "resign": "makeMove",
    "draw": "makeMove",
    "pagination": "topic-pagination",
    "poll": "getInbox",
    "stream": "listEvents",
    "webhook": "createWebhook",
    "spectate": "getMatch",
    "watch": "getMatch",
    "join": "takeSeat",
    "leave": "leaveSeat",
    "invite": "reissueInvite",
    "create match": "createMatch",
    "create tournament": "announceTournament",
    "standings": "getStandings",
    "bracket": "listRounds",
    "legal moves": "listMoves",
    "make a move": "makeMove",
    "replay": "replayMatch",
    "export": "getRecord",
    "verify": "verifyRecord",
    "audit": "auditMatch",
    "rate limit": "topic-rate-limit",
    "error": "topic-error",
    "retry": "topic-retry-and-idempotency",
    "idempotency": "topic-retry-and-idempotency",
    "deck": "createDeck",
    "booster": "openBooster",
    "trade": "offerTrade",
    "leaderboard": "getLeaderboard",
    "vacation": "beginVacation",
}


NOTES = list_operations(app_with_routes())
SEARCHES = {name: list(said["searches"]) for name, said in NOTES.items()}


def sections():
    for guide in guides().values():
        yield {"href": guide.address, "title": guide.title, "of": "Guide"}
        for mark, title in guide.sections:
            yield {"href": f"{guide.address}#{mark}", "title": title, "of": guide.title}


@cache
def found(*searches):
    """Return the addresses that the page finds for each search."""
    said = {"api": SPEC, "sections": list(sections()), "searches": searches, "notes": NOTES}
    return dict(zip(searches, json.loads(run_in_node(PROGRAM, json.dumps(said))), strict=True))


def first(searches):
    return {search: hrefs[0] if hrefs else None for search, hrefs in found(*searches).items()}


def test_everyday_searches_find_the_right_entry_first():
    assert first(EVERYDAY) == {search: f"#{name}" for search, name in EVERYDAY.items()}


@pytest.mark.parametrize("name", SEARCHES)
def test_operation_lists_two_searches(name):
    assert len(SEARCHES[name]) >= 2


def test_searches_listed_for_an_operation_find_it_first():
    wanted = {search: f"#{name}" for name, searches in SEARCHES.items() for search in searches}
    assert len(wanted) == sum(map(len, SEARCHES.values())), "two operations have the same search"
    assert first(wanted) == wanted


def test_section_of_a_guide_is_found_by_its_title():
    assert (
        first(["choose a better move"])["choose a better move"] == "/docs/how-to/play-over-the-api#choose-a-better-move"
    )


def test_entry_must_match_all_words_of_a_search():
    hits = found("tournament", "tournament zither", "zither", "")
    assert len(hits["tournament"]) > len(hits["tournament zither"]) == len(hits["zither"]) == len(hits[""]) == 0


def test_plural_and_capitals_do_not_matter():
    assert len(set(first(["Rate Limits", "rate limit", "RATE LIMITS"]).values())) == 1


@pytest.mark.parametrize("address", guides())
def test_indexed_sections_of_a_guide_match_its_page(address):
    assert list(render_guide(address, "").sections) == guides()[address].sections
