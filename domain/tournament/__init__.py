"""Decides the course of a tournament, the pairing of its rounds and the ranking of its entrants.

A tournament is its own stream. The package knows no game, only the number of seats and the result of each table.
Entrants are whole numbers from 0, in the order of entry.
"""
