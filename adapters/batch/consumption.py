"""Importing consumption that another system recorded: a folder with patients, encounters, providers and supplies.

The files are those that Synthea writes. An encounter that has supplies is a consumption sheet, each supply a detail. An
encounter that has ended is a sheet that closes, at the moment at which it ended.
"""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path

from adapters.batch.products import category_for_imports
from adapters.batch.report import Report
from adapters.batch.tables import Row, TextTable, exact_number, open_table
from application.areas import AreaDraft
from application.joining import joined
from application.paging import MOST_PER_PAGE
from application.patients import PatientDraft
from application.ports import Begin, UnitOfWork
from application.products import ProductDraft
from application.rooms import RoomDraft
from application.sheets.detail_draft import DetailDraft
from application.sheets.sheet_draft import SheetDraft
from application.use_cases import UseCases
from application.views import RoomQuery, SheetQuery
from domain.policy import Actor
from domain.refusal import Code, Reason, Refused
from domain.room import RoomStatus

# Where the sheets of patients lie whose room the files do not tell.
_AREA = AreaDraft(name="Importación")
_ROOM = "Importación"


@dataclass(frozen=True, slots=True)
class ConsumptionFolder:
    """The four files of a folder."""

    patients: TextTable
    encounters: TextTable
    providers: TextTable
    supplies: TextTable


def open_folder(folder: Path) -> ConsumptionFolder:
    """The files of that folder. Raise ``UnusableFile`` where one is missing or has other columns."""
    return ConsumptionFolder(
        patients=open_table(folder / "patients.csv", ["Id", "BIRTHDATE", "FIRST", "LAST"]),
        encounters=open_table(
            folder / "encounters.csv",
            ["Id", "START", "STOP", "PATIENT", "PROVIDER", "DESCRIPTION", "REASONDESCRIPTION"],
        ),
        providers=open_table(folder / "providers.csv", ["Id", "NAME"]),
        supplies=open_table(
            folder / "supplies.csv", ["DATE", "PATIENT", "ENCOUNTER", "CODE", "DESCRIPTION", "QUANTITY"]
        ),
    )


def import_consumption(
    use_cases: UseCases, begin: Begin, actor: Actor, folder: ConsumptionFolder, *, advance: Callable[[int], None]
) -> Report:
    """Open, fill and close a sheet for each encounter that has supplies; ``advance`` is told how many rows are done.

    All of an encounter is kept or none of it, and one that is there already is left alone: the same folder again
    changes nothing. A sheet with a refused row stays open, so that a person can complete it.
    """
    report = Report()
    patients = {row.text("Id"): row for row in folder.patients.rows()}
    encounters = {row.text("Id"): row for row in folder.encounters.rows()}
    providers = {row.text("Id"): row.text("NAME") for row in folder.providers.rows()}
    supplies: dict[str, list[Row]] = defaultdict(list)
    for row in folder.supplies.rows():
        supplies[row.text("ENCOUNTER")].append(row)

    category_id = category_for_imports(use_cases, begin, actor)
    for encounter_id, rows in supplies.items():
        encounter = encounters.get(encounter_id)
        patient = patients.get(encounter.text("PATIENT")) if encounter else None
        if encounter is None or patient is None:
            for row in rows:
                report.refuse(row.line, Reason(Code.REFERENCE_UNKNOWN, "consumption_sheet_id"))
        else:
            doctor = providers.get(encounter.text("PROVIDER"), "")
            try:
                with begin() as work:
                    admission = _Admission(use_cases, work, actor, category_id, Report())
                    admission.bring_in(encounter, patient, doctor, rows)
                report.add(admission.report)
            except Refused as refused:
                for row in rows:
                    report.refuse(row.line, *refused.reasons)
        advance(len(rows))
    return report


