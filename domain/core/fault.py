"""This module has the fault that a judge finds in the events of a stream."""

from domain.core.values import value


@value
class Fault:
    """A fault says which event departs from the rules, and why.

    `place` counts from 0 in the events that were judged. `drawn` says that the answer of chance differs: a shuffle, a
    cut, a first dealer. `zoned` says that a time differs which depends on where days off begin: the rules of a time
    zone may have changed since. What was recorded then stands, and the whole commit has been judged by it.
    """

    place: int
    why: str
    drawn: bool = False
    zoned: bool = False
