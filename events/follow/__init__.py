"""Following the log: all commits, in order, handed to whoever has to act on them.

A follower has a name, a stored checkpoint and a handler; it knows nothing of what the handler does.
"""
