"""The demonstration data: complete, reproducible, never in the future."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from inspect import unwrap
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import pytest

from adapters import demo
from adapters.settings.read_settings import Settings
from adapters.sql.store import SqlStore
from adapters.wiring.container import Container
from application.catalogue.views import KitQuery, ProductQuery, RecallQuery, RoomQuery
from application.common.paging import ListQuery
from application.common.views import View
from application.people.views import PatientQuery, StaffQuery
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from application.use_cases import UseCases
from application.work import Begin, Read, UnitOfWork, Views
from domain.catalogue.product import is_gtin
from domain.common.day import day_of
from domain.common.errors import Refused
from domain.common.policy import Actor, Role
from domain.common.text import unique_key
from domain.forms.contingency_form import FormState
from domain.hospital.settings import HospitalSettings
from domain.sheets.anomalies import Oddity
from tests.builders import a_ward
from tests.stores import InMemoryStore
from tests.walk import WALKS_ALL

# A part of one of them was thrown away, and is a line of its own.
DETAILS = 2219

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)
MEXICO = ZoneInfo("America/Mexico_City")
MADRID = ZoneInfo("Europe/Madrid")


class PlainPasswords:
    """Instant hashing."""

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def match(self, password: str, password_hash: str | None) -> bool:
        return password_hash == self.hash(password)


class SomeStore(Protocol):
    def begin(self) -> AbstractContextManager[UnitOfWork]: ...
    def read(self) -> AbstractContextManager[Views]: ...


@dataclass(frozen=True)
class Filling:
    """A store and its use cases."""

    begin: Begin
    read: Read
    use_cases: UseCases
    zone: ZoneInfo

    def fill(self, now: datetime) -> None:
        demo.fill(self.use_cases, self.begin, lambda: now, self.zone)


def a_container(store: SomeStore, zone: ZoneInfo) -> Container:
    container = Container(
        settings=Settings(
            database_url="sqlite://",
            host="",
            port=1,
            secret_key="",
            workers=1,
            hospital=HospitalSettings(time_zone=zone.key),
            token_hours=1,
        )
    )
    container.store.override(store)
    container.passwords.override(PlainPasswords())
    return container


def on(store: SomeStore, zone: ZoneInfo) -> Filling:
    return Filling(store.begin, store.read, a_container(store, zone).use_cases(), zone)


def in_memory(zone: ZoneInfo = MEXICO) -> Filling:
    return on(InMemoryStore(zone), zone)


@pytest.fixture(scope="module")
def filled(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filling]:
    """The demonstration data of NOW, for reading only."""
    file = shutil.copy(migrated_file, tmp_path_factory.mktemp("demo") / "demo.db")
    with closing(SqlStore(f"sqlite:///{file}", MEXICO)) as store:
        filling = on(store, MEXICO)
        filling.fill(NOW)
        yield filling


@pytest.fixture(scope="module")
def hospital(filled: Filling) -> dict[str, list[Any]]:
    """All items of all lists."""
    return everything(filled.read)


def all_of(view: View[Any, Any], query: ListQuery) -> list[Any]:
    """All items of a list, by id."""
    page = view.page(replace(query, limit=10_000))
    assert page["meta"]["total"] == len(page["items"])
    return sorted(page["items"], key=lambda item: item["id"])


def everything(read: Read) -> dict[str, list[Any]]:
    with read() as views:
        return {
            "areas": all_of(views.areas, ListQuery()),
            "rooms": all_of(views.rooms, RoomQuery()),
            "categories": all_of(views.categories, ListQuery()),
            "products": all_of(views.products, ProductQuery()),
            "staff": all_of(views.staff, StaffQuery()),
            "patients": all_of(views.patients, PatientQuery()),
            "open": all_of(views.sheets, SheetQuery()),
            "closed": all_of(views.sheets, SheetQuery(closed=True)),
            "details": all_of(views.details, DetailQuery()),
            "users": [views.users.one(number) for number in range(1, 6)],
        }


def test_the_demonstration_data_is_complete(hospital: dict[str, list[Any]]) -> None:
    assert {name: len(items) for name, items in hospital.items() if name != "users"} == {
        "areas": 9,
        "rooms": 31,
        "categories": 10,
        "products": 169,
        "staff": 24,
        "patients": 53,
        "open": 11,
        "closed": 59,
        "details": DETAILS,
    }
    products = hospital["products"]
    assert sum(not product["active"] for product in products) == 2
    assert sum(product["price"] == 0 for product in products) == 1
    assert sum(product["gtin"] is not None for product in products) == 79
    assert all(product["gtin"] is None or is_gtin(product["gtin"]) for product in products)
    assert [product["name"] for product in products if product["implant"]] == ["Clavo intramedular de fémur"]
    assert sum(not patient["active"] for patient in hospital["patients"]) == 2
    assert {room["status"] for room in hospital["rooms"]} == {1, 2, 3, 4}


def test_a_closed_month_was_changed_twice_since(filled: Filling) -> None:
    with filled.begin() as work:
        [closed] = work.views.months.latest_of_months()
        [sums] = work.views.month_figures.change_sums(date.min, date.max, None).values()
    assert closed.total > 0
    assert (sums.changes, sums.total < 0) == (2, True)


def test_there_are_four_accounts(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    users = hospital["users"]
    assert [user and (user["email"], user["role"], user["profile"] is not None) for user in users] == [
        ("admin@consumo.test", "10", False),
        ("supervisor@consumo.test", "2", True),
        ("user@consumo.test", "1", True),
        ("new@consumo.test", "1", False),
        None,
    ]
    with filled.begin() as work:
        for account in demo.ACCOUNTS:
            user = work.users.find("email", unique_key(account.email))
            assert user
            assert PlainPasswords().match("consumo-demo-2026", user.password_hash)


def test_every_total_is_the_sum_of_its_details(hospital: dict[str, list[Any]]) -> None:
    sums: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    for detail in hospital["details"]:
        charged = 0 if detail["unbilled"] else detail["unit_price"] * detail["quantity"]
        assert detail["total"] == Decimal(charged).quantize(Decimal("0.01"), "ROUND_HALF_UP")
        sums[detail["consumption_sheet_id"]] += detail["total"]
        counts[detail["consumption_sheet_id"]] += 1
    for sheet in hospital["open"] + hospital["closed"]:
        assert sheet["total"] == sums[sheet["id"]]
        assert sum(day["details"] for day in sheet["consumptions"]) == counts[sheet["id"]]
    assert sorted(counts[sheet["id"]] for sheet in hospital["open"]) == [0, 3, 7, 12, 15, 16, 27, 28, 40, 60, 117]


def test_open_sheets_show_waste_and_what_the_stay_includes(hospital: dict[str, list[Any]]) -> None:
    open_sheets = {sheet["id"] for sheet in hospital["open"]}
    wasted = [detail for detail in hospital["details"] if detail["use_reason"]]
    assert Counter(detail["use_reason"] for detail in wasted) == {"opened": 2, "dropped": 1, "defective": 1}
    assert sum(detail["consumption_sheet_id"] in open_sheets for detail in wasted) == 3
    [product] = [product["name"] for product in hospital["products"] if product["included_in_stay"]]
    included = [detail for detail in hospital["details"] if detail["unbilled"]]
    assert {(detail["product"]["name"], detail["unbilled"]) for detail in included} == {(product, "included")}
    assert {detail["consumption_sheet_id"] for detail in included} & open_sheets


def test_open_sheets_occupy_the_occupied_rooms(hospital: dict[str, list[Any]]) -> None:
    taken = [sheet["room_id"] for sheet in hospital["open"]]
    assert sorted(taken) == [room["id"] for room in hospital["rooms"] if room["status"] == 2]


def test_details_are_recorded_by_nurse_or_supervisor(hospital: dict[str, list[Any]]) -> None:
    _, supervisor, nurse, *_ = hospital["users"]
    recorded = Counter(detail["user_id"] for detail in hospital["details"])
    assert set(recorded) == {supervisor["id"], nurse["id"]}
    for detail in hospital["details"]:
        assert (detail["user_id"] == nurse["id"]) == (detail["staff_id"] == nurse["staff_id"])
        assert detail["area_id"]


def test_nearly_every_day_of_three_months_has_details(hospital: dict[str, list[Any]]) -> None:
    days = {day_of(detail["created_at"], MEXICO) for detail in hospital["details"]}
    assert len(days) >= 85
    assert min(days) > day_of(NOW, MEXICO) - timedelta(days=90)


def test_the_worklist_has_every_kind_of_oddity(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    supervisor = hospital["users"][1]
    actor = Actor(user_id=supervisor["id"], role=Role.SUPERVISOR, staff_id=supervisor["staff_id"])
    worklist = replace(unwrap(filled.use_cases.reports.read_worklist), clock=lambda: NOW)(actor)
    assert {line["kind"] for line in worklist["unusual_lines"]} == {Oddity.QUANTITY_ZERO, Oddity.QUANTITY_FAR_OUT}
    assert {Oddity.SHEET_OPEN_LONG, Oddity.SHEET_QUIET} <= {sheet["kind"] for sheet in worklist["unusual_sheets"]}
    assert worklist["products_without_price"] == 1
    overview = replace(unwrap(filled.use_cases.reports.read_overview), clock=lambda: NOW)(actor)
    assert len(overview["mine"]) == 8


def test_there_are_kits_a_pack_and_a_recall_of_a_used_lot(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    nurse = hospital["users"][2]
    with filled.read() as views:
        kits = views.kits.page(KitQuery(user_id=nurse["id"]))["items"]
        assert {(kit["name"], kit["own"], kit["area_id"] is None) for kit in kits} == {
            ("Oxígeno", True, True),
            ("Curación", False, False),
            ("Sonda vesical", False, True),
            ("Vía periférica", False, True),
        }
        assert all(kit["lines"] for kit in kits)
        [box] = views.packs.known(gtin="19520000011113", hibc=(), code=None, any_code=None)
        assert (box.product["name"], box.units, box.label) == ("Guante de nitrilo talla M", Decimal(100), "caja de 100")
        [recall] = views.recalls.page(RecallQuery(closed=False))["items"]
        used = all_of(views.details, DetailQuery(product_id=recall["product_id"], lot=recall["lot"]))
        later = all_of(views.details, DetailQuery(product_id=recall["product_id"], lot="C20-1151"))
    assert len(used) > 20
    assert max(detail["created_at"] for detail in used) < recall["opened_at"]
    assert all(detail["created_at"] >= recall["opened_at"] for detail in later)


def test_implants_of_closed_sheets_have_both_or_a_reason(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    with filled.read() as views:
        complete, other = all_of(views.details, DetailQuery(implant=True))
    closed = {sheet["id"] for sheet in hospital["closed"]}
    assert {complete["consumption_sheet_id"], other["consumption_sheet_id"]} <= closed
    assert complete["lot"]
    assert complete["serial"]
    assert not complete.get("implant_reason")
    assert not other["serial"]
    assert other["implant_reason"]
    supervisor = Actor(user_id=hospital["users"][1]["id"], role=Role.SUPERVISOR, staff_id=None)
    card = replace(unwrap(filled.use_cases.implants.print_card), clock=lambda: NOW)
    [printed] = card(supervisor, complete["consumption_sheet_id"])["implants"]
    assert printed["product"] == "Clavo intramedular de fémur"


def test_a_form_of_an_open_sheet_is_not_back(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    with filled.read() as views:
        [form] = views.contingency_forms(FormState.OPEN, most=10)
    assert form.sheet_id in {sheet["id"] for sheet in hospital["open"]}
    assert len(form.products) > 10
    assert form.printed_at <= NOW


def test_a_restock_list_is_open_in_shelf_order(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    nurse, area = hospital["users"][2], next(one for one in hospital["areas"] if one["name"] == "Medicina Interna")
    actor = Actor(user_id=nurse["id"], role=Role.USER, staff_id=nurse["staff_id"])
    restock = filled.use_cases.restock
    listed = restock.read(actor, area["id"])
    assert listed["number"] == 2
    shelves = ["A 1", "A 3", "A 4", "A 10", "B 2", "B 4", "C 1", "C 2", None]
    assert [line["shelf"] for line in listed["items"]] == shelves
    assert sum(line["put_back"] is not None for line in listed["items"]) == 1
    assert sum(line["fixed_amount"] is not None for line in listed["items"]) == 2
    assert len(restock.list_shelves(actor, area["id"])["items"]) > len(listed["items"])
    assert len(restock.list_closed(actor, area["id"])["items"]) == 1


@cache
def at(now: datetime, zone: ZoneInfo = MEXICO) -> dict[str, list[Any]]:
    """The demonstration data as created at that moment."""
    filling = in_memory(zone)
    filling.fill(now)
    return everything(filling.read)


UTC_ZONE = ZoneInfo("UTC")
# A moment at which the hospital's day differs from UTC's; `make walk` tries all moments in all zones.
HOURS = [(datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC), MADRID)]
if WALKS_ALL:
    HOURS += [
        (datetime(2026, 11, 20, 0, 3, 20, 7, tzinfo=UTC), MEXICO),
        (datetime(2026, 3, 29, 3, 30, tzinfo=UTC), MADRID),  # the day on which daylight saving time begins in Madrid
        (datetime(2026, 10, 25, 9, 0, tzinfo=UTC), MADRID),  # and ends
        (datetime(2026, 11, 20, 0, 0, tzinfo=UTC), UTC_ZONE),
        (datetime(2026, 11, 20, 6, 1, tzinfo=UTC), MEXICO),
        (datetime(2026, 11, 20, 13, 59, tzinfo=UTC), MADRID),
        (datetime(2028, 2, 29, 12, 0, tzinfo=UTC), UTC_ZONE),
    ]
    HOURS = [(now, zone) for now, _ in HOURS for zone in (UTC_ZONE, MEXICO, MADRID)]


@pytest.mark.parametrize(("now", "zone"), HOURS, ids=str)
def test_nothing_is_in_the_future(now: datetime, zone: ZoneInfo) -> None:
    hospital = at(now, zone)
    today = day_of(now, zone)
    assert len(hospital["details"]) == DETAILS
    assert all(person["date_of_birth"] <= today for person in hospital["patients"] + hospital["staff"])
    sheets = {sheet["id"]: sheet for sheet in hospital["open"] + hospital["closed"]}
    born = {patient["id"]: patient["date_of_birth"] for patient in hospital["patients"]}
    for sheet in sheets.values():
        assert born[sheet["patient_id"]] <= sheet["admission_date"] <= today
        assert sheet["deleted_at"] is None or sheet["deleted_at"] <= now
    for detail in hospital["details"]:
        sheet = sheets[detail["consumption_sheet_id"]]
        assert sheet["admission_date"] <= day_of(detail["created_at"], zone)
        assert detail["created_at"] <= (sheet["deleted_at"] or now)


def test_ids_increase_with_time(hospital: dict[str, list[Any]]) -> None:
    details = hospital["details"]
    assert details == sorted(details, key=lambda detail: detail["created_at"])


def test_the_data_depends_on_the_moment_alone(hospital: dict[str, list[Any]]) -> None:
    assert at(NOW) == hospital


def test_days_later_the_data_has_moved_by_as_many_days(hospital: dict[str, list[Any]]) -> None:
    then, now = hospital["open"], at(NOW.replace(day=27))["open"]
    assert [sheet["admission_date"] + timedelta(days=7) for sheet in then] == [sheet["admission_date"] for sheet in now]


def test_a_hospital_of_its_own_is_no_demonstration() -> None:
    store = InMemoryStore(MEXICO)
    container = a_container(store, MEXICO)
    for has_accounts in (False, True):
        if has_accounts:
            a_ward(store)
        container.refresh_hospital()
        assert demo.is_there(store.begin) is (False if has_accounts else None)
        assert not container.hospital().profile.is_demonstration


def test_a_running_server_notices_that_the_demo_was_filled() -> None:
    store = InMemoryStore(MEXICO)
    container = a_container(store, MEXICO)
    container.refresh_hospital()
    assert not container.hospital().profile.is_demonstration
    on(store, MEXICO).fill(NOW)
    container.refresh_hospital()
    assert container.hospital().profile.is_demonstration


def test_only_an_empty_store_is_filled(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    empty = in_memory()
    assert demo.is_empty(empty.begin)
    assert demo.is_there(empty.begin) is None
    assert not demo.is_empty(filled.begin)
    assert demo.is_there(filled.begin)
    with pytest.raises(Refused):
        filled.fill(NOW)
    assert everything(filled.read) == hospital


def test_two_areas_used_something_for_no_patient(filled: Filling, hospital: dict[str, list[Any]]) -> None:
    admin = Actor(user_id=hospital["users"][0]["id"], role=Role.ADMIN, staff_id=None)
    ids = [area["id"] for area in hospital["areas"] if area["name"] in {"Medicina Interna", "Terapia Intensiva"}]
    pages = [filled.use_cases.area_sheets.list(admin, each)["items"] for each in ids]
    assert sorted(page["lines"] for [page] in pages) == [2, 3]
