"""Print contingency forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from application.audit.audit_log import access_entry, entry
from application.catalogue.views import ProductView
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.forms.work import Begin, Read, Views
from application.sheets.ports import SheetPlace
from application.sheets.views import SheetQuery, SheetView
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.forms.contingency_form import ContingencyForm, FormState
from domain.scanning.label import LabelKind, label_text

# The sheets that one request may name, and the beds of the largest area.
MAX_FORM_SHEETS = 60
MAX_AREA_SHEETS = 300
MAX_BLANK_FORMS = 50
MAX_FORM_PRODUCTS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class FormsDraft(Draft):
    """The forms to print.

    Without ``sheet_ids`` there is a form for each open sheet of the area. ``blank`` forms have the usual products of
    the area, and room for the patient.
    """

    sheet_ids: tuple[int, ...] | None = None
    area_id: int | None = None
    blank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormProduct:
    """A product on a form. ``text`` is in its QR code."""

    text: str
    name: str
    code: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPatient:
    """The patient on a form. ``text`` is in the QR code."""

    text: str
    name: str
    record_number: str
    born: date | None
    room: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedForm:
    """One page, without prices. Blank forms have no patient."""

    number: int
    text: str
    printed_at: datetime
    area: str
    patient: FormPatient | None
    products: tuple[FormProduct, ...]


@dataclass(frozen=True, slots=True)
class PrintForms:
    """Return the forms to print, each with a new number.

    Forms that are printed in advance every night are not expected back. The access log names each patient.
    """

    begin: Begin
    read: Read
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.READ_PATIENTS, Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, draft: FormsDraft, *, in_advance: bool = False) -> tuple[PrintedForm, ...]:
        checks = Validator(draft.parse_errors)
        blank = self._blank(checks, draft.blank)
        if draft.sheet_ids is not None and len(draft.sheet_ids) > MAX_FORM_SHEETS:
            checks.add_error(Code.FORMS_TOO_MANY, "sheet_ids", most=MAX_FORM_SHEETS, count=len(draft.sheet_ids))
        checks.raise_if_invalid()
        with self.read() as views:
            sheets = self._sheets(views, checks, draft)
            area = views.areas.one(draft.area_id) if draft.area_id else None
            if draft.area_id and area is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
            if not sheets and not blank and not checks.reasons:
                checks.add_error(Code.FORMS_NONE)
            checks.raise_if_invalid()
            area_ids = [sheet["room"]["area_id"] for sheet in sheets] + [draft.area_id or 0] * blank
            names = views.names("area_id", set(area_ids))
            places = {area_id: SheetPlace(area_id, is_page=False) for area_id in area_ids}
            products = {
                area_id: views.usual_products.of_area(place, most=MAX_FORM_PRODUCTS)
                for area_id, place in places.items()
            }
            installation = views.installation_number()
        now = self.clock()
        forms = [
            ContingencyForm(
                sheet_id=sheet["id"] if sheet else None,
                area_id=area_id or None,
                printed_at=now,
                printed_by=actor.user_id,
                products=tuple(product["id"] for product in products[area_id]),
                state=FormState.STANDBY if in_advance else FormState.OPEN,
            )
            for sheet, area_id in zip([*sheets, *[None] * blank], area_ids, strict=True)
        ]
        with self.begin() as work:
            for form, number in zip(forms, work.contingency_forms.reserve(len(forms)), strict=True):
                form.id = number
            work.contingency_forms.add_all(forms)
            patient_ids = sorted({sheet["patient_id"] for sheet in sheets})
            work.audit_log.extend(
                [
                    access_entry(actor, now, AuditAction.PATIENT_PRINTED, patient_id, patient_id=patient_id)
                    for patient_id in patient_ids
                ]
            )
            work.audit_log.extend([entry(actor, now, AuditAction.FORM_PRINTED, after=form) for form in forms])
        return tuple(
            PrintedForm(
                number=form.id,
                text=label_text(LabelKind.FORM, form.id, installation),
                printed_at=now,
                area=names.get(area_id, ""),
                patient=_patient(sheet, installation) if sheet else None,
                products=_products(products[area_id], installation),
            )
            for form, sheet, area_id in zip(forms, [*sheets, *[None] * blank], area_ids, strict=True)
        )

    def _blank(self, checks: Validator, value: int | None) -> int:
        number = value or 0
        if not 0 <= number <= MAX_BLANK_FORMS:
            checks.add_error(Code.NUMBER_OUT_OF_RANGE, "blank", least=0, most=MAX_BLANK_FORMS, value=number)
        return number

    def _sheets(self, views: Views, checks: Validator, draft: FormsDraft) -> list[SheetView]:
        """Return the open sheets to print for, by room if they are an area's."""
        if draft.sheet_ids is not None:
            ids = list(dict.fromkeys(draft.sheet_ids))
            if not ids:
                return []
            query = SheetQuery(ids=frozenset(ids), closed=None, limit=MAX_FORM_SHEETS)
            found = {sheet["id"]: sheet for sheet in views.sheets.page(query)["items"]}
            for place, sheet_id in enumerate(ids):
                if sheet_id not in found:
                    checks.add_error(Code.REFERENCE_UNKNOWN, f"sheet_ids.{place}")
                elif found[sheet_id]["closed"]:
                    checks.add_error(Code.SHEET_CLOSED, f"sheet_ids.{place}")
            return [found[sheet_id] for sheet_id in ids if sheet_id in found]
        if not draft.area_id:
            return []
        query = SheetQuery(area_id=draft.area_id, limit=MAX_AREA_SHEETS)
        sheets = views.sheets.page(query)["items"]
        return sorted(sheets, key=lambda sheet: (sheet["room"]["name"], sheet["id"]))


def _patient(sheet: SheetView, installation: int) -> FormPatient:
    patient = sheet["patient"]
    names = (patient["name"], patient["first_surname"], patient["second_surname"])
    return FormPatient(
        text=label_text(LabelKind.PATIENT, patient["id"], installation),
        name=" ".join(filter(None, names)),
        record_number=patient.get("record_number") or "",
        born=patient.get("date_of_birth"),
        room=sheet["room"]["name"],
    )


def _products(products: Sequence[ProductView], installation: int) -> tuple[FormProduct, ...]:
    return tuple(
        FormProduct(
            text=label_text(LabelKind.PRODUCT, product["id"], installation),
            name=product["name"],
            code=product["code"] or "",
            unit=product["unit"] or "",
        )
        for product in products
    )
