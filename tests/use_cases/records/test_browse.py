"""Reading and listing: queries, redaction and audit entries."""

from collections.abc import Callable
from typing import Any

import pytest

import application.records.list_reader
from application.accounts.views import UserQuery
from application.audit.views import AuditQuery
from application.catalogue.views import ProductQuery, RoomQuery
from application.common.paging import InvalidQuery, ListQuery, Sort
from application.people.views import PatientQuery, StaffQuery
from application.records.list_reader import ListReader
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from application.use_cases import UseCases
from domain.common.errors import Forbidden, NotFound
from domain.common.policy import Role
from tests.builders import Ward
from tests.use_cases.stored import audit_log, kept, nothing_written

LISTS: dict[str, Callable[[UseCases], ListReader[Any, Any]]] = {
    "sheets": lambda u: u.sheets.reader,
    "details": lambda u: u.details.reader,
    "products": lambda u: u.products.reader,
    "categories": lambda u: u.categories.reader,
    "areas": lambda u: u.areas.reader,
    "rooms": lambda u: u.rooms.reader,
    "patients": lambda u: u.patients.reader,
    "staff": lambda u: u.staff.reader,
}
QUERIES: dict[str, type[ListQuery]] = {
    "sheets": SheetQuery,
    "details": DetailQuery,
    "products": ProductQuery,
    "categories": ListQuery,
    "areas": ListQuery,
    "rooms": RoomQuery,
    "patients": PatientQuery,
    "staff": StaffQuery,
}


@pytest.fixture
def at_work(ward: Ward) -> Ward:
    """Return the ward with an open and a closed sheet, both with a detail."""
    opened, closed = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(opened, "2", by=ward.nurse)
    ward.detail(closed, "3", staff_id=ward.nurse.staff_id, area_id=ward.area_id)
    ward.use_cases.sheets.close(ward.admin, closed)
    return ward


def concealed_in(answer: object, path: str = "") -> list[str]:
    """Return the paths of prices, totals and category codes in an answer."""
    if isinstance(answer, list):
        return [found for number, item in enumerate(answer) for found in concealed_in(item, f"{path}[{number}]")]
    if not isinstance(answer, dict):
        return []
    here = [f"{path}.{name}" for name in ("price", "unit_price", "total") if name in answer and path != ".meta"]
    if "code" in answer and (path.endswith(".category") or set(answer) == {"id", "code", "name"}):
        here.append(f"{path}.code")
    return here + [found for name, value in answer.items() for found in concealed_in(value, f"{path}.{name}")]


def all_that_is_read(ward: Ward, who: Any) -> dict[str, Any]:
    """Read every list, and each of its items."""
    use_cases = ward.use_cases
    read: dict[str, Any] = {"closed": use_cases.sheets.reader.page(who, SheetQuery(closed=True))}
    for name in ("sheets", "details", "products", "categories", "areas", "rooms", "patients"):
        browse = LISTS[name](use_cases)
        read[name] = browse.page(who, QUERIES[name]())
        read[f"one of {name}"] = [browse.one(who, item["id"]) for item in read[name]["items"]]
        # Only a single read of a sheet has its stays and the state of its charges.
        in_list = [
            {part: reported for part, reported in one.items() if part not in ("stays", "charging")}
            for one in read[f"one of {name}"]
        ]
        assert in_list == read[name]["items"]
        assert read[name]["items"]
    return read


def test_ward_staff_see_no_prices_totals_or_category_codes(at_work: Ward) -> None:
    read = all_that_is_read(at_work, at_work.nurse)
    # The code of an area is no price.
    areas = [*read.pop("areas")["items"], *read.pop("one of areas")]
    assert all(set(area) == {"id", "code", "name"} for area in areas)
    assert [found for answer in read.values() for found in concealed_in(answer)] == []


@pytest.mark.parametrize("who", ["supervisor", "admin"])
def test_supervisors_and_administrators_see_all_of_them(at_work: Ward, who: str) -> None:
    read = all_that_is_read(at_work, getattr(at_work, who))
    assert concealed_in(read["sheets"]) == [".items[0].total"]
    assert concealed_in(read["closed"]) == [".items[0].total"]
    assert concealed_in(read["details"]["items"][0]) == [
        ".unit_price",
        ".total",
        ".product.price",
        ".product.category.code",
    ]
    assert concealed_in(read["products"]["items"]) == ["[0].price", "[0].category.code"]
    assert concealed_in(read["categories"]["items"]) == ["[0].code"]


