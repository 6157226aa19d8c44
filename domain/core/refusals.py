"""Refusals: what a code means, for a person."""

from domain.core.values import value


@value
class Refusal:
    """A refusal in words: what is wrong, and what to do about it."""

    title: str
    advice: str
