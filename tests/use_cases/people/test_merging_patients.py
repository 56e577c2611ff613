"""Merging and unmerging patients."""

from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from application.audit.views import AuditQuery
from application.common.entities import AuditAction
from application.imports.reading.fields import Noun
from application.people.merge_patients import MergeDraft
from application.people.patients import PatientDraft
from application.people.views import PatientQuery
from application.sheets.views import SheetQuery
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.people.patient import Patient
from tests.builders import Ward, a_ward
from tests.imports.importing import brought_in, file_of

BORN = date(1958, 7, 30)


def merge(ward: Ward, one: int, into: int) -> None:
    with ward.store.begin() as work:
        numbers = [patient.record_number for each in (one, into) if (patient := work.patients.get(each))]
    draft = MergeDraft(into_id=into, reason="La misma persona", number_end=next(filter(None, numbers), None))
    ward.use_cases.patients.merge(ward.supervisor, one, draft)


def reasons(call: Any, *given: Any) -> list[Reason]:
    with pytest.raises(Refused) as refused:
        call(*given)
    return list(refused.value.reasons)


def codes(call: Any, *given: Any) -> list[Code]:
    return [reason.code for reason in reasons(call, *given)]


def all_kept(ward: Ward) -> dict[str, Any]:
    """Return all rows that a merge may change, except the versions of sheets."""
    with ward.store.begin() as work:
        everybody = work.patients.find_many("id", range(1, 60))
        return {
            "patients": everybody,
            "sheets": [replace(sheet, version=0) for sheet in work.sheets.find_many("id", range(1, 60))],
            "details": work.details.find_many("id", range(1, 60)),
            "numbers": {one.id: work.former_record_numbers.of(one.id) for one in everybody},
        }


def sheets_of(ward: Ward, patient_id: int) -> list[int]:
    with ward.store.begin() as work:
        return [sheet.id for sheet in work.sheets.find_many("patient_id", [patient_id])]


def story(ward: Ward, **asked: Any) -> list[str]:
    with ward.store.read() as views:
        return [entry["action"] for entry in views.audit.page(AuditQuery(limit=100, **asked))["items"]]


def found(ward: Ward, text: str) -> list[int]:
    with ward.store.read() as views:
        return [patient["id"] for patient in views.patients.page(PatientQuery(q=text))["items"]]


def a_double(ward: Ward) -> tuple[Patient, Patient]:
    """Create two records of a person, with an open and a closed sheet each."""
    one = ward.patient("Ana", "Gil", record_number="E-1", date_of_birth=BORN)
    other = ward.patient("Ana", "Gill", record_number="E-2", second_surname="Paz")
    for patient in (one, other):
        for closes in (False, True):
            sheet = ward.sheet(patient_id=patient.id)["id"]
            ward.detail(sheet, "3")
            if closes:
                ward.use_cases.sheets.close(ward.admin, sheet)
    return one, other


def test_a_merge_moves_all_sheets_and_changes_no_total(ward: Ward) -> None:
    one, other = a_double(ward)
    before, moved = all_kept(ward), sheets_of(ward, other.id)
    with ward.store.read() as views:
        versions = {each: views.version_of_sheet(each) or 0 for each in moved}
    merge(ward, other.id, one.id)

    after = all_kept(ward)
    assert sheets_of(ward, other.id) == []
    assert after["details"] == before["details"]
    assert after["sheets"] == [
        replace(sheet, patient_id=one.id if sheet.id in moved else sheet.patient_id) for sheet in before["sheets"]
    ]
    with ward.store.read() as views:
        # The versions of the moved sheets grow, so that clients reload them.
        assert {each: views.version_of_sheet(each) for each in moved} == {k: v + 1 for k, v in versions.items()}
        survivor, merged = views.patients.one(one.id), views.patients.one(other.id)
    assert survivor is not None
    assert merged is not None
    assert (survivor["second_surname"], survivor["first_surname"], survivor["record_number"]) == ("Paz", "Gil", "E-1")
    assert (survivor["open_sheets"], merged["open_sheets"]) == (2, 0)
    assert (survivor["merged_into"], merged["merged_into"], merged["active"]) == (None, one.id, 0)


def test_records_that_contradict_need_the_end_of_the_number(ward: Ward) -> None:
    one = ward.patient("Ana", "Gil", record_number="EXP-2026-0013", date_of_birth=BORN)
    other = ward.patient("Rosa", "Vera", record_number="EXP-2026-0042")
    number_of = ward.use_cases.patients.preview_merge(ward.supervisor, one.id, other.id)["asks_number_of"]
    assert number_of == one.id
    for typed in (None, "", "0042", "13"):
        draft = MergeDraft(into_id=other.id, reason="La misma persona", number_end=typed)
        assert codes(ward.use_cases.patients.merge, ward.supervisor, one.id, draft) == [Code.MERGE_UNCONFIRMED]
    draft = MergeDraft(into_id=other.id, reason="La misma persona", number_end="6-0013")
    assert ward.use_cases.patients.merge(ward.supervisor, one.id, draft)["id"] == other.id


