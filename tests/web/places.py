"""Brings a page to places that are not a phase of a game: start, forms, lobby, replay, crowded tables, the documents.

`python -m tests.web.places FOLDER [PLACE …]` takes pictures of them, at three widths and in both colour schemes.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.factories import StoredPlayer
from tests.ratings.following import follow
from tests.web.evening import NAMES, RESIGN, Evening
from tests.web.stage import HEIGHTS, SETTLED, WIDTHS, Stage, standing_alone
from workers.rater import Rater

DAY: Final = {"per_decision_seconds": 86_400}
ME: Final = {"kind": "me"}
BOT: Final = {"kind": "bot"}
ENDS: Final = {"on_resign": "end"}
GAMES: Final = "document.querySelectorAll('.games li').length"
PAST_VERSION: Final = 12
LONG: Final = ("W" * 40, "<b>" * 13, "نوشابه" * 6)
"""Names that are too long for any line, without a space to break at."""

CROWDED: Final = """(async () => {
const {state, dispatch} = await import(document.querySelector("script[type=module]").src);
const match = structuredClone(state.match), {zones} = match.scene;
const fill = (id, kind, seat, layout, cards, marks, by = null) => { zones[id] = {
  kind, seat, layout, count: cards.length, numbers: {}, note: "", columns: null,
  spots: cards.map((card, i) => ({card, face: "up", seat: by, id: `${id}${i}`, marks: marks(i),
    aims: []}))} };
for (const seat of [0, 1]) {
  fill(`battlefield-${seat}`, "battlefield", seat, "row", CARDS,
    (i) => [`${i}/${i + 1}`, ...(i % 3 ? [] : ["airborne"]), ...(i % 4 ? [] : ["tapped"])]);
  fill(`lands-${seat}`, "lands", seat, "row", LANDS, (i) => i % 2 ? ["tapped"] : []);
  fill(`graveyard-${seat}`, "graveyard", seat, "pile", SPENT, () => []);
}
fill("stack", "stack", null, "row", SPENT, () => [], 1);
zones.stack.spots[1].aims = ["battlefield-00", "1"];
match.version += 1;
dispatch({is: "seen", match, offer: {...state.offer, version: match.version}});
})()"""
"""A duel in which both players have ten creatures and eight lands and two spells wait, which no test match reaches."""
CREATURES: Final = [
    "Shieldbearer of Callow Stair",
    "Barrow King",
    "Coalback Hound",
    "Lantern Acolyte",
    "Bramble Boar",
] * 2
LANDS: Final = ["Rootwood", "Sunfield"] * 4
SPENT: Final = ["Twofold Surge", "Kindle Dart"]


def opens(stage: Stage, address: str, condition: str) -> None:
    """Show an address, and wait for its content, including the parts that load after the start."""
    stage.page.opens("about:blank")
    stage.page.opens(f"{stage.base}{address}")
    stage.page.until(condition)
    stage.page.evaluates(SETTLED)


def start(stage: Stage) -> None:
    """Show the start page with all games, a waiting match, another player's match, and a table to join."""
    other = StoredPlayer(store=stage.store, name="Ben")
    stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    stage.makes({"game": "gin_rummy", "seats": [ME, {"kind": "open"}], "clock": DAY}, other)
    opens(stage, "/play", f"{GAMES} && document.querySelector('.joins') && document.querySelector('.mine')")


def finished(stage: Stage) -> None:
    """Show the start page with a waiting match, and with finished ones: played, resigned, and one that never began."""
    stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    other = StoredPlayer(store=stage.store, name=LONG[0])
    for loser in (stage.me, other):
        match = stage.makes({"game": "gin_rummy", "options": ENDS, "seats": [ME, {"kind": "open"}]})
        stage.asks(other, "PUT", f"/v1/matches/{match}/seats/1", {})
        stage.asks(loser, "POST", f"/v1/matches/{match}/moves", RESIGN)
    match = stage.makes({"game": "hearts", "seats": [ME, {"kind": "open"}, BOT, BOT]})
    stage.asks(stage.me, "DELETE", f"/v1/matches/{match}")
    opens(stage, "/play", "document.querySelectorAll('.finished li').length >= 3")


