"""Reads all commits of the log in order and passes each to a handler.

A follower has a name, a stored checkpoint and a handler; it does not know what the handler does.
"""
