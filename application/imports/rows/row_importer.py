"""What a row does: creates something, changes it, leaves it alone, or is refused.

Each noun says by what its rows are known again, and brings them in through the use cases that people go through.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol, cast

from application.areas import AreaDraft, CreateArea
from application.categories import CategoryDraft, CreateCategory
from application.imports.reading.rows import Row, quotable
from application.imports.rows.people import only, parts_of, sorted_name
from application.imports.rows.similar_names import people_differ, products_differ
from application.imports.staged import StagedUnitOfWork
from application.patients import CreatePatient, PatientDraft, UpdatePatient
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from application.products import CreateProduct, ProductDraft, UpdateProduct
from application.rooms import CreateRoom, RoomDraft, UpdateRoom
from application.staff import CreateStaff, StaffDraft, UpdateStaff
from domain.area import Area
from domain.money import to_cents
from domain.patient import Patient
from domain.policy import Actor
from domain.product import Product
from domain.refusal import Code, Reason, Refused
from domain.room import RoomStatus
from domain.staff import Staff
from domain.text import fold, fold_product, unique_key, without_zeros

# A price that changes so many times over may be a slip of the pen.
_BY_FAR = 10
# What people are called in files.
CALLED = ("name", "first_surname", "second_surname", "full_name")
# Where products go whose file names no category.
UNSORTED = CategoryDraft(code="SIN-CLASIFICAR", name="Sin clasificar")


class Outcome(StrEnum):
    """What became of a row."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class ImportContext:
    """Who brings in what, where and when: what every noun needs for its use cases.

    ``name_of`` tells who a user is. ``warnings`` are those of the row that is being taken.
    """

    staged: StagedUnitOfWork
    actor: Actor
    clock: Clock
    zone: tzinfo
    name_of: Callable[[int], str]
    warnings: list[Reason] = field(default_factory=list)

    @property
    def begin(self) -> Begin:
        """Joins the stage, which has all of a unit of work that the use cases of imports need."""
        work = cast("UnitOfWork", self.staged)

        def join() -> AbstractContextManager[UnitOfWork]:
            return nullcontext(work)

        return join

    def warn(self, code: Code, field: str | None = None, **params: object) -> None:
        """Note what is doubtful about the row: it is kept only when a person has confirmed it."""
        self.warnings.append(Reason(code, field, params))


