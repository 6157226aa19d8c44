"""A bot for High Card that lays its highest card."""

from domain.core.bot_levels import any_of, player
from high_card.play import default, legal

choose = player(lambda s, seat, rng: default(s, seat), any_of(legal))
