"""Shares out what callers may hold, so that some of it is always left for others."""


class FairShares:
    """Counts who holds how much of `most`: nobody may come to hold more than is left free then.

    So one caller gets a half at most. Callers who come one after another get a half of what is left each, and of what
    they come to together n get one part in n + 1 each. A caller that holds nothing may take what is left: few callers
    in turn can leave nothing.
    """

    def __init__(self, most: int) -> None:
        self._free = most
        self._held: dict[str, int] = {}

    def has_room(self, who: str, amount: int = 1) -> bool:
        """Return whether the caller may take so much more."""
        left, held = self._free - amount, self.held(who)
        return left >= (held + amount if held else 0)

    def take(self, who: str, amount: int = 1) -> None:
        """Count what a caller takes."""
        self._free -= amount
        self._held[who] = self.held(who) + amount

    def give_back(self, who: str, amount: int = 1) -> None:
        """Count what a caller holds no longer."""
        self._free += amount
        self._held[who] = self.held(who) - amount
        if not self._held[who]:
            del self._held[who]

    def held(self, who: str) -> int:
        """Return how much the caller holds."""
        return self._held.get(who, 0)