class RowImporter(Protocol):
    """Brings in the rows of one noun."""

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read all that these rows may be about, in a few looks."""

    def take(self, row: Row) -> Outcome:
        """Do what the row says. Raise ``Refused`` where it cannot be done."""

    def finish(self) -> None:
        """Do what can be done only when all rows are taken."""


class Lines:
    """On which line each thing came: what comes again must say the same."""

    def __init__(self) -> None:
        self._first: dict[object, int] = {}

    def first(self, key: object) -> int | None:
        """The line on which that came first, if it came."""
        return self._first.get(key)

    def see(self, key: object, row: Row, outcome: Outcome, *called: str) -> Outcome:
        """Note where something came. Raise ``Refused`` where it came before and was something else.

        ``called`` are the fields that tell what it is.
        """
        first = self._first.setdefault(key, row.line)
        if first != row.line and outcome is not Outcome.UNCHANGED:
            value = " ".join(filter(None, map(row.quoted, called)))
            raise Refused(Reason(Code.ROW_CONTRADICTS, params={"line": first, "value": value}))
        return outcome


def filled_in(known: object | None, row: Row, *names: str) -> dict[str, Any]:
    """What a draft is filled in with: what the row tells (an empty cell tells nothing), else what is there already."""
    values = {name: getattr(known, name) for name in names} if known is not None else {}
    return values | {name: value for name in names if (value := row.values.get(name)) is not None}


def renamed(refused: Refused, names: Mapping[str, str]) -> Refused:
    """The refusal, its fields called as the fields of the file are."""
    return Refused(*(replace(one, field=names.get(one.field or "", one.field)) for one in refused.reasons))


def differs_by_far(one: Decimal, other: Decimal) -> bool:
    """Whether one price is ten times the other or more, or one of them is nothing."""
    least, most = sorted((one, other))
    return least != most and most >= _BY_FAR * least


def warn_of_zeros(context: ImportContext, row: Row, field: str, found: Iterable[str | None]) -> None:
    """Warn of a code that differs from one that is there already by nothing but zeros before it."""
    others = [other for other in found if other and unique_key(other) != unique_key(row.text(field))]
    if others:
        context.warn(Code.CODE_BUT_FOR_ZEROS, field, value=row.quoted(field), other=quotable(others[0]))


def put(create: Callable[..., Any], update: Callable[..., Any], actor: Actor, known: Any, draft: Any) -> Outcome:
    """Create what is not known, change what is."""
    if known is None:
        create(actor, draft)
        return Outcome.CREATED
    return Outcome.UNCHANGED if update(actor, known.id, draft) == known else Outcome.CHANGED


class Finished:
    """For nouns whose rows leave nothing to be done in the end."""

    def finish(self) -> None:
        """Nothing."""


class ProductRows(Finished):
    """Products are known by code, or where the file has no codes by GTIN, or else by name."""

    _KEYS: Mapping[str, Callable[[str], str]] = {"code": unique_key, "gtin": str, "name": fold_product}
    _CATEGORY = ("category", "category_code")

    def __init__(self, context: ImportContext, given: frozenset[str]) -> None:
        self._context, self._actor, self._staged = context, context.actor, context.staged
        self._known_by = next(name for name in self._KEYS if name in given)
        self._folded = self._KEYS[self._known_by]
        self._create = CreateProduct(context.begin, context.clock)
        self._update = UpdateProduct(context.begin, context.clock)
        self._create_category = CreateCategory(context.begin, context.clock)
        self._lines = Lines()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Products by what they are known by, and categories."""
        products, categories = self._staged.products, self._staged.categories
        keys = [self._folded(text) for row in rows if (text := row.text(self._known_by))]
        products.look_up(self._known_by, keys)
        if self._known_by == "code":
            new = [key for key in keys if not products.having(self._known_by, key)]
            products.look_up("code_without_zeros", map(without_zeros, new))
        gtins = [text for row in rows if (text := row.text("gtin"))]
        if gtins:
            products.look_up("gtin", gtins)
        names = {name for row in rows for name in (row.text("category"), row.text("category_code")) if name}
        categories.look_up("code", [unique_key(name) for name in [*names, UNSORTED.code or ""]])
        if names:
            categories.look_up("name", [fold(name) for name in names])

    def take(self, row: Row) -> Outcome:
        """Create the product, or change the one that it is."""
        identity = row.text(self._known_by)
        key = self._folded(identity)
        found = self._staged.products.having(self._known_by, key) if identity else []
        known = only(found, self._known_by, identity)
        first = self._lines.first(key)
        if known and first and self._known_by == "code" and known.code != identity:
            self._context.warn(
                Code.CODE_BUT_FOR_CASE, "code", value=row.quoted("code"), other=quotable(known.code or ""), line=first
            )
            return Outcome.UNCHANGED
        wrong = [reason for reason in row.faults if reason.field not in self._CATEGORY]
        if not identity and not row.wrong(self._known_by):
            # It could not be known again the next time.
            wrong.append(Reason(Code.REQUIRED, self._known_by))
        category_id = None
        try:
            category_id = self._category(row, known)
        except Refused as refused:
            wrong.append(replace(refused.reasons[0], field="category_id"))
        values = filled_in(known, row, "code", "name", "price", "gtin", "unit", "active")
        draft = ProductDraft(**values, category_id=category_id, unreadable=tuple(wrong))
        try:
            outcome = put(self._create, self._update, self._actor, known, draft)
        except Refused as refused:
            raise renamed(refused, {"category_id": "category"}) from None
        if known is None:
            self._warn_of_zeros(row)
        else:
            self._warn_of_changes(row, known)
        return self._lines.see(key, row, outcome, self._known_by)

    def _warn_of_zeros(self, row: Row) -> None:
        if self._known_by == "code":
            alike = self._staged.products.having("code_without_zeros", without_zeros(row.text("code")))
            warn_of_zeros(self._context, row, "code", (one.code for one in alike))

    def _warn_of_changes(self, row: Row, known: Product) -> None:
        price = row.number("price")
        if price is not None and differs_by_far(known.price, after := to_cents(price)):
            self._context.warn(Code.PRICE_JUMPS, "price", value=row.quoted("price"), before=known.price, after=after)
        if self._known_by != "name":
            warn_of_another_product(self._context, row, known, self._known_by, "name")

    def _category(self, row: Row, known: Product | None) -> int:
        """The category that the row names, made where it is not there yet; the product's own where it names none."""
        wrong = row.wrong(*self._CATEGORY)
        if wrong:
            raise Refused(*wrong)
        code, name = row.text("category_code"), row.text("category")
        if not code and not name:
            return known.category_id if known else self._made_if_missing(UNSORTED)
        if not code:
            found = only(self._staged.categories.having("name", fold(name)), "category", name)
            if found:
                return found.id
        return self._made_if_missing(CategoryDraft(code=code or name, name=name or code))

    def _made_if_missing(self, draft: CategoryDraft) -> int:
        found = self._staged.categories.coded(draft.code or "")
        return (found or self._create_category(self._actor, draft)).id


