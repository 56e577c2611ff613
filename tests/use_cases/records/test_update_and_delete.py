"""Updating and deleting reference data: the same rules for every noun."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.people.patients import PatientDraft
from application.people.staff import StaffDraft
from application.records.list_reader import ListReader
from application.use_cases import UseCases
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.stored import audit_log, kept, nothing_written


@dataclass(frozen=True)
class Noun:
    """A kind of thing, with its use cases and drafts.

    ``filled_in`` returns the fields of a new thing, ``change`` has the changed fields and ``told`` the expected
    changes in the audit log. ``faulty`` has fields with the errors ``faults``. ``needed_by`` creates references to a
    thing and returns their number.
    """

    name: str
    draft: type[Any]
    filled_in: Callable[[Ward], dict[str, Any]]
    change: dict[str, Any]
    reported: dict[str, tuple[Any, Any]]
    faulty: dict[str, Any]
    faults: list[tuple[Code, str]]
    needed_by: Callable[[Ward, int], int]

    @property
    def plural(self) -> str:
        return {"category": "categories", "staff": "staff"}.get(self.name, f"{self.name}s")

    def form(self, ward: Ward, **changed: Any) -> Any:
        return self.draft(**self.filled_in(ward) | changed)

    def create(self, ward: Ward, who: Actor | None = None, **changed: Any) -> int:
        created = self.use_cases(ward).create(who or ward.admin, self.form(ward, **changed))
        return int(created.id)

    def update(self, ward: Ward, id: int, form: Any, who: Actor | None = None) -> Any:
        return self.use_cases(ward).update(who or ward.supervisor, id, form)

    def delete(self, ward: Ward, id: int, who: Actor | None = None) -> None:
        self.use_cases(ward).delete(who or ward.supervisor, id)

    def use_cases(self, ward: Ward) -> Any:
        return getattr(ward.use_cases, self.plural)

    def browse(self, use_cases: UseCases) -> ListReader[Any, Any]:
        browse: ListReader[Any, Any] = getattr(use_cases, self.plural).reader
        return browse


def rooms_and_details(ward: Ward, area_id: int) -> int:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.rooms.create(ward.admin, RoomDraft(name="201", status=1, type=1, area_id=area_id))
    ward.detail(sheet_id, area_id=area_id)
    ward.detail(sheet_id, area_id=area_id)
    return 3


def products(ward: Ward, category_id: int) -> int:
    ward.product("Sonda", category_id=category_id)
    ward.product("Tubo", category_id=category_id, active=0)
    return 2


def details(ward: Ward, product_id: int) -> int:
    """Record three details of a product, one of them on a closed sheet."""
    opened, closed = ward.sheet()["id"], ward.sheet()["id"]
    for sheet_id in (opened, opened, closed):
        ward.detail(sheet_id, product_id=product_id)
    ward.use_cases.sheets.close(ward.admin, closed)
    return 3


def sheets(field: str) -> Callable[[Ward, int], int]:
    def open_sheets(ward: Ward, id: int) -> int:
        ward.sheet(**{field: id})
        ward.use_cases.sheets.close(ward.admin, ward.sheet(**{field: id})["id"])
        return 2

    return open_sheets


def a_user_and_a_detail(ward: Ward, staff_id: int) -> int:
    ward.use_cases.users.assign_profile(ward.admin, ward.supervisor.user_id, staff_id)
    ward.detail(ward.sheet()["id"], staff_id=staff_id)
    return 2


PERSON = {"name": "Luz", "first_surname": "Gil", "second_surname": "Mora", "date_of_birth": TODAY}

NOUNS = {
    noun.name: noun
    for noun in (
        Noun(
            "area",
            AreaDraft,
            lambda _: {"name": "Quirófano"},
            change={"name": " UCI "},
            reported={"name": ("Quirófano", "UCI")},
            faulty={"name": "URGENCIAS"},
            faults=[(Code.TAKEN, "name")],
            needed_by=rooms_and_details,
        ),
        Noun(
            "category",
            CategoryDraft,
            lambda _: {"code": "MED", "name": "Medicación"},
            change={"code": "med"},
            reported={"code": ("MED", "med")},
            faulty={"code": "cur", "name": " "},
            faults=[(Code.REQUIRED, "name"), (Code.TAKEN, "code")],
            needed_by=products,
        ),
        Noun(
            "product",
            ProductDraft,
            lambda ward: {
                "name": "Venda",
                "price": Decimal("7.01"),
                "category_id": ward.category_id,
                "code": "V-1",
                "gtin": "4006381333931",
                "unit": "pieza",
            },
            change={"price": Decimal("7.015"), "gtin": None, "active": 0},
            reported={"price": ("7.01", "7.02"), "gtin": ("4006381333931", None), "active": (True, False)},
            faulty={"price": Decimal(-1), "category_id": 99, "gtin": "1"},
            faults=[(Code.NEGATIVE, "price"), (Code.REFERENCE_UNKNOWN, "category_id"), (Code.GTIN_INVALID, "gtin")],
            needed_by=details,
        ),
        Noun(
            "room",
            RoomDraft,
            lambda ward: {"name": "201", "status": 1, "type": 2, "area_id": ward.area_id},
            change={"status": 3},
            reported={"status": (1, 3)},
            faulty={"status": 9, "type": None, "area_id": 99},
            faults=[(Code.CHOICE_UNKNOWN, "status"), (Code.REQUIRED, "type"), (Code.REFERENCE_UNKNOWN, "area_id")],
            needed_by=sheets("room_id"),
        ),
        Noun(
            "patient",
            PatientDraft,
            lambda _: {**PERSON, "record_number": "EXP-7"},
            change={"second_surname": None, "active": 0},
            reported={"second_surname": ("Mora", None), "active": (True, False)},
            faulty={"name": "", "active": 7},
            faults=[(Code.REQUIRED, "name"), (Code.YES_OR_NO_EXPECTED, "active")],
            needed_by=sheets("patient_id"),
        ),
        Noun(
            "staff",
            StaffDraft,
            lambda _: {**PERSON, "job_title": "Enfermera", "telephone_number": "55 1234 5678"},
            change={"job_title": "Jefa", "date_of_birth": None},
            reported={"job_title": ("Enfermera", "Jefa"), "date_of_birth": ("2091-05-03", None)},
            faulty={"name": "x" * 201, "first_surname": None},
            faults=[(Code.TEXT_TOO_LONG, "name"), (Code.REQUIRED, "first_surname")],
            needed_by=a_user_and_a_detail,
        ),
    )
}


@pytest.fixture(params=NOUNS)
def noun(request: pytest.FixtureRequest) -> Noun:
    """Return each noun."""
    return NOUNS[request.param]


# --- changing --------------------------------------------------------------------------------------------------------


def test_an_update_is_stored_and_logged_with_old_and_new_values(ward: Ward, noun: Noun) -> None:
    thing_id = noun.create(ward)
    ward.clock.advance(minutes=1)
    before = len(audit_log(ward))
    changed = noun.update(ward, thing_id, noun.form(ward, **noun.change))
    with ward.store.begin() as work:
        assert getattr(work, noun.plural).get(thing_id) == changed
    (entry,) = audit_log(ward)[before:]
    assert (entry.action, entry.entity, entry.entity_id) == (f"{noun.name}.updated", noun.name, thing_id)
    assert (entry.user_id, entry.at, entry.changes) == (ward.supervisor.user_id, ward.clock.now, noun.reported)


def test_an_update_without_changes_is_neither_stored_nor_logged(ward: Ward, noun: Noun) -> None:
    thing_id = noun.create(ward)
    with nothing_written(ward):
        noun.update(ward, thing_id, noun.form(ward))
    with nothing_written(ward):
        noun.update(ward, thing_id, noun.form(ward, name=f"  {noun.filled_in(ward)['name']} "))


def test_all_errors_of_an_update_are_reported_at_once(ward: Ward, noun: Noun) -> None:
    thing_id = noun.create(ward)
    unreadable = (Reason(Code.TEXT_EXPECTED, "note"),)
    with nothing_written(ward), refused((Code.TEXT_EXPECTED, "note"), *noun.faults):
        noun.update(ward, thing_id, noun.form(ward, **noun.faulty, parse_errors=unreadable))


def test_updating_a_missing_thing_is_not_found(ward: Ward, noun: Noun) -> None:
    for missing in (99, 0, -1):
        for changed in ({}, noun.faulty):
            with nothing_written(ward), pytest.raises(NotFound):
                noun.update(ward, missing, noun.form(ward, **changed))


def test_ward_staff_update_patients(ward: Ward) -> None:
    thing_id = NOUNS["patient"].create(ward, ward.nurse)
    assert NOUNS["patient"].update(ward, thing_id, NOUNS["patient"].form(ward, name="Lis"), ward.nurse).name == "Lis"


@pytest.mark.parametrize(
    ("name", "field"), [("area", "name"), ("category", "code"), ("product", "code"), ("patient", "record_number")]
)
def test_an_update_cannot_take_a_unique_value_of_another(ward: Ward, name: str, field: str) -> None:
    noun = NOUNS[name]
    own: dict[str, Any] = {"gtin": None} if noun.name == "product" else {}
    noun.create(ward, **own)
    other = noun.create(ward, **own | {field: "otro"})
    held = str(noun.filled_in(ward)[field])
    with nothing_written(ward), refused((Code.TAKEN, field)):
        noun.update(ward, other, noun.form(ward, **own | {field: held.swapcase()}))


# --- deleting --------------------------------------------------------------------------------------------------------


def test_an_unused_thing_is_deleted_and_logged_with_all_values(ward: Ward, noun: Noun) -> None:
    thing_id = noun.create(ward)
    created = audit_log(ward)[-1]
    ward.clock.advance(minutes=1)
    noun.delete(ward, thing_id)
    deleted = audit_log(ward)[-1]
    assert (deleted.action, deleted.entity, deleted.entity_id) == (f"{noun.name}.deleted", noun.name, thing_id)
    assert (deleted.user_id, deleted.at) == (ward.supervisor.user_id, ward.clock.now)
    assert deleted.changes == {field: (after, before) for field, (before, after) in created.changes.items()}
    with pytest.raises(NotFound):
        noun.browse(ward.use_cases).one(ward.admin, thing_id)


def test_deleting_a_missing_thing_is_not_found(ward: Ward, noun: Noun) -> None:
    thing_id = noun.create(ward)
    noun.delete(ward, thing_id)
    for missing in (thing_id, 99, 0):
        with nothing_written(ward), pytest.raises(NotFound):
            noun.delete(ward, missing)


def test_a_thing_in_use_is_not_deleted_and_its_uses_are_counted(ward: Ward, noun: Noun) -> None:
    thing_id, unused = noun.create(ward), noun.create(ward, **others_own(noun))
    count = noun.needed_by(ward, thing_id)
    with nothing_written(ward), pytest.raises(Refused) as refusal:
        noun.delete(ward, thing_id)
    assert refusal.value.reasons == (Reason(Code.IN_USE, None, {"count": count}),)
    noun.delete(ward, unused)


def others_own(noun: Noun) -> dict[str, Any]:
    """Return the fields that must be unique in a second thing."""
    unique: dict[str, dict[str, Any]] = {
        "area": {"name": "UCI"},
        "category": {"code": "X"},
        "product": {"code": "X", "gtin": None},
        "patient": {"record_number": "X"},
    }
    return unique.get(noun.name, {})


def test_a_thing_can_be_deleted_after_its_last_reference(ward: Ward) -> None:
    sheet_id = ward.sheet(room_id=NOUNS["room"].create(ward), patient_id=NOUNS["patient"].create(ward))["id"]
    rooms, patients = kept(ward).rooms, kept(ward).patients
    detail = ward.detail(sheet_id, product_id=NOUNS["product"].create(ward))
    with refused(Code.IN_USE):
        NOUNS["product"].delete(ward, detail["product_id"])
    ward.use_cases.details.delete(ward.admin, detail["id"])
    with refused(Code.IN_USE):
        NOUNS["product"].delete(ward, detail["product_id"])
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    NOUNS["product"].delete(ward, detail["product_id"])
    NOUNS["room"].delete(ward, max(rooms))
    NOUNS["patient"].delete(ward, max(patients))


def test_unique_values_of_a_deleted_thing_are_free_again(ward: Ward, noun: Noun) -> None:
    thing_id = noun.create(ward)
    noun.delete(ward, thing_id)
    assert noun.create(ward) > thing_id


def test_a_profile_is_not_deleted_before_its_user(ward: Ward) -> None:
    staff_id = ward.nurse.staff_id or 0
    with nothing_written(ward), refused(Code.IN_USE):
        ward.use_cases.staff.delete(ward.admin, staff_id)
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    ward.use_cases.staff.delete(ward.admin, staff_id)
