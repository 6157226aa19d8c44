"""Provides cards of sets, boosters and decks for several games. It does not know the rules of duels."""
