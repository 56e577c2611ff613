"""FHIR Bundle, OperationOutcome and CapabilityStatement."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from adapters.fhir.elements import ERROR, Resource, coding, drop_empty
from adapters.fhir.includes import INCLUDES
from adapters.fhir.resource_types import PARAMETERS, TYPES

MEDIA_TYPE = "application/fhir+json"
FHIR_VERSION = "4.0.1"
# Date of the last change to the capability statement.
_STATED = "2026-11-29"

_ISSUES = {
    400: "invalid",
    401: "login",
    403: "forbidden",
    404: "not-found",
    405: "not-supported",
    406: "not-supported",
    408: "timeout",
    409: "conflict",
    410: "deleted",
    413: "too-long",
    415: "not-supported",
    422: "processing",
    429: "throttled",
    503: "transient",
    507: "no-store",
}


def operation_outcome(status: int, code: str, text: str) -> Resource:
    """Return an error as an OperationOutcome: a sentence and our error code."""
    details = {"coding": [coding(ERROR, code)], "text": text}
    issue = {"severity": "error", "code": _ISSUES.get(status, "exception"), "details": details}
    return {"resourceType": "OperationOutcome", "issue": [issue]}


def bundle(
    base: str,
    kind: str,
    asked: Sequence[tuple[str, str]],
    resources: Sequence[Resource],
    *,
    total: int | None = None,
    following: str | None = None,
    included: Sequence[Resource] = (),
) -> Resource:
    """Return a page of search results, and the resources to which they refer.

    ``asked`` are the parameters that were honoured; the ``self`` link lists them.
    """
    address = f"{base}/{kind}"
    links = [{"relation": "self", "url": _with(address, asked)}]
    if following is not None:
        behind = [(name, value) for name, value in asked if name != "_cursor"]
        links.append({"relation": "next", "url": _with(address, [*behind, ("_cursor", following)])})
    entries = [
        {"fullUrl": f"{base}/{one['resourceType']}/{one['id']}", "resource": one, "search": {"mode": mode}}
        for mode, some in (("match", resources), ("include", included))
        for one in some
    ]
    answer = drop_empty({"resourceType": "Bundle", "type": "searchset", "link": links, "entry": entries})
    return answer if total is None else {**answer, "total": total}


def _with(address: str, asked: Sequence[tuple[str, str]]) -> str:
    return f"{address}?{urlencode(asked, quote_via=quote)}" if asked else address


def capability_statement(base: str, version: str) -> Resource:
    """Return the supported types, interactions and search parameters."""
    resources: list[dict[str, Any]] = [
        {
            "type": kind,
            "interaction": [{"code": "read"}, {"code": "search-type"}],
            "versioning": "no-version",
            "conditionalRead": "not-match",
            "searchInclude": [f"{kind}:{name}" for name in INCLUDES[kind]],
            "searchParam": [{"name": name, "type": of_type} for name, (of_type, _) in PARAMETERS[kind].items()],
        }
        for kind in TYPES
    ]
    resources = [drop_empty(one) for one in resources]
    return {
        "resourceType": "CapabilityStatement",
        "status": "active",
        "date": _STATED,
        "kind": "instance",
        "software": {"name": "Consumo", "version": version},
        "implementation": {"description": "Consumo: what each admitted patient consumes", "url": base},
        "fhirVersion": FHIR_VERSION,
        "format": [MEDIA_TYPE, "json"],
        "rest": [
            {
                "mode": "server",
                "security": {
                    "description": "Authorization: Bearer, with the key of a program that may fhir.read and what it "
                    "reads (patients.read, sheets.read, catalogue.read, prices.see, audit.read), or with a person's "
                    "token."
                },
                "resource": resources,
            }
        ],
    }
