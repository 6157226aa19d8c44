"""Determines the proven players: those who have played proven players.

An account costs nothing, so a result against one says nothing until independent players have played it too. Players
vouch for each other by playing a match in which both decided something and neither lost soon after the start. Bots do
not vouch, because a program could play them at no cost. A player who was vouched for vouches for others a month later,
so that one person's accounts cannot prove each other in a day. The first players of a server need fewer vouchers or
none.
"""

from collections.abc import Mapping
from typing import Final

from domain.core.clock import DAY
from domain.core.values import value, with_fields
from domain.ratings.finished import FinishedMatch, FinishedSeat

NEEDED: Final = 3
"""The number of vouchers that a player needs."""

MATCHES: Final = 2
"""The number of matches that a player must play out to be proven."""

UNPROVEN: Final = 0.001
"""The weight of a result against an unproven player, once in 30 days; further results do not count."""

FOUNDERS: Final = 50
"""While fewer players than this are proven, a player needs fewer vouchers than `NEEDED`, and is called a founder."""

PROVEN_PER_VOUCHER: Final = 4
"""A founder needs one voucher for each such number of proven players, and at most `NEEDED - 1`.

The first players need none. From 8 proven players on, a player cannot prove new accounts without a second voucher.
"""

MOST_VOUCHED: Final = 10
"""The maximum number of players for whom a player vouches within `VOUCHED_DAYS`."""

VOUCHED_DAYS: Final = 30

VOUCHES_AFTER_DAYS: Final = 30
"""The number of days after being proven from which a player vouches for others; a founder does so immediately.

If all vouched immediately, a few accounts could prove any number of others within a day.
"""


@value
class Trust:
    """The trust in a player, over all games.

    `played` counts the first matches that were played out, up to `MATCHES`. `vouchers` are the first proven opponents,
    one more than are needed: the current opponent is not counted among them. `proven_on` is the day on which the player
    was proven, None if that has not happened; `needed` is the number of vouchers that it took. `vouched` has the days
    on which the player last vouched for others. Days are counted from 1970, by UTC.
    """

    played: int = 0
    vouchers: tuple[str, ...] = ()
    needed: int = NEEDED
    proven_on: int | None = None
    vouched: tuple[int, ...] = ()

    @property
    def proven(self) -> bool:
        return self.proven_on is not None

    def share_for(self, player: str) -> float:
        """Return the weight of a result against this player for another, not counting the other's own voucher."""
        known = self.proven and len(self.vouchers) - (player in self.vouchers) >= self.needed
        return 1.0 if known else UNPROVEN

    def may_vouch(self, day: int) -> bool:
        """Return whether the player may vouch for another player on a day."""
        if self.proven_on is None:
            return False
        if self.needed == NEEDED and day < self.proven_on + VOUCHES_AFTER_DAYS:
            return False
        return len(self.vouched) < MOST_VOUCHED or self.vouched[0] <= day - VOUCHED_DAYS


NOTHING_KNOWN: Final = Trust()


def trust_after(match: FinishedMatch, before: Mapping[str, Trust], proven: int) -> dict[str, Trust]:
    """Return the trust in players after a match, if it changed; `proven` counts those proven before it."""
    new: dict[str, Trust] = {}
    day = match.at // (1000 * DAY)
    played = [(seat.player, seat.side) for seat in match.seats if seat.player is not None and _played_out(seat)]
    for player, side in played:
        trust = new.get(player) or before.get(player, NOTHING_KNOWN)
        met = [other for other, beyond in played if beyond != side]
        if not met or (trust.proven and len(trust.vouchers) > trust.needed):
            continue
        for other in met:
            if other in trust.vouchers or len(trust.vouchers) > trust.needed:
                continue
            # A player who is proven by this match vouches for others from the next one on.
            if before.get(other, NOTHING_KNOWN).proven and (vouching := new.get(other, before[other])).may_vouch(day):
                new[other] = with_fields(vouching, vouched=(*vouching.vouched, day)[-MOST_VOUCHED:])
                trust = with_fields(trust, vouchers=(*trust.vouchers, other))
        trust = with_fields(trust, played=min(trust.played + 1, MATCHES))
        needed = _needed(proven + _more(new, before))
        if not trust.proven and trust.played == MATCHES and len(trust.vouchers) >= needed:
            trust = with_fields(trust, needed=needed, proven_on=day)
        new[player] = trust
    return new


def _needed(proven: int) -> int:
    """Return the number of vouchers that a player needs with this many proven players."""
    return min(NEEDED - 1, proven // PROVEN_PER_VOUCHER) if proven < FOUNDERS else NEEDED


def _more(new: Mapping[str, Trust], before: Mapping[str, Trust]) -> int:
    """Return the number of players newly proven by a match."""
    return sum(trust.proven and not before.get(player, NOTHING_KNOWN).proven for player, trust in new.items())


def _played_out(seat: FinishedSeat) -> bool:
    return seat.decided and not seat.quick