def test_product_codes_are_no_category_codes_and_visible_to_all(at_work: Ward) -> None:
    product = at_work.product("Venda", code="V-1")
    assert at_work.use_cases.products.reader.one(at_work.nurse, product.id)["code"] == "V-1"


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("sheets", "total"),
        ("details", "total"),
        ("details", "unit_price"),
        ("products", "price"),
        ("categories", "category_code"),
    ],
)
@pytest.mark.parametrize("descending", [False, True])
def test_sorting_by_a_price_needs_the_price_permission(at_work: Ward, name: str, field: str, descending: bool) -> None:
    browse, query = LISTS[name](at_work.use_cases), QUERIES[name](sort=Sort(field, descending))
    assert browse.page(at_work.supervisor, query)["items"]
    with pytest.raises(InvalidQuery, match="sort"):
        browse.page(at_work.nurse, query)


@pytest.mark.parametrize("name", LISTS)
def test_every_offered_sort_works(at_work: Ward, name: str) -> None:
    browse = LISTS[name](at_work.use_cases)
    for field in browse.sorts:
        assert browse.page(at_work.admin, QUERIES[name](sort=Sort(field)))["items"]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"page": 0}, "page"),
        ({"page": -1}, "page"),
        ({"page": 2**31 + 1}, "page"),
        ({"limit": 0}, "limit"),
        ({"limit": 1001}, "limit"),
        ({"sort": Sort("nothing")}, "sort"),
        ({"sort": Sort("")}, "sort"),
        ({"q": "a\x00b"}, "q"),
        ({"q": "\ud800"}, "q"),
        ({"sort": Sort("id"), "cursor": "x"}, "cursor"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "é"}, "cursor"),
        ({"cursor": "WzEsMl0"}, "cursor"),
    ],
)
def test_an_invalid_query_names_the_wrong_parameter(
    at_work: Ward, name: str, asked: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidQuery) as bad:
        LISTS[name](at_work.use_cases).page(at_work.admin, QUERIES[name](**asked))
    assert bad.value.field == field


@pytest.mark.parametrize("name", LISTS)
def test_a_page_has_at_most_100_items_and_the_last_may_be_empty(at_work: Ward, name: str) -> None:
    browse = LISTS[name](at_work.use_cases)
    page = browse.page(at_work.admin, QUERIES[name](limit=100))
    assert page["meta"]["total"] == len(page["items"]) > 0
    beyond = browse.page(at_work.admin, QUERIES[name](page=2**31, limit=100))
    assert (beyond["items"], beyond["meta"]["total"]) == ([], page["meta"]["total"])


@pytest.mark.parametrize("name", LISTS)
def test_missing_items_are_not_found(at_work: Ward, name: str) -> None:
    for missing in (99, 0, -1):
        with pytest.raises(NotFound):
            LISTS[name](at_work.use_cases).one(at_work.admin, missing)


# --- exports ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read exports in batches of two."""
    monkeypatch.setattr(application.records.list_reader, "BATCH_SIZE", 2)


@pytest.mark.parametrize("count", range(1, 8))
def test_an_export_has_everything_once_for_any_number_of_batches(ward: Ward, two_at_a_time: None, count: int) -> None:
    """Counts are odd and even, for a list with cursors and one without."""
    sheet_id = ward.sheet()["id"]
    details = [ward.detail(sheet_id)["id"] for _ in range(count)]
    products = [ward.product_id, *(ward.product(f"Venda {number}").id for number in range(1, count))]
    every = ward.use_cases.details.reader.iterate(ward.admin, DetailQuery())
    assert [detail["id"] for detail in every] == details[::-1]
    assert [product["id"] for product in ward.use_cases.products.reader.iterate(ward.admin, ProductQuery())] == products


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("asked", [{"q": "gasa"}, {"sort": Sort("id", descending=True)}])
def test_a_searched_or_sorted_export_has_everything_once(
    ward: Ward, two_at_a_time: None, count: int, asked: dict[str, Any]
) -> None:
    sheet_id = ward.sheet()["id"]
    details = [ward.detail(sheet_id)["id"] for _ in range(count)]
    every = ward.use_cases.details.reader.iterate(ward.admin, DetailQuery(**asked))
    assert [detail["id"] for detail in every] == details[::-1]


@pytest.mark.parametrize("name", LISTS)
def test_an_export_has_the_items_of_the_pages_in_their_order(at_work: Ward, two_at_a_time: None, name: str) -> None:
    at_work.product("Venda")
    browse, query = LISTS[name](at_work.use_cases), QUERIES[name]
    # Exported details also have their patient.
    reported = [
        {
            field: value
            for field, value in item.items()
            if name != "details" or field not in ("patient_id", "patient", "room")
        }
        for item in browse.iterate(at_work.admin, query())
    ]
    assert reported == browse.page(at_work.admin, query(limit=100))["items"]
    assert list(browse.iterate(at_work.admin, query(q="no such thing"))) == []


