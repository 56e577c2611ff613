"""That those who judge our resources find what is wrong: each planted fault is found by who is said to find it."""

import copy
from typing import Any

import pytest

from tests.fhir.oracles import ORACLES, faults

PATIENT: dict[str, Any] = {
    "resourceType": "Patient",
    "id": "7",
    "active": True,
    "name": [{"family": "Ibáñez", "given": ["Luz"]}],
    "birthDate": "1958-07-30",
}
CHARGE: dict[str, Any] = {
    "resourceType": "ChargeItem",
    "id": "991",
    "status": "billable",
    "code": {"text": "Gasa"},
    "subject": {"reference": "Patient/7"},
    "context": {"reference": "Encounter/71"},
    "occurrenceDateTime": "2026-11-20T14:05:00Z",
    "quantity": {"value": 2},
}
OUTCOME: dict[str, Any] = {
    "resourceType": "OperationOutcome",
    "issue": [{"severity": "error", "code": "invalid", "details": {"text": "No."}}],
}

# What is planted where, and who finds it.
PLANTED = [
    ("a code that there is not", CHARGE, {"status": "bogus"}, {"schema"}),
    (
        "a field of another version",
        CHARGE,
        {"encounter": {"reference": "Encounter/71"}},
        {"schema", "definitions", "models"},
    ),
    ("a day that is none", PATIENT, {"birthDate": "30/07/1958"}, {"schema", "models"}),
    ("a required field missing", CHARGE, {"code": None}, {"definitions", "models"}),
    ("a required code missing", CHARGE, {"status": None}, {"definitions", "models"}),
    ("two choices of one", CHARGE, {"occurrencePeriod": {"start": "2026-11-20"}}, {"definitions", "models"}),
    ("a text for a number", CHARGE, {"quantity": {"value": "2"}}, {"schema"}),
    ("no issue at all", OUTCOME, {"issue": []}, {"definitions"}),
]


@pytest.mark.parametrize(("what", "resource", "change", "finders"), PLANTED, ids=[what for what, *_ in PLANTED])
def test_a_planted_fault_is_found(
    what: str, resource: dict[str, Any], change: dict[str, Any], finders: set[str]
) -> None:
    assert faults([resource]) == [], what
    planted = {name: value for name, value in {**copy.deepcopy(resource), **change}.items() if value is not None}
    found = {name for name, oracle in ORACLES.items() if oracle([planted])}
    assert finders <= found, (what, found)
