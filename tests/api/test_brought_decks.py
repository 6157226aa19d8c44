"""Tests decks brought to a seat: of owned cards, or picked in a draft."""

import pytest

from tests.api.client import code
from tests.draws import first_of
from tests.factories import MatchBody

pytestmark = pytest.mark.parametrize("store", ["sqlite"], indirect=True)

SUN, TIDE, ROOT = "fw1-001", "fw1-002", "fw1-003"
LANDS = {"main": [SUN, TIDE, ROOT] * 20}
TOO_MANY = {"main": [*LANDS["main"], SUN]}
FORTY = {"main": [SUN] * 40}


def brought(player, match, seat):
    """Return the seat's deck as the player sees it, or None if it is hidden from the player."""
    [event] = [e for e in player.events(match) if e["type"] == "DeckBrought" and e["data"]["seat"] == seat]
    return event["data"].get("deck")


def table(deck=None, seats=None, **options):
    me = {"kind": "me"} | ({"deck": deck} if deck else {})
    return MatchBody(game="fivewells", options=options, seats=seats or [me, {"kind": "open"}])


# --- What a player owns -----------------------------------------------------------------------------------


def test_creator_and_joining_player_submit_decks_of_owned_cards(ada, ben):
    for player in (ada, ben):
        player.post("/v1/collection")
    made = ada.creates(**table(LANDS, collection="owned"))
    assert ben.put(f"{made.path}/seats/1", {"deck": LANDS}).json["status"] == "playing"
    assert ada.sees(made)["options"]["collection"] == "owned"


def test_deck_with_more_than_the_owned_copies_is_refused(ada, ben):
    ada.post("/v1/collection")
    too_many = ada.post("/v1/matches", table(TOO_MANY, collection="owned"))
    assert code(too_many) == (409, "not_in_pool")
    assert too_many.json["detail"] == "The deck has 21 copies of Sunfield, including the sideboard. You have 20."
    made = ada.creates(**table(LANDS, collection="owned"))
    assert code(ben.put(f"{made.path}/seats/1", {"deck": LANDS})) == (409, "not_in_pool"), "Ben has 20 of each"
    assert ada.sees(made)["version"] == made["version"], "nothing has happened"


def test_refused_deck_lists_all_faults_and_has_the_code_of_the_first(ada):
    wrong = {"main": ["fw1-006"] * 5, "sideboard": [SUN] * 16}
    refused = ada.post("/v1/matches", table(wrong))
    assert code(refused) == (409, "deck_too_small")
    assert refused.json["detail"] == (
        "The deck has 5 cards. The minimum is 60. "
        "The deck has 5 copies of Dawnwatch Recruit, including the sideboard. The maximum is 4. "
        "The sideboard has 16 cards. The maximum is 15."
    )
    unknown = ada.post("/v1/matches", table({"main": ["fw9-001"] * 60}))
    assert (code(unknown), unknown.json["detail"]) == ((409, "no_such_object"), "There is no card 'fw9-001'.")


def test_booster_match_refuses_a_brought_deck_with_a_reason(ada, ben):
    made = ada.creates(**table(format="sealed"))
    refused = ben.put(f"{made.path}/seats/1", {"deck": LANDS})
    assert code(refused) == (409, "wrong_phase")
    assert refused.json["detail"].startswith("Sit down without a deck. You build it in the match")


def test_deck_is_not_checked_against_the_collection_when_all_cards_are_available(ada):
    assert ada.creates(**table(TOO_MANY))


def test_seat_without_a_deck_plays_the_default_deck_of_the_options(ada):
    made = ada.creates(**table(seats=[{"kind": "me"}, {"kind": "bot"}], collection="owned"))
    assert made["status"] == "playing"


# --- What a player has drafted ----------------------------------------------------------------------------


