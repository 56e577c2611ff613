"""Contract of every store: which patient a message means, and names."""

import pytest

from domain.common.text import fold
from tests.builders import Ward
from tests.hl7.messages import Post, a_post, adt, patient_of, the_sheet
from tests.use_cases.inbound.test_received_people import APPLIED, BORN


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


# --- patients registered by hand, without a record number ------------------------------------------------------------


KNOWN_BY_HAND: dict[str, tuple[str, str, str]] = {
    "the same names": ("Ríos", "Paz^Ana", "Ríos"),
    "other accents and case": ("Rios", "PAZ^ANA", "Ríos"),
    "both surnames in one": ("Ríos", "Paz Ríos^Ana", ""),
}


@pytest.mark.parametrize("case", KNOWN_BY_HAND)
def test_a_patient_registered_by_hand_is_admitted_on_their_sheet(ward: Ward, post: Post, case: str) -> None:
    known, name, second_surname = KNOWN_BY_HAND[case]
    patient = ward.patient("Ana", "Paz", date_of_birth=BORN, second_surname=known)
    mine = ward.sheet(patient_id=patient.id)["id"]
    ward.detail(mine)
    kept = post.send(adt("A01", name=name, second_surname=second_surname))
    assert (kept.state, kept.reason, kept.sheet_id, kept.patient_id) == (APPLIED, None, mine, patient.id)
    named = patient_of(ward)
    assert (named.id, fold(named.first_surname), fold(named.second_surname or "")) == (patient.id, "paz", "rios")
    assert the_sheet(ward).id == mine


def test_a_match_is_found_among_many_of_the_same_name(ward: Ward, post: Post) -> None:
    for number in range(101):
        ward.patient("Ana", "Paz", record_number=f"N-{number}")
    patient = ward.patient("Ana", "Paz", second_surname="Ríos", date_of_birth=BORN)
    post.send(adt("A28", second_surname="Ríos", visit=None))
    assert patient_of(ward).id == patient.id
