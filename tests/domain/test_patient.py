"""Patients: merging two records, and numbers within a text."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from domain.common.errors import Code, Refused
from domain.people.patient import Patient, held_numbers, scanned_number

NOW = datetime(2091, 5, 3, 12, 0, tzinfo=UTC)
BORN = date(1958, 7, 30)


def a_patient(id: int, **particulars: Any) -> Patient:
    filled_in: dict[str, Any] = {"id": id, "name": "Ana", "first_surname": "Gil"}
    return Patient(**filled_in | particulars)


@pytest.mark.parametrize(
    ("survivor", "other", "filled", "differing"),
    [
        ({}, {}, (), ()),
        ({}, {"second_surname": "Paz", "date_of_birth": BORN}, ("second_surname", "date_of_birth"), ()),
        ({"second_surname": "Paz", "date_of_birth": BORN}, {}, (), ()),
        ({"record_number": "E-1"}, {"record_number": "E-2"}, (), ("record_number",)),
        ({}, {"record_number": "E-2", "name": "Anita"}, ("record_number",), ("name",)),
        ({"date_of_birth": BORN}, {"date_of_birth": date(1985, 7, 30)}, (), ("date_of_birth",)),
    ],
)
def test_a_merge_fills_blank_fields_and_keeps_the_others(
    survivor: dict[str, Any], other: dict[str, Any], filled: tuple[str, ...], differing: tuple[str, ...]
) -> None:
    one, two = a_patient(1, **survivor), a_patient(2, **other)
    was, two_was = replace(one), replace(two)
    assert one.conflicting_fields(two) == differing
    assert one.blank_fields_known_by(two) == filled
    assert one.merge_from(two, NOW) == filled
    for name in filled:
        assert getattr(one, name) == getattr(two_was, name)
    blank: dict[str, Any] = dict.fromkeys(filled)
    assert replace(one, **blank) == was
    assert (two.active, two.merged_into, two.merged_at) == (False, 1, NOW)
    assert two.record_number == (None if "record_number" in filled else two_was.record_number)

    one.release(two, filled, record_number=two_was.record_number, active=True)
    assert (one, two) == (was, two_was)


def test_unmerging_keeps_fields_changed_since() -> None:
    one, two = a_patient(1), a_patient(2, second_surname="Paz", date_of_birth=BORN)
    filled = one.merge_from(two, NOW)
    one.second_surname = "Pérez"
    one.release(two, filled, record_number=None, active=True)
    assert (one.second_surname, one.date_of_birth) == ("Pérez", None)


def refusal(one: Patient, other: Patient) -> tuple[Code, str | None, object]:
    was = replace(one), replace(other)
    with pytest.raises(Refused) as refused:
        one.merge_from(other, NOW)
    assert (one, other) == was
    (reason,) = refused.value.reasons
    return reason.code, reason.field, reason.params.get("patient")


def test_merges_with_itself_or_with_merged_records_are_refused() -> None:
    merged = a_patient(3, merged_into=9, merged_at=NOW)
    assert refusal(a_patient(1), a_patient(1)) == (Code.SAME_PATIENT, "into_id", None)
    assert refusal(a_patient(1), merged) == (Code.PATIENT_MERGED, None, 9)
    assert refusal(merged, a_patient(1)) == (Code.PATIENT_MERGED, "into_id", 9)


@pytest.mark.parametrize(
    ("change", "is_another"),
    [
        ({}, False),
        ({"name": "ANA"}, False),
        ({"first_surname": "Gíl"}, False),
        ({"second_surname": "Paz"}, False),
        ({"record_number": "E-2"}, False),
        ({"date_of_birth": None}, False),
        ({"name": ""}, False),
        ({"name": "Rosa"}, True),
        ({"first_surname": "Vera"}, True),
        ({"date_of_birth": date(1979, 1, 1)}, True),
        ({"name": "Desconocido", "unidentified_number": 3}, False),
    ],
)
def test_name_surname_and_birth_say_who_a_person_is(change: dict[str, Any], is_another: bool) -> None:
    one = Patient(
        name="Ana", first_surname="Gil", date_of_birth=date(1958, 7, 30), record_number="E-1", second_surname="Mar"
    )
    assert one.is_another_person(replace(one, **change)) is is_another


@pytest.mark.parametrize(
    ("text", "parts"),
    [("HC-0013", ["-0013", "0013"]), ("12A345", ["A345"]), ("0013-HC", ["0013", "0013-"]), ("A-1", [])],
)
def test_parts_of_a_text_may_be_a_patients_number(text: str, parts: list[str]) -> None:
    assert held_numbers(text) == [text, *parts]


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", "12"), ("*12*", "12"), ("12^^^HOSP", "12"), ("12^^", "12"), ("12^^^OTRO", None), ("12^^^OTRO^MR", None)],
)
def test_a_number_of_another_authority_is_none(text: str, number: str | None) -> None:
    assert scanned_number(text, "HOSP") == number
