"""Says why a seat is asked, and what its answers mean, for people who choose (fivewells 4)."""

from collections.abc import Mapping
from typing import Final

from domain.card_sets.cards.card_text import mode_texts
from domain.card_sets.cards.library import CARDS, TOKENS
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.programs import Mode, program, stack_program
from domain.games.fivewells.records import Kind
from domain.games.fivewells.state import Question, State, top
from domain.games.fivewells.triggers import next_waiting

WHAT: Final[Mapping[Kind, str]] = {
    "discard": "Cards to discard",
    "cleanup_discard": "Cards to discard, down to seven",
    "sacrifice": "Permanents to sacrifice",
    "search": "Lands to take",
}
"""What is chosen among cards and permanents, by what is asked."""


def asker(s: State, asked: Question) -> tuple[str, int] | None:
    """Give the card and the number of its ability by which a seat is asked; None where the rules ask."""
    if asked.choice == "cleanup_discard":
        return None
    if asked.choice == "trigger_targets":
        waiting = next_waiting(s)
        return waiting.card, waiting.ability
    return top(s).card, top(s).ability


def why(s: State, asked: Question) -> str:
    """Name the card by which a seat is asked, with what it says; an empty text where the rules ask."""
    by = asker(s, asked)
    return f"{PRINTED[by[0]].name}: {PRINTED[by[0]].texts[by[1]]}" if by else ""


def choice_reason(s: State, asked: Question) -> str:
    """Say what a seat chooses among cards or permanents, and for which card."""
    by = asker(s, asked)
    return f"{WHAT[asked.choice]} for {PRINTED[by[0]].name}" if by else WHAT[asked.choice]


def answers_to(s: State, asked: Question) -> tuple[str, ...]:
    """Name the answers to a question that is answered by a word: the modes, or yes and no."""
    if asked.choice == "pay_or_not":
        return f"Pay {asked.most}", "Do not pay"
    if asked.choice == "may":
        return "Yes", "No"
    card, number = top(s).card, top(s).ability
    ability = stack_program(card, number)
    assert s.resolving is not None
    assert ability is not None
    step = program(card, number)[s.resolving.n]
    assert isinstance(step, Mode)
    return mode_texts(step.modes, ability, CARDS[card], TOKENS)
