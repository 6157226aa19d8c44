"""Keeps the transparency log: a tree over every head, key and change of ratings (decision 36).

A follower appends leaves, checkpoints of the tree are signed, and witnesses cosign them. `docs/proof.md` defines the
contents of leaves, and the check of proofs.
"""