def places_table(stage: Stage) -> None:
    """Show the places at the end of a match of people with long names."""
    match = stage.makes({"game": "crazy_eights", "options": ENDS, "seats": [ME, *[{"kind": "open"}] * 3]})
    for seat, name in enumerate(LONG, 1):
        stage.asks(StoredPlayer(store=stage.store, name=name), "PUT", f"/v1/matches/{match}/seats/{seat}", {})
    stage.asks(stage.me, "POST", f"/v1/matches/{match}/moves", RESIGN)
    opens(stage, f"/play#m={match}", "document.querySelectorAll('.ended tbody tr').length === 4")


def me(stage: Stage) -> None:
    """Show the current player, with the token for other devices."""
    opens(stage, "/play", f"{GAMES} && document.querySelector('.named')")
    stage.page.evaluates("for (const one of document.querySelectorAll('main details')) one.open = true")
    stage.page.evaluates(SETTLED)


def form(stage: Stage) -> None:
    """Show the form for a table with all options."""
    opens(stage, "/play#new=holdem", "document.querySelector('.making')")
    stage.page.evaluates("document.querySelector('.making details').open = true")


def lobby(stage: Stage) -> None:
    """Show a table that waits for a friend, and for any player."""
    seats = [ME, {"kind": "invite"}, {"kind": "open"}, BOT]
    match = stage.makes({"game": "hearts", "seats": seats})
    opens(stage, f"/play#m={match}", "document.querySelector('.lobby input')")
    stage.page.evaluates("document.querySelector('.cancels').open = true")


def invitation(stage: Stage) -> None:
    """Show the page that an invite link leads to."""
    match = stage.makes({"game": "hearts", "seats": [ME, {"kind": "invite"}, BOT, BOT]})
    opens(stage, f"/play#m={match}&seat=1&invite=abc", "document.querySelector('main .main')")


def refused(stage: Stage) -> None:
    """Show a missing match."""
    opens(stage, "/play#m=aaaaaaaaaaaaaaaaaaaa", "document.querySelector('[role=alert] .problem')")


def talking(stage: Stage) -> None:
    """Show a slow match between two people, with chat, notes, standing orders, requests and keys."""
    other = StoredPlayer(store=stage.store, name="Ben")
    body = {"game": "gin_rummy", "seats": [ME, {"kind": "open"}], "clock": DAY}
    match = stage.makes(body)
    stage.asks(other, "PUT", f"/v1/matches/{match}/seats/1", {})
    stage.asks(
        other, "POST", f"/v1/matches/{match}/chat", {"text": "Good luck, and a word that is long: Donaudampfschiff"}
    )
    opens(stage, f"/play#m={match}", "document.querySelector('.chat .said') && document.querySelector('.keys')")
    stage.page.evaluates("for (const one of document.querySelectorAll('main details')) one.open = true")
    stage.page.until("document.querySelector('.orders') && document.querySelector('.notes')")
    stage.page.clicks(".orders > .ends button:first-child")
    stage.page.evaluates(SETTLED)


def long_names(stage: Stage) -> None:
    """Show a table of people whose names have the maximum length: in one word, of marks, and from right to left."""
    match = stage.makes({"game": "hearts", "seats": [{"kind": "open"}] * 3 + [ME]})
    for seat, name in enumerate(LONG):
        other = StoredPlayer(store=stage.store, name=name)
        stage.asks(other, "PUT", f"/v1/matches/{match}/seats/{seat}", {})
        stage.asks(other, "POST", f"/v1/matches/{match}/chat", {"text": f"I am {name}."})
    opens(stage, f"/play#m={match}", "document.querySelector('.felt') && document.querySelectorAll('.said')[2]")


def asking(stage: Stage) -> None:
    """Show the question before an irreversible action."""
    match = stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    opens(stage, f"/play#m={match}", "document.querySelector('.also')")
    stage.page.evaluates("document.querySelector('.also').open = true")
    stage.page.until("document.querySelector('.more button')")
    give_up = "[...document.querySelectorAll('.more button')].find((one) => one.innerText.includes('…'))"
    stage.page.until(give_up)
    stage.page.evaluates(f"{give_up}.click()")
    stage.page.until("document.querySelector('.ask')")


def looking_back(stage: Stage) -> None:
    """Show the replay of a finished match, and its verified record."""
    match = stage.makes({"game": "gin_rummy", "options": {"on_resign": "end"}, "seats": [ME, BOT]})
    stage.asks(stage.me, "POST", f"/v1/matches/{match}/moves", {"name": "resign"})
    opens(stage, f"/play#m={match}&v={PAST_VERSION}", "document.querySelector('.slider')")
    stage.page.clicks(".verifies")
    stage.page.until("document.querySelector('.verdict')?.innerText && !document.querySelector('.verifies:disabled')")


