"""The resource types of the FHIR API: their items and search parameters."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from adapters.fhir import resources
from adapters.fhir.audit_events import ACTION, audit_event, patient_of
from adapters.fhir.elements import CHARGE, LOCATION_CODE, PRODUCT_CODE, VISIT_NUMBER
from adapters.fhir.narrowing import (
    OF_ALL,
    PERSON,
    ResourceSource,
    ResourceType,
    SearchContext,
    birth_period,
    by_number_of_patient,
    by_record_number,
    by_room,
    by_udi_di,
    codes_of,
    date_parameter,
    invoiced_patient,
    narrow_to_action,
    narrow_to_charge,
    narrow_to_product,
    recorded_parameter,
    reference_parameter,
    stay_period,
    text_parameter,
    token_parameter,
    used_at,
)
from adapters.fhir.search_parameters import at
from application.audit.views import AuditQuery
from application.catalogue.views import RoomQuery
from application.common.paging import ListQuery
from application.people.views import PatientQuery, StaffQuery
from application.reports.read_for_fhir import AREAS, CHARGES, ENCOUNTERS, PATIENTS, PRACTITIONERS, ROOMS
from application.sheets.detail_views import DetailQuery, Voided
from application.sheets.views import SheetQuery
from domain.common.policy import Permission

ENCOUNTER_STATUS = "http://hl7.org/fhir/encounter-status"
INVOICE_STATUS = "http://hl7.org/fhir/invoice-status"

_PATIENTS = ResourceSource(
    tracked=PATIENTS,
    browse=lambda use_cases: use_cases.patients.reader,
    query=PatientQuery(merged=None),
    resource=lambda view, changed, _: resources.patient(view, changed),
)
_STAFF = ResourceSource(
    tracked=PRACTITIONERS,
    browse=lambda use_cases: use_cases.fhir.practitioners,
    query=StaffQuery(),
    resource=lambda view, changed, _: resources.practitioner(view, changed),
)
_AREAS = ResourceSource(
    tracked=AREAS,
    browse=lambda use_cases: use_cases.areas.reader,
    query=ListQuery(),
    resource=lambda view, changed, _: resources.area(view, changed),
    prefix="area-",
)
_ROOMS = ResourceSource(
    tracked=ROOMS,
    # The resource does not name the patient of a room, so the access is not logged.
    browse=lambda use_cases: use_cases.rooms.reader.without_access_log,
    query=RoomQuery(),
    resource=lambda view, changed, _: resources.room(view, changed),
    prefix="room-",
)


def _with_patient_classes(context: SearchContext, views: list[Any]) -> list[Any]:
    classes = context.use_cases.fhir.read_patient_classes(context.actor, [view["id"] for view in views])
    return [{**view, "patient_class": classes.get(view["id"])} for view in views]


_SHEETS = ResourceSource(
    tracked=ENCOUNTERS,
    browse=lambda use_cases: use_cases.sheets.reader,
    query=SheetQuery(closed=None),
    resource=lambda view, changed, _: resources.encounter(view, changed, view["patient_class"]),
    extend=_with_patient_classes,
)


_DETAILS = ResourceSource(
    tracked=CHARGES,
    browse=lambda use_cases: use_cases.details.reader_with_patients,
    query=DetailQuery(voided=Voided.INCLUDE),
    resource=lambda view, changed, context: resources.charge_item(view, changed, context.currency),
)
# A line with any of these was used from a known pack.
_PACK = ("gtin", "lot", "expiry", "serial")
_PACKS = ResourceSource(
    tracked=CHARGES,
    browse=lambda use_cases: use_cases.details.reader_with_patients,
    query=DetailQuery(voided=Voided.INCLUDE),
    resource=lambda view, changed, _: resources.device(view, changed),
    prefix="line-",
    such=lambda view: any(view[name] for name in _PACK),
    such_by=_PACK,
)
_ENTRIES = ResourceSource(
    # Their last change is the moment that they have.
    tracked=None,
    browse=lambda use_cases: use_cases.audit.reader.audit_log,
    query=AuditQuery(),
    resource=lambda view, _changed, _context: audit_event(view),
)
_RECORDED = recorded_parameter(lambda view: view["at"])
_OF_PATIENT = reference_parameter("Patient", lambda view: view["patient_id"], filter="patient_id")
_OF_INVOICED = reference_parameter("Patient", invoiced_patient, filter="patient_id")
_OF_SHEET = reference_parameter("Encounter", lambda view: view["consumption_sheet_id"], filter="consumption_sheet_id")
_CHARGE = token_parameter(
    lambda view: [(CHARGE, f"{view['consumption_sheet_id']}-{view['id']}")], CHARGE, narrow_to_charge
)

TYPES: Mapping[str, ResourceType] = {
    "Patient": ResourceType(
        "Patient",
        (_PATIENTS,),
        {
            **PERSON,
            "identifier": ("token", by_record_number),
            "birthdate": date_parameter(birth_period),
            "active": token_parameter(
                lambda view: [(None, str(bool(view["active"]) and view["merged_into"] is None).lower())]
            ),
        },
    ),
    "Practitioner": ResourceType("Practitioner", (_STAFF,), PERSON),
    "Location": ResourceType(
        "Location",
        (_AREAS, _ROOMS),
        {
            "name": text_parameter(lambda view: [view["name"]]),
            "identifier": token_parameter(lambda view: [(LOCATION_CODE, view.get("code"))], LOCATION_CODE),
            "partof": reference_parameter(
                "Location", lambda view: f"area-{view['area_id']}" if "area_id" in view else ""
            ),
        },
    ),
    "Encounter": ResourceType(
        "Encounter",
        (_SHEETS,),
        {
            "patient": _OF_PATIENT,
            "subject": _OF_PATIENT,
            "status": token_parameter(
                lambda view: [(ENCOUNTER_STATUS, "finished" if view["closed"] else "in-progress")]
            ),
            "date": date_parameter(stay_period),
            "location": ("reference", by_room),
            "identifier": token_parameter(lambda view: [(VISIT_NUMBER, view.get("visit_number"))], VISIT_NUMBER),
        },
    ),
    "ChargeItem": ResourceType(
        "ChargeItem",
        (_DETAILS,),
        {
            "patient": _OF_PATIENT,
            "subject": _OF_PATIENT,
            "context": _OF_SHEET,
            "code": token_parameter(codes_of, PRODUCT_CODE, narrow_to_product),
            "occurrence": date_parameter(used_at, is_day_of_use=True),
            "entered-date": date_parameter(lambda view, _: at(view["created_at"])),
            "identifier": _CHARGE,
        },
    ),
    "Device": ResourceType(
        "Device",
        (_PACKS,),
        {"patient": _OF_PATIENT, "udi-di": ("string", by_udi_di)},
    ),
    "DeviceUseStatement": ResourceType(
        "DeviceUseStatement",
        (replace(_PACKS, resource=lambda view, changed, _: resources.device_use_statement(view, changed)),),
        {
            "patient": _OF_PATIENT,
            "subject": _OF_PATIENT,
            "device": reference_parameter("Device", lambda view: f"line-{view['id']}"),
            "identifier": _CHARGE,
        },
    ),
    "AuditEvent": ResourceType(
        "AuditEvent",
        (_ENTRIES,),
        {
            "date": _RECORDED,
            "_lastUpdated": _RECORDED,
            "patient": reference_parameter("Patient", lambda view: patient_of(view) or "", filter="patient_id"),
            "subtype": token_parameter(lambda view: [(ACTION, view["action"])], ACTION, narrow_to_action),
        },
    ),
    # Invoices are built from closings, which are read in another way.
    "Invoice": ResourceType(
        "Invoice",
        (),
        {
            "patient": _OF_INVOICED,
            "subject": _OF_INVOICED,
            "date": date_parameter(lambda view, _: at(datetime.fromisoformat(view["date"]))),
            "status": token_parameter(lambda view: [(INVOICE_STATUS, view["status"])]),
            "identifier": token_parameter(lambda view: [(one["system"], one["value"]) for one in view["identifier"]]),
        },
        (Permission.READ_SHEETS, Permission.SEE_PRICES),
    ),
}
PARAMETERS = {kind: {**OF_ALL, **of_type.parameters} for kind, of_type in TYPES.items()}
# Parameters of the patient that a resource is about.
CHAINED = {
    kind: {
        f"{name}.identifier": by_number_of_patient(
            {"Invoice": invoiced_patient, "AuditEvent": lambda view: patient_of(view) or 0}.get(
                kind, lambda view: view["patient_id"]
            )
        )
        for name in ("patient", "subject")
        if name in of_type.parameters
    }
    for kind, of_type in TYPES.items()
}
# A subject is taken wherever a patient is, although the standard does not name it for devices.
_SUBJECTS = {
    kind: {name.replace("patient", "subject"): given for name, given in (PARAMETERS[kind] | CHAINED[kind]).items()}
    for kind in TYPES
    if "patient" in PARAMETERS[kind]
}
SEARCHABLE = {kind: _SUBJECTS.get(kind, {}) | PARAMETERS[kind] | CHAINED[kind] for kind in TYPES}
