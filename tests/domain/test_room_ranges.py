"""Names of rooms written as ranges."""

import pytest

from domain.catalogue.room_ranges import MAX_ROOMS, read_room_ranges
from domain.common.errors import Code, Refused


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("201-203", ["201", "202", "203"]),
        ("201–203", ["201", "202", "203"]),
        ("201 — 203", ["201", "202", "203"]),
        ("201 a 203", ["201", "202", "203"]),
        ("201  A  203", ["201", "202", "203"]),
        ("201 to 203", ["201", "202", "203"]),
        ("201, 301 ;305A\n 401 ", ["201", "301", "305A", "401"]),
        ("001–003", ["001", "002", "003"]),
        ("08-11", ["08", "09", "10", "11"]),
        ("98–101", ["98", "99", "100", "101"]),
        ("H201–H203", ["H201", "H202", "H203"]),
        ("H201–203", ["H201", "H202", "H203"]),
        ("h1–H2", ["h1", "h2"]),
        ("Quirófano 1 a 3", ["Quirófano 1", "Quirófano 2", "Quirófano 3"]),
        ("UCI-1–UCI-3", ["UCI-1", "UCI-2", "UCI-3"]),
        ("UCI-1-3", ["UCI-1", "UCI-2", "UCI-3"]),
        ("201A–201C", ["201A", "201B", "201C"]),
        ("201A-C", ["201A", "201B", "201C"]),
        ("201a–c", ["201a", "201b", "201c"]),
        ("201B–203B", ["201B", "202B", "203B"]),
        ("5-5", ["5"]),
        # Names, and no ranges.
        ("201-B", ["201-B"]),
        ("UCI-1", ["UCI-1"]),
        ("Sala de espera", ["Sala de espera"]),
        ("Sala a la calle", ["Sala a la calle"]),
        ("201A", ["201A"]),
        # Each room once.
        ("201–203, 202, 203a, 203A", ["201", "202", "203", "203a"]),
        (" , ;", []),
    ],
)
def test_a_text_names_rooms(text: str, names: list[str]) -> None:
    assert read_room_ranges(text) == names


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("240–201", Code.ROOM_RANGE_REVERSED),
        ("201F–201A", Code.ROOM_RANGE_REVERSED),
        ("201F-A", Code.ROOM_RANGE_REVERSED),
        ("H201–K240", Code.ROOM_RANGE_UNREADABLE),
        ("201A–240", Code.ROOM_RANGE_UNREADABLE),
        ("201A a 240", Code.ROOM_RANGE_UNREADABLE),
        ("1–501", Code.ROOMS_TOO_MANY),
        ("1–300, 401–700", Code.ROOMS_TOO_MANY),
        ("1–999999999", Code.ROOMS_TOO_MANY),
        ("x" * 201, Code.TEXT_TOO_LONG),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        read_room_ranges(text)
    assert [reason.code for reason in refused.value.reasons] == [code]


def test_every_wrong_range_is_quoted() -> None:
    with pytest.raises(Refused) as refused:
        read_room_ranges("240–201, 301, H1–K2")
    assert [reason.params["value"] for reason in refused.value.reasons] == ["240–201", "H1–K2"]


def test_the_limit_itself_is_allowed() -> None:
    assert len(read_room_ranges(f"1–{MAX_ROOMS}")) == MAX_ROOMS
