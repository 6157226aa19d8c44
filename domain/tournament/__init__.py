"""Decides what a tournament goes through, and how its rounds are paired and its entrants are ranked.

A tournament is a stream of its own. The package knows no game: it knows how many seats a table has and how each ended.
Entrants are whole numbers from 0, in the order in which they have entered.
"""
