"""Presents the seats of a match: players, their time, and invitation links."""

from collections.abc import Collection, Mapping
from typing import Annotated, get_args

from api.http.app_state import app_state, public_address
from api.http.openapi_operations import Answer, Digest, Timestamp, one_of, says
from api.http.responses import time_or_none
from api.resources.person_answer import SeatedPlayerAnswer, person_or_none
from domain import match as life
from domain.core.strengths import Level
from domain.ratings.plackett_luce import Rating
from events.service import absence_credit, players, vacations


class ReliabilityAnswer(Answer):
    """How reliably a player reveals promised nonces (`nonce_commit`) and meets deadlines."""

    aborted_after_commitments: Annotated[
        int,
        says("Matches that the player cancelled after seats committed to nonces; a duplicate group counts once."),
    ]
    unopened_commitments: Annotated[
        int, says("Nonces that the player committed to but did not reveal in time; they counted as empty.")
    ]
    decisions_in_time: Annotated[int, says("Decisions made before their deadline, in the last 30 finished matches.")]
    decisions_late: Annotated[int, says("Decisions in these matches for which the time ran out.")]


SeatKind = Annotated[str, one_of(("player", "bot", "open", "invite"))]
BotLevel = Annotated[str, one_of(get_args(Level))]


class SeatRatingAnswer(Answer):
    """The current rating of a seat's player in the pool of the match."""

    rating: Annotated[int, says("The displayed rating: the mean minus two deviations.")]
    provisional: Annotated[bool, says("Whether the rating is too uncertain for the leaderboard.")]


class ListedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("The kind of seat: player, open, invited or bot.")]
    player: Annotated[SeatedPlayerAnswer | None, says("The player; null for a bot or an empty seat.")]
    level: Annotated[BotLevel | None, says("The level of the bot; null for no bot.")]


class BankAnswer(Answer):
    left_ms: Annotated[int, says("In milliseconds.")]
    moves: Annotated[int, says("The decisions left in a period of a Canadian clock, else 0.")]


class SeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("The kind of seat: player, open, invited or bot.")]
    player: Annotated[
        SeatedPlayerAnswer | None,
        says("The player in the seat. In a seat by invitation, the invited player, who needs no code."),
    ]
    level: Annotated[BotLevel | None, says("The level of the bot; null for no bot.")]
    player_key: Annotated[Digest | None, says("The key that signs the moves of the seat; null if they are not signed.")]
    played_by_bot: Annotated[bool, says("Whether a bot moves for the seat, even if a player holds it.")]
    deadline: Annotated[Timestamp | None, says("When the seat's open decision falls due.")]
    bank: Annotated[BankAnswer | None, says("Time left in the player's bank, as of their last decision.")]
    away_until: Annotated[
        Timestamp | None,
        says("End of the player's vacation, during which the clock is stopped; null if the player is not on vacation."),
    ]
    reliability: Annotated[
        ReliabilityAnswer | None,
        says(
            "Until the match starts: how often its player revealed promised nonces and met deadlines; null for no"
            " player, and later."
        ),
    ]


def seat_rating(rating: Rating | None) -> SeatRatingAnswer | None:
    """Add a rating to a name; None for none."""
    return None if rating is None else SeatRatingAnswer(round(rating.shown), rating.provisional)


LinkOfInvite = Annotated[
    str | None,
    says(
        "The address of the match with the code after `#`, which clients do not send to servers. `dealt play`"
        " accepts it."
    ),
]


class SeatInviteAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    invite: Annotated[str | None, says("The code; null if it can no longer be shown. Issue a new one then.")]
    link: LinkOfInvite


def link_of_invite(match_id: str, code: str | None) -> str | None:
    """Return a link with an invite code, to be sent to the invited player."""
    return None if code is None else f"{public_address()}/v1/matches/{match_id}#invite={code}"


def seat_answers(m: life.Match) -> list[SeatAnswer]:
    """Return the players of the seats, their time, and whether they are away."""
    held = held_by(m)
    known = players.player_identities(app_state().context, [p for p in held if p is not None])
    away, kept = _vacation_ends(m), _reliability(m)
    return [
        SeatAnswer(
            seat=s,
            kind=seat_kind(m, s),
            player=person_or_none(held[s], known),
            level=plan.level,
            player_key=m.keys[s],
            played_by_bot=m.by_bot[s],
            deadline=time_or_none(absence_credit.deadline_of(app_state().context, m, s)),
            bank=_bank(m, s),
            away_until=time_or_none(away.get(m.players[s] or "")),
            reliability=kept.get(m.players[s] or ""),
        )
        for s, plan in enumerate(m.created.seats)
    ]


def held_by(m: life.Match) -> list[str | None]:
    """Return, seat by seat, the player in it or invited to it; None for neither."""
    return [player or plan.player for player, plan in zip(m.players, m.created.seats, strict=True)]


def seat_kind(m: life.Match, seat: int) -> SeatKind:
    """Return the kind of a seat: its player, or the players who may take it."""
    return m.created.seats[seat].kind if m.players[seat] is None else "player"


def _reliability(m: life.Match) -> Mapping[str, ReliabilityAnswer]:
    return reliability([p for p in m.players if p is not None]) if m.status == "lobby" else {}


def reliability(player_ids: Collection[str]) -> Mapping[str, ReliabilityAnswer]:
    """Return how players keep promises of nonces, and deadlines."""
    found = players.reliability(app_state().context, player_ids)
    return {player: ReliabilityAnswer(*counts) for player, counts in found.items()}


def _vacation_ends(m: life.Match) -> Mapping[str, int]:
    if m.over or not m.clock.vacation:
        return {}
    return vacations.players_away(app_state().context, [p for p in m.players if p is not None])


def _bank(m: life.Match, seat: int) -> BankAnswer | None:
    if not m.clock.ticks or m.players[seat] is None:
        return None
    return BankAnswer(m.clocks.banks[seat].left, m.clocks.banks[seat].moves)
