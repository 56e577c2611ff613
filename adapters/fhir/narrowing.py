"""Search parameters as filters of a list and of its items."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from itertools import takewhile
from typing import Any, NamedTuple

from adapters.fhir.elements import GTIN, PRODUCT_CODE, PRODUCT_ID, RECORD_NUMBER, Resource
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
)
from application.catalogue.views import ProductQuery
from application.common.entities import EntityKind
from application.common.paging import ListQuery
from application.records.list_reader import ListReader
from application.reports.changes import Tracked
from application.use_cases import UseCases
from domain.common.day import day_of
from domain.common.policy import Actor, Permission
from domain.common.text import fold

MAX_PAGE_SIZE = 100
UNKNOWN_CURSOR = BadSearch("cursor_unknown")


class Deleted(Exception):
    """The resource existed and was deleted."""


@dataclass(frozen=True, slots=True)
class SearchContext:
    """Actor, currency and time zone of a search, and the URL of this server."""

    use_cases: UseCases
    actor: Actor
    currency: str
    zone: tzinfo
    server: str = ""


@dataclass(slots=True)
class Narrowing:
    """Filters of a search: ``query`` for the list, ``tests`` for each item.

    ``fhir_ids`` limits the search to these ids, ``changed`` to a period of the last change. ``with_deleted`` also
    returns what is left of deleted resources.
    """

    query: dict[str, Any] = field(default_factory=dict)
    tests: list[Callable[[Any], bool]] = field(default_factory=list)
    fhir_ids: frozenset[str] | None = None
    changed: Period | None = None
    changed_tests: list[Callable[[Period], bool]] = field(default_factory=list)
    with_deleted: bool = False

    def restrict(self, name: str, value: int | None) -> None:
        """Filter by an id. Two different values match nothing."""
        if name in self.query and self.query[name] != value:
            self.match_nothing()
        else:
            self.query[name] = value

    def match_nothing(self) -> None:
        """Let the search end without reading."""
        self.query["ids"] = self.fhir_ids = frozenset()

    def fits(self, item: Mapping[str, Any], changed: datetime | None) -> bool:
        """Return whether an item matches all parameters."""
        return all(test(item) for test in self.tests) and all(
            changed is not None and test(at(changed)) for test in self.changed_tests
        )


Parameter = Callable[[Narrowing, SearchParameter, SearchContext], None]


@dataclass(frozen=True, kw_only=True)
class ResourceSource:
    """Items of one kind that become resources.

    ``tracked`` are the changes that change a resource; None if nothing changes or ends it. ``prefix`` begins the ids of
    the resources. Only items that are ``such`` are included; an item was one if any of the fields ``such_by`` ever had
    a value.
    """

    tracked: Tracked | None
    browse: Callable[[UseCases], ListReader[Any, Any]]
    query: ListQuery
    resource: Callable[[Any, datetime | None, SearchContext], Resource]
    prefix: str = ""
    such: Callable[[Any], bool] = lambda _: True
    such_by: tuple[str, ...] = ()
    # Adds what the resource has and the list has not, for a page of items.
    extend: Callable[[SearchContext, list[Any]], list[Any]] = lambda _, views: views

    @property
    def kind(self) -> EntityKind:
        """The kind of the items."""
        assert self.tracked, "these never end"
        return self.tracked.kind


class Step(NamedTuple):
    """A step of a search: cursor, resource if it matches, items examined."""

    place: str
    resource: Resource | None
    looked_at: int = 1


class ResourceType(NamedTuple):
    """A resource type: sources and search parameters.

    ``permissions`` are required besides those of the sources.
    """

    name: str
    sources: tuple[ResourceSource, ...]
    parameters: Mapping[str, tuple[str, Parameter]]
    permissions: tuple[Permission, ...] = ()


def changed_since(context: SearchContext, tracked: Tracked, period: Period, behind: int, *, most: int) -> list[int]:
    """Return the next ids of entities that changed in the period."""
    until = None if period.end == FOREVER else period.end
    return context.use_cases.fhir.read_last_changes.since(
        context.actor, tracked, period.start, until, behind=behind, most=most
    )


def text_parameter(of: Callable[[Any], Iterable[str | None]]) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
        test = text_test(given)
        narrowing.tests.append(lambda view: test(of(view)))
        if len(given.values) == 1:
            narrowing.query.setdefault("q", given.values[0])

    return "string", apply


def token_parameter(
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


def date_parameter(of: Callable[[Any, tzinfo], Period | None], *, is_day_of_use: bool = False) -> tuple[str, Parameter]:
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


def recorded_parameter(of: Callable[[Any], datetime]) -> tuple[str, Parameter]:
    """Return a parameter for the moment of an entry, which has an index."""
    kind, compare = date_parameter(lambda view, _: at(of(view)))

    def apply(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
        compare(narrowing, given, context)
        if all(not value.startswith("ne") for value in given.values):
            period, known = bounds(given, context.zone), narrowing.query
            known["from_at"] = max(period.start, known.get("from_at", period.start))
            known["before_at"] = min(period.end, known.get("before_at", period.end))

    return kind, apply


def reference_parameter(
    kind: str, of: Callable[[Any], object], *, filter: str | None = None, prefix: str = ""
) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
        ids = reference_ids(given, kind, context.server)
        narrowing.tests.append(lambda view: str(of(view)) in ids)
        if not ids:
            narrowing.match_nothing()
        elif filter and len(ids) == 1:
            narrowing.restrict(filter, number_of(next(iter(ids)), prefix))

    return "reference", apply


def _day(moment: datetime, zone: tzinfo) -> date:
    """Return the hospital's day; the years 1 and 9999 mean no bound."""
    if moment.year in (1, 9999):
        return date.min if moment.year == 1 else date.max
    return day_of(moment, zone)


