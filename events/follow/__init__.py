"""This package reads all commits of the log in order and hands each to a handler.

A follower has a name, a stored checkpoint and a handler; it knows nothing of what the handler does.
"""