class PatientRows(Finished):
    """Patients are known by record number, or else by names and date of birth."""

    def __init__(self, context: ImportContext) -> None:
        self._context, self._actor, self._patients = context, context.actor, context.staged.patients
        self._create = CreatePatient(context.begin, context.clock, context.zone)
        self._update = UpdatePatient(context.begin, context.clock, context.zone)
        self._lines = Lines()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Patients by record number and by names."""
        look_up_records(self._patients, rows)
        self._patients.look_up("full_name", [name for row in rows if (name := _name_of(row))])

    def take(self, row: Row) -> Outcome:
        """Register the patient, or correct the one that it is."""
        names = parts_of(row)
        known = find_patient(self._patients, row, names)
        values = filled_in(known, row, "second_surname", "date_of_birth", "active", "record_number")
        values |= {name: text for name, text in names.items() if text}
        outcome = put(self._create, self._update, self._actor, known, PatientDraft(**values, unreadable=row.faults))
        number = row.text("record_number")
        if number and (known is None or not known.record_number):
            warn_of_record(self._context, row)
        elif number and known is not None:
            warn_of_another_person(self._context, row, known, CALLED)
        if number:
            return self._lines.see(unique_key(number), row, outcome, "record_number")
        return self._lines.see((sorted_name(names), row.day("date_of_birth")), row, outcome, *CALLED)


def look_up_records(patients: Any, rows: Sequence[Row]) -> None:
    """Read the patients with these record numbers, and of those that nobody has who has one but for the zeros."""
    keys = [unique_key(text) for row in rows if (text := row.text("record_number"))]
    patients.look_up("record_number", keys)
    new = [key for key in keys if not patients.having("record_number", key)]
    patients.look_up("record_number_without_zeros", map(without_zeros, new))


def warn_of_record(context: ImportContext, row: Row) -> None:
    """Warn of a new record number that differs from another by nothing but zeros before it."""
    alike = context.staged.patients.having("record_number_without_zeros", without_zeros(row.text("record_number")))
    warn_of_zeros(context, row, "record_number", (one.record_number for one in alike))


def warn_of_another_person(context: ImportContext, row: Row, known: Patient, called: Sequence[str]) -> None:
    """Warn where the row may be about somebody else than the patient with its record number."""
    number, names = row.quoted("record_number"), name_told(row, called)
    its = " ".join(filter(None, [known.name, known.first_surname, known.second_surname]))
    if people_differ(its, names or its):
        field = next(name for name in called if row.text(name))
        context.warn(Code.PATIENT_NAMED_OTHERWISE, field, value=quotable(names), known=quotable(its), number=number)
    born, its_birth = row.day("date_of_birth"), known.date_of_birth
    if born and its_birth and born != its_birth:
        value = row.quoted("date_of_birth") or born.isoformat()
        context.warn(
            Code.PATIENT_BORN_OTHERWISE, "date_of_birth", value=value, known=its_birth.isoformat(), number=number
        )


def warn_of_another_product(context: ImportContext, row: Row, known: Product, code: str, name: str) -> None:
    """Warn where the row may be about another product than the one with its code; these are the fields of both."""
    told = row.text(name)
    if products_differ(known.name, told or known.name):
        context.warn(
            Code.PRODUCT_RENAMED, name, value=quotable(told), known=quotable(known.name), number=row.quoted(code)
        )


def name_told(row: Row, called: Sequence[str]) -> str:
    """What a row calls a person, in the columns of that name."""
    return " ".join(filter(None, map(row.text, called)))


def find_patient(patients: Any, row: Row, names: Mapping[str, str]) -> Patient | None:
    """The patient that a row is about: by record number, or else by names and date of birth.

    One who was registered without a record number, and has those names and that date of birth, is the same.
    """
    born, number = row.day("date_of_birth"), row.text("record_number")
    found: Patient | None = patients.with_record_number(number) if number else None
    if found is not None or not names["name"] or row.wrong("date_of_birth", "record_number"):
        return found
    alike = [one for one in patients.having("full_name", sorted_name(names)) if one.date_of_birth == born]
    if number:
        alike = [one for one in alike if one.record_number is None and born is not None]
    return only(alike, "name", " ".join(filter(None, names.values())))


def _name_of(row: Row) -> str | None:
    try:
        return sorted_name(parts_of(row))
    except Refused:
        return None


class StaffRows(Finished):
    """Staff members are known by their names, and by their date of birth where the file tells it."""

    def __init__(self, context: ImportContext, given: frozenset[str]) -> None:
        self._actor, self._staff = context.actor, context.staged.staff
        self._by_birthday = "date_of_birth" in given
        self._create = CreateStaff(context.begin, context.clock, context.zone)
        self._update = UpdateStaff(context.begin, context.clock, context.zone)
        self._lines = Lines()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Staff by names."""
        self._staff.look_up("full_name", [name for row in rows if (name := _name_of(row))])

    def take(self, row: Row) -> Outcome:
        """Add the staff member, or correct the one that it is."""
        names = parts_of(row)
        born = row.day("date_of_birth") if self._by_birthday else None
        alike: list[Staff] = self._staff.having("full_name", sorted_name(names))
        if born is not None:
            # Whose date of birth nobody has told yet may be the same person.
            alike = [one for one in alike if one.date_of_birth == born] or [
                one for one in alike if one.date_of_birth is None
            ]
        known = only(alike, "name", " ".join(filter(None, names.values())))
        values = filled_in(known, row, "second_surname", "telephone_number", "job_title", "date_of_birth")
        values |= {name: text for name, text in names.items() if text}
        outcome = put(self._create, self._update, self._actor, known, StaffDraft(**values, unreadable=row.faults))
        return self._lines.see((sorted_name(names), born), row, outcome, *CALLED)


