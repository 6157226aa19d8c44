"""The cards: what each does is a value that a game interprets, and no card has code of its own."""