def full_poker(stage: Stage) -> None:
    """Show poker for ten, with long stacks."""
    match = stage.makes({"game": "holdem", "options": {"starting_stack": 15_000}, "seats": [ME, *[BOT] * 9]})
    opens(stage, f"/play#m={match}", "document.querySelectorAll('.seat').length === 10")
    for _ in stage.phases(match, until="flop"):
        pass


def full_duel(stage: Stage) -> None:
    """Show a duel in which both players have ten creatures and eight lands, while two spells wait."""
    match = stage.makes({"game": "fivewells", "seats": [ME, BOT]})
    opens(stage, f"/play#m={match}", "document.querySelector('.felt')")
    for _ in stage.phases(match, until="main1"):
        pass
    script = CROWDED
    for name, cards in (("CARDS", CREATURES), ("LANDS", LANDS), ("SPENT", SPENT)):
        script = script.replace(name, json.dumps(cards))
    stage.page.evaluates(script)
    stage.page.until("document.querySelectorAll('.own .kind-battlefield .card').length === 10")


def stops(stage: Stage) -> None:
    """Show in which steps of a duel the reader is asked, and how to change this."""
    match = stage.makes({"game": "fivewells", "seats": [ME, BOT]})
    opens(stage, f"/play#m={match}", "document.querySelector('.also')")
    for _ in stage.phases(match, until="main1"):
        pass
    stage.page.evaluates("document.querySelector('.also').open = true")
    stage.page.until("document.querySelectorAll('.also .choice').length > 20")
    stage.page.evaluates(SETTLED)


def tournaments(stage: Stage) -> None:
    """Show the tournaments open for entries, one of them nearly full."""
    Evening(stage, 3, most=4, name="A night of few", closes_at="2026-09-22T00:00:00Z")
    Evening(stage, 5, with_me=False, format="single_elimination", name="Cup of the club")
    opens(stage, "/play#tournaments", "document.querySelectorAll('.tours li').length >= 2")


def announcing(stage: Stage) -> None:
    """Show the form of a tournament with preparation, with all its fields."""
    opens(stage, "/play#announce=fivewells", "document.querySelector('.announcing')")
    stage.page.clicks(".style [value=decks]")
    stage.page.until("document.querySelector('[name=podSeconds]') && document.querySelector('[name=boosters-1]')")
    stage.page.evaluates("document.querySelector('.announcing details').open = true")
    clocks = stage.page.evaluates("document.querySelector('[name=clock]').options.length")
    stage.page.chooses("[name=clock]", clocks - 1)
    stage.page.until("document.querySelector('[name=increment]')")


def entering(stage: Stage) -> None:
    """Show a tournament open for entries, with its restrictions, to a player who may enter."""
    olga = StoredPlayer(store=stage.store, name="Olga")
    one = Evening(stage, 6, with_me=False, organiser=olga, late=2, rounds=4, least_reliability=80)
    opens(
        stage, f"/play#tournament={one.id}", "document.querySelector('.enter') && document.querySelector('.entrants')"
    )


def pairings(stage: Stage) -> None:
    """Show the open round of a Swiss to its organiser, who plays in it, with a ruled table."""
    one = Evening(stage, 9, rounds=4).begins().plays_round().plays_round().plays_round(but=2)
    table = next(table for table in one.tables() if one.players[0]["player_id"] not in str(table["seats"]))
    round_, places = one.sees()["round"], {"places": [1, 2], "reason": "Conceded at the club."}
    stage.asks(stage.me, "POST", f"{one.path}/rounds/{round_}/tables/{table['table']}/ruling", places)
    opens(stage, f"/play#tournament={one.id}", "document.querySelector('.pairs .mine')")
    stage.page.until("document.querySelector('.running select')")
    stage.page.evaluates("for (const one of document.querySelectorAll('main details')) one.open = true")
    stage.page.evaluates(SETTLED)


def taking_out(stage: Stage) -> None:
    """Show the completed form for disqualifying a player to the organiser of a tournament."""
    one = Evening(stage, 5, rounds=3).begins()
    opens(stage, f"/play#tournament={one.id}&part=standings", "document.querySelector('.running select')")
    form = "document.querySelector('.running form:has(select)')"
    stage.page.evaluates(f"{form}.parentElement.open = true")
    stage.page.chooses(".running select", 3)
    stage.page.evaluates(f"{form}.reason.value = 'They looked into the stock.'; {form}.scrollIntoView()")
    stage.page.evaluates(SETTLED)


