"""How High Card deals once more, for those who verify."""

from domain.core.dealing import (
    PACK,
    DealCheck,
    Dealing,
    Recorded,
    WrongDeal,
    compare,
    compare_hidden,
    in_order,
    whole,
)
from high_card.play import FansDealt


def dealt(dealing: Dealing, event: Recorded) -> None:
    """Compare the fans and the talon with what the seed gives. Raises `WrongDeal`."""
    size = dealing.options.get("fan_size", 3)
    if not whole(size, 7):
        raise WrongDeal("No such deal can be had.")
    if (pack := dealing.shuffled("deal", PACK)) is not None:
        fans = {str(i): in_order(pack[i * size : (i + 1) * size]) for i in range(dealing.seats)}
        compare(event, "fans", fans, "The fans")
        compare_hidden(event, "talon", pack[dealing.seats * size :], "The cards of the talon")


DEAL = DealCheck({FansDealt: dealt})
