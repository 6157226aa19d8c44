"""Says which players are proven: those who have played others who are proven.

An account costs nothing, so a result against one says nothing until strangers have played it too. Players vouch for
each other by playing: a match in which both decided something and neither lost soon after the start. Bots vouch for
nobody, since a program plays bots for nothing. The first players of a server prove themselves by a few matches.
"""

from collections.abc import Mapping
from typing import Final

from domain.core.clock import DAY
from domain.core.values import changed, value
from domain.ratings.finished import Finished, Seated

NEEDED: Final = 3
"""The number of players who have to vouch for a player."""

FOUNDING: Final = 2
"""The number of matches by which founders are proven."""

UNPROVEN: Final = 0.001
"""How much a result against a player counts who is not proven: once in 30 days, and more results not at all."""

FOUNDERS: Final = 50
"""While fewer players than this are proven, matches alone prove a player."""

MOST_VOUCHED: Final = 10
"""The most players for whom one player vouches within `VOUCHED_DAYS`."""

VOUCHED_DAYS: Final = 30


@value
class Trust:
    """This is what is known of a player, over all games.

    `played` counts the first matches, up to `FOUNDING`. `vouchers` are the first proven opponents, one more than are
    needed: whoever plays the player is not counted among them. `vouched` has the days on which the player last vouched
    for others. A `founder` was proven by matches alone.
    """

    played: int = 0
    vouchers: tuple[str, ...] = ()
    founder: bool = False
    vouched: tuple[int, ...] = ()

    @property
    def proven(self) -> bool:
        return self.founder or len(self.vouchers) >= NEEDED

    def share_for(self, player: str) -> float:
        """Return how much a result against this player counts for another, whose own word for this player does not."""
        vouchers = self.vouchers
        known = len(vouchers) > NEEDED or self.founder or len(vouchers) - (player in vouchers) >= NEEDED
        return 1.0 if known else UNPROVEN


NOTHING_KNOWN: Final = Trust()


def trust_after(match: Finished, before: Mapping[str, Trust], proven: int) -> dict[str, Trust]:
    """Return what is known of players after a match that has changed it; `proven` counts those proven before it."""
    new: dict[str, Trust] = {}
    day = match.at // (1000 * DAY)
    played = [(seat.player, seat.side) for seat in match.seats if seat.player is not None and _played_out(seat)]
    for player, side in played:
        trust = new.get(player) or before.get(player, NOTHING_KNOWN)
        if len(trust.vouchers) > NEEDED or trust.founder:
            continue
        met = [other for other, beyond in played if beyond != side]
        if not met:
            continue
        for other in met:
            its = before.get(other, NOTHING_KNOWN)
            if its.proven and other not in trust.vouchers and len(trust.vouchers) <= NEEDED:
                vouching = new.get(other, its)
                if _may_vouch(vouching, day):
                    new[other] = changed(vouching, vouched=(*vouching.vouched, day)[-MOST_VOUCHED:])
                    trust = changed(trust, vouchers=(*trust.vouchers, other))
        trust = changed(trust, played=min(trust.played + 1, FOUNDING))
        if trust.played == FOUNDING and not trust.proven and proven + _more(new, before) < FOUNDERS:
            trust = changed(trust, founder=True)
        new[player] = trust
    return new


def _more(new: Mapping[str, Trust], before: Mapping[str, Trust]) -> int:
    """Return how many more players are proven by a match so far."""
    return sum(trust.proven and not before.get(player, NOTHING_KNOWN).proven for player, trust in new.items())


def _may_vouch(trust: Trust, day: int) -> bool:
    return len(trust.vouched) < MOST_VOUCHED or trust.vouched[0] <= day - VOUCHED_DAYS


def _played_out(seat: Seated) -> bool:
    return seat.decided and not seat.quick
