"""Validation of drafts: all errors at once, and the rules of each field."""

from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum

import pytest

from domain.catalogue.room import RoomStatus
from domain.common.errors import Code, Reason, Refused
from domain.common.validation import MAX_NAME_LENGTH, MAX_NOTE_LENGTH, Validator
from tests.builders import TODAY


def reasons_of(checks: Validator) -> list[tuple[Code, str | None]]:
    try:
        checks.raise_if_invalid()
    except Refused as refused:
        return [(reason.code, reason.field) for reason in refused.reasons]
    return []


def test_all_errors_are_collected_and_raised_at_once() -> None:
    checks = Validator()
    checks.required_line("name", "  ")
    checks.price("price", None)
    checks.required_id("category_id", 0)
    checks.int_enum("status", 9, RoomStatus)
    checks.add_error(Code.SHEET_CLOSED)
    assert reasons_of(checks) == [
        (Code.REQUIRED, "name"),
        (Code.REQUIRED, "price"),
        (Code.REQUIRED, "category_id"),
        (Code.CHOICE_UNKNOWN, "status"),
        (Code.SHEET_CLOSED, None),
    ]


def test_nothing_is_raised_without_errors() -> None:
    checks = Validator()
    assert checks.required_line("name", "Ana") == "Ana"
    checks.raise_if_invalid()


def test_a_field_has_only_its_first_error() -> None:
    checks = Validator()
    checks.add_error(Code.REQUIRED, "name")
    checks.add_error(Code.TAKEN, "name", value="x")
    assert reasons_of(checks) == [(Code.REQUIRED, "name")]


def test_errors_without_a_field_are_all_kept() -> None:
    checks = Validator()
    checks.add_error(Code.SHEET_CLOSED)
    checks.add_error(Code.KEY_REUSED)
    assert reasons_of(checks) == [(Code.SHEET_CLOSED, None), (Code.KEY_REUSED, None)]


def test_an_unreadable_field_is_not_also_missing() -> None:
    checks = Validator([Reason(Code.NUMBER_EXPECTED, "price")])
    checks.price("price", None)
    checks.required_line("name", None)
    assert reasons_of(checks) == [(Code.NUMBER_EXPECTED, "price"), (Code.REQUIRED, "name")]


# One of each kind: zero-width, soft hyphen, byte order mark, direction mark, filler, variation selector, tag.
INVISIBLE = [*"\u200b\u200c\u200d\u2060\u00ad\ufeff\u200e\u200f\u061c\u180e\u3164\ufe0f\U000e0041"]

# --- texts -----------------------------------------------------------------------------------------------------------


def test_a_text_is_stripped() -> None:
    assert Validator().required_line("name", " \t Ana María \n") == "Ana María"


@pytest.mark.parametrize("blank", [None, "", "   ", "\t\n", "\u00a0\u2003"])
def test_a_blank_text_is_missing(blank: str | None) -> None:
    checks = Validator()
    checks.required_line("name", blank)
    assert reasons_of(checks) == [(Code.REQUIRED, "name")]
    assert Validator().optional_line("unit", blank) is None


def test_a_name_has_at_most_200_characters_and_a_note_2000() -> None:
    assert (MAX_NAME_LENGTH, MAX_NOTE_LENGTH) == (200, 2_000)
    checks = Validator()
    assert checks.required_line("name", "ñ" * 200) == "ñ" * 200
    checks.required_text("diagnosis", "ñ" * 2_000)
    checks.raise_if_invalid()
    checks.required_line("name", "ñ" * 201)
    checks.optional_text("diagnosis", "ñ" * 2_001)
    assert reasons_of(checks) == [(Code.TEXT_TOO_LONG, "name"), (Code.TEXT_TOO_LONG, "diagnosis")]


@pytest.mark.parametrize("text", ["a\x00b", "a\x1bb", "a\x7fb", "\ud800", "a\x85b"])
def test_a_text_that_no_store_can_keep_is_refused(text: str) -> None:
    checks = Validator()
    checks.required_line("name", text)
    assert reasons_of(checks) == [(Code.TEXT_UNWRITABLE, "name")]


