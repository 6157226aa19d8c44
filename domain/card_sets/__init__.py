"""This package holds cards of sets, boosters and decks, on which several games stand; it knows no duel."""
