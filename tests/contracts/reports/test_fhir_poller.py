"""Contract of every store: a poller that only asks for changes misses nothing."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from adapters.fhir.elements import DELETED, Resource
from adapters.fhir.narrowing import Deleted, SearchContext
from adapters.fhir.resource_types import TYPES
from adapters.fhir.search import read, search
from adapters.fhir.search_parameters import split
from application.catalogue.areas import AreaDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.imports.reading.fields import Noun
from application.people.merge_patients import MergeDraft
from application.people.patients import PatientDraft
from application.people.staff import StaffDraft
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.offline.late_entries import LateEntryDraft, RecordLateDraft
from application.sheets.offline.unlisted_items import ResolveDraft, UnlistedItemDraft
from application.sheets.transfer_patient import TransferDraft
from domain.common.errors import NotFound
from tests.builders import ZONE, Ward
from tests.hl7.messages import a_post, adt, sheet_of
from tests.imports.importing import brought_in, file_of

Copy = dict[tuple[str, str], Resource]
GTIN = "07501031311309"


def context(ward: Ward) -> SearchContext:
    return SearchContext(ward.use_cases, ward.admin, "USD", ZONE)


def pages(ward: Ward, kind: str, *asked: str, count: int = 3) -> Iterator[Resource]:
    """Yield the resources of all pages."""
    given, cursor = [split(*one.split("=", 1)) for one in asked], None
    while True:
        found = search(context(ward), kind, given, count=count, cursor=cursor)
        assert found.resources or found.following is None
        yield from found.resources
        cursor = found.following
        if cursor is None:
            return


# Entries of the audit log never change, and each read of a patient adds one.
KINDS = [kind for kind in TYPES if kind != "AuditEvent"]


def everything(ward: Ward) -> Copy:
    return {(kind, one["id"]): one for kind in KINDS for one in pages(ward, kind, count=100)}


class Poller:
    """A program that reads everything once, and only changes from then on."""

    def __init__(self, ward: Ward) -> None:
        self.ward = ward
        self.copy = everything(ward)
        self.since: datetime = ward.clock.now

    def poll(self) -> None:
        since, self.since = self.since, self.ward.clock.now
        for kind in KINDS:
            for one in pages(self.ward, kind, f"_lastUpdated=ge{since.isoformat()}"):
                if DELETED in one["meta"].get("tag", ()):
                    self.copy.pop((kind, one["id"]), None)
                else:
                    self.copy[kind, one["id"]] = one


def a_bad_week(ward: Ward, folder: Path) -> Iterator[Callable[[], object]]:
    """Yield one thing after the other that happens in a ward."""
    use, admin = ward.use_cases, ward.admin
    post = a_post(ward)
    eva, twin, third = (ward.patient("Eva", "Sol", record_number=number) for number in ("E-1", "E-2", "E-3"))
    staff = ward.staff("Rosa", "Gil")
    gown, other_gown = ward.product("Bata", "3.10", code="B-1"), ward.product("Bata estéril", "4.10")
    area = use.areas.create(admin, AreaDraft(name="Planta 2"))
    room = use.rooms.create(admin, RoomDraft(name="201", status=1, type=1, area_id=area.id))
    empty = use.rooms.create(admin, RoomDraft(name="299", status=1, type=1, area_id=area.id))
    mine, theirs = ward.sheet(patient_id=eva.id)["id"], ward.sheet(patient_id=twin.id)["id"]
    lines = [ward.detail(mine, "3", product_id=gown.id, staff_id=staff.id)["id"] for _ in range(5)]
    packed = [ward.detail(mine, gtin=GTIN, lot="L1", serial=f"S-{number}")["id"] for number in range(3)]

    def correct(line: int) -> Any:
        return use.details.correct(admin, line, CorrectionDraft(quantity=Decimal(2)), reason="Cantidad corregida")

    def late() -> None:
        draft = LateEntryDraft(items=(ward.detail_draft("3"),), occurred_at=ward.clock.now)
        key = IdempotencyKey("k-1", "whatever")
        kept = use.late_entries.submit(ward.nurse, mine, draft, idempotency_key=key).answer
        use.sheets.reopen(admin, mine, ReopenDraft(reason="Llegó tarde"))
        use.late_entries.record(ward.supervisor, kept["id"], RecordLateDraft())

    def resolve() -> None:
        noted = use.unlisted_items.note(ward.nurse, theirs, UnlistedItemDraft(description="Tul", quantity=Decimal(1)))
        use.unlisted_items.resolve(admin, noted.answer["id"], ResolveDraft(product_id=ward.product_id))

    def undo_import() -> None:
        brought = brought_in(ward, file_of(folder, ["Nombre,Apellido,Expediente", "Leo,Mar,I-1"]), Noun.PATIENTS)
        poller_between()
        use.imports.undo(admin, brought.report.import_id or 0)

    def poller_between() -> None:
        ward.clock.advance(minutes=1)

    yield lambda: ward.detail(theirs, "2")
    yield lambda: use.details.void(admin, lines[0], VoidDraft(reason="Otro paciente"))
    yield lambda: use.details.void(admin, packed[0], VoidDraft(reason="Otro paciente"))
    yield lambda: use.details.move(
        admin, mine, MoveDraft(detail_ids=(lines[1], packed[1]), to_sheet_id=theirs, reason="Era de ella")
    )
    yield lambda: use.details.return_part(admin, lines[2], ReturnDraft(quantity=Decimal(1), reason="unused"))
    yield lambda: correct(lines[3])
    yield lambda: use.details.edit(admin, packed[2], ward.detail_draft("1", product_id=gown.id, gtin="", serial=""))
    yield lambda: use.sheets.transfer_patient(admin, mine, TransferDraft(room_id=room.id))
    yield lambda: use.rooms.update(admin, room.id, RoomDraft(name="201 B", status=4, type=1, area_id=area.id))
    yield lambda: use.areas.update(admin, area.id, AreaDraft(name="Planta 2 norte", code="P2"))
    yield lambda: use.staff.update(admin, staff.id, StaffDraft(name="Rosalía", first_surname="Gil"))
    yield lambda: use.products.update(
        admin,
        gown.id,
        ProductDraft(name="Bata azul", price=Decimal("3.10"), category_id=ward.category_id, code="B-2"),
    )
    yield lambda: use.sheets.close(admin, mine)
    yield lambda: use.patients.merge(admin, eva.id, MergeDraft(into_id=twin.id, reason="La misma"))
    yield lambda: use.patients.update(
        admin, twin.id, PatientDraft(name="Eva", first_surname="Sol", second_surname="Paz", record_number="E-2")
    )
    yield late
    yield lambda: use.sheets.close(admin, mine)
    yield lambda: use.patients.merge(admin, twin.id, MergeDraft(into_id=third.id, reason="La misma"))
    yield lambda: use.patients.unmerge(admin, twin.id)
    yield resolve
    yield lambda: use.sheets.update(admin, theirs, ward.sheet_draft(patient_id=ward.patient_id))
    yield lambda: use.sheets.reopen(admin, mine, ReopenDraft(reason="Faltaba uno"))
    yield lambda: use.details.delete(admin, lines[4])
    yield lambda: use.sheets.delete(admin, mine)
    yield lambda: use.sheets.close(admin, theirs)
    yield lambda: use.sheets.delete(admin, theirs)
    yield lambda: use.rooms.delete(admin, empty.id)
    yield lambda: use.products.delete(admin, other_gown.id)
    yield undo_import
    yield lambda: use.patients.delete(admin, ward.patient("Sin", "Uso").id)
    for message in (
        adt("A01", at=post.after(hours=1), location="Urgencias^102"),
        adt("A02", at=post.after(hours=2), location="Urgencias^103"),
        adt("A12", at=post.after(hours=3), location="Urgencias^102"),
        adt("A08", at=post.after(hours=4), name="Paz^Anabel", doctor="9^Vega^Luz", diagnosis="Asma"),
        adt("A03", at=post.after(hours=5)),
        adt("A28", number="OLD", visit=None, at=post.after(hours=6)),
        adt("A40", prior="OLD", visit=None, at=post.after(hours=7)),
    ):
        yield lambda message=message: post.send(message)  # type: ignore[misc]
    sheet = sheet_of(ward)
    assert sheet
    yield lambda: ward.detail(sheet.id)


def test_a_poller_ends_with_what_a_full_read_returns(ward: Ward, tmp_path: Path) -> None:
    poller = Poller(ward)
    for step, happens in enumerate(a_bad_week(ward, tmp_path)):
        ward.clock.advance(minutes=1)
        happens()
        ward.clock.advance(minutes=1)
        poller.poll()
        assert poller.copy == everything(ward), f"after step {step}"


def test_a_slow_poller_ends_with_the_same(ward: Ward, tmp_path: Path) -> None:
    poller = Poller(ward)
    for happens in a_bad_week(ward, tmp_path):
        happens()
        ward.clock.advance(minutes=1)
    poller.poll()
    assert poller.copy == everything(ward)


def test_deleted_resources_are_in_error_and_gone(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    line, plain = ward.detail(sheet, gtin=GTIN)["id"], ward.detail(sheet)["id"]
    ward.use_cases.sheets.close(ward.admin, sheet)
    since = ward.clock.advance(minutes=1)
    ward.use_cases.sheets.delete(ward.admin, sheet)
    for kind, ids in {
        "Encounter": [f"{sheet}"],
        "ChargeItem": [f"{line}", f"{plain}"],
        "Device": [f"line-{line}"],
        "DeviceUseStatement": [f"line-{line}"],
        "Invoice": [f"{sheet}-1"],
    }.items():
        told = list(pages(ward, kind, f"_lastUpdated=ge{since.isoformat()}"))
        assert [(one["id"], one["status"]) for one in told] == [(each, "entered-in-error") for each in ids]
        assert all(DELETED in one["meta"]["tag"] for one in told)
        assert list(pages(ward, kind)) == []
        [one] = list(pages(ward, kind, f"_id={ids[0]}", "_lastUpdated=ge2000"))
        assert one["id"] == ids[0]
        # Nothing is left that another parameter could match.
        assert list(pages(ward, kind, "_lastUpdated=ge2000", f"patient={ward.patient_id}")) == []
        with pytest.raises(Deleted):
            read(context(ward), kind, ids[0])
    for kind, never in (("Device", f"line-{plain}"), ("Invoice", f"{sheet}-2"), ("Encounter", "999999")):
        with pytest.raises(NotFound):
            read(context(ward), kind, never)


def test_an_invoice_is_found_after_it_was_cancelled(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    ward.detail(sheet)
    ward.use_cases.sheets.close(ward.admin, sheet)
    since = ward.clock.advance(minutes=1)
    asked = f"_lastUpdated=ge{since.isoformat()}"
    assert list(pages(ward, "Invoice", asked)) == []
    ward.use_cases.sheets.reopen(ward.admin, sheet, ReopenDraft(reason="Faltaba uno"))
    [invoice] = pages(ward, "Invoice", asked)
    assert (invoice["id"], invoice["status"]) == (f"{sheet}-1", "cancelled")


def test_a_new_price_of_a_product_is_no_change_of_a_charge(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"])
    since = ward.clock.advance(minutes=1)
    draft = ProductDraft(name="Gasa estéril", price=Decimal("99.00"), category_id=ward.category_id)
    ward.use_cases.products.update(ward.admin, ward.product_id, draft)
    ward.clock.now += timedelta(minutes=1)
    assert list(pages(ward, "ChargeItem", f"_lastUpdated=ge{since.isoformat()}")) == []
