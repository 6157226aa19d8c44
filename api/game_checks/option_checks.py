"""Checks the functions of a record that can be called before a game is played: presets, and the state at the start."""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any

from api.game_checks.safe_calls import CheckFailed, call, run
from domain.core.contract import unwritable_part
from domain.core.contract_texts import is_name
from domain.core.json_form import in_a_state
from domain.core.options import misfits
from domain.core.type_faults import ContractFault, name_value
from domain.core.types import compiled_fields, fields_of
from domain.core.values import Copied


def check_options(game: Any) -> Iterator[ContractFault]:
    """Find what is wrong with the presets, and with the state at the start of a game with the default options."""
    try:
        yield from _check_presets(game)
        yield from _check_start(game)
    except CheckFailed as failed:
        yield failed.fault


def _check_presets(game: Any) -> Iterator[ContractFault]:
    setup = game.setup
    for name, preset in {"": {}, **setup.presets}.items():
        at = f"setup.presets[{name!r}]" if name else "setup.options"
        chosen = call(game, "setup.resolve", preset, setup.usual)
        if wrong := unfit_options(game, chosen, setup.usual):
            yield at, wrong
            continue
        options = options_of(game, chosen)
        if (rated := call(game, "setup.strengths.classes", options, setup.usual)) and not is_name(rated):
            yield "setup.strengths.classes", f"{name_value(rated)} is not of small letters, digits and underscores."
        changes = call(game, "setup.deciding", options, setup.usual)
        if changes is not None and (wrong := unfit_options(game, {**chosen, **changes}, setup.usual)):
            yield "setup.deciding", wrong


def unfit_options(game: Any, chosen: Mapping[str, Any], seats: int) -> str | None:
    """Return why this number of seats cannot have these options; None if it can."""
    setup = game.setup
    if unknown := [option for option in chosen if option not in setup.options.__dataclass_fields__]:
        return f"There is no option {unknown[0]}."
    if wrong := misfits(setup.options, chosen):
        return f"{wrong[0]} is not of its type."
    return "; ".join(call(game, "setup.bad_options", options_of(game, chosen), seats).values()) or None


def options_of(game: Any, chosen: Mapping[str, Any]) -> Any:
    """Return the options with these values. Raise `CheckFailed`."""
    return run("setup.options", lambda: game.setup.options(**chosen))


def _check_start(game: Any) -> Iterator[ContractFault]:
    setup = game.setup
    options = options_of(game, call(game, "setup.resolve", {}, setup.usual))
    state = run("start", game.start, options, setup.usual, None)
    cls = type(state)
    if not isinstance(state, Copied) or not is_dataclass(cls):
        yield "start", f"{cls.__name__} is no dataclass that is `Copied`."
        return
    again = compiled_fields(cls)
    for name, t in fields_of(cls).items():
        if name not in again and (bad := unwritable_part(t, in_a_state)):
            yield "start", f"{cls.__name__}.{name} cannot hold a {bad}, unless it is `Compiled`."
    if call(game, "outcome", state) is not None:
        yield "outcome", "A game that has not begun is over."
