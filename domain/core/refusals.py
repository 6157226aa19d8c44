"""Explains refusals: the meaning of each code for people, and the codes common to all games (rules 1.3)."""

from collections.abc import Mapping
from typing import Final

from domain.core.values import value


@value
class Refusal:
    """A refusal: a title for the state, and a sentence with the fix."""

    title: str
    advice: str


@value
class Reason:
    """A refusal: a code, and a sentence with the fault and the fix."""

    code: str
    sentence: str


COMMON: Mapping[str, Refusal] = {
    "wrong_phase": Refusal("Not possible now", "No player can do this at the moment. Choose one of the offered moves."),
    "not_your_turn": Refusal("It is not your turn", "Wait for your turn."),
    "already_done": Refusal("Already done", "You have already answered. Wait for the other seats."),
    "card_not_in_hand": Refusal("Card not in your hand", "Choose a card from your hand."),
    "wrong_count": Refusal("Wrong number of cards", "Choose as many cards as this move needs."),
    "no_such_object": Refusal("Not one of the choices", "Choose one of the offered cards or seats."),
    "must_follow_suit": Refusal("Follow suit", "Play a card of the suit that was led."),
}
"""These codes refuse moves that would be legal at another moment, in another seat or with another hand."""

OF_THE_API: Final = frozenset(
    [
        "already_started",
        "another_history",
        "at_another_table",
        "bad_code",
        "bad_invite",
        "bad_options",
        "bad_request",
        "bad_signature",
        "cannot_block_yourself",
        "cannot_mute_yourself",
        "chat_closed",
        "content_too_large",
        "deals_known",
        "deck_changed",
        "forbidden",
        "game_not_installed",
        "handle_taken",
        "idempotency_mismatch",
        "internal_error",
        "key_is_fixed",
        "match_over",
        "method_not_allowed",
        "no_booster",
        "no_mail",
        "not_acceptable",
        "not_found",
        "not_in_collection",
        "not_listed",
        "not_on_vacation",
        "not_seated",
        "notes_changed",
        "nothing_gained",
        "of_a_group",
        "on_vacation",
        "orders_changed",
        "orders_not_allowed",
        "orders_not_signed",
        "player_blocked",
        "rating_not_admitted",
        "reliability_not_admitted",
        "scope_missing",
        "seat_taken",
        "signature_needed",
        "signature_unasked",
        "suspended",
        "too_few_days",
        "too_many_blocks",
        "too_many_bot_matches",
        "too_many_decks",
        "too_many_handles",
        "too_many_requests",
        "too_many_mutes",
        "too_many_seats",
        "too_many_tokens",
        "too_many_gifts",
        "too_many_trades",
        "too_many_waiters",
        "too_many_webhooks",
        "unauthenticated",
        "unavailable",
        "unreadable_record",
        "unsupported_media_type",
        "version_mismatch",
        "webhook_disabled",
    ]
)
"""The API itself answers with these codes, so no game uses them."""

MALFORMED: Mapping[str, Refusal] = {
    "bad_arguments": Refusal("Invalid request", "Check your choice and try again."),
    "duplicate_card": Refusal("Duplicate card", "Use each card only once."),
}
"""These codes refuse moves that are malformed."""
