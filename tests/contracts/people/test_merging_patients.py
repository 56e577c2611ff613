"""Contract of every store: merging and unmerging patients."""

from functools import partial
from typing import Any

import pytest

from application.people.patients import PatientDraft
from application.people.views import PatientQuery
from application.sheets.views import SheetQuery
from domain.common.errors import Code, Refused
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.people.test_merging_patients import a_double, all_kept, codes, found, merge, sheets_of


def test_lists_leave_out_merged_records(ward: Ward) -> None:
    one, other = a_double(ward)
    merge(ward, other.id, one.id)

    def listed(**asked: Any) -> set[int]:
        with ward.store.read() as views:
            return {patient["id"] for patient in views.patients.page(PatientQuery(**asked))["items"]}

    assert listed() == listed(active=True) == {ward.patient_id, one.id}
    assert listed(active=False) == set()
    assert listed(merged=True) == listed(merged=True, active=False) == {other.id}
    assert listed(merged=True, active=True) == set()


def test_a_merged_record_number_finds_the_survivor_and_is_taken(ward: Ward) -> None:
    one, other = a_double(ward)
    merge(ward, other.id, one.id)
    assert found(ward, "e-2") == [one.id]
    for closed in (False, True):
        with ward.store.read() as views:
            page = views.sheets.page(SheetQuery(q="E-2", closed=closed))
        assert {sheet["patient_id"] for sheet in page["items"]} == {one.id}
        assert page["meta"]["total"] == 2
    taken = partial(ward.patient, "Luz", "Soto", record_number="e-2")
    assert codes(taken) == [Code.TAKEN]
    ward.use_cases.patients.unmerge(ward.admin, other.id)
    assert found(ward, "E-2") == [other.id]


def test_a_record_number_used_by_another_is_not_given_back(ward: Ward) -> None:
    one, other = ward.patient("Ana", "Gil"), ward.patient("Ana", "Gil", record_number="E-2")
    merge(ward, other.id, one.id)
    ward.use_cases.patients.update(
        ward.admin, one.id, PatientDraft(name="Ana", first_surname="Gil", record_number="E-9")
    )
    third = ward.patient("Luz", "Soto", record_number="E-2")
    view = ward.use_cases.patients.unmerge(ward.admin, other.id)["patient"]
    assert (view["record_number"], view["active"]) == (None, 1)
    assert (found(ward, "E-2"), found(ward, "E-9")) == ([third.id], [one.id])


@pytest.mark.parametrize("active", [True, False])
def test_undoing_a_merge_restores_exactly_the_same_rows(ward: Ward, *, active: bool) -> None:
    one, other = a_double(ward)
    ward.use_cases.patients.update(
        ward.admin,
        other.id,
        PatientDraft(name="Ana", first_surname="Gill", active=int(active), sent_fields=frozenset({"active"})),
    )
    before = all_kept(ward)
    moved = sheets_of(ward, other.id)
    merge(ward, other.id, one.id)
    undone = ward.use_cases.patients.unmerge(ward.admin, other.id)
    assert (undone["patient"]["id"], undone["returned"], undone["stayed"]) == (other.id, moved, [])
    assert all_kept(ward) == before


def test_undoing_a_second_merge_returns_its_own_sheets(ward: Ward) -> None:
    one, other = a_double(ward)
    merge(ward, other.id, one.id)
    ward.use_cases.patients.unmerge(ward.admin, other.id)
    new = ward.sheet(patient_id=other.id)["id"]
    before = all_kept(ward)
    merge(ward, other.id, one.id)
    assert new in ward.use_cases.patients.unmerge(ward.admin, other.id)["returned"]
    assert all_kept(ward) == before


# --- concurrency -----------------------------------------------------------------------------------------------------


def test_one_of_two_opposite_merges_succeeds(ward: Ward) -> None:
    for number in range(6):
        one, other = (ward.patient("Ana", "Gil", record_number=f"{name}-{number}") for name in "AB")
        mine = {ward.sheet(patient_id=each.id)["id"] for each in (one, other)}
        outcomes = at_once([partial(merge, ward, one.id, other.id), partial(merge, ward, other.id, one.id)])
        (refused,) = [each for each in outcomes if each is not None]
        assert isinstance(refused, Refused), refused
        assert [reason.code for reason in refused.reasons] == [Code.PATIENT_MERGED]
        assert {frozenset(sheets_of(ward, each.id)) for each in (one, other)} == {frozenset(), frozenset(mine)}


def test_concurrent_sheet_changes_go_to_the_survivor_or_fail(ward: Ward) -> None:
    for _ in range(6):
        one, other = ward.patient("Ana", "Gil"), ward.patient("Ana", "Gil")
        elsewhere = ward.sheet()["id"]
        outcomes = at_once(
            [
                partial(merge, ward, other.id, one.id),
                partial(ward.sheet, patient_id=other.id),
                partial(ward.use_cases.sheets.update, ward.admin, elsewhere, ward.sheet_draft(patient_id=other.id)),
                partial(ward.use_cases.sheets.update, ward.admin, elsewhere, ward.sheet_draft(patient_id=one.id)),
            ]
        )
        assert outcomes[0] is None
        for outcome in outcomes[1:]:
            if isinstance(outcome, Exception):
                assert isinstance(outcome, Refused), outcome
                assert [reason.code for reason in outcome.reasons] == [Code.PATIENT_MERGED]
        assert sheets_of(ward, other.id) == []
