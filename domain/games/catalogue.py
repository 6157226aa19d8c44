"""The games there are: the one place that a new built-in game is added to."""

from collections.abc import Mapping

from domain.core.game import AnyGame
from domain.games.crazy_eights import GAME as CRAZY_EIGHTS
from domain.games.five_card_draw import GAME as FIVE_CARD_DRAW
from domain.games.gin_rummy import GAME as GIN_RUMMY
from domain.games.hearts import GAME as HEARTS
from domain.games.holdem import GAME as HOLDEM
from domain.games.trio import GAME as TRIO
from domain.games.two_handed_hearts import GAME as TWO_HANDED_HEARTS

BUILT_IN = (HEARTS, TWO_HANDED_HEARTS, CRAZY_EIGHTS, GIN_RUMMY, TRIO, FIVE_CARD_DRAW, HOLDEM)

GAMES: Mapping[str, AnyGame] = {game.name: game for game in BUILT_IN}
