"""Sorted searches (``_sort``)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import MAX_PAGE_SIZE, UNKNOWN_CURSOR, SearchContext
from adapters.fhir.search import Found, search
from adapters.fhir.search_parameters import BadSearch, SearchParameter, number_of
from domain.common.text import fold

# All resources have to be read for each page.
MAX_SORTED = 10_000

_Key = Callable[[Resource], Any]


class SortKey(NamedTuple):
    """One of the keys of an order."""

    key: _Key
    descending: bool


def _name(part: str) -> _Key:
    return lambda one: fold(str(one["name"][0][part])) if one.get("name") and part in one["name"][0] else None


def _first_given(one: Resource) -> Any:
    given = one["name"][0].get("given") if one.get("name") else None
    return fold(given[0]) if given else None


def _referred(element: str) -> _Key:
    return lambda one: number_of(one.get(element, {}).get("reference", "").rpartition("/")[2]) or None


def _identifier(one: Resource) -> Any:
    return one["identifier"][0]["value"] if "identifier" in one else None


def _own_id(one: Resource) -> Any:
    letters, _, number = one["id"].rpartition("-")
    return letters, int(number)


_COMMON: dict[str, _Key] = {"_id": _own_id, "_lastUpdated": lambda one: one.get("meta", {}).get("lastUpdated")}
_PERSON: dict[str, _Key] = {"family": _name("family"), "given": _first_given, "name": _name("text")}
_OF_SUBJECT: dict[str, _Key] = {"patient": _referred("subject"), "subject": _referred("subject")}
SORTS: Mapping[str, Mapping[str, _Key]] = {
    "Patient": _COMMON | _PERSON | {"birthdate": lambda one: one.get("birthDate"), "identifier": _identifier},
    "Practitioner": _COMMON | _PERSON,
    "Location": _COMMON | {"name": lambda one: fold(one["name"]) if "name" in one else None, "identifier": _identifier},
    "Encounter": _COMMON
    | _OF_SUBJECT
    | {
        "date": lambda one: one.get("period", {}).get("start"),
        "status": lambda one: one["status"],
        "identifier": _identifier,
    },
    "ChargeItem": _COMMON
    | _OF_SUBJECT
    | {
        "occurrence": lambda one: one.get("occurrenceDateTime"),
        "entered-date": lambda one: one.get("enteredDate"),
        "context": _referred("context"),
        "code": lambda one: one["code"].get("coding", [{}])[0].get("code"),
    },
    "Device": _COMMON | {"patient": _referred("patient")},
    "DeviceUseStatement": _COMMON | _OF_SUBJECT,
    "AuditEvent": _COMMON | {"date": lambda one: one["recorded"]},
    "Invoice": _COMMON
    | _OF_SUBJECT
    | {"date": lambda one: one.get("date"), "status": lambda one: one["status"], "identifier": _identifier},
}


def parse_sort(kind: str, value: str) -> list[SortKey]:
    """Parse an order such as ``-date,_id``. Raise ``BadSearch``.

    The order by id is that of every search, which needs no sorting.
    """
    if value == "_id":
        return []
    keys = []
    for part in value.split(","):
        key = SORTS[kind].get(part.removeprefix("-"))
        if key is None:
            raise BadSearch("sort_unsupported", value=value, kind=kind, known=", ".join(SORTS[kind]))
        keys.append(SortKey(key, part.startswith("-")))
    return keys


def search_sorted(
    context: SearchContext,
    kind: str,
    asked: Sequence[SearchParameter],
    sort: Sequence[SortKey],
    *,
    count: int,
    cursor: str | None,
) -> Found:
    """Return a page of sorted results.

    Raise ``BadSearch`` if there are too many. Without a value for a key a resource comes last.
    """
    begin = 0 if cursor is None else number_of(cursor)
    if cursor is not None and not begin:
        raise UNKNOWN_CURSOR
    everything, looked_at = _all(context, kind, asked)
    # Sorting is stable: the last key comes first.
    for key, descending in reversed(sort):
        there = [one for one in everything if key(one) is not None]
        rest = [one for one in everything if key(one) is None]
        everything = sorted(there, key=key, reverse=descending) + rest
    end = begin + count
    return Found(everything[begin:end], str(end) if end < len(everything) else None, looked_at)


def _all(context: SearchContext, kind: str, asked: Sequence[SearchParameter]) -> tuple[list[Resource], int]:
    everything: list[Resource] = []
    looked_at, cursor = 0, None
    while True:
        found = search(context, kind, asked, count=MAX_PAGE_SIZE, cursor=cursor, most=MAX_SORTED - looked_at)
        everything += found.resources
        looked_at += found.looked_at
        cursor = found.following
        if cursor is None:
            return everything, looked_at
        if looked_at >= MAX_SORTED:
            raise BadSearch("sort_too_many", most=MAX_SORTED)
