"""The FHIR validators find planted errors."""

from typing import Any

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

# Error, resource, change, and the validators that must find it.
PLANTED: list[tuple[str, dict[str, Any], dict[str, Any], set[str]]] = [
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
    ("a reference to another type", CHARGE, {"context": {"reference": "Patient/7"}}, {"definitions"}),
    ("an id that is none", PATIENT, {"id": "a b"}, {"schema"}),
    ("no issue at all", OUTCOME, {"issue": []}, {"definitions"}),
]


def test_validators_find_planted_errors_and_no_others() -> None:
    assert faults([PATIENT, CHARGE, OUTCOME]) == []
    planted = {f"planted-{number}": case for number, case in enumerate(PLANTED)}
    resources = [
        {name: value for name, value in {**resource, "id": key, **change}.items() if value is not None}
        for key, (_, resource, change, _) in planted.items()
    ]
    # Errors are matched by the id of the resource; the invalid id by that id.
    called = {str(one["id"]): what for one, (what, *_) in zip(resources, planted.values(), strict=True)}
    reported = {name: " ".join(oracle(resources)) for name, oracle in ORACLES.items()}
    found = {what: {name for name, said in reported.items() if f"/{key}:" in said} for key, what in called.items()}
    for what, _, _, finders in PLANTED:
        assert finders <= found[what], (what, found[what])