class AreaRows(Finished):
    """Areas are known by name."""

    def __init__(self, context: ImportContext) -> None:
        self._actor, self._areas = context.actor, context.staged.areas
        self._create = CreateArea(context.begin, context.clock)

    def look_up(self, rows: Sequence[Row]) -> None:
        """Areas by name."""
        self._areas.look_up("name", [unique_key(row.text("name")) for row in rows])

    def take(self, row: Row) -> Outcome:
        """Create the area, unless it is there."""
        if row.text("name") and self._areas.named(row.text("name")):
            return Outcome.UNCHANGED
        self._create(self._actor, AreaDraft(name=row.text("name"), unreadable=row.faults))
        return Outcome.CREATED


class RoomRows(Finished):
    """Rooms are known by name within their area. An area that is not there yet is made."""

    def __init__(self, context: ImportContext) -> None:
        self._actor, self._staged = context.actor, context.staged
        self._create = CreateRoom(context.begin, context.clock)
        self._update = UpdateRoom(context.begin, context.clock)
        self._create_area = CreateArea(context.begin, context.clock)
        self._lines = Lines()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Rooms and areas by name."""
        self._staged.rooms.look_up("name", [fold(row.text("name")) for row in rows])
        self._staged.areas.look_up("name", [unique_key(row.text("area")) for row in rows])

    def take(self, row: Row) -> Outcome:
        """Create the room, or change the one that it is."""
        name, area = row.text("name"), row.text("area")
        area_id = self.area_of(area).id if area else None
        alike = [room for room in self._staged.rooms.having("name", fold(name)) if room.area_id == area_id]
        known = only(alike, "name", name) if name else None
        values = filled_in(known, row, "name", "status", "type")
        if known is None:
            values.setdefault("status", RoomStatus.AVAILABLE)
            # As the form for rooms does.
            values.setdefault("type", values["status"])
        wrong = tuple(replace(one, field="area_id") if one.field == "area" else one for one in row.faults)
        draft = RoomDraft(**values, area_id=area_id, unreadable=wrong)
        try:
            outcome = put(self._create, self._update, self._actor, known, draft)
        except Refused as refused:
            raise renamed(refused, {"area_id": "area"}) from None
        return self._lines.see((fold(name), area_id), row, outcome, "name", "area")

    def area_of(self, name: str) -> Area:
        """The area of that name, made where it is not there yet."""
        found = self._staged.areas.named(name)
        if found is None:
            try:
                found = self._create_area(self._actor, AreaDraft(name=name))
            except Refused as refused:
                raise renamed(refused, {"name": "area"}) from None
        return found
