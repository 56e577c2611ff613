"""Merging patients: POST /api/patients/{id}/merge and /unmerge."""

from typing import Any

import pytest

from tests.http.hospital import SHEETS, Hospital

BECAUSE = {"reason": "La misma persona", "number_end": "Soto"}


def double(hospital: Hospital) -> tuple[int, int, int]:
    """Two records of one person, and the sheet of the first record."""
    one, other = (
        hospital.nurse.post("/api/patients", {"name": "Luz", "first_surname": name, "record_number": name}).json()["id"]
        for name in ("Soto", "Sotto")
    )
    return one, other, hospital.open_sheet(patient_id=one)


def test_a_merge_changes_the_sheets_patient_and_etag(hospital: Hospital) -> None:
    one, other, sheet = double(hospital)
    before = hospital.nurse.get(f"{SHEETS}/{sheet}")
    merged = hospital.supervisor.post(f"/api/patients/{one}/merge", {"into_id": other, **BECAUSE})
    assert (merged.status_code, merged.json()["id"], merged.json()["open_sheets"]) == (200, other, 1)
    after = hospital.nurse.get(f"{SHEETS}/{sheet}", if_none_match=before.headers["etag"])
    assert (after.status_code, after.json()["patient"]["first_surname"]) == (200, "Sotto")
    # A client with the old version gets 412.
    body = hospital.admission(patient_id=one)
    assert hospital.nurse.put(f"{SHEETS}/{sheet}", body, if_match=before.headers["etag"]).status_code == 412


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/api/patients/{one}", {"name": "Luz", "first_surname": "Soto"}),
        ("DELETE", "/api/patients/{one}", None),
        ("POST", "/api/patients/{one}/merge", {"into_id": 1, **BECAUSE}),
        ("POST", "/api/patients/1/merge", {"into_id": "{one}", **BECAUSE}),
        ("GET", "/api/patients/{one}/merge-preview?into=1", None),
        ("POST", SHEETS, {"patient_id": "{one}"}),
    ],
)
def test_a_refusal_about_a_merged_record_names_the_one_kept(
    hospital: Hospital, method: str, path: str, body: dict[str, Any] | None
) -> None:
    one, other, _ = double(hospital)
    hospital.supervisor.post(f"/api/patients/{one}/merge", {"into_id": other, **BECAUSE})
    filled = body and {name: one if value == "{one}" else value for name, value in body.items()}
    if path == SHEETS:
        filled = hospital.admission(**filled)  # type: ignore[arg-type]
    for language, said in (("es", f"se unió al del paciente {other}"), ("en", f"merged into patient {other}")):
        answer = hospital.admin.call(method, path.format(one=one), filled, accept_language=language)
        assert answer.status_code == 422, answer.text
        assert [error["code"] for error in answer.json()["errors"]] == ["patient.merged"]
        assert said in answer.json()["message"][0]


def test_every_error_of_a_merge_is_reported_at_once(hospital: Hospital) -> None:
    one, *_ = double(hospital)

    def wrong(body: dict[str, Any]) -> set[tuple[str, str]]:
        answer = hospital.supervisor.post(f"/api/patients/{one}/merge", body)
        assert answer.status_code == 422
        return {(error["field"], error["code"]) for error in answer.json()["errors"]}

    assert wrong({}) == {("into_id", "required"), ("reason", "required")}
    assert wrong({"into_id": 9999, "reason": "x" * 501}) == {
        ("into_id", "reference.unknown"),
        ("reason", "text.too_long"),
    }
    assert wrong({"into_id": one, **BECAUSE}) == {("into_id", "patient.itself")}
    assert hospital.supervisor.get(f"/api/patients/{one}/merge-preview").status_code == 400
    assert hospital.supervisor.post("/api/patients/9999/merge", {"into_id": one, **BECAUSE}).status_code == 404
    assert hospital.admin.post("/api/patients/9999/unmerge").status_code == 404


def test_a_merge_is_previewed_done_and_undone(hospital: Hospital) -> None:
    one, other, sheet = double(hospital)
    before = [hospital.nurse.get(f"/api/patients/{each}").json() for each in (one, other)]
    assert hospital.supervisor.get(f"/api/patients/{one}/merge-preview?into={other}").json() == {
        "sheets": {"open": 1, "closed": 0},
        "fills": [],
        "differs": [
            {"field": "first_surname", "mine": "Soto", "theirs": "Sotto"},
            {"field": "record_number", "mine": "Soto", "theirs": "Sotto"},
        ],
        "another_person": True,
        "asks_number_of": one,
    }
    hospital.supervisor.post(f"/api/patients/{one}/merge", {"into_id": other, **BECAUSE})
    read = hospital.nurse.get(f"/api/patients/{one}")
    assert (read.status_code, read.json()["merged_into"]) == (200, other)
    listed = [patient["id"] for patient in hospital.nurse.get("/api/patients?merged=true").json()["items"]]
    assert listed == [one]
    undone = hospital.admin.post(f"/api/patients/{one}/unmerge").json()
    assert (undone["returned"], undone["stayed"]) == ([sheet], [])
    assert [hospital.nurse.get(f"/api/patients/{each}").json() for each in (one, other)] == before
    again = hospital.admin.post(f"/api/patients/{one}/unmerge")
    assert [error["code"] for error in again.json()["errors"]] == ["patient.not_merged"]
