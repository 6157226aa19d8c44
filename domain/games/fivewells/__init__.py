"""This package holds the game of Fivewells, a duel of creatures and spells."""