def test_an_export_is_filtered_and_ignores_page_and_limit(at_work: Ward, two_at_a_time: None) -> None:
    for number in range(5):
        at_work.product(f"Venda {number}", active=number % 2)
    asked = ProductQuery(q="venda", active=True, page=7, limit=1)
    every = at_work.use_cases.products.reader.iterate(at_work.nurse, asked)
    assert [product["name"] for product in every] == ["Venda 1", "Venda 3"]
    closed = at_work.use_cases.sheets.reader.iterate(at_work.nurse, SheetQuery(closed=True))
    assert [sheet["closed"] for sheet in closed] == [True]


def test_details_added_during_an_export_do_not_disturb_it(ward: Ward, two_at_a_time: None) -> None:
    sheet_id = ward.sheet()["id"]
    there = [ward.detail(sheet_id)["id"] for _ in range(6)]
    every = ward.use_cases.details.reader.iterate(ward.admin, DetailQuery())
    reported = [next(every)["id"]]
    for detail in every:
        ward.clock.advance(seconds=1)
        ward.detail(sheet_id)
        reported.append(detail["id"])
    assert reported == there[::-1]


def test_exports_show_ward_staff_no_prices(at_work: Ward, two_at_a_time: None) -> None:
    for _ in range(3):
        at_work.detail(1)
        at_work.product("Venda")
    for name in ("sheets", "details", "products", "categories"):
        shown = list(LISTS[name](at_work.use_cases).iterate(at_work.nurse, QUERIES[name]()))
        assert shown
        assert concealed_in(shown) == []
        assert concealed_in(list(LISTS[name](at_work.use_cases).iterate(at_work.supervisor, QUERIES[name]())))


def test_an_export_is_logged_before_it_starts(at_work: Ward) -> None:
    nouns = ("consumption_sheet", "consumption_detail", "product", "category", "area", "room", "patient", "staff")
    for name, noun in zip(LISTS, nouns, strict=True):
        at_work.clock.advance(minutes=1)
        before = len(audit_log(at_work))
        every = LISTS[name](at_work.use_cases).iterate(at_work.supervisor, QUERIES[name]())
        (entry,) = audit_log(at_work)[before:]
        assert (entry.action, entry.entity, entry.entity_id, entry.changes) == (f"{noun}.exported", noun, 0, {})
        assert (entry.user_id, entry.at) == (at_work.supervisor.user_id, at_work.clock.now)
        list(every)
        assert len(audit_log(at_work)) == before + 1


@pytest.mark.parametrize("name", LISTS)
def test_a_refused_export_fails_at_once_and_is_not_logged(at_work: Ward, name: str) -> None:
    browse, query = LISTS[name](at_work.use_cases), QUERIES[name]
    newcomer = at_work.register("new@consumo.test", Role.USER)
    with nothing_written(at_work), pytest.raises(Forbidden):
        browse.iterate(newcomer, query())
    for asked in ({"sort": Sort("nothing")}, {"q": "a\x00b"}, {"page": 0}):
        with nothing_written(at_work), pytest.raises(InvalidQuery):
            browse.iterate(at_work.admin, query(**asked))


# --- access log ------------------------------------------------------------------------------------------------------


def test_reads_of_patients_are_logged_without_their_data(ward: Ward) -> None:
    ward.patient("Luis", "Gil", record_number="EXP-7")
    before = audit_log(ward)
    ward.clock.advance(minutes=3)
    ward.use_cases.patients.reader.page(ward.nurse, PatientQuery(q="gil"))
    ward.use_cases.patients.reader.one(ward.supervisor, 2)
    list(ward.use_cases.patients.reader.iterate(ward.admin, PatientQuery(q="luis")))
    reported = audit_log(ward)[len(before) :]
    assert [(entry.action, entry.user_id, entry.entity, entry.entity_id) for entry in reported] == [
        ("patient.listed", ward.nurse.user_id, "patient", 0),
        # A list that is narrowed to one patient names the patient.
        ("patient.read", ward.nurse.user_id, "patient", 2),
        ("patient.read", ward.supervisor.user_id, "patient", 2),
        ("patient.exported", ward.admin.user_id, "patient", 0),
        ("patient.read", ward.admin.user_id, "patient", 2),
    ]
    assert [(entry.at, entry.changes, entry.sheet_id) for entry in reported] == [(ward.clock.now, {}, None)] * 5
    for said in ("Gil", "gil", "Luis", "luis", "EXP-7"):
        assert said not in repr(reported)


def test_reading_back_a_change_is_not_logged(ward: Ward) -> None:
    with nothing_written(ward):
        assert ward.use_cases.patients.reader.changed(ward.nurse, ward.patient_id)["name"] == "Ana"


