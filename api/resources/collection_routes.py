"""Serves the collection of a player: what is in it, its boosters, and the record by which its packs are verified."""

from typing import Annotated, Any, Final, Literal

from flask import Blueprint, Response
from msgspec import UNSET, Raw, UnsetType

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import choice_field, doc, nonce_field
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
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer
from api.http.signed_answers import (
    NonceReceipts,
    SignedHeadAnswer,
    add_log_proof,
    receipt_of_pack,
    sign_head,
    signed_head_answer,
)
from api.http.strict_fields import Strict
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

bp = Blueprint("collection", __name__, url_prefix="/v1/collection")

NONE_YET: Final = "You have no collection yet; `POST /v1/collection` begins it."
FORMAT: Final = "dealt-collection/1"


# --- What is answered -------------------------------------------------------------------------------------


class OwnedCardAnswer(Answer):
    card: Annotated[str, says("The id of the card.", examples=["fw1-007"])]
    name: Annotated[str, says("Its name.", examples=["Lantern Acolyte"])]
    count: Annotated[Count, says("How many copies you own, promo copies not counted.")]
    bound: Annotated[Count, says("How many of them stay with your account: those of the starter and its boosters.")]
    set_aside: Annotated[Count, says("Copies in your open offers.")]
    promos: Annotated[Count, says("Number of promo copies that you own in addition, which cannot be traded.")]


class OwnedBoostersAnswer(Answer):
    set: Annotated[Set, says("The set of the boosters.")]
    count: Annotated[Ordinal, says("How many unopened boosters you own.")]
    bound: Annotated[
        Count, says("How many of them are of the starter: they are opened first, and their cards are bound.")
    ]


class SeedsAnswer(Answer):
    """These are the seeds that the packs you open next are bound to."""

    epoch: Annotated[Ordinal, says("The number of the chain of seeds.")]
    commitment: Annotated[Digest, says("s[0] of the chain: the seeds of its packs are bound by it.")]
    links: Annotated[Ordinal, says("How many packs the chain has seeds for.")]
    used: Annotated[Count, says("How many of them have been opened.")]


class CollectionAnswer(Answer):
    """Your cards and boosters. Only you can see them."""

    id: Annotated[str, says("The id of the collection, to which its packs are bound.")]
    version: Annotated[Ordinal, says("The number of its last event.")]
    head: Annotated[Digest, says("The digest of its last event.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null: it has no key.")]
    seeds: Annotated[SeedsAnswer, says("The commitments for the next packs.")]
    boosters: Annotated[list[OwnedBoostersAnswer], says("Your unopened boosters.")]
    cards: Annotated[list[OwnedCardAnswer], says("Your cards, by set and number.")]


class PackAnswer(Answer):
    """A booster that was opened, with all that it takes to draw it again."""

    collection: Annotated[str, says("The id of the collection.")]
    version: Annotated[Ordinal, says("The number of the event.")]
    set: Annotated[Set, says("The set of the booster.")]
    cards: Annotated[list[CollectibleCardAnswer], says("Its cards, in the order of its slots.")]
    bound: Annotated[bool, says("Whether its cards stay with your account, as those of the starter do.")]
    epoch: Annotated[Ordinal, says("The number of the chain of seeds.")]
    link: Annotated[Ordinal, says("The place of its seed in the chain.")]
    seed: Annotated[Digest, says("Its seed: hashed as often as `link` says, it is the commitment.")]
    nonce: Annotated[str, says("Your own part of the draw.")]
    boosters: Annotated[list[OwnedBoostersAnswer], says("The boosters that you have left.")]
    receipts: NonceReceipts = UNSET


class CollectionEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("Its number.")]
    commit: Annotated[Ordinal, says("The number of the first event that was written with it.")]
    type: Annotated[str, one_of(kind.__name__ for kind in EVENTS), says("What happened.")]
    data: Annotated[dict[str, Any], says("The subject of the event; counts are those after it.")]
    at: Annotated[Timestamp, says("When it was written.")]
    cause: Annotated[str, says("`move`.", examples=["move"])]
    seals: Annotated[dict[str, dict[str, Digest]], says("Empty: only you read it, so nothing is sealed.")]
    digest: Annotated[Digest, says("The hash of the digest before it and of the event.")]


