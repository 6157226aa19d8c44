"""The matches of a simulated year: all games, all kinds of clocks, all options."""

from dataclasses import asdict, fields, replace
from random import Random
from typing import Any, Final

from domain.core.clock import DAY, HOUR, Clock, bad_clock, complete_clock
from domain.match.creation import Series
from events.service.new_match import NewMatch, SeatRequest
from tests.laws.entry import Entry
from tests.laws.games import ENTRIES
from tests.match.table import options
from tests.workers.test_orders import ANYTHING as FOR_THREE

MINUTE = 60
ORDERS: dict[str, dict[str, Any]] = {
    **FOR_THREE,  # type: ignore[dict-item]  # documents are data
    "two_handed_hearts": {"orders": [
        {"if": {"led": ["C", "D", "H", "S"]}, "do": [{"move": "play_card", "card": "highest", "below": "winning"}]},
        {"do": [{"move": name} for name in ("reject_card", "pass_claim")] + [{"move": "play_card", "card": "lowest"}]},
    ]},
    "crazy_eights": {"orders": [
        {"do": [{"move": "play_card", "card": "highest"}, {"move": "draw_card"}, {"move": "pass_turn"}]},
    ]},
    "five_card_draw": {"orders": [{"do": [{"move": "check"}, {"move": "fold"}]}]},
    "holdem": {"orders": [{"do": [{"move": "check"}, {"move": "fold"}]}]},
}  # fmt: skip
"""Standing orders that a player sets, by game."""

GAMES = {name: [e for e in ENTRIES if e.game.name == name] for name in {e.game.name: 0 for e in ENTRIES}}


def clock(rng: Random) -> Clock:
    """Draw a clock that the API would accept."""
    while True:
        found = _clock(rng)
        if not bad_clock(found):
            return found


def _clock(rng: Random) -> Clock:
    kind: Any = rng.choice(["simple", "simple", "fischer", "fischer", "byo_yomi", "canadian"])
    scale = rng.choice([MINUTE, HOUR, HOUR, 6 * HOUR, DAY])
    times: dict[str, Any] = {
        "simple": {"per_decision_seconds": scale, "bank_seconds": rng.choice([0, 3 * scale])},
        "fischer": rng.choice(
            [{}, {"bank_seconds": 4 * scale, "increment_seconds": scale // 2, "cap_seconds": 5 * scale}]
        ),
        "byo_yomi": {"bank_seconds": 2 * scale, "period_seconds": scale, "periods": rng.randint(1, 3)},
        "canadian": {
            "bank_seconds": 2 * scale,
            "period_seconds": 4 * scale,
            "period_moves": rng.randint(2, 8),
        },
    }[kind]
    return complete_clock(
        Clock(
            kind=kind, on_expiry=rng.choice(["default_action", "default_action", "bot", "forfeit"]),
            max_defaults=rng.randint(1, 4), minor_seconds=rng.choice([0, 0, scale // 2]),
            grace_seconds=rng.choice([0, 0, 30, HOUR]), days_off=rng.choice([(), (), (6, 7), (3,)]),
            time_zone=rng.choice(["UTC", "America/New_York", "Asia/Kolkata"]), vacation=rng.random() < 0.7, **times,
        )
    )  # fmt: skip


def common(rng: Random, ticks: bool) -> dict[str, Any]:
    """Draw the options that every match has."""
    return {
        "fairness_reveal": rng.choice([None, None, "hand_end", "game_end", "match_end", "never"]),
        "nonce_commit": rng.random() < 0.15,
        "nonce_seconds": rng.choice([0, 0, 0, MINUTE, DAY]),
        "pause_between_hands": rng.random() < 0.3,
        "on_resign": rng.choice(["bot", "end"]),
        "take_backs": rng.random() < 0.4,
        "standing_orders": ticks and rng.random() < 0.7,
    }


MOST_HANDS: Final = 20
"""The maximum number of hands of games with this option."""


def _chosen(entry: Entry, rng: Random) -> Any:
    """Draw the options of a game, and keep it short.

    Bots that refuse every scoring card would play all of 200 hands without a point, in nine games.
    """
    given = rng.choice([one for block in entry.blocks.values() for one in block])
    known = {f.name for f in fields(given)}
    if "max_hands" in known:
        given = replace(given, max_hands=min(given.max_hands or MOST_HANDS, MOST_HANDS))
    if "target_score" in known and rng.random() < 0.7:
        return replace(given, target_score={"hearts": 1, "two_handed_hearts": 10, "gin_rummy": 20}.get(entry.game.name))
    return given


def new_match(rng: Random, *, ticks: bool) -> NewMatch:
    """Draw a match; it has no clock only if no absent player could block it."""
    entry = rng.choice(GAMES[rng.choice(sorted(GAMES))])
    game, n = entry.game, entry.seats
    timed = clock(rng) if ticks else Clock()
    given = asdict(_chosen(entry, rng)) | common(rng, timed.ticks)
    kinds = ["me", *rng.choices(["open", "invite", "bot"], [6, 2, 3], k=n - 1)]
    rng.shuffle(kinds)
    places = tuple(
        SeatRequest(kind, rng.choice(["random", "easy", "steady"]) if kind == "bot" else None) for kind in kinds
    )
    best_of = rng.choice([1, 1, 1, 3])
    visibility = rng.choice(["public", "unlisted"] if "open" in kinds else ["public", "private"])
    return NewMatch(game.name, options(game.name, n, **given), None, places, visibility, timed, Series(best_of))