def standings(stage: Stage) -> None:
    """Show the standings of a finished Swiss, how ties are broken, and its verified record."""
    one = Evening(stage, 16, rounds=3).begins().plays_round().plays_round().plays_round()
    opens(stage, f"/play#tournament={one.id}&part=standings", "document.querySelector('.ranks tr:nth-child(16)')")
    stage.page.evaluates("document.querySelector('.part details').open = true")
    stage.page.clicks(".verifies")
    stage.page.until("document.querySelector('.verdict.verified')")


def long_standings(stage: Stage) -> None:
    """Show the standings of a tournament whose players have names of the maximum length."""
    one = Evening(stage, 6, rounds=2, name=LONG[0], names=(*LONG, *NAMES)).begins().plays_round().plays_round()
    opens(stage, f"/play#tournament={one.id}&part=standings", "document.querySelector('.ranks tr:nth-child(6)')")


def preparing(stage: Stage) -> None:
    """Show the pods of a sealed tournament to a player who is expected in one of them."""
    clock = {"per_decision_seconds": 600}
    preparation = {"game": "fivewells_draft", "preset": "sealed", "seats": 4, "clock": clock}
    sealed: dict[str, Any] = {
        "game": "fivewells",
        "options": {"format": "sealed", "pool": "tournament"},
        "preparation": preparation,
    }
    one = Evening(stage, 7, name="Sealed weekend", **sealed).begins()
    match = f"/v1/matches/{one.sees()['your_table']}"
    for seat, its in enumerate(stage.asks(stage.me, "GET", match)["seats"]):
        if its["player"]:
            stage.asks(one.by_id[its["player"]["id"]], "PUT", f"{match}/seats/{seat}", {})
    opens(stage, f"/play#tournament={one.id}", "document.querySelector('.yours.now button')")
    stage.page.until("document.querySelectorAll('.pairs .mine .who').length")


def bracket(stage: Stage) -> None:
    """Show a knock-out of eleven during its second round."""
    one = Evening(stage, 11, format="single_elimination").begins().plays_round()
    opens(stage, f"/play#tournament={one.id}", "document.querySelectorAll('.bracket section').length === 4")


def told_of(stage: Stage) -> None:
    """Show the events of a double elimination that is paused for supper."""
    one = Evening(stage, 6, format="double_elimination").begins().plays_round()
    stage.asks(stage.me, "POST", f"{one.path}/pause", {"reason": "Supper."})
    opens(stage, f"/play#tournament={one.id}&part=told", "document.querySelectorAll('.happened li').length > 8")


def double_bracket(stage: Stage) -> None:
    """Show the bracket of a double elimination."""
    one = Evening(stage, 6, format="double_elimination").begins().plays_round().plays_round()
    opens(stage, f"/play#tournament={one.id}&part=bracket", "document.querySelectorAll('.bracket h4').length >= 3")


def kept_seat(stage: Stage) -> None:
    """Show the table of a tournament that waits for the reader, with its expected results."""
    one = Evening(stage, 4).begins()
    match = stage.asks(stage.me, "GET", one.path)["your_table"]
    opens(
        stage,
        f"/play#m={match}",
        "document.querySelectorAll('.lobby .main').length && document.querySelector('.lobby ul ~ h2')",
    )


def arena(stage: Stage) -> None:
    """Show an arena to a player who rests."""
    one = Evening(stage, 5, format="arena", ends_at="2026-09-21T16:00:00Z").begins()
    stage.asks(stage.me, "POST", f"{one.path}/entries/mine/rest")
    one.plays_round()
    opens(
        stage,
        f"/play#tournament={one.id}",
        "document.querySelector('.rest') && document.querySelector('.ranks, .pairs')",
    )


def rate(stage: Stage) -> None:
    """Rate finished matches, counting results in full from the first match on."""
    rater = Rater(stage.store)
    with patch("domain.ratings.trust.UNPROVEN", 1.0):
        follow(stage.store, rater.look)
        while not rater.look():
            pass


def rated(stage: Stage) -> None:
    """Rate many matches in two tournaments."""
    options = {"on_resign": "end", "rated": True}
    for _ in range(2):
        one = Evening(stage, 9, rounds=3, options=options, clock={"per_decision_seconds": 60}).begins()
        one.plays_round().plays_round().plays_round()
    rate(stage)


def profile(stage: Stage) -> None:
    """Show the reader's profile, with the history of a rating."""
    rated(stage)
    opens(stage, "/play#player=me", "document.querySelector('.chart polyline') && document.querySelector('.pools')")


