"""Import consumption: sheets with details.

A row has the patient, the admission, the product, the quantity and the time. An admission is a consumption sheet. It is
identified by patient and day of admission; if a patient has several on one day, doctor and diagnosis decide.

A detail has no number of its own. A row is already recorded if its sheet has a detail with the same product, day and
quantity (and price, staff and area, if the file has them) that no other row matches. Unless the same file was imported
before, the row gets a warning, because it may be a second use.

Patients are identified by record number and products by code. A different name gives a warning. If two rows of the file
contradict each other, the later one is refused.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TypeVar

from application.closing.close_sheet import CloseSheet, ask_about_closing
from application.common.entities import UNLISTED_ITEM
from application.common.scanning import ScanResult
from application.imports.reading.row import Row, quotable
from application.imports.rows.patients import look_up_records, warn_identity_mismatch
from application.imports.rows.people import full_names, name_in_row
from application.imports.rows.products import UNCATEGORISED, is_price_outlier, warn_of_another_product
from application.imports.rows.referenced_records import FALLBACK_LOCATION, PATIENT_NAMES, ReferencedRecords
from application.imports.rows.row_importer import ImportContext, Outcome, RowImporter, renamed
from application.imports.rows.similar_names import people_differ, products_differ
from application.imports.rows.staged import chunks
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.recorder import ExternalOrigin, Recorder, Recording
from application.sheets.open_sheet import OpenSheet
from application.sheets.sheet_draft import SheetDraft
from domain.catalogue.product import Product
from domain.common.day import day_of
from domain.common.errors import Code, Reason, Refused
from domain.common.text import code_key, fold, fold_person, fold_product, strip_leading_zeros, unique_key
from domain.common.validation import Validator
from domain.people.patient import Patient
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet, check_discharge_date, of_patients

Found = TypeVar("Found")
Key = tuple[object, ...]


_CALLED = (*PATIENT_NAMES.values(), "full_name")
# The file's fields for the fields of the use cases.
_FILE_FIELDS = {"product_id": "product_code", "staff_id": "staff", "area_id": "area", "admission_date": "created_at"}
_NOON = time(12)
_FIRST_YEAR, _LAST_YEAR = 1800, 9000


@dataclass(slots=True)
class _Admission:
    """An admission in the file.

    ``there`` are the details on its sheet that no row has matched yet. ``ends`` is the discharge, if the file has it.
    """

    sheet_id: int
    there: dict[Key, list[Detail]]
    ends: date | datetime | None
    last: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Used:
    """The parsed consumption of a row."""

    product: Product
    quantity: Decimal
    at: datetime
    day: date
    price: Decimal | None
    staff_id: int | None
    area_id: int | None


class ConsumptionImporter(RowImporter):
    """Imports sheets with their details."""

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._given = context.given
        self._admissions: dict[Key, _Admission] = {}
        self._claimed: set[int] = set()
        self._incomplete: set[Key] = set()
        self._people: dict[str, tuple[int, str]] = {}
        self._births: dict[str, tuple[int, str]] = {}
        self._products: dict[str, tuple[int, str]] = {}
        self._lost_row = False
        self._records = ReferencedRecords(context)
        self._open_sheet = OpenSheet(context.begin, context.clock)
        self._recorder = Recorder(
            context.begin,
            context.clock,
            context.zone,
            lambda text: ScanResult(text=text),
            ask_above_total=None,
            # Files name no reasons.
            billed_waste=(),
        )
        self._close_sheet = CloseSheet(context.begin, context.clock, context.zone)

    # --- batch reads

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the referenced data, the patients' sheets and their details."""
        staged = self._staged
        if "product_code" in self._given:
            keys = _texts(rows, "product_code", code_key)
            staged.products.look_up("code", keys)
            new = [key for key in keys if not staged.products.find_many("code", key)]
            staged.products.look_up("code_without_zeros", map(strip_leading_zeros, new))
        else:
            staged.products.look_up("name", _texts(rows, "product_name", fold_product))
        staged.categories.look_up("code", [code_key(UNCATEGORISED.code or "")])
        staged.rooms.look_up("name", [*_texts(rows, "room", fold), fold(FALLBACK_LOCATION)])
        staged.areas.look_up("name", [*_texts(rows, "area", unique_key), unique_key(FALLBACK_LOCATION)])
        staged.staff.look_up("full_name", _full_names(rows, "staff"))
        if "record_number" in self._given:
            look_up_records(staged.patients, rows)
        else:
            staged.patients.look_up("full_name", _full_names(rows, "full_name"))
        days = {self._admitted(row) for row in rows}
        patients = {patient.id for row in rows if (patient := _or_none(self._records.find_patient, row))}
        staged.sheets.look_up("patient_id", patients)
        sheets = of_patients(one for id_ in patients for one in staged.sheets.find_many("patient_id", id_))
        staged.details.look_up("sheet_id", [sheet.id for sheet in sheets if sheet.admission_date in days])

    # --- one row

    def import_row(self, row: Row) -> Outcome:
        """Record the row on the sheet of its admission, opening it if needed."""
        if row.wrong("admission_number"):
            # Without the admission number, the row may belong to any admission.
            self._lost_row = True
            raise Refused(*row.wrong("admission_number"))
        checks = Validator(row.faults)
        same_person = self._ensure_consistent(row, checks)
        used = self._used(row, checks)
        key, patient, day, admission, is_new = None, None, None, None, False
        try:
            patient = self._patient(row, checks) if same_person else None
            day = checks.day("admission_date", self._admitted(row))
            ends = row.values.get("discharge_date")
            if isinstance(ends, date):
                if not _FIRST_YEAR <= ends.year <= _LAST_YEAR:
                    checks.add_error(Code.DATE_EXPECTED, "discharge_date")
                else:
                    too_early = check_discharge_date(day_of(self._moment(ends), self._context.zone), day)
                    checks.add(replace(reason, field="discharge_date") for reason in too_early)
            key = (code_key(row.text("admission_number")), patient.id if patient else 0, day)
            checks.raise_if_invalid()
            assert patient is not None, "a missing patient was refused"
            assert used is not None, "what cannot be read was refused"
            admission = self._admissions.get(key)
            if admission is None:
                admission, is_new = self._admit(row, patient, day), True
                self._admissions[key] = admission
                self._claimed.add(admission.sheet_id)
            outcome = self._record(row, used, admission)
            if outcome is Outcome.CREATED:
                self._warn(row, patient, used)
            return outcome
        except Refused:
            if key is None or patient is None or day is None:
                self._lost_row = True
            else:
                self._incomplete.add(key)
                if is_new and admission is not None:
                    # The sheet was opened for a row that is now undone completely.
                    del self._admissions[key]
                    self._claimed.discard(admission.sheet_id)
            raise

    def finish(self) -> None:
        """Close the sheets of discharged patients.

        A sheet with a refused row stays open, because a user has to complete it, and so does one about which a user
        would be asked. If a refused row cannot be assigned to an admission, all sheets stay open.
        """
        if self._lost_row:
            return
        now = self._context.clock()
        ended: list[tuple[PatientSheet, datetime]] = []
        for key, admission in self._admissions.items():
            sheet = self._staged.sheets.get(admission.sheet_id)
            if admission.ends is None or key in self._incomplete or not isinstance(sheet, PatientSheet) or sheet.closed:
                continue
            end = max(self._moment(admission.ends), admission.last or now.min.replace(tzinfo=UTC))
            if end <= now:
                ended.append((sheet, end))
        open_items = self._open_unlisted_items(sheet.id for sheet, _ in ended)
        for sheet, end in ended:
            patient, checks = self._staged.patients.get(sheet.patient_id), Validator()
            assert patient is not None, "a sheet has a patient"
            ask_about_closing(checks, unlisted_items=open_items[sheet.id], unidentified=patient.unidentified)
            if not checks.reasons:
                with self._context.begin() as work:
                    self._close_sheet.close(work, self._actor, sheet.id, at=end)

    def _open_unlisted_items(self, sheet_ids: Iterable[int]) -> Counter[int]:
        """Return the number of open unlisted items by sheet.

        An item raises the version of its sheet, so one that arrives meanwhile is a conflict.
        """
        stored = [sheet_id for sheet_id in sheet_ids if sheet_id > 0]
        return Counter(
            item.sheet_id
            for some in chunks(stored)
            for item in self._staged.source(UNLISTED_ITEM, "sheet_id", some)
            if item.open
        )

    # --- the detail

    def _used(self, row: Row, checks: Validator) -> _Used | None:
        """Parse the consumption of the row; add errors to ``checks``."""
        quantity = checks.quantity("quantity", row.number("quantity"))
        price = None if row.number("price") is None else checks.price("price", row.number("price"))
        try:
            moment = row.values.get("created_at") or self._admitted(row)
            at = self._moment(moment) if isinstance(moment, date) else None
        except Refused as refused:
            at = None
            checks.add_error(refused.reasons[0].code, refused.reasons[0].field)
        if at is not None and at > self._context.clock() and day_of(at, self._context.zone) > self._today():
            checks.add_error(Code.DATE_IN_FUTURE, "created_at")
        product = _try_find(checks, self._records.product, row)
        staff_id = _try_find(checks, self._records.staff, row)
        area = _try_find(checks, self._records.area, row.text("area")) if row.text("area") else None
        if product is None or at is None:
            return None
        return _Used(
            product=product,
            quantity=quantity,
            at=at,
            day=day_of(at, self._context.zone),
            price=price,
            staff_id=staff_id,
            area_id=area.id if area else None,
        )

    def _ensure_consistent(self, row: Row, checks: Validator) -> bool:
        """Check the row against earlier rows of the file; add errors.

        Return False if the same record number has another patient or date of birth. A product code with two names is an
        error too.
        """
        number, code, product = (row.text(name) for name in ("record_number", "product_code", "product_name"))
        is_consistent = True
        if number:
            born = row.day("date_of_birth")
            for field, first, said, differ in (
                ("record_number", self._people, name_in_row(row, _CALLED), people_differ),
                ("date_of_birth", self._births, born.isoformat() if born else "", str.__ne__),
            ):
                line, other = _conflicts_with_earlier(first, code_key(number), row.line, said, differ)
                if line:
                    quoted = quotable(said)
                    checks.add_error(
                        Code.RECORD_CONTRADICTS, field, number=number, line=line, other=other, value=quoted
                    )
                    is_consistent = False
        if code:
            line, other = _conflicts_with_earlier(self._products, code_key(code), row.line, product, products_differ)
            if line:
                quoted = quotable(product)
                checks.add_error(
                    Code.CODE_CONTRADICTS, "product_code", number=code, line=line, other=other, value=quoted
                )
        return is_consistent

    def _warn(self, row: Row, patient: Patient, used: _Used) -> None:
        """Warn about possible mistakes in a row that was recorded."""
        context, product = self._context, used.product
        if row.text("record_number"):
            warn_identity_mismatch(context, row, patient, _CALLED)
        if row.text("product_code"):
            warn_of_another_product(context, row, product, "product_code", "product_name")
        if used.price and product.included_in_stay:
            context.warn(
                Code.LINE_INCLUDED, "price", value=row.quoted("price"), product=quotable(product.name_and_code)
            )
        elif used.price and product.price and is_price_outlier(product.price, used.price):
            context.warn(Code.PRICE_FAR_OFF, "price", value=row.quoted("price"), known=product.price)

    def _record(self, row: Row, used: _Used, admission: _Admission) -> Outcome:
        same = admission.there.get((used.product.id, used.day, used.quantity), [])
        known = _match_existing(same, used)
        if known is not None:
            same.remove(known)
            admission.last = max(admission.last or known.created_at, known.created_at)
            self._context.warn(
                Code.LINE_ALREADY_RECORDED,
                "quantity",
                value=row.quoted("quantity") or str(used.quantity),
                product=quotable(used.product.name),
                day=used.day.isoformat(),
                who=self._context.name_of(known.user_id),
            )
            return Outcome.UNCHANGED
        draft = DetailDraft(
            product_id=used.product.id, quantity=used.quantity, staff_id=used.staff_id, area_id=used.area_id
        )
        try:
            with self._context.begin() as work:
                external = ExternalOrigin(used.at, used.price)
                recording = Recording(sheet_id=admission.sheet_id, items=[draft], external=external)
                self._recorder.record_in(work, self._actor, recording)
        except Refused as refused:
            raise renamed(refused, _FILE_FIELDS) from None
        admission.last = max(admission.last or used.at, used.at)
        return Outcome.CREATED

    # --- the admission

    def _patient(self, row: Row, checks: Validator) -> Patient | None:
        """Return the patient, registering a missing one; add errors to ``checks``."""
        return _try_find(checks, self._records.patient, row)

    def _admit(self, row: Row, patient: Patient, day: date) -> _Admission:
        """Return the admission on that day, opening a sheet if needed."""
        ends = row.values.get("discharge_date")
        sheet = self._known_sheet(row, patient, day)
        there: dict[Key, list[Detail]] = defaultdict(list)
        if sheet is None:
            draft = SheetDraft(
                patient_id=patient.id,
                room_id=self._records.room(row).id,
                admission_date=day,
                diagnosis=row.text("diagnosis"),
                doctor=row.text("doctor"),
            )
            try:
                with self._context.begin() as work:
                    sheet = self._open_sheet.open_in(work, self._actor, draft)
            except Refused as refused:
                raise renamed(refused, {"patient_id": "record_number", "room_id": "room"}) from None
        else:
            for detail in self._staged.details.find_many("sheet_id", sheet.id):
                there[detail.product_id, detail.day, detail.quantity].append(detail)
        return _Admission(sheet.id, there, ends if isinstance(ends, date) else None)

    def _known_sheet(self, row: Row, patient: Patient, day: date) -> PatientSheet | None:
        """Return the patient's sheet of that day.

        If there are several, prefer the one with the same doctor and diagnosis.
        """
        sheets = [
            sheet
            for sheet in of_patients(self._staged.sheets.find_many("patient_id", patient.id))
            if sheet.admission_date == day and sheet.id not in self._claimed
        ]
        said = (fold_person(row.text("doctor")), fold(row.text("diagnosis")))
        alike = [sheet for sheet in sheets if (fold_person(sheet.doctor), fold(sheet.diagnosis)) == said]
        return next(iter(alike or sheets), None)

    # --- moments

    def _admitted(self, row: Row) -> date | None:
        """Return the day of admission.

        If the moment has a time zone, it is converted to the hospital's day.
        """
        moment = row.day("admission_date")
        if isinstance(moment, datetime):
            return day_of(moment, self._context.zone) if _FIRST_YEAR <= moment.year <= _LAST_YEAR else moment.date()
        return moment

    def _today(self) -> date:
        return day_of(self._context.clock(), self._context.zone)

    def _moment(self, value: date | datetime) -> datetime:
        """Convert to a moment in UTC; a day becomes noon in the hospital.

        Raise ``Refused`` for years that are out of range.
        """
        if not _FIRST_YEAR <= value.year <= _LAST_YEAR:
            raise Refused(Reason(Code.DATE_EXPECTED, "created_at"))
        moment = value if isinstance(value, datetime) else datetime.combine(value, _NOON)
        return (moment if moment.tzinfo else moment.replace(tzinfo=self._context.zone)).astimezone(UTC)