@dataclass(frozen=True, slots=True)
class _Admission:
    """One encounter on its way into the sheets, within one unit of work."""

    use_cases: UseCases
    work: UnitOfWork
    actor: Actor
    category_id: int
    report: Report

    def bring_in(self, encounter: Row, patient: Row, doctor: str, rows: list[Row]) -> None:
        """Open the sheet, add its details and close it where the encounter has ended."""
        start = _moment(encounter.text("START"), "admission_date")
        sheet_draft = SheetDraft(
            patient_id=self._patient(patient),
            room_id=self._room(),
            admission_date=start.date(),
            diagnosis=encounter.text("REASONDESCRIPTION") or encounter.text("DESCRIPTION"),
            doctor=doctor,
        )
        if self._is_there(sheet_draft):
            self.report.unchanged += len(rows)
            return
        sheet = joined(self.use_cases.open_sheet, self.work)(self.actor, sheet_draft).answer
        last, complete = start, True
        for row in rows:
            at = self._add(row, sheet["id"], start)
            last, complete = max(last, at or last), complete and at is not None
        if complete and encounter.text("STOP"):
            stop = max(last, _moment(encounter.text("STOP"), "deleted_at"))
            close_sheet = replace(self.use_cases.close_sheet, clock=lambda: stop)
            joined(close_sheet, self.work)(self.actor, sheet["id"])

    def _add(self, row: Row, sheet_id: int, start: datetime) -> datetime | None:
        """Record that row and tell the moment; None where it is refused."""
        quantity = exact_number("quantity", row.text("QUANTITY"))
        draft = DetailDraft(
            consumption_sheet_id=sheet_id,
            quantity=quantity if isinstance(quantity, Decimal) else None,
            unreadable=(quantity,) if isinstance(quantity, Reason) else (),
        )
        try:
            day = _day(row.text("DATE"), "created_at")
            # The file tells the day alone; on the day of admission nothing was used before it.
            at = start if day == start.date() else _in_calendar(datetime.combine(day, start.timetz()), "created_at")
            add_detail = replace(self.use_cases.add_detail, clock=lambda: at)
            joined(add_detail, self.work)(self.actor, replace(draft, product_id=self._product(row)))
        except Refused as refused:
            self.report.refuse(row.line, *refused.reasons)
            return None
        self.report.created += 1
        return at

    def _product(self, row: Row) -> int:
        """The product with that code; a new one has no price, because the files tell none."""
        if not row.text("CODE"):
            # Without its code a product could not be known again the next time.
            raise Refused(Reason(Code.REQUIRED, "code"))
        product = self.work.products.coded(row.text("CODE"))
        if product is None:
            draft = ProductDraft(
                code=row.text("CODE"), name=row.text("DESCRIPTION"), price=Decimal(0), category_id=self.category_id
            )
            product = joined(self.use_cases.create_product, self.work)(self.actor, draft)
        return product.id

    def _patient(self, row: Row) -> int:
        """The patient with that record number."""
        patient = self.work.patients.with_record_number(row.text("Id"))
        if patient is None:
            draft = PatientDraft(
                name=row.text("FIRST"),
                first_surname=row.text("LAST"),
                date_of_birth=_day(row.text("BIRTHDATE"), "date_of_birth") if row.text("BIRTHDATE") else None,
                record_number=row.text("Id"),
            )
            patient = joined(self.use_cases.create_patient, self.work)(self.actor, draft)
        return patient.id

    def _room(self) -> int:
        """The room of those whose room is not told."""
        area = self.work.areas.named(_AREA.name or "") or joined(self.use_cases.create_area, self.work)(
            self.actor, _AREA
        )
        rooms = self.work.views.rooms.page(RoomQuery(area_id=area.id, q=_ROOM))
        if rooms["items"]:
            return rooms["items"][0]["id"]
        available = RoomStatus.AVAILABLE
        draft = RoomDraft(name=_ROOM, status=available, type=available, area_id=area.id)
        return joined(self.use_cases.create_room, self.work)(self.actor, draft).id

    def _is_there(self, draft: SheetDraft) -> bool:
        """Whether that admission was brought in before."""
        same = (draft.admission_date, draft.doctor, draft.diagnosis)
        for closed in (True, False):
            pages = count(1)
            query = SheetQuery(closed=closed, patient_id=draft.patient_id, limit=MOST_PER_PAGE)
            while found := self.work.views.sheets.page(replace(query, page=next(pages)))["items"]:
                if any(same == (one["admission_date"], one["doctor"], one["diagnosis"]) for one in found):
                    return True
        return False


def _day(text: str, field: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(Reason(Code.DATE_EXPECTED, field)) from None


def _moment(text: str, field: str) -> datetime:
    try:
        return _in_calendar(datetime.fromisoformat(text), field)
    except ValueError:
        raise Refused(Reason(Code.DATE_EXPECTED, field)) from None


def _in_calendar(moment: datetime, field: str) -> datetime:
    """That moment, unless it lacks its time zone or is none in UTC."""
    if moment.tzinfo is not None:
        with suppress(OverflowError):
            moment.astimezone(UTC)
            return moment
    raise Refused(Reason(Code.DATE_EXPECTED, field))
