"""Keeps the transparency log: a tree over every head, key and change of ratings (decision 36).

A follower appends leaves, checkpoints of the tree are signed, and witnesses cosign them. `docs/proof.md` says what a
leaf holds, and how a proof is checked.
"""