def by_id(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
    wanted = frozenset(given.without_modifier().values)
    narrowing.tests.append(lambda view: view["fhir_id"] in wanted)
    narrowing.fhir_ids = wanted if narrowing.fhir_ids is None else narrowing.fhir_ids & wanted
    numbers = frozenset(number_of(one.rpartition("-")[2]) for one in wanted)
    narrowing.query["ids"] = narrowing.query.get("ids", numbers) & numbers


def last_updated(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
    period, known = bounds(given, context.zone), narrowing.changed or Period(datetime.min.replace(tzinfo=UTC), FOREVER)
    narrowing.changed = Period(max(period.start, known.start), min(period.end, known.end))
    narrowing.changed_tests.append(date_test(given, context.zone))


OF_ALL: Mapping[str, tuple[str, Parameter]] = {"_id": ("token", by_id), "_lastUpdated": ("date", last_updated)}


def _families(person: Any) -> list[str | None]:
    first, second = person["first_surname"], person["second_surname"]
    return [first, second, f"{first} {second or ''}".strip()]


def _givens(person: Any) -> list[str | None]:
    return [person["name"], *person["name"].split()] if person["name"] else []


PERSON = {
    "family": text_parameter(_families),
    "given": text_parameter(_givens),
    "name": text_parameter(lambda view: [*_families(view), *_givens(view), f"{view['name']} {_families(view)[-1]}"]),
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


def by_record_number(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
    found, test = _patients_by_number(given, context), token_test(given)
    narrowing.tests.append(lambda view: view["id"] in found or test([(RECORD_NUMBER, view["record_number"])]))
    if not any(value.endswith("|") for value in given.values):
        narrowing.query["ids"] = narrowing.query.get("ids", frozenset(found)) & frozenset(found)


def by_number_of_patient(of: Callable[[Any], object]) -> tuple[str, Parameter]:
    def apply(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
        ids = set(_patients_by_number(given, context).values())
        narrowing.tests.append(lambda view: int(str(of(view))) in ids)
        if len(ids) < 2:
            narrowing.restrict("patient_id", next(iter(ids), 0))

    return "token", apply


def birth_period(view: Any, zone: tzinfo) -> Period | None:
    return on(view["date_of_birth"], zone) if view["date_of_birth"] else None


def stay_period(view: Any, zone: tzinfo) -> Period:
    return Period(on(view["admission_date"], zone).start, view["deleted_at"] or FOREVER)


def codes_of(view: Any) -> list[Code]:
    return [
        (PRODUCT_CODE, view["product"].get("code")),
        (PRODUCT_ID, str(view["product_id"])),
        (GTIN, view.get("gtin")),
    ]


def narrow_to_product(narrowing: Narrowing, code: str, context: SearchContext) -> None:
    """Filter by one product, whose lines are found with an index."""
    if context.actor.can(Permission.READ_CATALOGUE):
        found = context.use_cases.products.reader.page(context.actor, ProductQuery(q=code, limit=10))["items"]
        theirs = [product["id"] for product in found if product["code"] == code]
        if len(theirs) == 1 and code not in (str(product["id"]) for product in found):
            narrowing.restrict("product_id", theirs[0])


def narrow_to_action(narrowing: Narrowing, code: str, _: SearchContext) -> None:
    narrowing.query["action"] = code


def narrow_to_charge(narrowing: Narrowing, code: str, _: SearchContext) -> None:
    sheet, _bar, detail = code.partition("-")
    narrowing.restrict("consumption_sheet_id", number_of(sheet))
    narrowing.query["ids"] = narrowing.query.get("ids", frozenset({number_of(detail)})) & {number_of(detail)}


def by_udi_di(narrowing: Narrowing, given: SearchParameter, _: SearchContext) -> None:
    test = text_test(given)
    narrowing.tests.append(lambda view: test([view["gtin"]]))
    beginning = "" if given.modifier == "contains" else _common_beginning([fold(value) for value in given.values])
    narrowing.query["gtin_prefix"] = max(beginning, narrowing.query.get("gtin_prefix", ""), key=len)


def _common_beginning(texts: Sequence[str]) -> str:
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in alike)


def used_at(view: Any, _: tzinfo) -> Period:
    return at(view.get("occurred_at") or view["created_at"])


def invoiced_patient(view: Any) -> str:
    return str(view["subject"]["reference"].partition("/")[2])


def by_room(narrowing: Narrowing, given: SearchParameter, context: SearchContext) -> None:
    ids = reference_ids(given, "Location", context.server)
    if not ids:
        narrowing.match_nothing()
    narrowing.tests.append(
        lambda view: (
            any(f"room-{stay['room']['id']}" in ids for stay in view["stays"])
            or f"area-{view['room']['area_id']}" in ids
        )
    )
