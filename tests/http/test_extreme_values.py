"""Extreme values: each value of a request in turn exceeds its column."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote_plus

import pytest

from adapters.fhir.resource_types import PARAMETERS
from domain.common.policy import Role
from tests.http.generated import Operation, operations
from tests.http.hospital import Hospital
from tests.http.routes import EVERY_CALL, Call

ON_BOTH_DATABASES = pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)], indirect=True
)

# Above INTEGER, the maximum of BIGINT, and far above it.
NUMBERS = (2**31, 2**63 - 1, int("9" * 400))
DATES = ("0000-01-01", "0001-01-01T00:00:00Z", "9999-12-31", "9999-12-31T23:59:59+23:59")
TEXTS = ("a\0b", "\ud800" + "x" * 10_000)

FHIR_VALUES = (
    *(
        "-1",
        str(2**31),
        "9" * 18,
        str(2**63),
        f"{2**31}-{2**31}",
        f"1-{'9' * 18}",
        f"{2**31}.{'9' * 18}",
        f"line-{'9' * 18}",
    ),
    *DATES,
    *(
        "0001",
        "9999",
        "9999-12",
        "2026-13",
        "lt0001-01-01",
        "ge9999-12-31",
        "ne9999-12-31",
        "9999-12-31T23:59:59.9-23:59",
    ),
    *TEXTS,
    *("\0|\0", "|", "Patient/\0", ",", "%"),
)


def in_an_address(value: object) -> str:
    return quote_plus(str(value).encode("utf-8", "surrogatepass"))


def calls(document: Mapping[str, Any]) -> Iterator[tuple[Call, Operation]]:
    """For each operation, a call that succeeds for an administrator, or any."""
    for method, path, operation in operations(document):
        known = [call for call in EVERY_CALL if (call.method, call.route) == (method, path)]
        yield min(known, key=lambda call: call.answers["admin"] >= 400), operation


def paths(call: Call, path: str) -> Iterator[str]:
    """The path, with each parameter in turn replaced by extreme values."""
    path, _, query = path.partition("?")
    pattern = re.sub(r"{\w+}", "([^/]+)", call.route)
    found = re.fullmatch(pattern, path)
    assert found, (call.route, path)
    for number in range(1, len(found.groups()) + 1):
        for value in (*NUMBERS, *TEXTS):
            yield f"{path[: found.start(number)]}{in_an_address(value)}{path[found.end(number) :]}?{query}"


def queries(operation: Operation, path: str) -> Iterator[str]:
    """The path, with extreme values for each query parameter in turn."""
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "query":
            is_number = parameter["schema"].get("type") == "integer"
            for value in NUMBERS if is_number else (*DATES, *TEXTS):
                yield f"{path}{'&' if '?' in path else '?'}{parameter['name']}={in_an_address(value)}"


def bodies(schema: Mapping[str, Any], body: object) -> Iterator[object]:
    """The body, with each field in turn replaced by extreme values."""
    match schema.get("type"):
        case "object":
            given = body if isinstance(body, dict) else {}
            for name, kind in schema.get("properties", {}).items():
                for value in bodies(kind, given.get(name)):
                    yield given | {name: value}
        case "array":
            yield from (
                [value] for value in bodies(schema["items"], body[0] if isinstance(body, list) and body else None)
            )
        case "integer" | "number":
            yield from NUMBERS
        case "string":
            yield from (*DATES, *TEXTS)


@ON_BOTH_DATABASES
def test_extreme_values_never_break_an_operation(hospital: Hospital) -> None:
    asked, broken = 0, set()
    for call, operation in calls(hospital.client.get("/schema/openapi.json").json()):
        caller = hospital.someone(Role.ADMIN)
        path, body = call.prepare(hospital, caller)
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        requests: list[tuple[str, object]] = [
            *((each, body) for each in (*paths(call, path), *queries(operation, path))),
            *((path, each) for each in bodies(schema, body)),
        ]
        for where, what in requests:
            answer = caller.call(call.method, where, what)
            asked += 1
            # A progress stream starts with 200, and reports its result in the last line.
            if answer.status_code >= 500 or re.search(r'"status":5\d\d', answer.text):
                broken.add((call.method, where[:150], str(what)[:150]))
    assert asked > 2_000
    assert sorted(broken) == []


@ON_BOTH_DATABASES
def test_extreme_values_never_break_a_fhir_search(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet, gtin="07501031311309", serial="S-1", quantity=1)
    hospital.close(sheet)
    broken = {}
    for kind, parameters in PARAMETERS.items():
        asked = [(name, value) for name in (*parameters, "_count", "_cursor") for value in FHIR_VALUES]
        addresses = [
            *(f"{kind}?{name}={in_an_address(value)}" for name, value in asked),
            *(f"{kind}/{in_an_address(value)}" for value in FHIR_VALUES),
        ]
        for address in addresses:
            answer = hospital.admin.get(f"/fhir/R4/{address}")
            if answer.status_code not in (200, 400, 404) or "resourceType" not in answer.json():
                broken[address[:150]] = answer.text[:150]
    assert broken == {}
