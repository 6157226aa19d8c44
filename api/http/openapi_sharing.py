"""Describes repeated parts once, as components: parameters, answers, examples and fields."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations
from typing import Any, Final

from api.http.openapi_games import share_properties

Json = dict[str, Any]

_REF: Final = "#/components/{}/{}"
_UNCHANGED: Final = ("example", "examples", "enum", "const", "mapping", "not")
"""The keywords whose values are not schemas."""


def share_parameters(paths: Json) -> Json:
    """Describe the parameters that several operations share once, and let them refer to it; return them by name."""
    taking = [one for one in _operations(paths) if "parameters" in one]
    shared = _find_repeated((of for one in taking for of in one["parameters"]), lambda of: _component(of["name"]))
    for one in taking:
        one["parameters"] = [_refer_if_shared(of, "parameters", shared) for of in one["parameters"]]
    return dict(shared.values())


def lift_parameters(paths: Json) -> Json:
    """Move the parameters that all operations of a path have to the path."""
    return {path: _lift_common(methods) for path, methods in paths.items()}


def _lift_common(methods: Json) -> Json:
    taken = [one.get("parameters", []) for one in methods.values()]
    common = [of for of in taken[0] if len(taken) > 1 and all(of in others for others in taken)]
    if not common:
        return methods
    made: Json = {"parameters": common}
    for method, one in methods.items():
        own = [of for of in one["parameters"] if of not in common]
        made[method] = {
            key: own if key == "parameters" else of for key, of in one.items() if key != "parameters" or own
        }
    return made


def share_bodies(paths: Json) -> Json:
    """Describe bodies that several operations take once, named after their schema; return them by name."""
    taking = [one for one in _operations(paths) if "requestBody" in one]
    shared = _find_repeated((one["requestBody"] for one in taking), _name_of_body)
    for one in taking:
        one["requestBody"] = _refer_if_shared(one["requestBody"], "requestBodies", shared)
    return dict(shared.values())


def _name_of_body(body: Json) -> str:
    return str(next(iter(body["content"].values()))["schema"].get("$ref", "Text").rpartition("/")[2])


def share_responses(paths: Json) -> Json:
    """Describe answers that several operations share once, named after their descriptions; return them by name."""
    shared = _find_repeated(
        (of for one in _operations(paths) for of in one["responses"].values() if "$ref" not in of),
        lambda of: _component("-".join(_WORD.findall(of["description"].partition(".")[0]))),
    )
    for one in _operations(paths):
        one["responses"] = {
            status: _refer_if_shared(of, "responses", shared) for status, of in one["responses"].items()
        }
    return dict(shared.values())


_WORD: Final = re.compile(r"\b(?!(?:an?|the)\b)[a-z]+", re.IGNORECASE)


def _find_repeated(
    parts: Iterable[Json], name_of: Callable[[Json], str], *, numbered: bool = True
) -> dict[str, tuple[str, Json]]:
    """Return the parts that repeat with their names, by their marks.

    Of several with one name, the less frequent ones get numbers, or are left out.
    """
    first: dict[str, Json] = {}
    counted: Counter[str] = Counter()
    for part in parts:
        first.setdefault(_mark(part), part)
        counted[_mark(part)] += 1
    named: dict[str, tuple[str, Json]] = {}
    for mark, times in counted.most_common():
        taken = Counter(re.sub("[0-9]+$", "", other) for other, _ in named.values())
        name = name_of(first[mark])
        if times > 1 and (numbered or name not in taken):
            named[mark] = f"{name}{taken[name] + 1}" if name in taken else name, first[mark]
    return named


def _refer_if_shared(part: Json, kind: str, shared: Mapping[str, tuple[str, Json]]) -> Json:
    found = shared.get(_mark(part))
    return {"$ref": _REF.format(kind, found[0])} if found else part


def share_examples(paths: Json) -> Json:
    """Give long examples that several bodies or answers have once, named after an operation; return them by name."""
    found: defaultdict[str, list[Json]] = defaultdict(list)
    names: dict[str, str] = {}
    for operation in _operations(paths):
        for content in _contents(operation):
            mark = _mark(content.get("example"))
            found[mark].append(content)
            names.setdefault(mark, operation["operationId"])
    shared: Json = {}
    for mark, contents in found.items():
        name = f"{names[mark][0].upper()}{names[mark][1:]}"
        if len(contents) > 1 and len(mark) > _LONG and name not in shared:
            shared[name] = {"value": contents[0]["example"]}
            for content in contents:
                content.pop("example", None)
                content["examples"] = {"example": {"$ref": _REF.format("examples", name)}}
    return shared


_LONG: Final = 200
"""The length of an example, in bytes, that is worth a name."""


def _contents(operation: Json) -> Iterator[Json]:
    """List what an operation takes and answers, form by form."""
    yield from operation.get("requestBody", {}).get("content", {}).values()
    for reply in operation["responses"].values():
        yield from reply.get("content", {}).values()


# --- Fields ---------------------------------------------------------------------------------------------


FIELDS: Final[Mapping[str, str]] = {
    "AbilityNumber": "The number of the ability on the card, counted from 0.",
    "AbsentEntrants": "The entrants who took no seat in time; the match started and their clocks ran.",
    "ActingSeat": "The seat whose turn it is.",
    "BookedChips": "The chips that the seat put in.",
    "CardId": "The id of the card.",
    "ChipsInRound": "The seat's chips in this round after this.",
    "CreationTime": "Creation time.",
    "ChainSeed": "The seed; hashed `link` times, it gives the commitment.",
    "CommitStart": "The number of the first event in the same commit.",
    "CommitTime": "The time when the event was written.",
    "CurrentTrick": "The cards of the current trick, in the order in which they were played.",
    "DealNumber": "The number of the deal, including repeated deals.",
    "DisplayedRating": "The displayed rating: the mean minus two deviations.",
    "DrawNonce": "The player's contribution to all draws, in hex; empty if the player gave none.",
    "EntrantNumber": "The number of the entrant, from 0.",
    "EndedEffects": "The creatures whose damage, pumps and venom marks ended.",
    "EpochNumber": "The number of the epoch, from 1: the hands that share one commitment.",
    "EventDigest": "The hash of the previous digest and the event.",
    "EventNumber": "The number of the event.",
    "GameName": "The name of the game.",
    "GameNumber": "The number of the game in the match, from 1; 0 before the first.",
    "GameScores": "The score of each seat in this game.",
    "GameTotals": "The totals of the game, including this hand, seat by seat.",
    "HandCounts": "The number of cards that each seat holds.",
    "HandNumber": "The number of the hand in the match, from 1; 0 before the first.",
    "InviteLink": (
        "The address of the match with the code after `#`, which clients do not send to servers. `dealt "
        "play` accepts it."
    ),
    "IsAllIn": "Whether the seat is all-in: it has no chips left.",
    "IsImported": (
        "Whether the match was imported from a record or hand history. Its players are not of this server, "
        "and it does not count in results."
    ),
    "IsListed": (
        "Whether others see your ratings, and you are in leaderboards. The results of your rated matches are public"
        " either way, so anyone can compute your ratings from `GET /v1/rated-matches`."
    ),
    "IsPlayable": (
        "False if the game is no longer installed. You can then read the match, its events and its record, "
        "but it has no table and accepts no moves."
    ),
    "KeyProof": (
        "With `player_key`: its signature over `dealt-seat/1|match|seat|player`, or for a new match over "
        "`dealt-seat/1|new|player`, with your id as `player`."
    ),
    "KnownHead": "The digest of that event, in hex.",
    "LabelledNumbers": "Numbers by their labels, such as `score`, `trick`, `pot`.",
    "LastVersion": "The number of the last event.",
    "MainDeck": "The ids of the cards that are played.",
    "MeldChoice": "The melds, in any order; by default, the best ones are chosen.",
    "Melds": "The melds.",
    "SavedHead": "The digest of its last event, which covers all of it.",
    "WantedHandle": "A unique name: 3 to 30 characters of a-z, 0-9, - and _. Capitals become lower case.",
    "NonceReceipts": (
        "Receipts for the nonces or hashes that you sent; they prove it (`dealt verify --receipt`) if the server"
        " omits one later."
    ),
    "OnlyTableNumber": "The number of the table, from 0; with two seats there is one.",
    "OnTimePercentage": (
        "The percentage of the player's decisions that were on time; null if the tournament does not check it."
    ),
    "OptionClass": "The class of options; `usual` if a game has only one.",
    "OptionClassTitle": "The class of options in words; empty if a game has only one.",
    "OwnHand": "The reader's cards.",
    "PhaseName": "The current phase, in one word.",
    "PlayerHandle": "The player's unique handle.",
    "PlayerId": "The id of the player.",
    "PlayerKey": "The public key (Ed25519, 32 bytes in hex) that signs your moves in this seat.",
    "PlayerName": "The name that others see.",
    "PresetName": "The preset behind the options; null if there is none.",
    "ProtectedRating": "The protected rating of the player; null if the tournament has no rating bounds.",
    "PublicName": "The public name: visible characters, without spaces around them.",
    "PublicReason": "The reason, visible to everyone.",
    "RoundNumber": "The number of the round, from 1.",
    "ShownHands": "The hand of each seat; null if the reader may not see it.",
    "SpellTargets": "The targets, by the letters of the card.",
    "Stacks": "The chips that each seat has, seat by seat.",
    "StockCount": "The number of cards left in the stock.",
    "TableNumber": "The number of the table, from 0.",
}
"""Fields that many schemas have alike, as components: their names and descriptions."""


def share_fields(schemas: Mapping[str, Json]) -> Json:
    """Describe each of `FIELDS` once, and let the schemas with such a field refer to it.

    None of them is an enum: generators make a type of a named one, which refuses the words of later versions.
    """
    fields = (of for of in _fields(list(schemas.values())) if of.get("description") in _NAMES)
    repeated = _find_repeated(fields, lambda of: _NAMES[of["description"]], numbered=False)
    named = {mark: name for mark, (name, _) in repeated.items()}
    return {**{name: _refer_to_named(schema, named) for name, schema in schemas.items()}, **dict(repeated.values())}


_NAMES: Final = {description: name for name, description in FIELDS.items()}


def _fields(node: Any) -> Iterator[Json]:
    """List the schemas of all fields."""
    for part in node if isinstance(node, list) else ():
        yield from _fields(part)
    for key, part in node.items() if isinstance(node, dict) else ():
        if key == "properties":
            yield from part.values()
            yield from _fields(list(part.values()))
        elif key not in _UNCHANGED:
            yield from _fields(part)


def _refer_to_named(node: Any, named: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_refer_to_named(part, named) for part in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _reference(of, named) for name, of in part.items()}
        if key == "properties"
        else part
        if key in _UNCHANGED
        else _refer_to_named(part, named)
        for key, part in node.items()
    }


def _reference(schema: Json, named: Mapping[str, str]) -> Json:
    if name := named.get(_mark(schema)):
        return {"$ref": _REF.format("schemas", name)}
    return dict(_refer_to_named(schema, named))


def share_variants(schemas: Mapping[str, Json]) -> Json:
    """Describe the fields that two objects have alike once if one is named after the other, such as `ListedDeck`."""
    plain = {name: of for name, of in schemas.items() if "properties" in of and not of.get("additionalProperties")}
    made = dict(schemas)
    for name, other in permutations(plain, 2):
        base = f"{name}Base"
        is_open = base not in made and all("properties" in made[each] for each in (name, other))
        if is_open and not name.endswith("Base") and (other.startswith(name) or other.endswith(name)):
            fields = plain[other]["properties"]
            alike = [of for field, of in plain[name]["properties"].items() if fields.get(field) == of]
            if len(_mark(alike)) > _LONG_FIELDS:
                made |= share_properties(base, {name: plain[name], other: plain[other]})
    return made


_LONG_FIELDS: Final = 200
"""The length of fields, in bytes, that are worth a base."""


def share_terms(schemas: Mapping[str, Json]) -> Json:
    """Describe the parts of a game that several requests have alike once: its options, and its name."""
    own = {name: of["allOf"][1] for name, of in schemas.items() if len(of.get("allOf", ())) > 1}
    counted = Counter(map(_mark, own.values()))
    made = dict(schemas)
    for name, part in own.items():
        game = part.get("properties", {}).get("game", {}).get("const")
        if game and counted[_mark(part)] > 1:
            terms = f"{_component(game)}Terms"
            made[terms] = {"type": "object", **part}
            ref = {"$ref": _REF.format("schemas", terms)}
            made[name] = made[name] | {"allOf": [made[name]["allOf"][0], ref]}
    return made


def share_data(schemas: Mapping[str, Json]) -> Json:
    """Describe data that several types of events have alike once, named after the fields."""
    repeated = _find_repeated((of for _, of in _data(schemas)), _name_of_data, numbered=False)
    named = {mark: name for mark, (name, _) in repeated.items() if name not in schemas}
    made = dict(schemas)
    for event, data in _data(schemas):
        if name := named.get(_mark(data)):
            base, own = made[event]["allOf"]
            properties = own["properties"] | {"data": {"$ref": _REF.format("schemas", name)}}
            made[event] = made[event] | {"allOf": [base, own | {"properties": properties}]}
    return made | {name: repeated[mark][1] for mark, name in named.items()}


def _data(schemas: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """List the types of events with their data."""
    for name, schema in schemas.items():
        own = schema.get("allOf", [{}])[-1].get("properties", {})
        if own.get("type", {}).get("const") == name and "properties" in own["data"]:
            yield name, own["data"]


def _name_of_data(data: Json) -> str:
    return _component("-".join([*data["properties"], "data"])).replace("_", "") if data["properties"] else "NoData"


# --- Marks ----------------------------------------------------------------------------------------------


def _operations(paths: Json) -> list[Json]:
    return [one for methods in paths.values() for one in methods.values()]


def _mark(part: Any) -> str:
    return json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _component(field: str) -> str:
    return "".join(word.capitalize() for word in re.split("[-_]", field))