def _conflicts_with_earlier(
    first: dict[str, tuple[int, str]], key: str, line: int, said: str, differ: Callable[[str, str], bool]
) -> tuple[int, str]:
    """Return the earlier line that contradicts, and its value.

    The line is 0 if this is the first one or has no value.
    """
    if not said:
        return 0, ""
    other = first.setdefault(key, (line, said))
    return (other[0], quotable(other[1])) if differ(other[1], said) else (0, "")


def _match_existing(same: Iterable[Detail], used: _Used) -> Detail | None:
    """Return the detail that matches the row, if there is one.

    ``same`` are those with the same product, day and quantity.
    """
    alike = [
        detail
        for detail in same
        if used.price in (None, detail.unit_price)
        and used.staff_id in (None, detail.staff_id)
        and used.area_id in (None, detail.area_id)
    ]
    exact = [one for one in alike if (one.staff_id, one.area_id) == (used.staff_id, used.area_id)]
    return next(iter(exact or alike), None)


def _try_find(checks: Validator, find: Callable[..., Found], *args: object) -> Found | None:
    """Call ``find``; on ``Refused`` add its reasons to ``checks``."""
    try:
        return find(*args)
    except Refused as refused:
        for reason in refused.reasons:
            checks.add_error(reason.code, reason.field, **reason.params)
        return None


def _or_none(find: Callable[[Row], Found | None], row: Row) -> Found | None:
    try:
        return find(row)
    except Refused:
        return None


def _texts(rows: Sequence[Row], name: str, key: Callable[[str], str]) -> list[str]:
    return [key(text) for row in rows if (text := row.text(name))]


def _full_names(rows: Sequence[Row], name: str) -> Iterator[str]:
    for text in {row.text(name) for row in rows}:
        yield from full_names(text)
