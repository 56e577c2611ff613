"""``consumo export-patient``: everything about one patient, and of no other."""

import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from adapters.cli.main import main
from adapters.i18n.catalogue import LANGUAGES
from adapters.sql.store import SqlStore
from application.audit.views import AuditQuery
from application.forms.print_forms import FormsDraft
from application.people.merge_patients import MergeDraft
from application.sheets.offline.unlisted_items import UnlistedItemDraft
from tests.builders import ZONE, Ward, a_ward
from tests.hl7.messages import Post, adt
from tests.servers import environment

Export = Callable[..., Result]
ZONES = {"CONSUMO_TIME_ZONE": str(ZONE), "CONSUMO_CURRENCY": "USD"}


@pytest.fixture
def ward(sqlite_url: str) -> Ward:
    return a_ward(SqlStore(sqlite_url, ZONE), charging=True)


@pytest.fixture
def export(sqlite_url: str, tmp_path: Path) -> Export:
    def call(number: str, *arguments: str, folder: str = "patient") -> Result:
        ours = environment(sqlite_url, **ZONES)
        others = [name for name in os.environ if name not in ours]
        return CliRunner().invoke(
            main, ["export-patient", number, str(tmp_path / folder), *arguments], env={**dict.fromkeys(others), **ours}
        )

    return call


@pytest.fixture
def sheets(ward: Ward) -> tuple[int, int]:
    """Sheets of a patient, of whom another record was merged, and of another."""
    patient = ward.patient("Berta", "Cortés", record_number="EXP-1")
    double = ward.patient("Berta", "Cortés", record_number="EXP-2")
    other = ward.patient("Otilia", "Zamudio", record_number="EXP-9")
    mine, of_double, of_other = (ward.sheet(patient_id=one.id)["id"] for one in (patient, double, other))
    ward.detail(mine, "2", lot="L-77")
    ward.detail(of_double, "3")
    ward.detail(of_other, "4", lot="L-99")
    item = UnlistedItemDraft(description="Collarín azul", quantity=Decimal(1))
    ward.use_cases.unlisted_items.note(ward.nurse, of_double, item)
    ward.use_cases.patients.merge(ward.admin, double.id, MergeDraft(into_id=patient.id, reason="La misma persona"))
    ward.use_cases.sheets.close(ward.admin, mine)
    ward.use_cases.accounts.issue(ward.nurse, of_double)
    ward.use_cases.contingency_forms.print(ward.nurse, FormsDraft(sheet_ids=(of_double, of_other)), in_advance=False)
    ward.use_cases.patients.reader.one(ward.nurse, patient.id)
    ward.use_cases.patients.reader.one(ward.supervisor, other.id)
    Post(ward).send(adt("A31", number="EXP-1"))
    return mine, of_double


def data_of(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "patient.json").read_text())
    return data


def test_all_of_a_patient_is_exported(ward: Ward, sheets: tuple[int, int], export: Export, tmp_path: Path) -> None:
    made = export("EXP-1")
    assert made.exit_code == 0, made.output
    folder = tmp_path / "patient"
    data = data_of(folder)
    assert [it["record_number"] for it in data["records"]] == ["EXP-1", "EXP-2"]
    assert [it["id"] for it in data["sheets"]] == [*sheets]
    assert [[it["quantity"] for it in sheet["details"]] for sheet in data["sheets"]] == [[2], [3]]
    assert [it["description"] for it in data["sheets"][1]["unlisted_items"]] == ["Collarín azul"]
    assert [[it["sheet_id"] for it in sheet["contingency_forms"]] for sheet in data["sheets"]] == [[], [sheets[1]]]
    assert [it["turn"] for it in data["sheets"][0]["closings"]] == [1]
    assert len(data["sheets"][0]["messages_sent"]) == 1
    assert [it["record_number"] for it in data["messages_received"]] == ["EXP-1"]
    assert {it["action"] for it in data["readers"]} >= {"patient.read", "patient.merged", "sheet.closed"}
    papers = {file.name for file in folder.glob("*.pdf")}
    assert papers == {name for sheet in data["sheets"] for name in sheet["papers"]}
    closed, still_open = (f"hoja-{number}" for number in sheets)
    assert papers == {f"{closed}-1.pdf", f"{still_open}.pdf", f"{still_open}-account-1.pdf"}
    assert "L-77" in "".join(page.extract_text() for page in PdfReader(folder / f"{closed}-1.pdf").pages)
    kinds = [it["resource"]["resourceType"] for it in json.loads((folder / "fhir.json").read_text())["entry"]]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "Patient": 1, "Encounter": 2, "ChargeItem": 2, "Device": 1, "DeviceUseStatement": 1, "Invoice": 1,
    }  # fmt: skip
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())


def test_nothing_of_another_patient_is_in_it(
    ward: Ward, sheets: tuple[int, int], export: Export, tmp_path: Path
) -> None:
    assert export("EXP-1").exit_code == 0
    for file in (tmp_path / "patient").iterdir():
        text = "".join(page.extract_text() for page in PdfReader(file).pages) if file.suffix == ".pdf" else ""
        text = text or file.read_text()
        assert not [word for word in ("Otilia", "Zamudio", "EXP-9", "L-99") if word in text]


def test_a_former_number_finds_the_patient(ward: Ward, sheets: tuple[int, int], export: Export, tmp_path: Path) -> None:
    assert export("EXP-2").exit_code == 0
    assert data_of(tmp_path / "patient")["patient"]["record_number"] == "EXP-1"


def test_the_export_is_in_the_audit_log(ward: Ward, sheets: tuple[int, int], export: Export, tmp_path: Path) -> None:
    assert export("EXP-1", "--user", "supervisor@consumo.test").exit_code == 0
    patient_id = data_of(tmp_path / "patient")["patient"]["id"]
    readers = ward.use_cases.audit.read_access_log.iterate(ward.admin, AuditQuery(patient_id=patient_id))
    exported = [it for it in readers if it["action"] == "patient.exported"]
    assert [(it["user"] and it["user"]["id"], it["entity_id"]) for it in exported] == [
        (ward.supervisor.user_id, patient_id)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_read_who_looked(
    ward: Ward, sheets: tuple[int, int], export: Export, tmp_path: Path, language: str
) -> None:
    made = export("EXP-1", "--language", language)
    assert made.exit_code == 0, made.output
    page = (tmp_path / "patient" / "index.html").read_text()
    for word in ("Berta Cortés", "EXP-2", "Collarín azul", "Gasa estéril", "Nuria Paz"):
        assert word in page


def test_unknown_numbers_and_ward_staff_are_refused(
    ward: Ward, sheets: tuple[int, int], export: Export, tmp_path: Path
) -> None:
    unknown = export("EXP-404")
    assert unknown.exit_code == 1
    assert "No patient has the record number “EXP-404”" in unknown.stderr
    assert export("EXP-1", "--user", "user@consumo.test").exit_code == 1
    assert not (tmp_path / "patient").exists()
