"""Defines the events of a player's collection.

Each event records the resulting counts, so that the state only assigns them. Only the player reads them; a trade is in
the streams of both players.
"""

from typing import Final

from domain.core.collectible import Counts
from domain.core.values import value


@value
class CollectionStarted:
    """A player has a collection, with these boosters, by their set, and these cards."""

    player: str
    """The id of the player."""
    boosters: Counts
    """The unopened boosters, by set."""
    cards: Counts
    """The cards, by their ids."""
    starters: Counts
    """The boosters whose cards stay with the account: all of them, or none."""
    bound: Counts
    """The cards that stay with the account: all of them, or none."""


@value
class SeedsCommitted:
    """The seeds of the next packs are bound: `commitment` is s[0] of a chain of this number of links (rules 1.6)."""

    epoch: int
    """The number of the chain of seeds."""
    commitment: str
    """s[0] of the chain, in hex."""
    links: int
    """The number of packs that the chain has seeds for."""


@value
class PackOpened:
    """A booster of the set was opened, from the seed of its link and the player's own nonce.

    Boosters of the starter are opened first. `boosters` are those that are left, `owned` counts each of these cards
    now.
    """

    set: str
    """The set of the booster."""
    epoch: int
    """The number of the chain of seeds."""
    link: int
    """The place of the seed in the chain."""
    nonce: str
    """The player's nonce, in hex."""
    seed: str
    """The seed; hashed `link` times, it gives the commitment."""
    cards: tuple[str, ...]
    """The ids of the cards, in the order of the slots."""
    boosters: Counts
    """The remaining boosters, by set."""
    owned: Counts
    """The player's copies of these cards after this."""
    starters: Counts
    """The remaining starter boosters, by set; their cards stay with the account."""
    bound: Counts
    """The copies of these cards that stay with the account, if this was a starter booster."""


@value
class BoostersGranted:
    """The player was given `count` boosters of the set; `boosters` are all that there are now."""

    set: str
    """The set of the boosters."""
    count: int
    """The number of boosters given."""
    reason: str
    """The reason."""
    boosters: Counts
    """All boosters after this, by set."""


@value
class PromoGranted:
    """The player was given a promo copy of a card, which is never traded; `promos` are all such copies now."""

    card: str
    """The id of the card."""
    reason: str
    """The reason."""
    promos: Counts
    """All promo copies after this, by card id."""


@value
class TradeOffered:
    """The player has offered cards to another; those that are given are set aside until the offer ends.

    `set_aside` counts what is set aside now of each of these cards.
    """

    trade: str
    """The id of the offer."""
    partner: str
    """The id of the player who received the offer."""
    give: Counts
    """The offered cards, by id."""
    want: Counts
    """The requested cards, by id."""
    set_aside: Counts
    """The copies of these cards that are set aside after this."""


@value
class TradeWithdrawn:
    """The player has withdrawn an offer; `open` are the offers that are left."""

    trade: str
    """The id of the offer."""
    open: tuple[str, ...]
    """The ids of the remaining offers."""
    set_aside: Counts
    """The copies of its cards that are set aside after this."""


@value
class TradeDeclined:
    """The recipient of an offer declined it; `open` are the remaining offers."""

    trade: str
    """The id of the offer."""
    open: tuple[str, ...]
    """The ids of the remaining offers."""
    set_aside: Counts
    """The copies of its cards that are set aside after this."""


@value
class TradeMade:
    """Cards were traded: each player's stream says what that player gave and got, and counts these cards now."""

    trade: str
    """The id of the offer."""
    partner: str
    """The id of the other player."""
    gave: Counts
    """The cards that the player gave, by their ids."""
    got: Counts
    """The cards that the player got, by their ids."""
    owned: Counts
    """The player's copies of these cards after this."""
    open: tuple[str, ...]
    """The ids of the remaining offers."""
    set_aside: Counts
    """The copies of these cards that are set aside after this."""


EVENTS: Final = (
    CollectionStarted,
    SeedsCommitted,
    PackOpened,
    BoostersGranted,
    PromoGranted,
    TradeOffered,
    TradeWithdrawn,
    TradeDeclined,
    TradeMade,
)
