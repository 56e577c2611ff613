"""Texts typed in vain, as proposed names.

A text is proposed until it becomes one of the product's other names.
"""

import pytest

from application.catalogue.products import ProductDraft
from application.catalogue.typed_names import TypedNameDraft
from application.people.merge_patients import MergeDraft
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission, Role, with_implied_reads
from tests.assertions import refused
from tests.builders import Ward

# A program that can record lines but not read patients.
SCOPES = with_implied_reads({Permission.ADD_DETAILS})


RECORDER = Actor(user_id=9, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=SCOPES)


@pytest.fixture
def saline(ward: Ward) -> int:
    return ward.product("Solución salina 0.9 %", code="SO-1").id


def note(ward: Ward, product_id: int, *texts: str, times: int = 1, by: Actor | None = None) -> None:
    for text in texts * times:
        ward.clock.advance(seconds=1)
        ward.use_cases.typed_names.note(by or ward.nurse, product_id, TypedNameDraft(text=text))


def kept(ward: Ward, product_id: int) -> dict[str, int]:
    """Return all noted texts with their counts."""
    with ward.store.begin() as work:
        return {one.name: one.times for one in work.typed_names.find_many("product_id", [product_id])}


def proposals(ward: Ward, product_id: int) -> list[tuple[str, int]]:
    items = ward.use_cases.typed_names.list(ward.supervisor, product_id)["items"]
    return [(item["text"], item["times"]) for item in items]


def id_of(ward: Ward, product_id: int, text: str) -> int:
    items = ward.use_cases.typed_names.list(ward.supervisor, product_id)["items"]
    return next(item["id"] for item in items if item["text"] == text)


def test_codes_known_names_and_patient_data_are_not_noted(ward: Ward, saline: int) -> None:
    for number in ("EXP-2025-0923", "VIEJA-XII"):
        patient = ward.patient("Rosa María", "Núñez", second_surname="Peña", record_number=number).id
    into = ward.patient("Ana", "Vega").id
    draft = MergeDraft(into_id=into, reason="La misma", number_end="VIEJA-XII")
    ward.use_cases.patients.merge(ward.admin, patient, draft)
    note(ward, saline, "solución", "so-1", "so1", "ab", "1042331", "x" * 41)
    note(ward, saline, "EXP-2025-0923", "VIEJA-XII", "vieja-xii", "*VIEJA-XII*", "Núñez", "rosa nuñez", "peña, rosa")
    note(ward, saline, "suero", by=RECORDER)
    assert kept(ward, saline) == {}
    note(ward, saline, "rosas", "nuñ", "rosa suero", "100%_puro")
    assert set(kept(ward, saline)) == {"rosas", "nun", "rosa suero", "100%_puro"}


def test_a_text_shaped_like_a_record_number_is_not_noted(ward: Ward, saline: int) -> None:
    ward.patient("Ana", "Vega", record_number="HCLAB-204")
    ward.patient("Ana", "Vega", record_number="VIEJA-XII")
    note(ward, saline, "hclab 311", "HCLAB-9", "apositos")
    assert set(kept(ward, saline)) == {"hclab9", "apositos"}


def test_a_text_must_be_one_line_for_an_existing_product(ward: Ward, saline: int) -> None:
    for text in (None, " ", "\N{ZERO WIDTH SPACE}"):
        with refused((Code.REQUIRED, "text")):
            ward.use_cases.typed_names.note(ward.nurse, saline, TypedNameDraft(text=text))
    with refused((Code.TEXT_UNWRITABLE, "text")):
        note(ward, saline, "sue\0ro")
    for call in (lambda: note(ward, 999, "suero"), lambda: proposals(ward, 999)):
        with pytest.raises(NotFound):
            call()


def test_no_text_is_added_beyond_the_limit_of_names(ward: Ward, saline: int) -> None:
    note(ward, saline, "suero", times=3)
    typed = id_of(ward, saline, "suero")
    view = ward.use_cases.products.reader.one(ward.admin, saline)
    draft = ProductDraft(
        name=view["name"],
        price=view["price"],
        category_id=view["category_id"],
        also_called=tuple(f"Nombre {number}" for number in range(10)),
    )
    ward.use_cases.products.update(ward.admin, saline, draft)
    with refused((Code.NAMES_TOO_MANY, "also_called")):
        ward.use_cases.typed_names.add(ward.supervisor, typed)
    assert proposals(ward, saline) == [("suero", 3)]


def test_a_decision_about_a_missing_text_is_not_found(ward: Ward) -> None:
    for call in (ward.use_cases.typed_names.add, ward.use_cases.typed_names.dismiss):
        with pytest.raises(NotFound):
            call(ward.supervisor, 999)


def test_typed_names_are_deleted_with_their_product(ward: Ward, saline: int) -> None:
    gauze = ward.product("Gasa").id
    note(ward, saline, "suero", times=3)
    note(ward, gauze, "apósito", times=3)
    ward.use_cases.products.delete(ward.admin, saline)
    with ward.store.begin() as work:
        work.products.remove_all([gauze])
    assert (kept(ward, saline), kept(ward, gauze)) == ({}, {})
