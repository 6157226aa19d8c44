"""The cards of Fivewells: what each does is a value that the engine interprets, and no card has code of its own."""