@pytest.fixture
def draft(ada, ben):
    """Return a draft of one pack each that Ada and Ben have finished."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = ada.creates(game="fivewells_draft", options={"packs": ["fw1"]}, seats=seats)
    ben.put(f"{made.path}/seats/1")
    return finished(made, ada, ben)


def finished(made, *players):
    while ada_sees := players[0].sees(made)["to_act"]:
        for seat in ada_sees:
            players[seat].plays(made)
    assert players[0].sees(made)["status"] == "finished"
    return made


def test_player_of_a_draft_submits_the_deck_built_there(ada, ben, draft):
    made = ada.creates(**table(format="draft", pool=draft["id"]))
    assert ben.put(f"{made.path}/seats/1").json["status"] == "playing"
    assert ben.put(f"{made.path}/seats/1").status_code == 200, "to sit down again changes nothing"
    for seat, player in enumerate((ada, ben)):
        [built] = [e for e in player.events(draft) if e["type"] == "DeckSubmitted" and e["data"]["seat"] == seat]
        assert brought(player, made, seat) == built["data"]["deck"]
        assert brought(player, made, 1 - seat) is None, "nobody sees the other's"


def test_catalogue_lists_the_games_that_use_the_gains_of_a_draft(ada, draft):
    listed = {one["game"]: one for one in ada.get("/v1/games").json["items"]}
    leading = {game: one["brought_to"] for game, one in listed.items() if one["brought_to"]}
    assert {game: [to["game"] for to in said] for game, said in leading.items()} == {"fivewells_draft": ["fivewells"]}
    [to] = leading[draft["game"]]
    assert to["title"] == listed[to["game"]]["title"]
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = ada.creates(game=to["game"], options={**to["options"], to["named_by"]: draft["id"]}, seats=seats)
    assert brought(ada, made, 0)


def test_changed_draft_deck_may_use_only_picked_cards(ada, draft):
    own = [c for e in ada.events(draft) if e["type"] == "CardPicked" for c in [e["data"].get("card")] if c]
    made = ada.creates(**table(FORTY, format="draft", pool=draft["id"]))
    deck = brought(ada, made, 0)
    assert (deck["main"], len(deck["sideboard"]), set(own) <= set(deck["sideboard"])) == ([SUN] * 40, 15, True)
    foreign = {"main": [*FORTY["main"], *own, own[0], own[0], own[0], own[0], own[0]]}
    assert code(ada.post("/v1/matches", table(foreign, format="draft", pool=draft["id"]))) == (409, "not_in_pool")


def test_player_outside_the_draft_cannot_sit_down_or_submit_a_deck(ada, player, draft):
    made, other = ada.creates(**table(format="draft", pool=draft["id"])), player()
    for body in (None, {"deck": FORTY}):
        assert code(other.put(f"{made.path}/seats/1", body)) == (409, "nothing_gained")
    assert ada.sees(made)["version"] == made["version"]


def test_only_a_finished_draft_provides_decks(ada, ben, player):
    drafted = {"game": "fivewells_draft", "options": {"packs": ["fw1"]}}
    running = ada.creates(**drafted, seats=[{"kind": "me"}, {"kind": "bot"}])
    other = ada.creates(alone=True)
    hidden = ben.creates(**drafted, seats=[{"kind": "me"}, {"kind": "open"}], private=True)
    sitting = [{"kind": "open"}, {"kind": "open"}]
    for named in (running["id"], other["id"], hidden["id"], "0" * 20):
        for seats in (None, sitting):
            refused = ada.post("/v1/matches", table(seats=seats, format="draft", pool=named))
            assert code(refused) == (409, "nothing_gained")


def test_draft_provides_no_deck_until_all_decks_are_built(ada, ben):
    made = ada.creates(game="fivewells_draft", options={"packs": ["fw1"]}, seats=[{"kind": "me"}, {"kind": "open"}])
    ben.put(f"{made.path}/seats/1")
    while "DeckSubmitted" not in {event["type"] for event in ada.events(made)}:
        (ada if 0 in ada.sees(made)["to_act"] else ben).plays(made)
    duel = table(format="draft", pool=made["id"])
    assert code(ada.post("/v1/matches", duel)) == (409, "nothing_gained"), "Ada has built a deck, and Ben has not"
    ben.plays(made)
    assert ada.creates(**duel)


def test_pool_is_only_allowed_with_the_draft_format(ada):
    for options in ({"format": "draft"}, {"pool": "0" * 20}, {"format": "draft", "pool": "no id"}):
        refused = ada.post("/v1/matches", table(**options))
        assert (code(refused), list(refused.json["errors"])) == ((422, "bad_options"), ["options.pool"])


@pytest.fixture
def with_bots(ada, bots):
    """Return a draft of one pack each that Ada has finished with two bots."""
    seats = [{"kind": "bot"}, {"kind": "me"}, {"kind": "bot"}]
    made = ada.creates(game="fivewells_draft", options={"packs": ["fw1"]}, seats=seats)
    bots(made)
    while ada.sees(made)["to_act"]:
        ada.plays(made)
        bots(made)
    return made


def drafted_by(player, draft, seat):
    """Return the deck that a seat built in a finished draft."""
    [built] = [e for e in player.events(draft) if e["type"] == "DeckSubmitted" and e["data"]["seat"] == seat]
    return built["data"].get("deck") or built["disclosed"]["deck"][str(seat)]


@pytest.mark.long
@pytest.mark.parametrize(("bots_from", "seat"), first_of([(1, 2), (0, 0), (3, 0)]))
def test_bot_plays_a_deck_that_a_bot_drafted(ada, stranger, with_bots, bots_from, seat):
    """Return the first bot from that seat on, wrapping around; bots have the seats 0 and 2."""
    seats = [{"kind": "me"}, {"kind": "bot"}]
    made = ada.creates(**table(seats=seats, format="draft", pool=with_bots["id"], bots_from=bots_from))
    assert brought(ada, made, 1) is None, "Ada does not see it"
    ada.plays(made, {"name": "resign", "args": {"whole_match": True}})
    assert drafted_by(ada, made, 1) == drafted_by(ada, with_bots, seat)
    checked = stranger.post("/v1/records/verify", ada.get(f"{made.path}/record").json)
    left = [check["name"] for check in checked.json["checks"] if check["skipped"] or not check["ok"]]
    assert left == ["signatures"], checked.json


def test_two_bots_play_the_decks_that_two_bots_drafted(ada, with_bots):
    made = ada.creates(**table(seats=[{"kind": "bot"}, {"kind": "bot"}], format="draft", pool=with_bots["id"]))
    sizes = [e["data"] for e in ada.events(made) if e["type"] == "DeckBrought"]
    assert [one["seat"] for one in sizes] == [0, 1]


def test_bots_have_no_drafted_deck_without_a_named_draft(ada):
    refused = ada.post("/v1/matches", table(bots_from=1))
    assert (code(refused), list(refused.json["errors"])) == ((422, "bad_options"), ["options.bots_from"])


@pytest.mark.long
def test_record_of_a_duel_with_drafted_decks_verifies_without_the_draft(ada, stranger, draft):
    seats = [{"kind": "me"}, {"kind": "bot"}]
    made = ada.creates(**table(seats=seats, format="draft", pool=draft["id"]))
    ada.plays(made, {"name": "resign", "args": {"whole_match": True}})
    checked = stranger.post("/v1/records/verify", ada.get(f"{made.path}/record").json)
    left = [check["name"] for check in checked.json["checks"] if check["skipped"] or not check["ok"]]
    assert left == ["signatures"], checked.json
