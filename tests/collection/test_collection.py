"""Tests collections: packs follow from committed seeds, trades create no cards, and every event follows from the
rules."""

from functools import reduce

import pytest

from domain.collection.collection_decide import (
    LINKS,
    MOST_OFFERS,
    Drawn,
    accept_offer,
    begin_collection,
    commit_seeds,
    decline_offer,
    grant_boosters,
    grant_promo,
    make_offer,
    open_pack,
    withdraw_offer,
)
from domain.collection.collection_events import PackOpened
from domain.collection.collection_judge import find_collection_fault
from domain.collection.collection_state import Collection, TradeOffer, evolve
from domain.core.fairness import chain
from domain.core.game import Refused
from domain.core.values import with_fields
from domain.games.catalogue import CARDS

ROOT = bytes(range(32))
CHAIN = chain(ROOT, LINKS)
OF = "collection-of-ada"


def folded(*events):
    return reduce(evolve, events, Collection())


def started(player="ada", *, bound=False):
    """Begin a collection; its cards can be traded unless they are bound, as on a server."""
    return begin_collection(player, with_fields(CARDS.starter, bound=bound), CHAIN[0].hex())


def drawn(link, nonce=""):
    return Drawn(OF, 1, link, CHAIN[link].hex(), nonce)


def story():
    """Return a collection with every kind of event."""
    events = list(started())
    state = folded(*events)

    def happens(*more):
        nonlocal state
        events.extend(more)
        state = reduce(evolve, more, state)

    happens(open_pack(state, CARDS, "fw1", drawn(1)))
    happens(open_pack(state, CARDS, "fw1", drawn(2, "00ff")))
    happens(grant_boosters(state, "bt1", 2, "tournament 7, place 1"))
    happens(grant_promo(state, "bt1-001", "tournament 7, place 1"))
    happens(open_pack(state, CARDS, "bt1", drawn(3)))
    for trade in "abc":
        happens(make_offer(state, trade, TradeOffer("ben", {"fw1-001": 5}, {"fw1-002": 5})))
    happens(withdraw_offer(state, "a"))
    happens(decline_offer(state, "b"))
    ben = with_fields(folded(*started("ben")))
    happens(accept_offer(state, ben, "c")[0])
    back = evolve(ben, make_offer(ben, "d", TradeOffer("ada", {"fw1-003": 1}, {"fw1-004": 2})))
    happens(accept_offer(back, state, "d")[1])
    happens(commit_seeds(state, CHAIN[1].hex()))
    return events, state


def opened_starter():
    """Return a starter whose cards stay with the account; one of its boosters is opened after a prize was granted."""
    events = list(started(bound=True))
    events.append(grant_boosters(folded(*events), "bt1", 1, "tournament 7, place 1"))
    for link, set_id in ((1, "fw1"), (2, "bt1")):
        events.append(open_pack(folded(*events), CARDS, set_id, drawn(link)))
    state = folded(*events)
    card = events[-1].cards[0]
    events.append(make_offer(state, "a", TradeOffer("ben", {card: 1}, {"fw1-001": 1})))
    return events, folded(*events)


def test_a_new_collection_has_six_boosters_and_twenty_of_each_basic_land():
    c = folded(*started())
    assert c.boosters == {"fw1": 6}
    assert {CARDS.cards[card].name: count for card, count in c.cards.items()} == {
        "Sunfield": 20,
        "Tidepool": 20,
        "Rootwood": 20,
        "Forgehill": 20,
        "Gloomfen": 20,
    }


def test_an_opened_pack_adds_its_cards_and_uses_up_a_booster():
    c = folded(*started())
    pack = open_pack(c, CARDS, "fw1", drawn(1))
    after = evolve(c, pack)
    assert len(pack.cards) == 15
    assert after.boosters == {"fw1": 5}
    assert sum(after.cards.values()) == 100 + 15
    assert (after.epoch, after.link) == (1, 1)


def test_pack_depends_on_the_players_nonce():
    c = folded(*started())
    assert open_pack(c, CARDS, "fw1", drawn(1)).cards != open_pack(c, CARDS, "fw1", drawn(1, "aa")).cards


@pytest.mark.parametrize("set_id", ["bt1", "xx9"])
def test_opening_requires_a_booster(set_id):
    with pytest.raises(Refused, match="no_booster"):
        open_pack(folded(*started()), CARDS, set_id, drawn(1))


def test_starter_and_its_boosters_are_bound_but_prizes_are_not():
    assert CARDS.starter.bound
    c = folded(*started(bound=True))
    c = evolve(c, grant_boosters(c, "fw1", 1, "tournament 7, place 1"))
    starters = []
    for link in range(1, 8):
        pack = open_pack(c, CARDS, "fw1", drawn(link))
        starters.append(pack.starters["fw1"])
        before, c = c, evolve(c, pack)
        assert bool(pack.bound) == (link < 7)
    assert starters == [5, 4, 3, 2, 1, 0, 0]
    assert sum(c.bound.values()) == 100 + 6 * 15
    free = {card: c.cards[card] - c.bound.get(card, 0) for card in pack.cards}
    assert make_offer(c, "a", TradeOffer("ben", free, {}))
    for asked in ({"fw1-001": 1}, {pack.cards[0]: free[pack.cards[0]] + 1}):
        with pytest.raises(Refused, match="not_in_collection"):
            make_offer(c, "a", TradeOffer("ben", asked, {}))
    with pytest.raises(Refused, match="not_in_collection"):
        make_offer(before, "a", TradeOffer("ben", {"fw1-001": 1}, {}))


