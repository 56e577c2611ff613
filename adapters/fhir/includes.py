"""Resources to which the results of a search refer (``_include``)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import MAX_PAGE_SIZE, SearchContext
from adapters.fhir.search import search
from adapters.fhir.search_parameters import BadSearch, SearchParameter


class Include(NamedTuple):
    """References of a resource to another type."""

    target: str
    references: Callable[[Resource], Iterable[Any]]


_SUBJECT = Include("Patient", lambda one: [one.get("subject")])
# By the search parameter whose references they are.
INCLUDES: Mapping[str, Mapping[str, Include]] = {
    "Patient": {"link": Include("Patient", lambda one: [link["other"] for link in one.get("link", ())])},
    "Practitioner": {},
    "Location": {"partof": Include("Location", lambda one: [one.get("partOf")])},
    "Encounter": {
        "patient": _SUBJECT,
        "subject": _SUBJECT,
        "location": Include("Location", lambda one: [stay["location"] for stay in one.get("location", ())]),
    },
    "ChargeItem": {
        "patient": _SUBJECT,
        "subject": _SUBJECT,
        "context": Include("Encounter", lambda one: [one.get("context")]),
        "performer-actor": Include("Practitioner", lambda one: [by["actor"] for by in one.get("performer", ())]),
    },
    "Device": {"patient": Include("Patient", lambda one: [one.get("patient")])},
    "DeviceUseStatement": {
        "patient": _SUBJECT,
        "subject": _SUBJECT,
        "device": Include("Device", lambda one: [one.get("device")]),
    },
    "AuditEvent": {
        "patient": Include("Patient", lambda one: [about.get("what", {}) for about in one.get("entity", ())]),
    },
    "Invoice": {"patient": _SUBJECT, "subject": _SUBJECT},
}


def parse_include(kind: str, name: str, value: str) -> list[Include]:
    """Parse a value such as ``ChargeItem:subject``. Raise ``BadSearch``."""
    known = INCLUDES[kind]
    if name == "_include" and value == "*":
        return list(known.values())
    of_kind, _, rest = value.partition(":")
    parameter, _, target = rest.partition(":")
    include = known.get(parameter)
    if name != "_include" or of_kind != kind or include is None or target not in ("", include.target):
        choices = [f"_include={kind}:{one}" for one in known]
        raise BadSearch(
            "include_unsupported" if choices else "include_impossible",
            name=name,
            value=value,
            kind=kind,
            known=", ".join(choices),
        )
    return [include]


def included(
    context: SearchContext, kind: str, includes: Sequence[Include], matches: Sequence[Resource]
) -> list[Resource]:
    """Return the resources to which the matches refer, each once.

    They are none of the matches. Raise ``Forbidden`` if the actor may not read them.
    """
    ids: dict[str, dict[str, None]] = {}
    for include in includes:
        for one in matches:
            for reference in filter(None, include.references(one)):
                target, _, fhir_id = reference.get("reference", "").rpartition("/")
                if target == include.target:
                    ids.setdefault(target, {})[fhir_id] = None
    known = {(kind, one["id"]) for one in matches}
    found: list[Resource] = []
    for target, wanted in ids.items():
        missing = tuple(one for one in wanted if (target, one) not in known)
        for begin in range(0, len(missing), MAX_PAGE_SIZE):
            asked = [SearchParameter("_id", "", missing[begin : begin + MAX_PAGE_SIZE])]
            found += search(context, target, asked, count=MAX_PAGE_SIZE).resources
    return found
