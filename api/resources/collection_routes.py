"""Serves the collection of a player: its cards, its boosters, and the record that verifies its packs."""

from typing import Annotated, Any, Final, Literal

from flask import Response
from msgspec import UNSET, Raw, UnsetType

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NonceOrNone
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    NOT_MODIFIED,
    REPLAYED,
    Answer,
    Body,
    Count,
    Digest,
    Operation,
    Ordinal,
    Reply,
    Timestamp,
    one_of,
    says,
)
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.request_records import Request, choice
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer
from api.http.signed_answers import (
    NonceReceipts,
    SignedHeadAnswer,
    add_log_proof,
    receipt_of_pack,
    sign_head,
    signed_head_answer,
)
from api.resources.card_answer import CollectibleCardAnswer, Set, card_answer
from domain.collection.collection_events import EVENTS
from domain.core.collectible import Counts
from domain.games.catalogue import CARDS
from events.errors import NotFound
from events.log.commits import serve_events
from events.proof.signed_heads import COLLECTION
from events.service import collections
from events.service.collections import LastEvent, LoadedCollection
from events.service.stream_kinds import collection_id
from events.store.records import Remembered

NONE_YET: Final = "You have no collection yet. Start one with `POST /v1/collection`."
FORMAT: Final = "dealt-collection/1"


# --- What is answered -------------------------------------------------------------------------------------


class OwnedCardAnswer(Answer):
    card: Annotated[str, says("The id of the card.", examples=["fw1-007"])]
    name: Annotated[str, says("Its name.", examples=["Lantern Acolyte"])]
    count: Annotated[Count, says("Copies that you own, without promo copies.")]
    bound: Annotated[Count, says("Copies from the starter and its boosters, which stay with your account.")]
    set_aside: Annotated[Count, says("Copies in your open offers.")]
    promos: Annotated[Count, says("Promo copies that you own in addition; they cannot be traded.")]


class OwnedBoostersAnswer(Answer):
    set: Annotated[Set, says("The set of the boosters.")]
    count: Annotated[Ordinal, says("How many unopened boosters you own.")]
    bound: Annotated[
        Count, says("Starter boosters among them. They are opened first, and their cards stay with your account.")
    ]


class SeedsAnswer(Answer):
    """The seeds that the packs you open next are bound to."""

    epoch: Annotated[Ordinal, says("The number of the chain of seeds.")]
    commitment: Annotated[Digest, says("The commitment s[0] to the chain of seeds for the packs.")]
    links: Annotated[Ordinal, says("Number of packs that the chain has seeds for.")]
    used: Annotated[Count, says("Number of packs opened from this chain.")]


class CollectionAnswer(Answer):
    """Your cards and boosters. Only you can see them."""

    id: Annotated[str, says("The id of the collection, to which its packs are bound.")]
    version: Annotated[Ordinal, says("The number of its last event.")]
    head: Annotated[Digest, says("The digest of its last event.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null if it has no key.")]
    seeds: Annotated[SeedsAnswer, says("The commitments for the next packs.")]
    boosters: Annotated[list[OwnedBoostersAnswer], says("Your unopened boosters.")]
    cards: Annotated[list[OwnedCardAnswer], says("Your cards, by set and number.")]


class PackAnswer(Answer):
    """An opened booster, with all data to draw it again."""

    collection: Annotated[str, says("The id of the collection.")]
    version: Annotated[Ordinal, says("The number of the event.")]
    set: Annotated[Set, says("The set of the booster.")]
    cards: Annotated[list[CollectibleCardAnswer], says("Its cards, in the order of its slots.")]
    bound: Annotated[bool, says("Whether its cards stay with your account, like starter cards.")]
    epoch: Annotated[Ordinal, says("The number of the chain of seeds.")]
    link: Annotated[Ordinal, says("The position of its seed in the chain.")]
    seed: Annotated[Digest, says("The seed; hashed `link` times, it gives the commitment.")]
    nonce: Annotated[str, says("Your nonce for the draw.")]
    boosters: Annotated[list[OwnedBoostersAnswer], says("The boosters that you have left.")]
    receipts: NonceReceipts = UNSET


class CollectionEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("The number of the event.")]
    commit: Annotated[Ordinal, says("The number of the first event in the same commit.")]
    type: Annotated[str, one_of(kind.__name__ for kind in EVENTS), says("What happened.")]
    data: Annotated[dict[str, Any], says("The fields of the event; counts are those after it.")]
    at: Annotated[Timestamp, says("The time when the event was written.")]
    cause: Annotated[str, says("`move`.", examples=["move"])]
    seals: Annotated[dict[str, dict[str, Digest]], says("Empty: only you read it, so nothing is sealed.")]
    digest: Annotated[Digest, says("The hash of the previous digest and the event.")]


class CollectionRecordAnswer(Answer):
    """All events of a collection, to verify its packs offline."""

    format: Annotated[Literal["dealt-collection/1"], says("The format of this document.")]
    collection: Annotated[str, says("The id of the collection.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of the last event.")]
    events: Annotated[list[CollectionEventAnswer], says("The events, from the first.")]
    signed: Annotated[SignedHeadAnswer | UnsetType, says("The head with the signature of this server.")] = UNSET