@pytest.mark.parametrize("character", [chr(c) for c in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))])
def test_bidirectional_controls_are_refused_in_a_line(character: str) -> None:
    checks = Validator()
    assert checks.required_line("doctor", f"Dra. Vega {character}aner\u202c, 2.º piso") == ""
    assert checks.optional_line("code", f"{character}A-1") is None
    with pytest.raises(Refused) as refused:
        checks.raise_if_invalid()
    (doctor, code) = refused.value.reasons
    shown = f"U+{ord(character):04X}"
    assert (doctor.code, doctor.params) == (Code.TEXT_DIRECTION, {"character": shown, "near": "Dra. Vega aner, 2.º p"})
    assert (code.code, code.params) == (Code.TEXT_DIRECTION, {"character": shown, "near": "A-1"})
    note = f"Neumonía\n{character}نزيف"
    assert Validator().required_text("diagnosis", note) == Validator().optional_text("diagnosis", note) == note


def test_a_text_may_have_several_lines_and_any_script() -> None:
    text = "línea 1\nlínea 2\t“½”% _ \\ ' \" 輸液 🩹"
    assert Validator().required_text("diagnosis", text) == text
    assert Validator().required_line("name", text) == "línea 1 línea 2 “½”% _ \\ ' \" 輸液 🩹"


@pytest.mark.parametrize("character", INVISIBLE)
def test_invisible_characters_are_dropped(character: str) -> None:
    assert Validator().required_line("code", f"{character}UNP{character}-1{character}") == "UNP-1"
    assert Validator().required_text("reason", f"uno{character}\ndos") == "uno\ndos"
    assert Validator().optional_line("code", character) is None


@pytest.mark.parametrize(
    "blank", ["\u00a0", "\u2007", "\u202f", "\u3000", "\t", "\n", "\r\n", "\u2028", "  ", " \n\t "]
)
def test_any_blank_in_a_line_becomes_one_space(blank: str) -> None:
    assert Validator().required_line("name", f"Gasa{blank}estéril") == "Gasa estéril"


@pytest.mark.parametrize(
    ("note", "kept"), [("a\r\nb", "a\nb"), ("a\u2028b", "a\nb"), ("a\n\nb  c", "a\n\nb  c"), ("a\u00a0b", "a b")]
)
def test_line_breaks_of_a_text_are_kept(note: str, kept: str) -> None:
    assert Validator().required_text("reason", note) == kept


# --- choices, days, references ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, 5, -1, 10])
def test_an_unknown_choice_is_refused_with_the_choices(value: int) -> None:
    checks = Validator()
    checks.int_enum("status", value, RoomStatus)
    with pytest.raises(Refused) as refused:
        checks.raise_if_invalid()
    (reason,) = refused.value.reasons
    assert (reason.code, reason.params) == (Code.CHOICE_UNKNOWN, {"choices": "1, 2, 3, 4"})


@pytest.mark.parametrize("status", list(RoomStatus))
def test_every_choice_is_accepted(status: IntEnum) -> None:
    checks = Validator()
    assert checks.int_enum("status", int(status), RoomStatus) is status
    checks.raise_if_invalid()


@pytest.mark.parametrize(("value", "active"), [(None, True), (1, True), (0, False)])
def test_a_missing_boolean_is_true(value: int | None, active: bool) -> None:
    checks = Validator()
    assert checks.boolean("active", value) is active
    checks.raise_if_invalid()


def test_other_numbers_are_no_booleans() -> None:
    checks = Validator()
    checks.boolean("active", 2)
    assert reasons_of(checks) == [(Code.YES_OR_NO_EXPECTED, "active")]


def test_a_birth_date_cannot_be_in_the_future() -> None:
    checks = Validator()
    assert checks.date_not_in_future("date_of_birth", TODAY, TODAY) == TODAY
    assert checks.date_not_in_future("date_of_birth", None, TODAY) is None
    checks.raise_if_invalid()
    checks.date_not_in_future("date_of_birth", TODAY + timedelta(days=1), TODAY)
    assert reasons_of(checks) == [(Code.DATE_IN_FUTURE, "date_of_birth")]


def test_a_required_day_must_be_given() -> None:
    checks = Validator()
    assert checks.day("admission_date", date(2091, 5, 1)) == date(2091, 5, 1)
    checks.raise_if_invalid()
    checks.day("admission_date", None)
    assert reasons_of(checks) == [(Code.REQUIRED, "admission_date")]


@pytest.mark.parametrize("none", [None, 0])
def test_a_reference_of_0_is_missing(none: int | None) -> None:
    checks = Validator()
    checks.required_id("patient_id", none)
    assert reasons_of(checks) == [(Code.REQUIRED, "patient_id")]


def test_negative_zero_becomes_zero() -> None:
    assert str(Validator().price("price", Decimal("-0"))) == "0.00"
    assert str(Validator().quantity("quantity", Decimal("-0"))) == "0.000"