def test_offered_cards_are_set_aside_until_the_offer_ends():
    c = folded(*started())
    made = TradeOffer("ben", {"fw1-001": 15}, {"fw1-002": 1})
    offered = evolve(c, make_offer(c, "a", made))
    assert offered.set_aside == {"fw1-001": 15}
    with pytest.raises(Refused, match="not_in_collection"):
        make_offer(offered, "b", TradeOffer("ben", {"fw1-001": 6}, {}))
    for end in (withdraw_offer, decline_offer):
        ended = evolve(offered, end(offered, "a"))
        assert (ended.offers, ended.set_aside) == ({}, {"fw1-001": 0})
        assert make_offer(ended, "b", made)


def test_trade_neither_creates_nor_destroys_cards():
    ada, ben = folded(*started("ada")), folded(*started("ben"))
    ada = evolve(ada, make_offer(ada, "a", TradeOffer("ben", {"fw1-001": 3}, {"fw1-002": 2})))
    given, taken = accept_offer(ada, ben, "a")
    ada, ben = evolve(ada, given), evolve(ben, taken)
    assert (ada.cards["fw1-001"], ada.cards["fw1-002"]) == (17, 22)
    assert (ben.cards["fw1-001"], ben.cards["fw1-002"]) == (23, 18)
    assert (ada.offers, ada.set_aside) == ({}, {"fw1-001": 0})


def test_player_without_the_wanted_cards_cannot_accept():
    ada, ben = folded(*started("ada")), folded(*started("ben"))
    ada = evolve(ada, make_offer(ada, "a", TradeOffer("ben", {"fw1-001": 1}, {"fw1-002": 6})))
    ben = evolve(ben, make_offer(ben, "b", TradeOffer("ada", {"fw1-002": 15}, {})))
    with pytest.raises(Refused, match="not_in_collection"):
        accept_offer(ada, ben, "a")


def test_promo_copy_cannot_be_traded():
    c = folded(*started())
    c = evolve(c, grant_promo(c, "bt1-001", "a prize"))
    assert c.promos == {"bt1-001": 1}
    with pytest.raises(Refused, match="not_in_collection"):
        make_offer(c, "a", TradeOffer("ben", {"bt1-001": 1}, {}))


def test_open_offers_per_player_are_limited():
    c = folded(*started())
    for n in range(MOST_OFFERS):
        c = evolve(c, make_offer(c, f"t{n}", TradeOffer("ben", {"fw1-001": 1}, {})))
    with pytest.raises(Refused, match="too_many_trades"):
        make_offer(c, "more", TradeOffer("ben", {}, {"fw1-001": 1}))


# --- Judged by its events -------------------------------------------------------------------------------------


def test_every_event_of_a_collection_follows_from_the_rules():
    events, _ = story()
    assert find_collection_fault(OF, events, CARDS) is None


def tampered():
    """Yield each event of the collection with each of its fields changed."""
    events, _ = story()
    for i, event in enumerate(events):
        for name in event.__dataclass_fields__:
            was = getattr(event, name)
            if (i, name) in FREE or name in SAID.get(type(event).__name__, ()):
                continue
            yield i, name, [*events[:i], with_fields(event, **{name: other(was)}), *events[i + 1 :]]


SAID = {
    "BoostersGranted": ("reason",),
    "PromoGranted": ("reason", "card"),
    "TradeOffered": ("partner", "want", "trade"),
    "TradeMade": ("partner",),
    "SeedsCommitted": ("commitment",),
}
"""These fields are stated, not derived from rules; a commitment is checked by later seeds."""
FREE = {(0, "player"), (0, "cards"), (0, "boosters"), (13, "trade")}
"""A collection's initial contents are checked by later events; another player's offer is in that player's stream."""


def other(was):
    match was:
        case bool():
            return not was
        case int():
            return was + 1
        case str():
            return f"{was}0"
        case tuple():
            return (*was[1:], "fw1-080")
        case _:
            return {**was, "fw1-077": 3}


def test_verification_finds_changed_events():
    found = [(i, name, find_collection_fault(OF, events, CARDS)) for i, name, events in tampered()]
    wrong = [(i, name, fault) for i, name, fault in found if fault is None or fault.place != i]
    assert wrong == []
    assert len(found) > 40


def test_verification_finds_a_pack_that_does_not_follow_from_its_seed():
    events, _ = story()
    at = next(i for i, event in enumerate(events) if isinstance(event, PackOpened))
    for change, why in (
        ({"seed": CHAIN[2].hex()}, "The seed does not match the commitment."),
        ({"link": 2}, "The pack does not use the next link."),
        ({"cards": ("fw1-080",) * 15}, "The seed gives other cards."),
    ):
        wrong = [*events[:at], with_fields(events[at], **change), *events[at + 1 :]]
        assert find_collection_fault(OF, wrong, CARDS).why == why


def test_packs_depend_on_the_collection_id():
    events, _ = story()
    assert find_collection_fault("collection-of-ben", events, CARDS).why == "The seed gives other cards."
