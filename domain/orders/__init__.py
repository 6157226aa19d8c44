"""Carries out standing orders: data that says what a player wants done when they are to move while away.

    {"auto_play_forced": true,
     "orders": [{"if": {"phase": "playing", "led": "H"},
                 "do": [{"move": "play_card", "card": "highest", "below": "winning"},
                        {"move": "play_card", "card": "lowest"}]}]}

The first order whose conditions hold, and one of whose moves is legal, is carried out. Conditions ask the facts that
the game declares, as the seat knows them; a card is chosen among those that may be played. Nothing that the player
could not see is ever asked. An order no longer fits when its conditions hold and moves of its kind can be made, but
none of those that it names.
"""
