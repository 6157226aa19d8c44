"""Moves that can be listed are numbered; others are described by schema and example."""

from api.mcp_server.numbered_choices import MOST, describe_move, list_choices


def move(name, required, /, **properties):
    args = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "args": args, "example": {"name": name, "args": {}}, "legal_by_schema": True}


def test_values_of_a_move_are_listed():
    play = move("play", ["card"], card={"enum": ["3H", "4C"]})
    listed, others = list_choices([play, move("draw", [])])
    assert listed == [
        {"name": "play", "args": {"card": "3H"}},
        {"name": "play", "args": {"card": "4C"}},
        {"name": "draw", "args": {}},
    ]
    assert others == []


def test_combinations_are_listed_if_they_are_few():
    def passing(cards, count):
        return move("pass", ["cards"], cards={"items": {"enum": cards}, "minItems": count, "maxItems": count})

    listed, _ = list_choices([passing(["2S", "3H", "4C"], 2)])
    assert [one["args"]["cards"] for one in listed] == [["2S", "3H"], ["2S", "4C"], ["3H", "4C"]]
    many = passing([f"{rank}H" for rank in range(2, 11)], 3)
    assert list_choices([many]) == ([], [many])


def test_numbers_are_described_unless_there_is_only_one():
    def betting(most):
        return move("bet", ["to"], to={"type": "integer", "minimum": 6, "maximum": most})

    assert list_choices([betting(6)])[0] == [{"name": "bet", "args": {"to": 6}}]
    assert list_choices([betting(7)]) == ([], [betting(7)])


def test_moves_with_more_values_or_rules_than_the_schema_are_described():
    many = move("play", ["card"], card={"enum": [*range(MOST + 1)]})
    unsure = move("lay_off", ["card"], card={"enum": ["3H"]}) | {"legal_by_schema": False}
    assert list_choices([many, unsure]) == ([], [many, unsure])


def test_description_has_no_hints_for_drawing():
    play = move("play", ["card"], card={"enum": ["3H"], "x-at": "/zones/hand-0"})
    assert describe_move(play)["args_schema"]["properties"]["card"] == {"enum": ["3H"]}
