"""Names and numbers of unidentified patients."""

from datetime import UTC, datetime

import pytest

from domain.common.errors import Code, Refused
from domain.people.patient import Patient
from domain.people.unidentified import MAX_UNIDENTIFIED, Sex, next_unidentified_number, unidentified_name

NOW = datetime(2026, 11, 26, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sex", "age", "name"),
    [
        (Sex.MALE, 40, "Sin identificar 3 · hombre · ~40 años"),
        (Sex.FEMALE, None, "Sin identificar 3 · mujer"),
        (None, 1, "Sin identificar 3 · ~1 año"),
        (None, 0, "Sin identificar 3 · menos de 1 año"),
        (None, None, "Sin identificar 3"),
    ],
)
def test_the_name_has_what_is_known(sex: Sex | None, age: int | None, name: str) -> None:
    assert unidentified_name(3, sex, age) == name


@pytest.mark.parametrize(
    ("taken", "following"),
    [(set(), 1), ({1, 2}, 3), ({2}, 3), ({1, MAX_UNIDENTIFIED}, 2)],
)
def test_the_next_number_is_free(taken: set[int], following: int) -> None:
    assert next_unidentified_number(taken) == following


def test_there_may_be_too_many() -> None:
    with pytest.raises(Refused) as refused:
        next_unidentified_number(range(1, MAX_UNIDENTIFIED + 1))
    assert refused.value.reasons[0].code is Code.UNIDENTIFIED_TOO_MANY


def test_a_known_person_is_not_merged_into_an_unknown() -> None:
    known = Patient(id=1, name="Ana", first_surname="Gil")
    unknown = Patient(id=2, name="", first_surname="Sin identificar 1", unidentified_number=1)
    with pytest.raises(Refused) as refused:
        unknown.merge_from(known, NOW)
    assert refused.value.reasons[0].code is Code.PATIENT_UNIDENTIFIED_STAYS
    known.merge_from(unknown, NOW)
    assert (unknown.unidentified, unknown.merged_into, known.name) == (False, 1, "Ana")
