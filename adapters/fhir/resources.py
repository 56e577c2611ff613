"""Consumo's views as FHIR R4 resources, one function per type."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from adapters.fhir.elements import (
    CHARGE,
    CLOSING,
    DELETED,
    GS1_DEVICE_IDENTIFIERS,
    GTIN,
    LOCATION_CODE,
    PRODUCT_CODE,
    PRODUCT_ID,
    RECORD_NUMBER,
    UNIT_PRICE,
    VISIT_NUMBER,
    Resource,
    act_code,
    coding,
    day,
    drop_empty,
    full_name,
    human_name,
    identifier,
    instant,
    money,
    reference,
    resource,
    unknown,
)
from application.catalogue.views import AreaView, RoomView
from application.people.views import PatientView, StaffView
from application.sheets.detail_views import PatientDetailView
from application.sheets.ports import ClosingRecord
from application.sheets.views import SheetView
from domain.catalogue.room import RoomStatus
from domain.scanning.udi import udi_elements, udi_text

_LOCATION_TYPE = "http://terminology.hl7.org/CodeSystem/location-physical-type"
_BED_STATUS = "http://terminology.hl7.org/CodeSystem/v2-0116"
_PARTICIPATION = "http://terminology.hl7.org/CodeSystem/v3-ParticipationType"
# Room statuses as codes of HL7's table of bed statuses.
_STATUS_OF_ROOM = {
    RoomStatus.AVAILABLE: ("U", "Unoccupied"),
    RoomStatus.OCCUPIED: ("O", "Occupied"),
    RoomStatus.CLEANING: ("H", "Housekeeping"),
    RoomStatus.OUT_OF_SERVICE: ("C", "Closed"),
}


def patient(view: PatientView, changed: datetime | None) -> Resource:
    """Return a patient. A merged record links to the one that replaces it."""
    merged_into = view["merged_into"]
    return resource(
        "Patient",
        view["id"],
        changed,
        identifier=_some(identifier(RECORD_NUMBER, view["record_number"], use="usual", type_code="MR")),
        active=bool(view["active"]) and merged_into is None,
        name=[human_name(view)],
        birthDate=day(view["date_of_birth"]),
        link=[{"other": reference("Patient", merged_into), "type": "replaced-by"}] if merged_into else None,
    )


def practitioner(view: StaffView, changed: datetime | None) -> Resource:
    """Return a staff member by name.

    Telephone numbers and dates of birth are only for users who manage the staff.
    """
    job = view["job_title"]
    return resource(
        "Practitioner",
        view["id"],
        changed,
        name=[human_name(view)],
        qualification=[{"code": {"text": job}}] if job else None,
    )


def area(view: AreaView, changed: datetime | None) -> Resource:
    """Return a ward, operating theatre or service."""
    return resource(
        "Location",
        f"area-{view['id']}",
        changed,
        identifier=_some(identifier(LOCATION_CODE, view.get("code"))),
        status="active",
        name=view["name"],
        mode="instance",
        physicalType={"coding": [coding(_LOCATION_TYPE, "wa", "Ward")]},
    )


def room(view: RoomView, changed: datetime | None) -> Resource:
    """Return a room."""
    status = RoomStatus(view["status"])
    return resource(
        "Location",
        f"room-{view['id']}",
        changed,
        identifier=_some(identifier(LOCATION_CODE, view["code"])),
        status="suspended" if status is RoomStatus.OUT_OF_SERVICE else "active",
        operationalStatus=coding(_BED_STATUS, *_STATUS_OF_ROOM[status]),
        name=view["name"],
        mode="instance",
        physicalType={"coding": [coding(_LOCATION_TYPE, "ro", "Room")]},
        partOf=reference("Location", f"area-{view['area_id']}", view["area"]["name"]),
    )


# Classes of encounters (v3-ActCode) by patient class (HL7 table 0004).
_CLASSES = {
    "I": ("IMP", "inpatient encounter"),
    "E": ("EMER", "emergency"),
    "O": ("AMB", "ambulatory"),
    "R": ("AMB", "ambulatory"),
    "P": ("PRENC", "pre-admission"),
}


def encounter(view: SheetView, changed: datetime | None, patient_class: str | None = None) -> Resource:
    """Return a sheet as an encounter, with the rooms of the stay.

    ``patient_class`` is that of the admission messages (PV1-2).
    """
    closed_at = view["deleted_at"]
    doctor = {
        "type": [{"coding": [coding(_PARTICIPATION, "ATND", "attender")]}],
        "individual": {"display": view["doctor"]},
    }
    return resource(
        "Encounter",
        view["id"],
        changed,
        identifier=_some(identifier(VISIT_NUMBER, view.get("visit_number"), type_code="VN")),
        status="finished" if closed_at else "in-progress",
        **{"class": act_code(*_CLASSES.get(patient_class or "I", _CLASSES["I"]))},
        subject=reference("Patient", view["patient_id"], full_name(view["patient"])),
        participant=[doctor] if view["doctor"] else None,
        period=drop_empty({"start": day(view["admission_date"]), "end": instant(closed_at) if closed_at else None}),
        reasonCode=[{"text": view["diagnosis"]}] if view["diagnosis"] else None,
        location=[
            {
                "location": reference("Location", f"room-{stay['room']['id']}", stay["room"]["name"]),
                "status": "completed" if stay["until"] else "active",
                "period": drop_empty(
                    {
                        "start": instant(stay["from"]),
                        "end": instant(stay["until"]) if stay["until"] else None,
                    }
                ),
            }
            for stay in view.get("stays", [])
        ],
    )


def charge_item(view: PatientDetailView, changed: datetime | None, currency: str) -> Resource:
    """Return a line as a charge; with its price if the actor sees prices."""
    product, staff = view["product"], view["staff"]
    codes = [coding(PRODUCT_ID, str(view["product_id"]), product["name"])]
    if product.get("code"):
        codes.insert(0, coding(PRODUCT_CODE, str(product["code"]), product["name"]))
    if view.get("gtin"):
        codes.append(coding(GTIN, str(view["gtin"]), product["name"]))
    total, unit_price = view.get("total"), view.get("unit_price")
    return resource(
        "ChargeItem",
        view["id"],
        changed,
        extension=[{"url": UNIT_PRICE, "valueMoney": money(unit_price, currency)}] if unit_price is not None else None,
        identifier=_some(identifier(CHARGE, _charge(view))),
        status=_charge_status(view),
        code={"coding": codes, "text": product["name"]},
        subject=reference("Patient", view["patient_id"], full_name(view["patient"])),
        context=reference("Encounter", view["consumption_sheet_id"]),
        occurrenceDateTime=instant(_used_at(view)),
        performer=[{"actor": reference("Practitioner", view["staff_id"], full_name(staff))}] if staff else None,
        quantity={"value": view["quantity"]},
        priceOverride=money(total, currency) if total is not None else None,
        enteredDate=instant(view["created_at"]),
        reason=[{"text": view["use_reason"]}] if view.get("use_reason") else None,
    )


def _charge_status(view: PatientDetailView) -> str:
    """Return the status of a ChargeItem, which would reveal a price."""
    if "voided" in view:
        return "entered-in-error"
    if "unit_price" not in view:
        return "unknown"
    return "not-billable" if view.get("unbilled") else "billable"


def device(view: PatientDetailView, changed: datetime | None) -> Resource:
    """Return the used item, as its pack identified it."""
    gtin, serial, lot, expiry = (view.get(name) for name in ("gtin", "serial", "lot", "expiry"))
    carrier = {"deviceIdentifier": gtin, "issuer": GS1_DEVICE_IDENTIFIERS, "carrierHRF": _udi(view)} if gtin else None
    return resource(
        "Device",
        f"line-{view['id']}",
        changed,
        udiCarrier=_some(carrier),
        status="entered-in-error" if "voided" in view else "inactive" if view.get("use_reason") else "active",
        expirationDate=day(expiry),  # type: ignore[arg-type]
        lotNumber=lot,
        serialNumber=serial,
        deviceName=[{"name": view["product"]["name"], "type": "user-friendly-name"}],
        patient=reference("Patient", view["patient_id"], full_name(view["patient"])),
    )


def device_use_statement(view: PatientDetailView, changed: datetime | None) -> Resource:
    """Return a statement that an item was used for a patient."""
    staff = view["staff"]
    return resource(
        "DeviceUseStatement",
        f"line-{view['id']}",
        changed,
        identifier=_some(identifier(CHARGE, _charge(view))),
        # What was thrown away was not used for the patient.
        status="entered-in-error" if "voided" in view or view.get("use_reason") else "completed",
        subject=reference("Patient", view["patient_id"], full_name(view["patient"])),
        timingDateTime=instant(_used_at(view)),
        recordedOn=instant(view["created_at"]),
        source=reference("Practitioner", view["staff_id"], full_name(staff)) if staff else None,
        device=reference("Device", f"line-{view['id']}"),
    )


def invoice(closing: ClosingRecord, changed: datetime | None, currency: str) -> Resource:
    """Return a closing as an invoice.

    It is cancelled if its sheet was reopened, or closed again. Its subject is the sheet's current patient.
    """
    document = closing.document
    sheet = document["sheet"]
    details = (line for printed in document["days"] for each in printed["categories"] for line in each["details"])
    lines = [line for line in details if not line.get("unbilled")]
    cancelled = closing.replaced_at is not None or closing.reopened
    return resource(
        "Invoice",
        f"{closing.sheet_id}-{closing.turn}",
        changed,
        identifier=_some(identifier(CLOSING, f"{closing.sheet_id}.{closing.turn}")),
        status="cancelled" if cancelled else "issued",
        cancelledReason="Reopened" if cancelled else None,
        subject=reference(
            "Patient",
            closing.patient_id,
            full_name(sheet["patient"]) if sheet["patient_id"] == closing.patient_id else None,
        ),
        date=instant(closing.closed_at),
        lineItem=[
            {
                "sequence": sequence,
                "chargeItemReference": reference("ChargeItem", line["id"], line["product"]["name"]),
                "priceComponent": _components(line["quantity"], line["unit_price"], line["total"], currency),
            }
            for sequence, line in enumerate(lines, 1)
        ],
        totalGross=money(document["total"], currency),
    )


def deleted(kind: str, id: str, at: datetime) -> Resource:
    """Return what is left of a deleted resource: id, time and tag.

    It is in error or inactive, as far as its type can say so.
    """
    error: dict[str, Any] = {"status": "entered-in-error"}
    of_type: dict[str, dict[str, Any]] = {
        "Patient": {"active": False},
        "Practitioner": {"active": False},
        "Location": {"status": "inactive"},
        "Encounter": error | {"class": unknown()},
        "ChargeItem": error | {"code": unknown(), "subject": unknown()},
        "Device": error,
        "DeviceUseStatement": error | {"subject": unknown(), "device": reference("Device", id)},
        "Invoice": error,
    }
    gone = resource(kind, id, at, **of_type[kind])
    gone["meta"]["tag"] = [DELETED]
    return gone


def _components(quantity: Decimal, unit_price: Decimal, total: Decimal, currency: str) -> list[Resource]:
    """Return factor and amount, and the difference by rounding or correction.

    The components add up to ``total``.
    """
    components = [{"type": "base", "factor": quantity, "amount": money(unit_price, currency)}]
    rest = total - quantity * unit_price
    if rest:
        kind = "surcharge" if rest > 0 else "deduction"
        components.append({"type": kind, "factor": Decimal(1), "amount": money(rest, currency)})
    return components


def _charge(view: PatientDetailView) -> str:
    return f"{view['consumption_sheet_id']}-{view['id']}"


def _used_at(view: PatientDetailView) -> datetime:
    return view.get("occurred_at") or view["created_at"]


def _udi(view: PatientDetailView) -> str:
    """Return the human-readable UDI."""
    return udi_text(udi_elements(view.get("gtin"), view.get("expiry"), view.get("lot"), view.get("serial")))


def _some(element: Any) -> list[Any] | None:
    return None if element is None else [element]
