"""Determines the proven players: those who have beaten proven players.

An account costs nothing, so a result against one counts only after the account has scored: three independent proven
players vouch for it by losing to it. Losing proves nothing, however often, so an account can pass on fewer wins than it
took, and its owner would gain more by winning these matches with one account. Bots do not vouch, because a program
could play them at no cost. Only a player with ten vouchers vouches for others, so that a few wins do not grow into many
accounts. The first players of a server need fewer vouchers or none.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.core.clock import DAY
from domain.core.values import value, with_fields
from domain.ratings.finished import FinishedMatch, FinishedSeat

NEEDED: Final = 3
"""The number of vouchers that a player needs. Each further one lets a result count against the same opponent again."""

ENOUGH: Final = 10
"""The number of vouchers from which a player always counts, and vouches for others."""

MATCHES: Final = 2
"""The number of matches that a player must play out to be proven."""

UNPROVEN: Final = 0.0
"""The weight of a result against an unproven player."""

FIRST: Final = 8
"""While fewer players than this are proven, no voucher is needed; a later founder needs one fewer than `NEEDED`."""

FOUNDERS: Final = 80
"""A player who is proven while fewer players than this are is a founder, and may vouch without `ENOUGH` vouchers."""

MOST_VOUCHED: Final = 15
"""The maximum number of players for whom a player vouches within `VOUCHED_DAYS`."""

VOUCHED_DAYS: Final = 30


@value
class Trust:
    """The trust in a player, over all games.

    `played` counts the first matches that were played out, up to `MATCHES`. `vouchers` are the first proven opponents
    who lost, one more than `ENOUGH`: the current opponent is not counted among them. `needed` is the number of vouchers
    that it took to prove the player. `vouched` has the days on which the player last vouched for others, counted from
    1970, by UTC.
    """

    played: int = 0
    vouchers: tuple[str, ...] = ()
    needed: int = NEEDED
    proven: bool = False
    vouched: tuple[int, ...] = ()

    @property
    def founder(self) -> bool:
        return self.needed < NEEDED

    def share_for(self, player: str, met: int = 0) -> float:
        """Return the weight of a result against this player for another, who met this one `met` times lately.

        The other's own voucher is not counted.
        """
        independent = len(self.vouchers) - (player in self.vouchers)
        needed = self.needed if self.founder else min(NEEDED + met, ENOUGH)
        return 1.0 if self.proven and independent >= needed else UNPROVEN

    def may_vouch(self, day: int) -> bool:
        """Return whether the player may vouch for another player on a day."""
        if not self.proven or (len(self.vouchers) < ENOUGH and not self.founder):
            return False
        return len(self.vouched) < MOST_VOUCHED or self.vouched[0] <= day - VOUCHED_DAYS


NOTHING_KNOWN: Final = Trust()


def trust_after(match: FinishedMatch, before: Mapping[str, Trust], proven: int) -> dict[str, Trust]:
    """Return the trust in players after a match, if it changed; `proven` counts those proven before it."""
    new: dict[str, Trust] = {}
    day = match.at // (1000 * DAY)
    people = [(seat.player, seat) for seat in match.seats if seat.player is not None]
    for player, seat in people:
        met = [(other, its) for other, its in people if its.side != seat.side]
        trust = new.get(player) or before.get(player, NOTHING_KNOWN)
        if not met or not _played_out(seat) or (trust.proven and len(trust.vouchers) > ENOUGH):
            continue
        for other in _beaten_proven_opponents(seat, met, before, proven):
            vouching = new.get(other) or before[other]
            if other not in trust.vouchers and vouching.may_vouch(day):
                new[other] = with_fields(vouching, vouched=(*vouching.vouched, day)[-MOST_VOUCHED:])
                trust = with_fields(trust, vouchers=(*trust.vouchers, other))
                break
        trust = with_fields(trust, played=min(trust.played + 1, MATCHES))
        needed = _vouchers_needed(proven + _count_newly_proven(new, before))
        if not trust.proven and trust.played == MATCHES and len(trust.vouchers) >= needed:
            trust = with_fields(trust, needed=needed, proven=True)
        new[player] = trust
    return new


def _beaten_proven_opponents(
    mine: FinishedSeat, met: Sequence[tuple[str, FinishedSeat]], before: Mapping[str, Trust], proven: int
) -> list[str]:
    """Return the proven opponents whom a player beat; none unless they are more than half of all opponents.

    Otherwise accounts of one person could help each other to beat a single outsider. A founder needs more than half of
    the proven opponents only.
    """
    known = [(player, seat) for player, seat in met if before.get(player, NOTHING_KNOWN).proven]
    beaten = [player for player, seat in known if _played_out(seat) and _is_behind(seat, mine)]
    return beaten if 2 * len(beaten) > len(known if proven < FOUNDERS else met) else []


def _is_behind(other: FinishedSeat, mine: FinishedSeat) -> bool:
    return not mine.left and (other.left or other.place > mine.place)


def _vouchers_needed(proven: int) -> int:
    """Return the number of vouchers that a player needs with this many proven players."""
    return NEEDED if proven >= FOUNDERS else NEEDED - 1 if proven >= FIRST else 0


def _count_newly_proven(new: Mapping[str, Trust], before: Mapping[str, Trust]) -> int:
    """Return the number of players newly proven by a match."""
    return sum(trust.proven and not before.get(player, NOTHING_KNOWN).proven for player, trust in new.items())


def _played_out(seat: FinishedSeat) -> bool:
    return seat.decided and not seat.quick
