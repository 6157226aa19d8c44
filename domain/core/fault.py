"""Defines the fault that a judge reports about the events of a stream."""

from domain.core.values import value


@value
class Fault:
    """A departure from the rules: the event and the reason.

    `place` counts from 0 in the checked events. `drawn` means that the answer of chance differs: a shuffle, a cut, a
    first dealer. `zoned` means that the difference depends on the start of days off: the rules of a time zone may have
    changed since. The recorded value is then used, and the whole commit has been checked with it.
    """

    place: int
    why: str
    drawn: bool = False
    zoned: bool = False
