"""Contract of every store: patients of scanned wristbands and labels."""

import pytest

from application.people.merge_patients import MergeDraft
from application.scanning.look_up_product import Lookup
from application.sheets.open_sheet import open_sheet
from domain.scanning.label import LabelKind
from tests.builders import Ward, own_label
from tests.use_cases.people.test_scanned_people import BORN, people


@pytest.fixture
def ana(ward: Ward) -> int:
    """Return a patient with an open sheet of a visit, among other patients."""
    patient = ward.patient("Ana", "Vega", record_number="EXP-2026-0013", date_of_birth=BORN)
    with ward.store.begin() as work:
        open_sheet(work, ward.admin, ward.sheet_draft(patient_id=patient.id), ward.clock.now, visit_number="V-77")
    ward.sheet(patient_id=ward.patient("Eva", "Soto", record_number="EXP-2026-0014").id)
    return patient.id


def test_a_patient_label_finds_the_surviving_patient(ward: Ward, ana: int) -> None:
    merged = ward.patient("Ana", "Bega").id
    assert people(ward, own_label(ward, LabelKind.PATIENT, ana)) == [ana]
    ward.use_cases.patients.merge(ward.admin, merged, MergeDraft(into_id=ana, reason="La misma", number_end="0013"))
    assert people(ward, own_label(ward, LabelKind.PATIENT, merged)) == [ana]


def test_the_exact_number_comes_before_other_separators(ward: Ward) -> None:
    one, other = (ward.patient("Ana", "Vega", record_number=number).id for number in ("1-23", "12-3"))
    assert people(ward, "1-23") == [one]
    assert people(ward, "123") == [one, other]


def test_typed_text_finds_no_patient(ward: Ward, ana: int) -> None:
    del ana
    for asked in (Lookup(text="V-77"), Lookup(code="V-77"), Lookup(scan=f"01{'0' * 13}")):
        assert ward.use_cases.products.look_up(ward.nurse, asked)["people"] == []
