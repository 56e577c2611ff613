"""Contract of every store: undoing an import while nothing depends on it."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.products import ProductDraft
from application.catalogue.views import ProductQuery, RoomQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.common.paging import ListQuery
from application.imports.reading.fields import Noun
from application.people.merge_patients import MergeDraft
from application.people.views import PatientQuery
from application.sheets.detail_views import DetailQuery
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.offline.late_entries import LateEntryDraft
from application.sheets.transfer_patient import TransferDraft
from application.sheets.views import SheetQuery
from domain.common.errors import Code, NotFound, Refused
from domain.sheets.sheet import RECORDING_WINDOW
from tests.assertions import refused
from tests.builders import Ward
from tests.contracts.audit.audit_logs import trail_of
from tests.imports.importing import ImportOutcome, brought_in, file_of


def bring(ward: Ward, folder: Path, noun: Noun, *lines: str, **choices: Any) -> ImportOutcome:
    return brought_in(ward, file_of(folder, lines), noun, **choices)


def undo(ward: Ward, brought: ImportOutcome) -> Any:
    assert brought.report.import_id
    return ward.use_cases.imports.undo(ward.admin, brought.report.import_id)


def everything(ward: Ward) -> dict[str, Any]:
    """Return all data except the audit log and the imports."""
    cases, admin = ward.use_cases, ward.admin
    return {
        "areas": list(cases.areas.reader.iterate(admin, ListQuery())),
        "categories": list(cases.categories.reader.iterate(admin, ListQuery())),
        "products": list(cases.products.reader.iterate(admin, ProductQuery())),
        "rooms": [(one["name"], one["code"]) for one in cases.rooms.reader.page(admin, RoomQuery())["items"]],
        "patients": [one["name"] for one in cases.patients.reader.page(admin, PatientQuery())["items"]],
        "open": list(cases.sheets.reader.iterate(admin, SheetQuery())),
        "closed": list(cases.sheets.reader.iterate(admin, SheetQuery(closed=True))),
        "details": list(cases.details.reader.iterate(admin, DetailQuery())),
    }


CATALOGUE = ("code;name;price;category", "1;Gasa;1,50;Curación", "2;Venda;2,50;Vendajes", "3;Tul;3,50;Vendajes")


def test_undoing_removes_created_and_restores_changed_rows(ward: Ward, tmp_path: Path) -> None:
    ward.product("Gasa vieja", "9.99", code="1", unit="caja")
    before = everything(ward)
    brought = bring(ward, tmp_path, Noun.PRODUCTS, *CATALOGUE)
    assert brought.counts == (2, 1, 0, 0)
    undone = undo(ward, brought)
    assert everything(ward) == before
    assert (undone.undone_at, undone.undone_by) == (ward.clock.now, ward.admin.user_id)
    with refused(Code.IMPORT_UNDONE):
        undo(ward, brought)
    # The file can be imported again.
    assert bring(ward, tmp_path, Noun.PRODUCTS, *CATALOGUE).counts == (2, 1, 0, 0)


def test_an_import_of_each_noun_can_be_undone(ward: Ward, tmp_path: Path) -> None:
    for noun, lines in {
        Noun.PATIENTS: ("nhc;nombre;apellido;nacimiento", "E-1;Ana;Gil;1980-01-03"),
        Noun.STAFF: ("nombre;apellido;puesto", "Luz;Gil;Enfermera"),
        Noun.AREAS: ("área;código", "Pediatría;P", "Urgencias;U"),
        Noun.ROOMS: ("habitación;área;estado;código", "101;Urgencias;4;U^101", "7;Cirugía;1;C^7"),
    }.items():
        before = everything(ward)
        brought = bring(ward, tmp_path, noun, *lines)
        assert brought.report.created + brought.report.changed > 0
        undo(ward, brought)
        assert everything(ward) == before


CONSUMPTION = (
    "nhc;nombre;apellido;habitación;área;fecha de ingreso;fecha de alta;código;producto;cantidad;fecha;precio",
    "E-1;Ana;Gil;7;Cirugía;2026-03-01;2026-03-05;G-1;Gasa;2;2026-03-01;1,50",
    "E-1;Ana;Gil;7;Cirugía;2026-03-01;2026-03-05;G-2;Venda;1,5;2026-03-02;0,50",
    "E-9;;;;;2026-04-01;;G-1;Gasa;4;2026-04-02;1,50",
)


def test_undoing_consumption_removes_what_was_created_for_it(ward: Ward, tmp_path: Path) -> None:
    patient = ward.patient("Eva", "Soto", record_number="E-9")
    sheet = ward.sheet(patient_id=patient.id, admission_date=date(2026, 4, 1))
    ward.detail(sheet["id"], "2")
    before = everything(ward)
    brought = bring(ward, tmp_path, Noun.CONSUMPTION, *CONSUMPTION)
    assert brought.counts == (3, 0, 0, 0)
    assert len(everything(ward)["closed"]) == 1
    reported: list[tuple[int, int]] = []
    ward.use_cases.imports.undo(ward.admin, brought.report.import_id or 0, lambda *far: reported.append(far))
    assert reported[0] == (0, reported[-1][1])
    assert reported == sorted(reported)
    assert reported[-1][0] == reported[-1][1]
    after = everything(ward)
    # Versions differ: undoing increases them too.
    for view in (*before["open"], *after["open"]):
        view.pop("version")
    assert after == before


def numbers(ward: Ward, brought: ImportOutcome) -> dict[str, Any]:
    with pytest.raises(Refused) as caught:
        undo(ward, brought)
    (reason,) = caught.value.reasons
    assert reason.code is Code.IMPORT_IN_USE
    return dict(reason.params)


def test_created_rows_in_use_block_undoing(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, Noun.PRODUCTS, *CATALOGUE)
    found = {one["code"]: one["id"] for one in everything(ward)["products"] if one["code"]}
    ward.detail(ward.sheet()["id"], product_id=found["2"])
    before, audit_log = everything(ward), trail_of(ward.store)
    # the product, and the category that it uses
    assert numbers(ward, brought) == {"used": 2, "changed": 0}
    assert trail_of(ward.store) == audit_log
    assert everything(ward) == before


def test_fields_changed_since_block_undoing(ward: Ward, tmp_path: Path) -> None:
    gauze = ward.product("Gasa vieja", "9.99", code="1")
    brought = bring(ward, tmp_path, Noun.PRODUCTS, *CATALOGUE)
    draft = ProductDraft(name="Gasa", price=gauze.price, category_id=ward.category_id, code="1")
    ward.use_cases.products.update(ward.admin, gauze.id, draft)
    assert numbers(ward, brought) == {"used": 0, "changed": 1}


def test_other_fields_changed_since_are_kept(ward: Ward, tmp_path: Path) -> None:
    gauze = ward.product("Gasa", "9.99", code="1")
    brought = bring(ward, tmp_path, Noun.PRODUCTS, "code;name;price", "1;Gasa;1,50")
    now = ward.use_cases.products.reader.one(ward.admin, gauze.id)
    draft = ProductDraft(name="Gasa", price=now["price"], category_id=ward.category_id, code="1", unit="caja")
    ward.use_cases.products.update(ward.admin, gauze.id, draft)
    undo(ward, brought)
    after = ward.use_cases.products.reader.one(ward.admin, gauze.id)
    assert (str(after["price"]), after["unit"]) == ("9.99", "caja")


def test_rows_deleted_since_do_not_block_undoing(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, Noun.PATIENTS, "nhc;nombre;apellido", "E-1;Ana;Gil", "E-2;Eva;Gil")
    (patient,) = ward.use_cases.patients.reader.page(ward.admin, PatientQuery(q="E-1"))["items"]
    ward.use_cases.patients.delete(ward.admin, patient["id"])
    undo(ward, brought)
    assert everything(ward)["patients"] == ["Ana"]


def test_lines_recorded_on_an_imported_sheet_block_undoing(ward: Ward, tmp_path: Path) -> None:
    lines = [line.replace("2026-03-05", "") for line in CONSUMPTION[:2]]
    brought = bring(ward, tmp_path, Noun.CONSUMPTION, *lines)
    (sheet,) = everything(ward)["open"]
    ward.detail(sheet["id"])
    blocked = numbers(ward, brought)
    assert blocked["used"] == 4, "the sheet, its patient, its room and that room's area"
    assert len(everything(ward)["details"]) == 2


def test_edited_details_and_closed_sheets_block_undoing(ward: Ward, tmp_path: Path) -> None:
    sheet = ward.sheet()
    lines = ["paciente;fecha de ingreso;producto;cantidad", f"Ana Ríos;{sheet['admission_date']};Gasa estéril;2"]
    ward.clock.advance(days=1)
    first = bring(ward, tmp_path, Noun.CONSUMPTION, *lines)
    (detail,) = everything(ward)["details"]
    edited = DetailDraft(product_id=ward.product_id, quantity=detail["quantity"] + 1)
    ward.use_cases.details.edit(ward.admin, detail["id"], edited)
    assert numbers(ward, first)["changed"] == 1
    second = bring(ward, tmp_path, Noun.CONSUMPTION, *lines)
    ward.use_cases.sheets.close(ward.admin, sheet["id"])
    assert numbers(ward, second) == {"used": 0, "changed": 1}


def submit_late(ward: Ward, sheet_id: int) -> None:
    long_ago = ward.clock.now - RECORDING_WINDOW * 2
    draft = LateEntryDraft(items=(ward.detail_draft(),), occurred_at=long_ago)
    key = IdempotencyKey("late", "fingerprint")
    ward.use_cases.late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=key)


def transfer_and_back(ward: Ward, sheet_id: int) -> None:
    room_id = ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["room"]["id"]
    for to in (ward.room_id, room_id):
        ward.use_cases.sheets.transfer_patient(ward.admin, sheet_id, TransferDraft(room_id=to))


def close_and_reopen(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó algo"))


def issue_account(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.accounts.issue(ward.admin, sheet_id)


@pytest.mark.parametrize("done", [submit_late, transfer_and_back, close_and_reopen, issue_account])
def test_work_on_an_imported_sheet_blocks_undoing(
    ward: Ward, tmp_path: Path, done: Callable[[Ward, int], object]
) -> None:
    lines = [line.replace("2026-03-05", "") for line in CONSUMPTION[:2]]
    brought = bring(ward, tmp_path, Noun.CONSUMPTION, *lines)
    (sheet,) = everything(ward)["open"]
    done(ward, sheet["id"])
    before = everything(ward)
    # The sheet, and for some of them its patient, its room and that room's area.
    blocked = numbers(ward, brought)
    assert (blocked["used"] > 0, blocked["changed"]) == (True, 0)
    assert everything(ward) == before


def test_a_changed_patient_who_was_merged_blocks_undoing(ward: Ward, tmp_path: Path) -> None:
    other = ward.patient("Eva", "Gil", record_number="E-1")
    brought = bring(ward, tmp_path, Noun.PATIENTS, "nhc;nombre;apellido;nacimiento", "E-1;Eva;Gil;1980-01-03")
    assert brought.report.changed == 1
    survivor = ward.patient("Eva", "Gil")
    ward.use_cases.patients.merge(ward.admin, other.id, MergeDraft(into_id=survivor.id, reason="La misma"))
    # The surviving record has the imported birth date by now.
    assert numbers(ward, brought) == {"used": 0, "changed": 1}


def test_undoing_accounts_needs_the_right_to_manage_them(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, Noun.USERS, "correo;rol", "jefa@hospital.test;10", "ana@hospital.test;1")
    import_id = brought.report.import_id or 0
    with refused(Code.USER_FOR_ADMINISTRATION):
        ward.use_cases.imports.undo(ward.supervisor, import_id)
    ward.use_cases.imports.undo(ward.admin, import_id)


def test_the_audit_log_has_the_undoing(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, Noun.PATIENTS, "nhc;nombre;apellido", "E-1;Ana;Gil")
    undo(ward, brought)
    reported = [
        (one["action"], one["entity_id"])
        for one in ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="import"))["items"]
        if one["entity_id"]
    ]
    assert reported == [("import.undone", brought.report.import_id), ("import.done", brought.report.import_id)]
    actions = [entry.action for entry in trail_of(ward.store)]
    assert actions[-4:] == ["patient.created", "import.done", "patient.deleted", "import.undone"]
    done = ward.use_cases.imports.reader.one(ward.admin, brought.report.import_id or 0)
    assert (done["noun"], done["file_name"], done["created"]) == ("patients", "file.csv", 1)
    assert done["undone_by"] == {"id": ward.admin.user_id, "email": "admin@consumo.test"}


def test_a_missing_import_is_not_found(ward: Ward) -> None:
    with pytest.raises(NotFound):
        ward.use_cases.imports.undo(ward.admin, 999)
