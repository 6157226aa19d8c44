"""This package makes projections: tables for questions that one match's log cannot answer, written with each commit.

Each has functions `(before, after, at)` of the match's state before and after a commit and the time of the commit.
They give None where the projection stays as it is, else all its rows for this match. A rebuild calls the same
functions, commit by commit. `written` puts the rows in their places.
"""