def test_a_merge_is_undone_by_who_did_it_or_an_administrator(ward: Ward) -> None:
    one, other = a_double(ward)
    merge(ward, other.id, one.id)
    with ward.store.read() as views:
        merged = views.patients.one(other.id)
    assert merged is not None
    assert merged["merged_by"] == ward.supervisor.user_id
    colleague = replace(ward.supervisor, user_id=ward.nurse.user_id)
    assert codes(ward.use_cases.patients.unmerge, colleague, other.id) == [Code.MERGE_NOT_OWN]
    assert ward.use_cases.patients.unmerge(ward.supervisor, other.id)["patient"]["merged_into"] is None
    merge(ward, other.id, one.id)
    ward.use_cases.patients.unmerge(ward.admin, other.id)


def test_a_filled_record_number_is_given_back_by_undoing(ward: Ward) -> None:
    one, other = ward.patient("Ana", "Gil"), ward.patient("Ana", "Gil", record_number="E-2")
    before = all_kept(ward)
    merge(ward, other.id, one.id)
    assert found(ward, "E-2") == [one.id]
    assert codes(partial(ward.patient, "Luz", "Soto", record_number="e-2")) == [Code.TAKEN]
    ward.use_cases.patients.unmerge(ward.admin, other.id)
    assert all_kept(ward) == before


def test_undoing_leaves_sheets_reassigned_since_where_they_are(ward: Ward) -> None:
    one, other = a_double(ward)
    opened, closed = sheets_of(ward, other.id)
    merge(ward, other.id, one.id)
    ward.use_cases.sheets.update(ward.admin, opened, ward.sheet_draft(patient_id=ward.patient_id))
    new = ward.sheet(patient_id=one.id)["id"]
    undone = ward.use_cases.patients.unmerge(ward.admin, other.id)
    assert (undone["returned"], undone["stayed"]) == ([closed], [opened])
    assert sheets_of(ward, other.id) == [closed]
    assert opened in sheets_of(ward, ward.patient_id)
    assert new in sheets_of(ward, one.id)


def test_merges_form_no_chains(ward: Ward) -> None:
    first, second = a_double(ward)
    third = ward.patient("Ana", "Gil", record_number="E-3")
    mine = sheets_of(ward, second.id)
    before = all_kept(ward)
    merge(ward, second.id, first.id)
    between = all_kept(ward)
    assert codes(merge, ward, third.id, second.id) == [Code.PATIENT_MERGED]
    assert codes(merge, ward, second.id, third.id) == [Code.PATIENT_MERGED]
    assert codes(merge, ward, first.id, first.id) == [Code.SAME_PATIENT]
    assert codes(merge, ward, first.id, 999) == [Code.REFERENCE_UNKNOWN]
    with pytest.raises(NotFound):
        merge(ward, 999, first.id)
    assert all_kept(ward) == between

    # When the survivor of a merge is merged, its merged records point to the new survivor.
    merge(ward, first.id, third.id)
    with ward.store.begin() as work:
        assert [work.patients.get(each.id).merged_into for each in (first, second)] == [third.id, third.id]  # type: ignore[union-attr]
    assert [found(ward, number) for number in ("E-1", "E-2", "E-3")] == [[third.id]] * 3
    # The last merge must be undone first.
    assert codes(ward.use_cases.patients.unmerge, ward.admin, second.id) == [Code.PATIENT_MERGED_ON]
    ward.use_cases.patients.unmerge(ward.admin, first.id)
    assert all_kept(ward) == between
    assert set(mine) < set(sheets_of(ward, first.id))
    ward.use_cases.patients.unmerge(ward.admin, second.id)
    assert all_kept(ward) == before
    assert codes(ward.use_cases.patients.unmerge, ward.admin, second.id) == [Code.PATIENT_NOT_MERGED]


def test_a_merged_record_can_only_be_unmerged(ward: Ward) -> None:
    one, other = a_double(ward)
    merge(ward, other.id, one.id)
    draft = PatientDraft(name="Ana", first_surname="Gil")
    sheet = sheets_of(ward, one.id)[0]
    for call in (
        partial(ward.use_cases.patients.update, ward.admin, other.id, draft),
        partial(ward.use_cases.patients.delete, ward.admin, other.id),
        partial(ward.sheet, patient_id=other.id),
        partial(ward.use_cases.sheets.update, ward.admin, sheet, ward.sheet_draft(patient_id=other.id)),
    ):
        (reason,) = reasons(call)
        assert (reason.code, reason.params["patient"]) == (Code.PATIENT_MERGED, one.id)
    # The survivor cannot be deleted either.
    assert codes(ward.use_cases.patients.delete, ward.admin, one.id) == [Code.IN_USE]
    lonely, double = ward.patient("Luz", "Soto"), ward.patient("Luz", "Soto")
    merge(ward, double.id, lonely.id)
    assert codes(ward.use_cases.patients.delete, ward.admin, lonely.id) == [Code.IN_USE]


