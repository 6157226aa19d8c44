"""The table of High Card as data."""

from domain.core.cards import BACK, NAMES, Seat
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, by_rank, counted, numbers, zone
from high_card.play import Table, to_act


def scene(s: Table, seat: Seat | None) -> Scene:
    """Give the fans, the talon, and what was laid; cards that the reader has not seen lie face down."""
    waiting = to_act(s)
    seats = [SeatShown(i, badges(turn=i in waiting), numbers(won=s.points[i])) for i in range(s.n)]
    fans = [zone("fan", "fan", by_rank(s.fans[i]), i) for i in range(s.n)]
    laid = [(i, card) for i, card in enumerate(s.laid) if card is not None]
    spots = tuple(Spot(None if card == BACK else NAMES[card], seat=i) for i, card in laid)
    around = Zone("laid", "laid", "around", None, spots, len(spots))
    return Scene(s.stage, seat, tuple(seats), (*fans, counted("talon", len(s.talon)), around), numbers(round=s.round))
