"""Entries of the audit log as FHIR R4 resources."""

import json
from typing import Any

from adapters.fhir.elements import Resource, coding, drop_empty, instant, reference, resource
from application.audit.views import AuditView
from application.common.entities import ACCESS_ACTIONS, FAILURES, PATIENT, SHEET, USER

ACTION = "urn:consumo:audit-action"
_ENTITY = "urn:consumo:audit-entity"
_DICOM = "http://dicom.nema.org/resources/ontology/DCM"
_ENTITY_TYPE = "http://terminology.hl7.org/CodeSystem/audit-entity-type"
_ROLE = "http://terminology.hl7.org/CodeSystem/object-role"
_SOURCE_TYPE = "http://terminology.hl7.org/CodeSystem/security-source-type"

# DICOM's types of events, by the first and by the last word of an action.
_TYPE_OF_NOUN = {"session": ("110114", "User Authentication"), "import": ("110107", "Import")}
_TYPE_OF_VERB = {"listed": ("110112", "Query"), "exported": ("110106", "Export"), "printed": ("110106", "Export")}
_CREATES = ("created", "added", "opened", "registered", "invited", "made", "noted", "arrived", "recorded", "issued")
_DELETES = ("deleted", "removed", "revoked", "discarded")
# Their actions change no object.
_EXECUTES = ("session", "device")


def patient_of(entry: AuditView) -> int | None:
    """Return the patient of an entry: of its sheet, or the entity itself."""
    return entry["patient_id"] or (entry["entity_id"] or None if entry["entity"] == PATIENT.name else None)


def audit_event(entry: AuditView) -> Resource:
    """Return an entry as an AuditEvent, with the values before and after."""
    action, failed = str(entry["action"]), entry["action"] in FAILURES
    return resource(
        "AuditEvent",
        entry["id"],
        entry["at"],
        type=_type(entry),
        subtype=[coding(ACTION, action)],
        action=_action(action),
        recorded=instant(entry["at"]),
        outcome="4" if failed else "0",
        agent=[*_agents(entry)],
        source={"observer": {"display": "Consumo"}, "type": [coding(_SOURCE_TYPE, "4", "Application Server")]},
        entity=[*_entities(entry)],
    )


def _type(entry: AuditView) -> Resource:
    noun, _, rest = str(entry["action"]).partition(".")
    found = _TYPE_OF_NOUN.get(noun) or _TYPE_OF_VERB.get(rest.rpartition("_")[2])
    if found is None and patient_of(entry):
        found = ("110110", "Patient Record")
    return coding(_DICOM, *found) if found else coding(_ENTITY, entry["entity"])


def _action(action: str) -> str:
    """Return what an action does: create, read, update, delete or execute."""
    noun, _, rest = action.partition(".")
    verb = rest.rpartition("_")[2]
    if noun in _EXECUTES:
        return "E"
    if action in ACCESS_ACTIONS:
        return "R"
    return "C" if verb in _CREATES else "D" if verb in _DELETES else "U"


def _agents(entry: AuditView) -> list[Resource]:
    user, key = entry["user"], entry["api_key"]
    _, address = entry["changes"].get("address", (None, None))
    network = {"address": str(address), "type": "2"} if address else None
    who = {"identifier": _identifier(USER.name, user["id"]), "display": user["email"]} if user else None
    agents = [drop_empty({"who": who, "altId": user["email"] if user else None, "requestor": True, "network": network})]
    if key:
        who = {"identifier": _identifier("api_key", key["id"]), "display": key["name"]}
        agents.append({"who": who, "requestor": False})
    return agents


def _entities(entry: AuditView) -> list[Resource]:
    details = [
        # As JSON, which keeps numbers, missing values and control characters apart.
        {"type": name, "valueString": json.dumps(values, ensure_ascii=False)}
        for name, values in entry["changes"].items()
    ]
    patient = patient_of(entry)
    is_patient = entry["entity"] == PATIENT.name and patient == entry["entity_id"]
    entities = []
    if patient:
        entities.append(
            drop_empty(
                {
                    "what": reference("Patient", patient),
                    "type": coding(_ENTITY_TYPE, "1", "Person"),
                    "role": coding(_ROLE, "1", "Patient"),
                    "detail": details if is_patient else None,
                }
            )
        )
    if not is_patient:
        entities.append(_object(entry["entity"], entry["entity_id"], details))
    if entry["sheet_id"] and entry["entity"] != SHEET.name:
        entities.append(_object(SHEET.name, entry["sheet_id"], []))
    return entities


def _object(kind: str, id: int, details: list[Resource]) -> Resource:
    """Return an object; an id of 0 means a list, or one that is unknown."""
    return drop_empty(
        {
            "what": {"identifier": _identifier(kind, id)} if id else None,
            "type": coding(_ENTITY_TYPE, "2", "System Object"),
            "role": coding(_ROLE, "4", "Domain Resource"),
            "name": kind,
            "detail": details,
        }
    )


def _identifier(kind: str, id: int) -> dict[str, Any]:
    return {"system": f"urn:consumo:{kind.replace('_', '-')}-id", "value": str(id)}
