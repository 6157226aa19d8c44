"""Carries out standing orders: data that describes a player's moves while away.

    {"auto_play_forced": true,
     "orders": [{"if": {"phase": "playing", "led": "H"},
                 "do": [{"move": "play_card", "card": "highest", "below": "winning"},
                        {"move": "play_card", "card": "lowest"}]}]}

The first order whose conditions hold and one of whose moves is legal is carried out. Conditions use the facts that the
game declares, as the seat knows them; a card is chosen among the playable ones. No fact reveals data that the player
cannot see. An order no longer fits when its conditions hold and moves of its kind are possible, but none of its moves
is legal.
"""