class CollectionRecordAnswer(Answer):
    """All events of a collection, by which each of its packs can be verified without the server."""

    format: Annotated[Literal["dealt-collection/1"], says("The format of this document.")]
    collection: Annotated[str, says("The id of the collection.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of the last event.")]
    events: Annotated[list[CollectionEventAnswer], says("The events, from the first.")]
    signed: Annotated[SignedHeadAnswer | UnsetType, says("The head with the signature of this server.")] = UNSET


class OpenBoosterBody(Strict):
    """The body says which booster is to be opened."""

    set = choice_field(*CARDS.sets, required=True, **doc("The set of the booster."))
    nonce = nonce_field(
        may_be_empty=True,
        load_default="",
        **doc("Your nonce for the draw, in hex: with it, the server cannot choose the pack."),
    )


# --- The calls --------------------------------------------------------------------------------------------


@bp.post("")
@Operation(
    tag="cards",
    replies={
        200: Reply("You have it already.", CollectionAnswer, headers=(ETAG,)),
        201: Reply("Your collection.", CollectionAnswer, headers=(ETAG,)),
    },
)
def begin_collection() -> Response:
    """Start a collection.

    It begins with the boosters and cards that every player gets.
    These stay with your account: they are played with and never traded, and so are the cards of these boosters.
    Again it changes nothing. From here on the packs that you open are bound: `seeds.commitment` is the end of a chain
    of hashes from which each of them follows, with a nonce of yours if you send one.
    """
    kept, begun = collections.start_collection(app_state().context, require_player().player_id)
    return answer_if_changed(json_answer(_shown(kept), 201 if begun else 200), kept.head.version)


@bp.get("")
@Operation(
    tag="cards",
    parameters=(IF_NONE_MATCH,),
    replies={200: Reply("Your collection.", CollectionAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def get_collection() -> Response:
    """Get your collection.

    Has your cards, your boosters, and the cards in your open offers. Only you see it; an offer shows only the cards
    that it names.
    """
    kept = own_collection()
    return answer_if_changed(json_answer(_shown(kept)), kept.head.version)


@bp.post("/boosters")
@Operation(
    tag="cards",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(OpenBoosterBody(), example={"set": next(iter(CARDS.sets), "set")}),
    replies={201: Reply("The pack.", PackAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "no_booster"),
)
def open_booster() -> Response:
    """Open a booster.

    Its cards join your collection.
    It follows from the next seed of the chain to which the collection is bound, and from your nonce. How likely each
    card is, `GET /v1/sets/{set_id}` says. One that you do not have is 409 `no_booster`. The answer acknowledges the
    nonce with a signed receipt (`receipts`), which `dealt verify --receipt` checks against the record.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)
    own_collection()

    def do() -> Response:
        wanted = load(OpenBoosterBody(), given)
        return _opened(collections.open_booster(app_state().context, player, wanted["set"], wanted["nonce"], asked))

    def again(remembered: Remembered) -> Response:
        return _opened(collections.repeat_collection_answer(app_state().context, player, remembered))

    return run_once(asked, do, again)


@bp.get("/record")
@Operation(
    tag="cards",
    replies={200: Reply("All events of your collection.", CollectionRecordAnswer)},
    refuses=("not_found",),
)
def get_collection_record() -> Response:
    """Export a collection record.

    `dealt verify` checks it offline, and `POST /v1/records/verify` online. They check the digests, the seeds against
    their commitments and each pack against its seed. They also check that cards changed owners only by packs, grants
    and trades.
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
    """Give the caller's collection. Raises 404 with the way to one."""
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


def _opened(opened: LastEvent) -> Response:
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