class OpenBoosterBody(Request):
    """The booster to open."""

    set: Annotated[str, choice(CARDS.sets)]
    """The set of the booster."""
    nonce: NonceOrNone = ""
    """Your nonce for the draw, in hex; it stops the server from choosing the pack."""


# --- The calls --------------------------------------------------------------------------------------------


@Operation(
    tag="cards",
    searches=("start collecting", "starter cards"),
    replies={
        200: Reply("Your existing collection.", CollectionAnswer, headers=(ETAG,)),
        201: Reply("Your collection.", CollectionAnswer, headers=(ETAG,)),
    },
)
def begin_collection() -> Response:
    """Start a collection.

    Creates your collection with the boosters and cards that every player gets. These cards, and those of these
    boosters, stay with your account: you can play them but not trade them. Repeating the request changes nothing. From
    now on, your packs are fixed in advance: each follows from a chain of hashes that ends in `seeds.commitment`, and
    from your nonce if you send one.
    """
    kept, begun = collections.start_collection(app_state().context, require_player().player_id)
    return answer_if_changed(json_answer(_shown(kept), 201 if begun else 200), kept.head.version)


@Operation(
    tag="cards",
    searches=("my cards", "collection"),
    parameters=(IF_NONE_MATCH,),
    replies={200: Reply("Your collection.", CollectionAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def get_collection() -> Response:
    """Get your collection.

    Returns your cards, your boosters and the cards in your open offers. Only you can see it; others see only the cards
    in an offer.
    """
    kept = own_collection()
    return answer_if_changed(json_answer(_shown(kept)), kept.head.version)


@Operation(
    tag="cards",
    searches=("booster", "open a pack"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(OpenBoosterBody, example={"set": next(iter(CARDS.sets), "set")}),
    replies={201: Reply("The pack.", PackAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "no_booster"),
)
def open_booster() -> Response:
    """Open a booster.

    Adds its cards to your collection. They follow from the next seed of the chain that your collection is bound to, and
    from your nonce. `GET /v1/sets/{set_id}` has the odds. Returns 409 `no_booster` if you do not have one. The signed
    receipt in `receipts` acknowledges the nonce, and `dealt verify --receipt` checks it against the record.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)
    own_collection()

    def do() -> Response:
        wanted = load(OpenBoosterBody, given)
        return _pack_answer(collections.open_booster(app_state().context, player, wanted.set, wanted.nonce, asked))

    def repeat_answer(remembered: Remembered) -> Response:
        return _pack_answer(collections.repeat_collection_answer(app_state().context, player, remembered))

    return run_once(asked, do, repeat_answer)


@Operation(
    tag="cards",
    searches=("export collection", "verify boosters"),
    replies={200: Reply("All events of your collection.", CollectionRecordAnswer)},
    refuses=("not_found",),
)
def get_collection_record() -> Response:
    """Export a collection record.

    Verify it offline with `dealt verify`, or online with `POST /v1/records/verify`. Both check the digests, the seeds
    against their commitments, each pack against its seed, and that cards changed owners only by packs, grants and
    trades.
    """
    kept = own_collection()
    events = [Raw(item) for item in serve_events(kept.rows)]
    head = kept.head
    signed = signed_head_answer(add_log_proof(app_state().context, sign_head(app_state().keys, COLLECTION, head)))
    last = head.head.hex()
    written: Any = events  # JSON already
    return json_answer(CollectionRecordAnswer(FORMAT, head.match_id, head.version, last, written, signed or UNSET))


# --- What they share --------------------------------------------------------------------------------------


def own_collection() -> LoadedCollection:
    """Return the caller's collection. Raises 404 with the way to create one."""
    try:
        return collections.load_collection(app_state().context, require_player().player_id)
    except NotFound:
        raise Problem("not_found", NONE_YET) from None


def _shown(kept: LoadedCollection) -> CollectionAnswer:
    c = kept.state
    cards = [
        OwnedCardAnswer(card.id, card.name, count, c.bound.get(card.id, 0), c.set_aside.get(card.id, 0), promos)
        for card in CARDS.cards.values()
        if (count := c.cards.get(card.id, 0)) + (promos := c.promos.get(card.id, 0))
    ]
    seeds = SeedsAnswer(c.epoch, c.commitment, c.links, c.link)
    head, signed = kept.head, signed_head_answer(sign_head(app_state().keys, COLLECTION, kept.head))
    boosters = _boosters(c.boosters, c.starters)
    return CollectionAnswer(head.match_id, head.version, head.head.hex(), signed, seeds, boosters, cards)


def _boosters(counts: Counts, starters: Counts) -> list[OwnedBoostersAnswer]:
    return [
        OwnedBoostersAnswer(set_id, counts[set_id], starters.get(set_id, 0))
        for set_id in CARDS.sets
        if counts.get(set_id)
    ]


def _pack_answer(opened: LastEvent) -> Response:
    collection, pack = collection_id(require_player().player_id), opened.event
    made = PackAnswer(
        collection=collection,
        version=opened.version,
        set=pack.set,
        cards=[card_answer(CARDS.cards[card]) for card in pack.cards],
        epoch=pack.epoch,
        link=pack.link,
        seed=pack.seed,
        nonce=pack.nonce,
        bound=bool(pack.bound),
        boosters=_boosters(pack.boosters, pack.starters),
        receipts=receipt_of_pack(app_state().keys, collection, pack, opened.version, opened.digest),
    )
    return json_answer(made, 201)
