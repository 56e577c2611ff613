"""FHIR search: parameters of each type, filters and paging.

A search reads items in the order of their ids, so that following the pages returns each item once. The list filters as
much as it can. Then all parameters are tested on each item, with the meaning that the standard gives them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from itertools import takewhile
from typing import Any, NamedTuple

from adapters.fhir import resources
from adapters.fhir.elements import (
    CHARGE,
    GTIN,
    LOCATION_CODE,
    PRODUCT_CODE,
    PRODUCT_ID,
    RECORD_NUMBER,
    VISIT_NUMBER,
    Resource,
)
from adapters.fhir.search_parameters import (
    FOREVER,
    BadSearch,
    Code,
    Period,
    SearchParameter,
    at,
    bounds,
    date_test,
    number_of,
    on,
    only_code,
    reference_ids,
    text_test,
    token_test,
    turn_of,
)
from application.entities import AREA, DETAIL, PATIENT, ROOM, SHEET, STAFF, EntityKind
from application.list_reader import ListReader
from application.paging import ListQuery
from application.use_cases import UseCases
from application.views.catalogue import ProductQuery, RoomQuery
from application.views.details import DetailQuery, Voided
from application.views.people import PatientQuery, StaffQuery
from application.views.sheets import SheetQuery
from domain.day import day_of
from domain.errors import NotFound
from domain.policy import Actor, Permission
from domain.text import fold

ENCOUNTER_STATUS = "http://hl7.org/fhir/encounter-status"
INVOICE_STATUS = "http://hl7.org/fhir/invoice-status"

MAX_PAGE_SIZE = 100
# Maximum number of items that are examined for one page. Later matches are on the next page.
MAX_LOOKED_AT = 2_000
MAX_LOOKED_AT_UNTIL_FOUND = 20_000


@dataclass(frozen=True, slots=True)
class SearchContext:
    """Actor, currency and time zone of a search."""

    use_cases: UseCases
    actor: Actor
    currency: str
    zone: tzinfo


@dataclass(slots=True)
class Narrowing:
    """Filters of a search: ``query`` for the list, ``tests`` for each item.

    ``until_found`` examines more items while the page is empty. ``fhir_ids`` limits the search to these ids.
    """

    query: dict[str, Any] = field(default_factory=dict)
    tests: list[Callable[[Any], bool]] = field(default_factory=list)
    until_found: bool = False
    fhir_ids: frozenset[str] | None = None
    changed: Period | None = None
    changed_tests: list[Callable[[Period], bool]] = field(default_factory=list)

    def restrict(self, name: str, value: int | None) -> None:
        """Filter by an id. Two different values match nothing."""
        if name in self.query and self.query[name] != value:
            self.tests.append(lambda _: False)
        else:
            self.query[name] = value


Parameter = Callable[[Narrowing, SearchParameter, SearchContext], None]


@dataclass(frozen=True, kw_only=True)
class ResourceSource:
    """Items of one kind that become resources.

    ``prefix`` begins the ids of the resources. Only items that are ``such`` are included.
    """

    kind: EntityKind
    browse: Callable[[UseCases], ListReader[Any, Any]]
    query: ListQuery
    resource: Callable[[Any, datetime | None, SearchContext], Resource]
    prefix: str = ""
    such: Callable[[Any], bool] = lambda _: True


class ResourceType(NamedTuple):
    """A resource type: sources, search parameters and required permission."""

    sources: tuple[ResourceSource, ...]
    parameters: Mapping[str, tuple[str, Parameter]]
    permission: Permission | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A page of results, the cursor of the next page and the items examined."""

    resources: list[Resource]
    following: str | None
    looked_at: int


class Step(NamedTuple):
    """A step of a search: cursor, resource if it matches, items examined."""

    place: str
    resource: Resource | None
    looked_at: int = 1


# --- parameters ------------------------------------------------------------------------------------------------------


def _text(of: Callable[[Any], Iterable[str | None]]) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
        test = text_test(given)
        narrowing.tests.append(lambda view: test(of(view)))
        if len(given.values) == 1:
            narrowing.query.setdefault("q", given.values[0])

    return "string", apply


