"""Changes every card in every way that `mutants` knows, and tries its specifications: they must fail.

    python -m tests.games.fivewells.mutate_cards [NAME ...]

prints how many mutants of each card are found, and names those that survive.
"""

import sys
from collections import Counter
from contextlib import contextmanager
from unittest.mock import patch

from domain.card_sets.cards.library import CARDS, TOKENS
from domain.games.fivewells.characteristics import PRINTED, printed_on, program
from tests.games.fivewells.mutants import ROWS, TOKEN_ROWS, mutants
from tests.games.fivewells.script import Unclear
from tests.games.fivewells.specified import CARD_SPECS, TOKEN_SPECS, holds, token_holds


@contextmanager
def printed(card, *, token=False):
    """Change the definition of a card or a token."""
    program.cache_clear()
    with patch.dict(TOKENS if token else CARDS, {card.id: card}), patch.dict(PRINTED, {card.id: printed_on(card)}):
        yield
    program.cache_clear()


def dies(card, *, token=False):
    """Return whether the specifications of a card fail after this change."""
    with printed(card, token=token):
        try:
            token_holds(card.name) if token else holds(card.name)
        except Unclear:
            raise
        except Exception:
            return True
    return False


def tried(name):
    """Try all mutants of a card or a token; yield each with whether it is detected."""
    token = name in TOKEN_SPECS
    row = TOKEN_ROWS[name] if token else ROWS[name]
    return [(what, dies(card, token=token)) for what, card in mutants(row, token=token)]


ALIKE = (
    ("", "keywords with skyguard", lambda row: "flying" in row["keywords"], "what flies blocks fliers already"),
    (
        "",
        "keywords with steadfast",
        lambda row: "sentinel" in row["keywords"],
        "what never attacks is never tapped by it",
    ),
    ("", "keywords with ambush", lambda row: "cost" not in row, "a token is never cast"),
    ("Reckless Scrapper", "keywords with skyguard", None, "it blocks nothing"),
    ("", "max 1 -> 2", lambda row: "Target opponent" in row["text"], "there is one opponent"),
    ("Marrow Broker", "sacrifice.controller", None, "nobody sacrifices what is another's"),
    ("Barrow King", "of.types_any left out", None, "only creatures die"),
    ("The Pale Regent", "of.types_any left out", None, "only creatures die"),
    ("Ulkarra, the Unbanked Fire", "types_any left out", None, "only creatures are damaged"),
    ("Molten Verdict", "types_any left out", None, "only creatures are damaged"),
    ("Stampede Season", "types_any left out", None, "only creatures are pumped"),
    ("Oru-Anat, the Old Green", "types_any left out", None, "only creatures have counters"),
    ("Stairguard Captain", "types_any left out", None, "only creatures attack"),
    ("Stairguard Captain", "controller you -> any", None, "only the active player's creatures attack"),
    ("Heartforge Engine", "affects.types_any left out", None, "every token is a creature"),
)
"""Changes without effect in any duel: the card or all cards, the kind of change, the rows, and the reason."""


def is_alike(name, what):
    """Return whether a change makes no difference in any duel."""
    row = {"keywords": [], "text": ""} | (TOKEN_ROWS.get(name) or ROWS[name])
    rows = [(how, of) for whose, how, of, _ in ALIKE if whose in ("", name)]
    return any(how in what and (of is None or of(row)) for how, of in rows)


def main(names):
    """Try all mutants of these cards, or of all, and list the survivors."""
    count = Counter[str]()
    for name in names or [*CARD_SPECS, *TOKEN_SPECS]:
        for what, dead in tried(name):
            alike = is_alike(name, what)
            count["die" if dead else "are alike" if alike else "live"] += 1
            if dead == alike:
                sys.stdout.write(f"{name}: {what} {'dies, though it is alike' if dead else 'lives'}\n")
    die, alike, live = count["die"], count["are alike"], count["live"]
    share = die / (die + live)
    sys.stdout.write(f"{die} of {die + live} mutants die, {share:.2%}; {alike} more are alike in every duel.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