def test_the_access_log_of_a_merged_patient_has_both_records(ward: Ward) -> None:
    one, other = a_double(ward)
    looked = {"patient_id": other.id, "action": AuditAction.PATIENT_SHEETS_LISTED}
    ward.use_cases.sheets.reader.page(ward.nurse, SheetQuery(patient_id=other.id))
    assert len(story(ward, **looked)) == 1
    assert not story(ward, **(looked | {"patient_id": one.id}))
    merge(ward, other.id, one.id)
    assert len(story(ward, **(looked | {"patient_id": one.id}))) == 1
    ward.use_cases.patients.unmerge(ward.admin, other.id)
    assert not story(ward, **(looked | {"patient_id": one.id}))


def test_both_patients_and_each_sheet_have_it_in_their_history(ward: Ward) -> None:
    one, other = a_double(ward)
    moved = sheets_of(ward, other.id)
    merge(ward, other.id, one.id)
    ward.use_cases.patients.unmerge(ward.admin, other.id)
    reported = ["patient.unmerged", "patient.merged"]
    for patient in (one, other):
        theirs = [action for action in story(ward, patient_id=patient.id) if action.startswith("patient.")]
        # The surviving record got a surname by the merge, and lost it again.
        expected = [each for did in reported for each in (did, "patient.updated")] if patient is one else reported
        assert theirs[: len(expected)] == expected
    for sheet in moved:
        assert story(ward, sheet_id=sheet)[:2] == ["sheet.patient_unmerged", "sheet.patient_merged"]
    with ward.store.read() as views:
        (entry,) = views.audit.page(AuditQuery(action="patient.merged"))["items"]
    assert (entry["entity_id"], entry["patient_id"]) == (other.id, one.id)
    assert entry["changes"]["sheets"] == [None, "; ".join(map(str, moved))]
    assert entry["changes"]["reason"] == [None, "La misma persona"]
    assert entry["changes"]["filled"] == [None, "second_surname"]
    page = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="patient.merged"))
    assert page["items"][0]["names"]["merged_into"] == [None, "Ana Gil"]


def test_an_import_with_a_merged_number_is_for_the_survivor(ward: Ward, tmp_path: Path) -> None:
    one, other = a_double(ward)
    ward.product("Gasa", code="G-1")
    merge(ward, other.id, one.id)
    lines = ("nhc;nombre;apellido;ingreso;código;cantidad", "E-2;Ana;Gil;2091-04-01;G-1;2")
    before = sheets_of(ward, one.id)
    assert brought_in(ward, file_of(tmp_path, lines), Noun.CONSUMPTION).counts == (1, 0, 0, 0)
    assert len(sheets_of(ward, one.id)) == len(before) + 1
    assert sheets_of(ward, other.id) == []
    people = ("nhc;nombre;apellido", "E-2;Ana;Otra")
    assert brought_in(ward, file_of(tmp_path, people), Noun.PATIENTS).refusals == {2: [(None, "patient.merged")]}


# --- properties -------------------------------------------------------------------------------------------------------


_STEPS = st.lists(
    st.tuples(st.sampled_from(["merge", "merge", "unmerge"]), st.integers(0, 3), st.integers(0, 3)), max_size=12
)


@given(steps=_STEPS, numbers=st.lists(st.booleans(), min_size=4, max_size=4))
@settings(max_examples=60)
def test_undoing_all_merges_restores_the_initial_state(steps: list[tuple[str, int, int]], numbers: list[bool]) -> None:
    """Any sequence of merges and undoings does, even with refused ones."""
    ward = a_ward()
    people = [
        ward.patient("Ana", "Gil", record_number=f"E-{n}" if has else None, second_surname="Paz" if n % 2 else None)
        for n, has in enumerate(numbers)
    ]
    for each in people:
        ward.sheet(patient_id=each.id)
    before = all_kept(ward)
    done: list[int] = []
    for what, one, other in steps:
        mine, into = people[one].id, people[other].id
        try:
            if what == "merge":
                merge(ward, mine, into)
                done.append(mine)
            else:
                ward.use_cases.patients.unmerge(ward.admin, mine)
                done.remove(mine)
        except Refused:
            pass
        kept = {patient.id: patient for patient in all_kept(ward)["patients"]}
        merged = {patient.id: patient.merged_into for patient in kept.values() if patient.merged_into}
        assert set(done) == set(merged)
        assert all(kept[into].merged_into is None for into in merged.values())
        assert not {sheet.patient_id for sheet in all_kept(ward)["sheets"]} & set(merged)
    for mine in reversed(done):
        ward.use_cases.patients.unmerge(ward.admin, mine)
    assert all_kept(ward) == before