def test_pages_of_other_lists_are_not_logged(at_work: Ward) -> None:
    with nothing_written(at_work):
        for name in LISTS:
            # Reads of these are logged: see tests/contracts/audit/test_access_log.py.
            if name in ("patients", "sheets", "details", "rooms"):
                continue
            browse = LISTS[name](at_work.use_cases)
            for item in browse.page(at_work.admin, QUERIES[name]())["items"]:
                browse.one(at_work.admin, item["id"])


def test_a_failed_read_of_a_patient_is_not_logged(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.patients.reader.one(ward.nurse, 99)
    with nothing_written(ward), pytest.raises(InvalidQuery):
        ward.use_cases.patients.reader.page(ward.nurse, PatientQuery(sort=Sort("nothing")))


# --- the audit log itself ---------------------------------------------------------------------------------------------


def test_only_administrators_read_the_audit_log(at_work: Ward) -> None:
    reported = at_work.use_cases.audit.reader.page(at_work.admin, AuditQuery(limit=100))["items"]
    assert [entry["action"] for entry in reported] == [entry.action for entry in audit_log(at_work)][::-1]
    for who in (at_work.nurse, at_work.supervisor):
        with nothing_written(at_work), pytest.raises(Forbidden):
            at_work.use_cases.audit.reader.page(who, AuditQuery())
        with nothing_written(at_work), pytest.raises(Forbidden):
            at_work.use_cases.audit.reader.iterate(who, AuditQuery())


def test_an_export_of_the_audit_log_is_logged_in_it(ward: Ward, two_at_a_time: None) -> None:
    before = len(audit_log(ward))
    reported = list(ward.use_cases.audit.reader.iterate(ward.admin, AuditQuery()))
    assert [entry["id"] for entry in reported] == list(range(before + 1, 0, -1))
    assert (reported[0]["action"], reported[0]["entity"]) == ("audit.exported", "audit")


@pytest.mark.parametrize("field", ["entity", "action", "q"])
@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "x" * 201])
def test_a_search_text_that_no_database_accepts_is_refused(ward: Ward, field: str, text: str) -> None:
    with nothing_written(ward), pytest.raises(InvalidQuery) as bad:
        ward.use_cases.audit.reader.page(ward.admin, AuditQuery(**{field: text}))  # type: ignore[arg-type]
    assert bad.value.field == field


# --- users -----------------------------------------------------------------------------------------------------------


def test_users_see_the_accounts_that_they_manage(ward: Ward) -> None:
    users = ward.use_cases.users.reader
    for who, roles in ((ward.admin, ["10", "2", "1"]), (ward.supervisor, ["2", "1"])):
        page = users.page(who, UserQuery())
        assert [user["role"] for user in page["items"]] == roles
        assert page["meta"]["total"] == len(roles)
        assert list(users.iterate(who, UserQuery())) == page["items"]
        assert [users.one(who, user["id"]) for user in page["items"]] == page["items"]


def test_a_supervisor_cannot_list_administrators(ward: Ward) -> None:
    for asked in (UserQuery(roles=frozenset({10})), UserQuery(q="admin"), UserQuery(sort=Sort("role"))):
        shown = ward.use_cases.users.reader.page(ward.supervisor, asked)["items"]
        assert "10" not in [user["role"] for user in shown]
        assert "10" not in [user["role"] for user in ward.use_cases.users.reader.iterate(ward.supervisor, asked)]


def test_an_account_that_one_does_not_manage_is_not_found(ward: Ward) -> None:
    for user_id in (ward.admin.user_id, 99):
        for who in (ward.supervisor, ward.nurse):
            with pytest.raises(NotFound):
                ward.use_cases.users.reader.one(who, user_id)
    assert ward.use_cases.users.reader.one(ward.nurse, ward.nurse.user_id)["id"] == ward.nurse.user_id


def test_no_list_of_users_has_a_hash(ward: Ward) -> None:
    hashes = {user.password_hash for user in kept(ward).users.values()}
    shown = repr(ward.use_cases.users.reader.page(ward.admin, UserQuery()))
    assert not [kept_hash for kept_hash in hashes if kept_hash and kept_hash in shown]
    assert "password_hash" not in shown


def test_an_export_of_users_is_logged(ward: Ward) -> None:
    ward.use_cases.users.reader.iterate(ward.supervisor, UserQuery())
    assert (audit_log(ward)[-1].action, audit_log(ward)[-1].user_id) == ("user.exported", ward.supervisor.user_id)


@pytest.mark.parametrize(("entity", "recorded"), [("gauze", False), ("area", True)])
def test_a_list_needs_the_audit_actions_of_its_entity(entity: str, recorded: bool) -> None:
    with pytest.raises(ValueError, match=entity):
        type("ListOfNothing", (ListReader,), {"entity": entity, "recorded": recorded})