def leaderboard(stage: Stage) -> None:
    """Show the leaderboard of a game; all players who were ever rated count as settled."""
    rated(stage)
    with patch("events.service.player_ratings.SETTLED", 501.0):
        opens(stage, "/play#leaderboard=crazy_eights", "document.querySelectorAll('.board tbody tr').length > 5")


RATED_TABLE: Final = {"game": "gin_rummy", "seats": [ME, {"kind": "open"}], "options": {"rated": True}, "clock": DAY}


def rates(stage: Stage) -> StoredPlayer:
    """Let the reader beat another player, who is returned, in a rated match."""
    other = StoredPlayer(store=stage.store, name="Ben")
    match = stage.makes(RATED_TABLE)
    stage.asks(other, "PUT", f"/v1/matches/{match}/seats/1", {})
    stage.all_move(match, stage.me, other)
    stage.asks(other, "POST", f"/v1/matches/{match}/moves", RESIGN)
    rate(stage)
    return other


def rated_tables(stage: Stage) -> None:
    """Show the start page with a rated table and a rated player, and an unrated table."""
    other = rates(stage)
    stage.makes(RATED_TABLE, other)
    stage.makes(RATED_TABLE | {"options": {}}, other)
    opens(stage, "/play", f"{GAMES} && document.querySelectorAll('.joins li').length > 1")


def rated_lobby(stage: Stage) -> None:
    """Show a rated table that waits for a player, with its expected results."""
    match = stage.makes(RATED_TABLE, rates(stage))
    opens(stage, f"/play#m={match}", "document.querySelector('.lobby .rating') && document.querySelector('.expected')")


def rated_table(stage: Stage) -> None:
    """Show a running rated match, with both players' ratings."""
    match = stage.makes(RATED_TABLE, rates(stage))
    stage.asks(stage.me, "PUT", f"/v1/matches/{match}/seats/1", {})
    opens(stage, f"/play#m={match}", "document.querySelectorAll('.sitter .rating').length === 2")


def docs(stage: Stage) -> None:
    """Show the operations of the API."""
    opens(stage, "/docs", "document.querySelectorAll('#operations a').length > 20")


def token_dialog(stage: Stage) -> None:
    """Show the token dialog of the documents."""
    docs(stage)
    stage.page.clicks("#token-button")
    stage.page.until("document.querySelector('#token-dialog').open")


def rules(stage: Stage) -> None:
    """Show the rules of a game."""
    opens(stage, "/docs/rules/gin_rummy", "document.querySelector('h1')")


def problems(stage: Stage) -> None:
    """Show all problems that the API can return."""
    opens(stage, "/docs/problems", "document.querySelector('h1')")


PLACES: Final[dict[str, Callable[[Stage], None]]] = {
    "start": start,
    "finished": finished,
    "places-table": places_table,
    "me": me,
    "form": form,
    "lobby": lobby,
    "invitation": invitation,
    "refused": refused,
    "talking": talking,
    "long-names": long_names,
    "asking": asking,
    "looking-back": looking_back,
    "full-poker": full_poker,
    "full-duel": full_duel,
    "stops": stops,
    "tournaments": tournaments,
    "announcing": announcing,
    "entering": entering,
    "pairings": pairings,
    "taking-out": taking_out,
    "standings": standings,
    "long-standings": long_standings,
    "preparing": preparing,
    "bracket": bracket,
    "double-bracket": double_bracket,
    "told-of": told_of,
    "kept-seat": kept_seat,
    "arena": arena,
    "profile": profile,
    "leaderboard": leaderboard,
    "rated-tables": rated_tables,
    "rated-lobby": rated_lobby,
    "rated-table": rated_table,
    "docs": docs,
    "token": token_dialog,
    "rules": rules,
    "problems": problems,
}


def pictures(folder: Path, places: list[str]) -> Iterator[Path]:
    """Take pictures of places; yield each."""
    folder.mkdir(parents=True, exist_ok=True)
    with standing_alone() as stage:
        for place in places:
            stage.page.is_wide(1280)
            PLACES[place](stage)
            for width in WIDTHS:
                for is_dark in (False, True):
                    stage.page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
                    path = folder / f"{place}-{width}-{'dark' if is_dark else 'light'}.png"
                    stage.page.shows(path)
                    yield path


if __name__ == "__main__":
    for _ in pictures(Path(sys.argv[1]), sys.argv[2:] or [*PLACES]):
        pass
