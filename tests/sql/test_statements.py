"""Numbers of statements: a few to record, none per row of a list.

Also, statements that sum, count or list details must leave out voided ones.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import CompoundSelect, Select, event

import adapters.sql
from adapters.sql.catalogue import areas
from adapters.sql.engine import lists
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.reports.consumption import Shape, groups_of
from adapters.sql.store import SqlStore
from application.accounts.sign_in.sign_in import Credentials
from application.audit.views import AuditQuery
from application.catalogue.rooms import RoomDraft
from application.catalogue.typed_names import TypedNameDraft
from application.catalogue.views import ProductQuery, RoomQuery
from application.common.paging import ListQuery, Sort
from application.inbound.views import InboundMessageQuery
from application.people.views import PatientQuery, StaffQuery
from application.reports.views import ConsumptionBy, ConsumptionQuery
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from domain.catalogue.usual_products import MOST
from domain.ward.shift import USUAL_STARTS, Shifts
from tests.builders import PASSWORD, TODAY, ZONE, Ward, a_ward, use_cases_on
from tests.hl7.messages import a_post, adt

SHIFTS = Shifts(USUAL_STARTS, ZONE)


@pytest.fixture
def ward(sqlite_url: str) -> Iterator[Ward]:
    store = SqlStore(sqlite_url, ZONE)
    yield a_ward(store)
    store.close()


def statements(ward: Ward, work: Callable[[], object]) -> list[str]:
    """Return the SQL statements that a call runs, without BEGIN."""
    asked: list[str] = []
    store = ward.store
    assert isinstance(store, SqlStore)

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    for engine in (store._writing, store._preparing, store._reading):
        event.listen(engine, "before_cursor_execute", note)
    try:
        work()
    finally:
        for engine in (store._writing, store._preparing, store._reading):
            event.remove(engine, "before_cursor_execute", note)
    return asked


def test_recording_with_authentication_takes_six_statements(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    token = ward.use_cases.session.sign_in(Credentials(email="user@consumo.test", password=PASSWORD))

    def record() -> None:
        actor = ward.use_cases.session.identify(token).actor
        ward.use_cases.details.add(actor, ward.detail_draft(), sheet_id=sheet_id)

    assert len(statements(ward, record)) <= 6


def test_the_cost_of_recording_does_not_depend_on_the_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    first = statements(ward, lambda: ward.detail(sheet_id))
    for _ in range(20):
        ward.detail(sheet_id)
    assert statements(ward, lambda: ward.detail(sheet_id)) == first
    assert not [statement for statement in first if "sum(" in statement.lower()]


def test_charges_of_a_closing_take_a_fixed_number_of_statements(ward: Ward) -> None:
    def asked_to_close(lines: int, *, charging: bool) -> int:
        use_cases = use_cases_on(ward.store, clock=ward.clock, charging=charging)
        sheet_id = ward.sheet()["id"]
        ward.details(sheet_id, *[ward.detail_draft() for _ in range(lines)])
        return len(statements(ward, lambda: use_cases.sheets.close(ward.admin, sheet_id)))

    untold = asked_to_close(1, charging=False)
    assert asked_to_close(100, charging=False) == untold
    # Earlier charges and their number, billing codes, codes of areas, names, the message, and all its charges at once.
    assert asked_to_close(1, charging=True) == asked_to_close(100, charging=True) <= untold + 10


def test_polling_a_sheet_takes_one_statement(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    assert len(statements(ward, lambda: ward.use_cases.sheets.read_version(ward.nurse, sheet_id))) == 1


def test_summary_and_usual_products_take_few_statements(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)

    def summarize() -> None:
        ward.use_cases.sheets.summarize(ward.admin, sheet_id)

    def offer() -> None:
        ward.use_cases.sheets.list_usual_products(ward.admin, sheet_id)

    # The first read in an hour is logged, and the first list of a shift is stored: do it before, because only the read
    # itself is measured.
    ward.use_cases.sheets.reader.one(ward.admin, sheet_id)
    for number in range(MOST):
        ward.detail(sheet_id, product_id=ward.product(f"Gasa {number}").id)
    offer()
    before = statements(ward, summarize), statements(ward, offer)
    assert [len(asked) for asked in before] == [4, 6]
    for number in range(10):
        ward.detail(sheet_id, product_id=ward.product(f"Venda {number}").id)
    assert (statements(ward, summarize), statements(ward, offer)) == before


def test_a_long_history_takes_no_more_statements_than_a_short(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]

    def tell() -> None:
        ward.use_cases.sheets.read_history(ward.admin, sheet_id, AuditQuery(limit=100))

    def live() -> None:
        kept, slip = ward.detail(sheet_id, by=ward.nurse)["id"], ward.detail(sheet_id)["id"]
        ward.use_cases.details.edit(ward.admin, kept, ward.detail_draft("3", area_id=ward.area_id))
        ward.use_cases.details.delete(ward.admin, slip)

    live()
    tell()  # The first look is noted in the access log, later ones within the hour are not.
    short = len(statements(ward, tell))
    for _ in range(10):
        live()
    assert len(statements(ward, tell)) == short <= 9


def test_the_audit_log_takes_one_statement_per_kind_of_name(ward: Ward) -> None:
    def tell() -> None:
        ward.use_cases.audit.reader.page(ward.admin, AuditQuery(limit=100))

    ward.detail(ward.sheet()["id"])
    before = len(statements(ward, tell))
    for number in range(10):
        ward.product(f"Venda {number}")
        ward.patient(f"Ana {number}", "Ríos")
        ward.detail(ward.sheet()["id"])
    assert len(statements(ward, tell)) <= before + 1  # one more, because the audit log now has patients too


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("sheets", SheetQuery()),
        ("sheets", SheetQuery(closed=True)),
        ("details", DetailQuery()),
        ("products", ProductQuery()),
        ("rooms", RoomQuery()),
        ("staff", StaffQuery()),
        ("patients", PatientQuery()),
    ],
)
def test_a_long_list_takes_no_more_statements_than_a_short(ward: Ward, name: str, query: ListQuery) -> None:
    def grow() -> None:
        sheet_id = ward.sheet()["id"]
        ward.detail(sheet_id)
        closed = ward.sheet()["id"]
        ward.detail(closed)
        ward.use_cases.sheets.close(ward.admin, closed)
        ward.product("Venda")
        ward.staff("Luz", "Gil")
        ward.sheet(patient_id=ward.patient("Luis", "Gil").id)

    def look() -> None:
        getattr(ward.use_cases, name).reader.page(ward.admin, query)

    grow()
    look()  # logged now, but not the next time
    short = statements(ward, look)
    for _ in range(10):
        grow()
    assert len(statements(ward, look)) == len(short) <= 3


def test_the_example_of_the_list_planner_is_real(ward: Ward) -> None:
    example = " ".join(str(lists.__doc__).split())
    with ward.store.read() as views:
        page = statements(ward, lambda: views.areas.page(ListQuery(page=3, limit=25)))
        search = statements(ward, lambda: views.areas.page(ListQuery(limit=25, q="Cirugía")))
    assert [" ".join(one.split()) in example for one in (*page, *search)] == [True, True, True]
    source = inspect.getsource(areas)
    assert " ".join(source[source.index("AREAS = ") :].split()) in example


def test_the_overview_takes_five_statements(ward: Ward) -> None:
    def look() -> list[str]:
        return statements(ward, lambda: ward.use_cases.reports.read_overview(ward.nurse))

    ward.detail(ward.sheet()["id"], by=ward.nurse)
    look()  # logged now, but not the next time
    short = look()
    for _ in range(9):
        ward.detail(ward.sheet()["id"], by=ward.nurse)
    assert len(look()) == len(short) == 5


def test_the_worklist_takes_19_statements_and_its_number_4(ward: Ward) -> None:
    reports = ward.use_cases.reports
    ward.clock.advance(hours=6)  # noon in the hospital
    yesterday = TODAY - timedelta(days=1)
    for number in range(2):
        sheet_id = ward.sheet(admission_date=yesterday)["id"]
        ward.sheet(admission_date=yesterday - timedelta(days=number))
        ward.detail(sheet_id, "0")
        ward.detail(sheet_id, "99", product_id=ward.product(f"Venda {number}", "0.00").id)
        reports.read_worklist(ward.admin)
        found = len(statements(ward, lambda: reports.read_worklist(ward.admin)))
        counted = len(statements(ward, lambda: reports.read_worklist.count(ward.admin)))
        assert (found, counted) == (19, 4)


def test_the_ward_takes_five_statements(ward: Ward) -> None:
    def look() -> list[str]:
        return statements(ward, lambda: ward.use_cases.reports.read_ward(ward.nurse, ward.area_id))

    def admit(number: int) -> None:
        draft = RoomDraft(name=f"20{number}", status=1, type=1, area_id=ward.area_id)
        ward.detail(ward.sheet(room_id=ward.use_cases.rooms.create(ward.admin, draft).id)["id"])

    ward.detail(ward.sheet()["id"])
    admit(0)  # of a single patient, the sheet would be logged instead of the list
    look()  # logged now, but not the next time
    assert len(look()) == 5
    for number in range(1, 9):
        admit(number)
    assert len(look()) == 5


def test_a_search_of_messages_takes_three_statements(ward: Ward) -> None:
    """The page, where the search ended, and the held messages by reason."""
    post = a_post(ward)
    query = InboundMessageQuery(kind="A03", q="X-")

    def search() -> None:
        ward.use_cases.inbound_messages.list(ward.supervisor, query)

    post.send(adt("A03", visit="X-1"))
    before = statements(ward, search)
    for number in range(20):
        post.send(adt("A03", visit=f"X-{number}"))
    assert statements(ward, search) == before
    assert len(before) == 3


@pytest.mark.parametrize("by", list(ConsumptionBy))
def test_a_report_takes_one_statement(ward: Ward, by: ConsumptionBy) -> None:
    ward.detail(ward.sheet()["id"])
    with ward.store.read() as views:
        query = ConsumptionQuery(by=by, since=TODAY, until=TODAY, sort=Sort("total"), shifts=SHIFTS)
        assert len(statements(ward, lambda: views.consumption.report(query))) == 1


# --- voided lines ----------------------------------------------------------------------------------------------------

# Statements that read voided details too, with the reason.
VOID_ONES_TOO = {
    "details.MAPPING.one": "a unit of work says what may be done with one that is void",
    "details.MAPPING.locked": "the same",
    "recording._REFERENCES": "the earlier one is joined by its id, which is found among those that are not void",
    "recording._LOOK": "the same",
    "consistency._AFTER_CLOSING": "nothing is recorded on a closed sheet, not even what is void",
    "consistency._UNBILLED_TOTAL": "the total of a line that is not billed is right even where it is void",
    "consistency._AREA_LINES": "a line of an area is one even where it is void",
    "consistency._OTHER_RETURNED": "what came back of a line is right even where it is void",
    "details._ENTERED": "what was taken back was sent before all the same",
    "details._ON_SHEET": "a sheet is deleted with all that stands on it",
    "sheets._LOCKED_OF_DETAIL": "the sheet is the same",
    "names._NAMES.detail_id": "what was recorded has a name",
    **dict.fromkeys(
        (
            f"{table}.MAPPING.{part}"
            for table in ("areas", "kits", "products", "rooms", "sheets", "staff", "users")
            for part in ("uses", "used")
        ),
        "what only void lines name is in use: they stay",
    ),
}
READS = re.compile(r"(?:FROM|JOIN|,)\s+consumption_details\b(?!\.)")
LEAVES_OUT = re.compile(r"\bvoided_at IS NULL")


# Other modules import them by other names.
MAPPINGS = {
    id(module.MAPPING)
    for found in pkgutil.walk_packages(adapters.sql.__path__, "adapters.sql.")
    if not re.search(r"\b(migrations|backups)\b", found.name)
    and hasattr(module := importlib.import_module(found.name), "MAPPING")
}


def every_statement() -> Iterator[tuple[str, Any]]:
    """Yield all statements that read, with their names."""
    for found in pkgutil.walk_packages(adapters.sql.__path__, "adapters.sql."):
        if found.ispkg or re.search(r"\b(migrations|backups)\b", found.name):
            continue
        module = importlib.import_module(found.name)
        short = found.name.rpartition(".")[2]
        for name, value in vars(module).items():
            where = f"{short}.{name}"
            if isinstance(value, Select | CompoundSelect):
                yield where, value
            elif isinstance(value, ListSpec):
                yield where, value.source.where(*value.always)
            elif isinstance(value, dict):
                yield from ((f"{where}.{key}", each) for key, each in value.items() if isinstance(each, Select))
            elif isinstance(value, TableMapping) and (name == "MAPPING" or id(value) not in MAPPINGS):
                yield from ((f"{where}.{part}", getattr(value, part)) for part in ("one", "locked", "uses"))
                yield from ((f"{where}.used", each) for each in value.used)
    for by in ConsumptionBy:
        shifts = SHIFTS if by is ConsumptionBy.SHIFT else None
        for compared in (False, True):
            shape = Shape(by, ("area_id", "product_id"), compared=compared, shifts=shifts)
            yield f"consumption.groups_of({by})", groups_of(shape)


def test_statements_on_details_leave_out_voided_ones() -> None:
    reading = {where: text for where, each in every_statement() if READS.search(text := " ".join(str(each).split()))}
    assert len(reading) > 30
    forgetful = {where for where, text in reading.items() if len(LEAVES_OUT.findall(text)) < len(READS.findall(text))}
    assert forgetful - VOID_ONES_TOO.keys() == set(), "leave out what is void (NOT_VOIDED), or give a reason"
    assert VOID_ONES_TOO.keys() - forgetful == set(), "these do leave it out, or are no more"


def test_noting_a_typed_name_takes_a_fixed_number_of_statements(ward: Ward) -> None:
    product_id = ward.product("Solución salina").id

    def note(text: str) -> None:
        ward.use_cases.typed_names.note(ward.nurse, product_id, TypedNameDraft(text=text))

    # The product, the check for patients' numbers and names, the known texts, and the count.
    assert len(statements(ward, lambda: note("suero"))) == 5
    for number in range(60):
        note(f"nombre {chr(97 + number % 26)}{chr(97 + number // 26)}")
    # A text is dropped to make room.
    assert len(statements(ward, lambda: note("otro"))) == 6
    assert len(statements(ward, lambda: ward.use_cases.typed_names.list(ward.admin, product_id))) == 2
