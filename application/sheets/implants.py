"""Implants: their register, and the patient's card from a frozen closing.

Neither contains a price.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.audit.audit_log import access_entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.paging import Page
from application.common.use_case import permitted
from application.sheets.closings import lines_of
from application.sheets.detail_access import ListImplantLines
from application.sheets.detail_views import DetailQuery, DetailView, ExportedDetailView
from application.sheets.implant_views import CardImplantView, ImplantCardView, ImplantProductView, ImplantView
from application.sheets.work import Begin, Read
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.money import ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.scanning.lot import Missing, Pack, missing_of_implant
from domain.scanning.udi import udi_elements, udi_symbol_text, udi_text


@dataclass(frozen=True, slots=True)
class ListImplants:
    """List the recorded implants, newest first.

    They name patients, so each access is logged.
    """

    implants: ListImplantLines

    def page(self, actor: Actor, query: DetailQuery) -> Page[ImplantView]:
        """Read a page."""
        page = self.implants.page(actor, replace(query, implant=True))
        return Page(items=[_view(item) for item in page["items"]], meta=page["meta"])

    def iterate(self, actor: Actor, query: DetailQuery) -> Iterator[ImplantView]:
        """Iterate over all of them in batches."""
        return map(_view, self.implants.iterate(actor, replace(query, implant=True)))


@dataclass(frozen=True, slots=True)
class PrintImplantCard:
    """Read the patient's card of implants, as the last closing froze them.

    Raise ``Refused`` while the sheet is open, and if its closing has no implants. Each card is logged in the sheet's
    history.
    """

    begin: Begin
    read: Read
    clock: Clock

    @permitted(Permission.READ_IMPLANTS, Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> ImplantCardView:
        with self.read() as views:
            if views.version_of_patient_sheet(sheet_id) is None:
                raise NotFound
            document = views.closings.document(sheet_id, None)
        if document is None:
            raise Refused(Reason(Code.SHEET_NOT_CLOSED))
        implants = [_on_card(line) for line in lines_of(document) if is_kept_implant(line)]
        if not implants:
            raise Refused(Reason(Code.IMPLANTS_NONE, params={"sheet": sheet_id}))
        sheet, printed_at = document["sheet"], self.clock()
        closed_at = sheet["deleted_at"]
        assert closed_at is not None, "what is open is not frozen"
        with self.begin() as work:
            action = AuditAction.SHEET_IMPLANTS_PRINTED
            patient_id = sheet["patient_id"]
            printed = access_entry(actor, printed_at, action, sheet_id, sheet_id=sheet_id, patient_id=patient_id)
            work.audit_log.append(printed)
        return ImplantCardView(
            sheet_id=sheet_id,
            patient=sheet["patient"],
            record_number=document["record_number"],
            date_of_birth=document["date_of_birth"],
            doctor=sheet["doctor"],
            closed_at=closed_at,
            printed_at=printed_at,
            implants=implants,
        )


def is_kept_implant(line: DetailView) -> bool:
    """Return whether a line is an implant that stayed in the patient."""
    is_left = line["quantity"] > ZERO_QUANTITY and not line.get("use_reason")
    return line["product"].get("implant", False) and is_left


def lacks_reason(line: DetailView) -> bool:
    """Return whether it is an incomplete implant without a reason."""
    return is_kept_implant(line) and missing_of(line) is not None and not line.get("implant_reason")


def missing_of(line: DetailView) -> Missing | None:
    """Return what an implant lacks."""
    return missing_of_implant(Pack(lot=line.get("lot"), serial=line.get("serial")))


def _udi(line: DetailView) -> dict[str, str]:
    """Return the elements of the UDI.

    A pack that was not scanned has the product's GTIN.
    """
    gtin = line.get("gtin") or line["product"].get("gtin")
    return udi_elements(gtin, line.get("expiry"), line.get("lot"), line.get("serial"))


def _on_card(line: DetailView) -> CardImplantView:
    elements = _udi(line)
    return CardImplantView(
        product=line["product"]["name"],
        code=line["product"].get("code"),
        unit=line["product"].get("unit"),
        quantity=line["quantity"],
        day=line["day"],
        lot=line.get("lot"),
        serial=line.get("serial"),
        expiry=line.get("expiry"),
        implant_reason=line.get("implant_reason"),
        udi=udi_text(elements),
        has_gtin="01" in elements,
        symbol=udi_symbol_text(elements),
    )


def _view(line: ExportedDetailView) -> ImplantView:
    product, elements = line["product"], _udi(line)
    return ImplantView(
        id=line["id"],
        consumption_sheet_id=line["consumption_sheet_id"],
        patient_id=line["patient_id"],
        patient=line["patient"],
        room=line["room"],
        day=line["day"],
        product_id=line["product_id"],
        product=ImplantProductView(
            id=product["id"], code=product.get("code"), unit=product.get("unit"), name=product["name"]
        ),
        quantity=line["quantity"],
        gtin=elements.get("01"),
        lot=line.get("lot"),
        serial=line.get("serial"),
        expiry=line.get("expiry"),
        missing=missing_of(line),
        implant_reason=line.get("implant_reason"),
        use_reason=line.get("use_reason"),
        udi=udi_text(elements) or None,
        staff=line["staff"],
    )