def _token(
    of: Callable[[Any], Iterable[Code]],
    system: str | None = None,
    narrow: Callable[[Narrowing, str, SearchContext], None] = lambda *_: None,
) -> tuple[str, Parameter]:
    """Return a token parameter.

    ``narrow`` gets the code if there is only one, of that ``system`` or without a system.
    """

    def apply(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
        test = token_test(given)
        narrowing.tests.append(lambda view: test(of(view)))
        code = only_code(given, system)
        if code:
            narrow(narrowing, code, context)

    return "token", apply


def _date(of: Callable[[Any, tzinfo], Period | None], *, is_day_of_use: bool = False) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
        test = date_test(given, context.zone)

        def matches(view: Any) -> bool:
            period = of(view, context.zone)
            return period is not None and test(period)

        narrowing.tests.append(matches)
        if is_day_of_use and all(not value.startswith("ne") for value in given.values):
            period = bounds(given, context.zone)
            known = narrowing.query
            known["since"] = max(_day(period.start, context.zone), known.get("since", date.min))
            known["until"] = min(_day(period.end, context.zone), known.get("until", date.max))

    return "date", apply


def _reference(
    kind: str, of: Callable[[Any], object], *, filter: str | None = None, prefix: str = ""
) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
        ids = reference_ids(given, kind)
        narrowing.tests.append(lambda view: str(of(view)) in ids)
        if filter and len(ids) == 1:
            narrowing.restrict(filter, number_of(next(iter(ids)), prefix))

    return "reference", apply


def _day(moment: datetime, zone: tzinfo) -> date:
    """Return the hospital's day; the years 1 and 9999 mean no bound."""
    if moment.year in (1, 9999):
        return date.min if moment.year == 1 else date.max
    return day_of(moment, zone)


def _by_id(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
    wanted = frozenset(given.without_modifier().values)
    narrowing.tests.append(lambda view: view["fhir_id"] in wanted)
    narrowing.fhir_ids = wanted if narrowing.fhir_ids is None else narrowing.fhir_ids & wanted
    numbers = frozenset(number_of(one.rpartition("-")[2]) for one in wanted)
    narrowing.query["ids"] = narrowing.query.get("ids", numbers) & numbers


def _last_updated(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
    period, known = bounds(given, context.zone), narrowing.changed or Period(datetime.min.replace(tzinfo=UTC), FOREVER)
    narrowing.changed = Period(max(period.start, known.start), min(period.end, known.end))
    narrowing.changed_tests.append(date_test(given, context.zone))


_OF_ALL: Mapping[str, tuple[str, Parameter]] = {"_id": ("token", _by_id), "_lastUpdated": ("date", _last_updated)}


def _families(person: Any) -> list[str | None]:
    first, second = person["first_surname"], person["second_surname"]
    return [first, second, f"{first} {second or ''}".strip()]


def _givens(person: Any) -> list[str | None]:
    return [person["name"], *person["name"].split()] if person["name"] else []


_PERSON = {
    "family": _text(_families),
    "given": _text(_givens),
    "name": _text(lambda view: [*_families(view), *_givens(view), f"{view['name']} {_families(view)[-1]}"]),
}


def _patients_by_number(given: SearchParameter, context: SearchContext) -> dict[int, int]:
    """Return patients by record number, each with the record that replaces it.

    Former record numbers count too.
    """
    found: dict[int, int] = {}
    for value in given.without_modifier().values:
        system, bar, number = value.rpartition("|")
        if number and (not bar or system == RECORD_NUMBER):
            found |= context.use_cases.fhir.find_patients_by_number(context.actor, number)
    return found


def _record_number(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
    found, test = _patients_by_number(given, context), token_test(given)
    narrowing.tests.append(lambda view: view["id"] in found or test([(RECORD_NUMBER, view["record_number"])]))
    if not any(value.endswith("|") for value in given.values):
        narrowing.query["ids"] = narrowing.query.get("ids", frozenset(found)) & frozenset(found)


def _by_record_number(of: Callable[[Any], object]) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
        ids = set(_patients_by_number(given, context).values())
        narrowing.tests.append(lambda view: int(str(of(view))) in ids)
        if len(ids) < 2:
            narrowing.restrict("patient_id", next(iter(ids), 0))

    return "token", apply


def _day_of_birth(view: Any, zone: tzinfo) -> Period | None:
    return on(view["date_of_birth"], zone) if view["date_of_birth"] else None


def _stay(view: Any, zone: tzinfo) -> Period:
    return Period(on(view["admission_date"], zone).start, view["deleted_at"] or FOREVER)


def _codes(view: Any) -> list[Code]:
    return [
        (PRODUCT_CODE, view["product"].get("code")),
        (PRODUCT_ID, str(view["product_id"])),
        (GTIN, view.get("gtin")),
    ]


def _product_code(narrowing: Narrowing, code: str, context: SearchContext) -> None:
    """Filter by one product, whose lines are found with an index."""
    if context.actor.can(Permission.READ_CATALOGUE):
        found = context.use_cases.products.reader.page(context.actor, ProductQuery(q=code, limit=10))["items"]
        theirs = [product["id"] for product in found if product["code"] == code]
        if len(theirs) == 1 and code not in (str(product["id"]) for product in found):
            narrowing.restrict("product_id", theirs[0])


def _charge(narrowing: Narrowing, code: str, _: SearchContext) -> None:
    sheet, _bar, detail = code.partition("-")
    narrowing.restrict("consumption_sheet_id", number_of(sheet))
    narrowing.query["ids"] = narrowing.query.get("ids", frozenset({number_of(detail)})) & {number_of(detail)}


def _udi_di(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
    test = text_test(given)
    narrowing.tests.append(lambda view: test([view["gtin"]]))
    beginning = "" if given.modifier == "contains" else _common_beginning([fold(value) for value in given.values])
    narrowing.query["gtin_prefix"] = max(beginning, narrowing.query.get("gtin_prefix", ""), key=len)
    narrowing.until_found = True


def _common_beginning(texts: Sequence[str]) -> str:
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in alike)


def _used(view: Any, _: tzinfo) -> Period:
    return at(view.get("occurred_at") or view["created_at"])


def _invoiced(view: Any) -> str:
    return str(view["subject"]["reference"].partition("/")[2])


def _room_of(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
    ids = reference_ids(given, "Location")
    narrowing.tests.append(
        lambda view: (
            any(f"room-{stay['room']['id']}" in ids for stay in view["stays"])
            or f"area-{view['room']['area_id']}" in ids
        )
    )


# --- types -----------------------------------------------------------------------------------------------------------

_PATIENTS = ResourceSource(
    kind=PATIENT,
    browse=lambda use_cases: use_cases.patients.reader,
    query=PatientQuery(merged=None),
    resource=lambda view, changed, _: resources.patient(view, changed),
)
_STAFF = ResourceSource(
    kind=STAFF,
    browse=lambda use_cases: use_cases.fhir.practitioners,
    query=StaffQuery(),
    resource=lambda view, changed, _: resources.practitioner(view, changed),
)
_AREAS = ResourceSource(
    kind=AREA,
    browse=lambda use_cases: use_cases.areas.reader,
    query=ListQuery(),
    resource=lambda view, changed, _: resources.area(view, changed),
    prefix="area-",
)
_ROOMS = ResourceSource(
    kind=ROOM,
    # The resource does not name the patient of a room, so the access is not logged.
    browse=lambda use_cases: use_cases.rooms.reader.without_access_log,
    query=RoomQuery(),
    resource=lambda view, changed, _: resources.room(view, changed),
    prefix="room-",
)
_SHEETS = ResourceSource(
    kind=SHEET,
    browse=lambda use_cases: use_cases.sheets.reader,
    query=SheetQuery(closed=None),
    resource=lambda view, changed, _: resources.encounter(view, changed),
)


_DETAILS = ResourceSource(
    kind=DETAIL,
    browse=lambda use_cases: use_cases.details.reader_with_patients,
    query=DetailQuery(voided=Voided.INCLUDE),
    resource=lambda view, changed, context: resources.charge_item(view, changed, context.currency),
)
_PACKS = ResourceSource(
    kind=DETAIL,
    browse=lambda use_cases: use_cases.details.reader_with_patients,
    query=DetailQuery(voided=Voided.INCLUDE),
    resource=lambda view, changed, _: resources.device(view, changed),
    prefix="line-",
    such=lambda view: bool(view["gtin"] or view["serial"]),
)
_OF_PATIENT = _reference("Patient", lambda view: view["patient_id"], filter="patient_id")
_OF_INVOICED = _reference("Patient", _invoiced, filter="patient_id")
_OF_SHEET = _reference("Encounter", lambda view: view["consumption_sheet_id"], filter="consumption_sheet_id")
_CHARGE = _token(lambda view: [(CHARGE, f"{view['consumption_sheet_id']}-{view['id']}")], CHARGE, _charge)

TYPES: Mapping[str, ResourceType] = {
    "Patient": ResourceType(
        (_PATIENTS,),
        {
            **_PERSON,
            "identifier": ("token", _record_number),
            "birthdate": _date(_day_of_birth),
            "active": _token(lambda view: [(None, str(bool(view["active"]) and view["merged_into"] is None).lower())]),
        },
    ),
    "Practitioner": ResourceType((_STAFF,), _PERSON),
    "Location": ResourceType(
        (_AREAS, _ROOMS),
        {
            "name": _text(lambda view: [view["name"]]),
            "identifier": _token(lambda view: [(LOCATION_CODE, view["code"])], LOCATION_CODE),
            "partof": _reference("Location", lambda view: f"area-{view['area_id']}" if "area_id" in view else ""),
        },
    ),
    "Encounter": ResourceType(
        (_SHEETS,),
        {
            "patient": _OF_PATIENT,
            "subject": _OF_PATIENT,
            "status": _token(lambda view: [(ENCOUNTER_STATUS, "finished" if view["closed"] else "in-progress")]),
            "date": _date(_stay),
            "location": ("reference", _room_of),
            "identifier": _token(lambda view: [(VISIT_NUMBER, view.get("visit_number"))], VISIT_NUMBER),
        },
    ),
    "ChargeItem": ResourceType(
        (_DETAILS,),
        {
            "patient": _OF_PATIENT,
            "subject": _OF_PATIENT,
            "context": _OF_SHEET,
            "code": _token(_codes, PRODUCT_CODE, _product_code),
            "occurrence": _date(_used, is_day_of_use=True),
            "entered-date": _date(lambda view, _: at(view["created_at"])),
            "identifier": _CHARGE,
        },
    ),
    "Device": ResourceType(
        (_PACKS,),
        {"patient": _OF_PATIENT, "udi-di": ("string", _udi_di)},
    ),
    "DeviceUseStatement": ResourceType(
        (replace(_PACKS, resource=lambda view, changed, _: resources.device_use_statement(view, changed)),),
        {
            "patient": _OF_PATIENT,
            "subject": _OF_PATIENT,
            "device": _reference("Device", lambda view: f"line-{view['id']}"),
            "identifier": _CHARGE,
        },
    ),
    # Invoices are built from closings, which are read in another way.
    "Invoice": ResourceType(
        (),
        {
            "patient": _OF_INVOICED,
            "subject": _OF_INVOICED,
            "date": _date(lambda view, _: at(datetime.fromisoformat(view["date"]))),
            "status": _token(lambda view: [(INVOICE_STATUS, view["status"])]),
            "identifier": _token(lambda view: [(one["system"], one["value"]) for one in view["identifier"]]),
        },
        Permission.SEE_PRICES,
    ),
}
PARAMETERS = {kind: {**_OF_ALL, **of_type.parameters} for kind, of_type in TYPES.items()}
# Parameters of the patient that a resource is about.
CHAINED = {
    kind: {
        f"{name}.identifier": _by_record_number(_invoiced if kind == "Invoice" else lambda view: view["patient_id"])
        for name in ("patient", "subject")
        if name in of_type.parameters
    }
    for kind, of_type in TYPES.items()
}
SEARCHABLE = {kind: PARAMETERS[kind] | CHAINED[kind] for kind in TYPES}


# --- reading ---------------------------------------------------------------------------------------------------------


def read(context: SearchContext, kind: str, id: str) -> Resource:
    """Return one resource. Raise ``NotFound`` if it does not exist."""
    of_type = _require_access(context, kind)
    if kind == "Invoice":
        found = _invoice(context, id)
        if found is None:
            raise NotFound
        return found[1]
    for source in of_type.sources:
        number = number_of(id, source.prefix)
        if number:
            view = _one(context, source, number)
            changed = context.use_cases.fhir.read_last_changes(context.actor, source.kind, [number])
            return source.resource(view, changed.get(number), context)
    raise NotFound


def _one(context: SearchContext, source: ResourceSource, number: int) -> Any:
    browse = source.browse(context.use_cases)
    if isinstance(source.query, DetailQuery):
        # A voided line is returned too: only the list includes it.
        query = replace(source.query, ids=frozenset({number}), behind=0)
        found = browse.page(context.actor, query)["items"]
        if not found or not source.such(found[0]):
            raise NotFound
        return found[0]
    return browse.one(context.actor, number)


def search(
    context: SearchContext, kind: str, asked: Sequence[SearchParameter], *, count: int, cursor: str | None
) -> Found:
    """Return a page of results. Raise ``BadSearch`` for unsupported values."""
    of_type = _require_access(context, kind)
    narrowing = Narrowing()
    for given in asked:
        SEARCHABLE[kind][given.name][1](narrowing, given, context)
    count = max(1, min(count, MAX_PAGE_SIZE))
    walk = _walk_invoices if kind == "Invoice" else _walk
    found: list[Resource] = []
    looked_at = 0
    for step in walk(context, of_type, narrowing, cursor):
        looked_at += step.looked_at
        if step.resource is not None:
            found.append(step.resource)
        limit = MAX_LOOKED_AT_UNTIL_FOUND if narrowing.until_found and not found else MAX_LOOKED_AT
        if len(found) == count or looked_at >= limit:
            return Found(found, step.place, looked_at)
    return Found(found, None, looked_at)


def count(context: SearchContext, kind: str, asked: Sequence[SearchParameter], *, most: int) -> int | None:
    """Return the number of results; None after reading ``most`` items."""
    total, looked_at, cursor = 0, 0, None
    while True:
        found = search(context, kind, asked, count=MAX_PAGE_SIZE, cursor=cursor)
        total += len(found.resources)
        looked_at += found.looked_at
        cursor = found.following
        if cursor is None:
            return total
        if looked_at >= most:
            return None


def _require_access(context: SearchContext, kind: str) -> ResourceType:
    context.actor.require(Permission.READ_FHIR)
    of_type = TYPES[kind]
    if of_type.permission:
        context.actor.require(of_type.permission)
    return of_type


def _walk(context: SearchContext, of_type: ResourceType, narrowing: Narrowing, cursor: str | None) -> Iterator[Step]:
    """Yield a step per item after the cursor.

    If the list has none of a hundred changed items, they are one step.
    """
    begin, behind = _read_cursor(of_type, cursor)
    for number, source in enumerate(of_type.sources):
        if number < begin:
            continue
        last = behind if number == begin else 0
        browse = source.browse(context.use_cases)
        while True:
            views, more, last = _next(context, browse, source, narrowing, last)
            # A search logs the access to a list once; items that are read by id are each logged.
            if views and "ids" not in narrowing.query and narrowing.changed is None:
                browse = browse.without_access_log
            changes = context.use_cases.fhir.read_last_changes(
                context.actor, source.kind, [view["id"] for view in views]
            )
            for view in views:
                fhir_id = f"{source.prefix}{view['id']}"
                changed = changes.get(view["id"])
                item = {**view, "fhir_id": fhir_id}
                fits = (
                    source.such(view)
                    and all(test(item) for test in narrowing.tests)
                    and all(changed is not None and test(at(changed)) for test in narrowing.changed_tests)
                )
                yield Step(f"{number}.{view['id']}", source.resource(view, changed, context) if fits else None)
            if not more:
                break
            if not views:
                yield Step(f"{number}.{last}", None, MAX_PAGE_SIZE)


def _next(
    context: SearchContext, browse: ListReader[Any, Any], source: ResourceSource, narrowing: Narrowing, behind: int
) -> tuple[list[Any], bool, int]:
    """Return more items, whether others follow, and the id to continue after."""
    known = {name: value for name, value in narrowing.query.items() if hasattr(source.query, name)}
    query = replace(source.query, limit=MAX_PAGE_SIZE, behind=behind, **known)
    if narrowing.changed is None:
        page = browse.page(context.actor, query)
        following = page["meta"].get("next")
        return page["items"], following is not None, int(following or 0)
    ids = context.use_cases.fhir.read_last_changes.since(
        context.actor,
        source.kind,
        narrowing.changed.start,
        None if narrowing.changed.end == FOREVER else narrowing.changed.end,
        behind=behind,
        most=MAX_PAGE_SIZE,
    )
    if not ids:
        return [], False, 0
    chosen = frozenset(ids) & frozenset(query.ids if query.ids is not None else ids)
    page = browse.page(context.actor, replace(query, ids=chosen))
    return page["items"], len(ids) == MAX_PAGE_SIZE, ids[-1]


def _read_cursor(of_type: ResourceType, cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 0, 0
    number, _, last = cursor.partition(".")
    if number not in map(str, range(len(of_type.sources))) or number_of(last) == 0:
        raise BadSearch("_cursor is none of ours: follow the links of the page before.")
    return int(number), number_of(last)


def _walk_invoices(context: SearchContext, _: ResourceType, narrowing: Narrowing, cursor: str | None) -> Iterator[Step]:
    sheet, turn = 0, 0
    if cursor is not None:
        first, _dot, second = cursor.partition(".")
        sheet, turn = number_of(first), turn_of(second)
        if not sheet or not turn:
            raise BadSearch("_cursor is none of ours: follow the links of the page before.")
    while True:
        if narrowing.fhir_ids is None:
            found = _invoices(context, sheet, turn, most=MAX_PAGE_SIZE, narrowing=narrowing)
        else:
            by_id = sorted(filter(None, (_invoice(context, each) for each in narrowing.fhir_ids)), key=_place)
            found = [one for one in by_id if _place(one) > (sheet, turn)]
        for place, invoice in found:
            changed = at(datetime.fromisoformat(invoice["meta"]["lastUpdated"]))
            fits = all(test({**invoice, "fhir_id": invoice["id"]}) for test in narrowing.tests) and all(
                test(changed) for test in narrowing.changed_tests
            )
            yield Step(place, invoice if fits else None)
        if narrowing.fhir_ids is not None or len(found) < MAX_PAGE_SIZE:
            return
        sheet, turn = _place(found[-1])


def _place(found: tuple[str, Resource]) -> tuple[int, int]:
    sheet, turn = (int(part) for part in found[0].split("."))
    return sheet, turn


def _invoice(context: SearchContext, id: str) -> tuple[str, Resource] | None:
    sheet, turn = (number_of(part) for part in (id.partition("-")[0], id.partition("-")[2]))
    if not sheet or not turn_of(str(turn)):
        return None
    one = context.use_cases.fhir.read_closing_records.one(context.actor, sheet, turn)
    return one and (f"{one.sheet_id}.{one.turn}", resources.invoice(one, context.currency))


def _invoices(
    context: SearchContext, sheet: int, turn: int, *, most: int, narrowing: Narrowing
) -> list[tuple[str, Resource]]:
    patient_id = narrowing.query.get("patient_id")
    found = context.use_cases.fhir.read_closing_records(context.actor, sheet, turn, most=most, patient_id=patient_id)
    return [(f"{one.sheet_id}.{one.turn}", resources.invoice(one, context.currency)) for one in found]
