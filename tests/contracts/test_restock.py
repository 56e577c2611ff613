"""Contract of every store: restock lists lose nothing and count nothing twice."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from application.catalogue.areas import AreaDraft
from application.ports.idempotency import IdempotencyKey
from application.restock import CloseRestockDraft, PutBackDraft, ShelfDraft
from application.sheets.correct_detail import CorrectionDraft
from application.sheets.move_details import MoveDraft
from application.sheets.return_detail import ReturnDraft
from application.sheets.void_details import VoidDraft
from application.views.audit import AuditQuery
from application.views.restock import PutBackView, RestockDocumentView, RestockView
from domain.errors import Code, Forbidden, NotFound, Refused
from domain.sheet import Detail
from tests.assertions import refused
from tests.builders import Ward, a_newcomer
from tests.contracts.concurrently import at_once


def an_open_list(ward: Ward, area_id: int | None = None) -> RestockView:
    return ward.use_cases.restock.read(ward.nurse, area_id or ward.area_id)


def needed(ward: Ward, area_id: int | None = None) -> dict[str, Decimal]:
    return {line["product"]["name"]: line["needed"] for line in an_open_list(ward, area_id)["items"]}


def tick(ward: Ward, product_id: int, quantity: str, area_id: int | None = None) -> PutBackView:
    draft = PutBackDraft(number=an_open_list(ward, area_id)["number"], quantity=Decimal(quantity))
    return ward.use_cases.restock.put_back(ward.nurse, area_id or ward.area_id, product_id, draft)


def close(ward: Ward, area_id: int | None = None, *, settle_rest: bool = False) -> RestockDocumentView:
    draft = CloseRestockDraft(number=an_open_list(ward, area_id)["number"], settle_rest=settle_rest)
    return ward.use_cases.restock.close(ward.nurse, area_id or ward.area_id, draft).answer


def test_a_list_has_what_was_used_since_the_last_one(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.product("Venda", code="V-1", unit="rollo")
    ward.detail(sheet_id, "2", area_id=ward.area_id)
    ward.detail(sheet_id, "3", area_id=ward.area_id)
    ward.detail(sheet_id, "1.5", product_id=other.id, area_id=ward.area_id)
    ward.detail(sheet_id, "9")
    assert needed(ward) == {"Gasa estéril": Decimal(5), "Venda": Decimal("1.5")}
    ticked = tick(ward, ward.product_id, "5")
    assert (
        ticked
        == an_open_list(ward)["items"][0]["put_back"]
        == {"quantity": Decimal(5), "by": "Nuria Paz", "at": ward.clock.now}
    )
    # What is used after the tick is on the next list.
    ward.detail(sheet_id, "1", area_id=ward.area_id)
    closed = close(ward)
    assert (closed["number"], closed["by"], closed["lines"], closed["left_over"]) == (1, "Nuria Paz", 1, 2)
    assert closed["items"][0]["quantity"] == closed["items"][0]["put_back"] == Decimal(5)
    assert needed(ward) == {"Gasa estéril": Decimal(1), "Venda": Decimal("1.5")}
    assert an_open_list(ward)["since"] == ward.clock.now
    assert ward.use_cases.restock.read_document(ward.nurse, closed["id"]) == closed
    assert "price" not in str(closed) + str(an_open_list(ward))


def test_a_void_after_closing_reduces_the_next_list(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    close(ward)
    assert needed(ward) == {}
    ward.use_cases.details.void(ward.admin, line["id"], VoidDraft(reason="Error"))
    assert needed(ward) == {"Gasa estéril": Decimal(-4)}
    ward.detail(sheet_id, "6", area_id=ward.area_id)
    assert needed(ward) == {"Gasa estéril": Decimal(2)}


def test_settling_the_rest_begins_an_empty_list(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.product("Venda").id
    ward.detail(sheet_id, "4", area_id=ward.area_id)
    ward.detail(sheet_id, "2", product_id=other, area_id=ward.area_id)
    with refused(Code.RESTOCK_EMPTY):
        close(ward)
    tick(ward, ward.product_id, "3")
    closed = close(ward, settle_rest=True)
    assert [(line["product"]["name"], line["quantity"], line["put_back"]) for line in closed["items"]] == [
        ("Gasa estéril", Decimal(4), Decimal(3)),
        ("Venda", Decimal(2), Decimal(0)),
    ]
    assert closed["left_over"] == 0
    assert needed(ward) == {}


def test_lines_are_in_shelf_order_with_fixed_amounts(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    places = {"Aguja": "B 10", "Bata": "B 2", "Cinta": None}
    for name, shelf in places.items():
        product = ward.product(name)
        ward.detail(sheet_id, "1", product_id=product.id, area_id=ward.area_id)
        draft = ShelfDraft(shelf=shelf, fixed_amount=Decimal(100) if shelf else None)
        ward.use_cases.restock.set_shelf(ward.supervisor, ward.area_id, product.id, draft)
    items = an_open_list(ward)["items"]
    assert [line["product"]["name"] for line in items] == ["Bata", "Aguja", "Cinta"]
    shelves = ward.use_cases.restock.list_shelves(ward.nurse, ward.area_id)["items"]
    assert [(one["shelf"], one["fixed_amount"]) for one in shelves] == [("B 2", Decimal(100)), ("B 10", Decimal(100))]
    tick(ward, items[0]["product"]["id"], "1")
    [line] = close(ward)["items"]
    assert (line["shelf"], line["quantity"], line["put_back"]) == ("B 2", Decimal(1), Decimal(100))
    # The closed list keeps the shelf of then.
    ward.use_cases.restock.set_shelf(ward.supervisor, ward.area_id, items[0]["product"]["id"], ShelfDraft(shelf="C"))
    [summary] = ward.use_cases.restock.list_closed(ward.nurse, ward.area_id)["items"]
    [line] = ward.use_cases.restock.read_document(ward.nurse, summary["id"])["items"]
    assert line["shelf"] == "B 2"
    with pytest.raises(Forbidden):
        ward.use_cases.restock.set_shelf(ward.nurse, ward.area_id, ward.product_id, ShelfDraft())


def test_a_tick_can_be_removed(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    ward.use_cases.restock.undo_put_back(ward.nurse, ward.area_id, ward.product_id, 1)
    assert an_open_list(ward)["items"][0]["put_back"] is None


def test_a_tick_above_what_is_needed_is_refused(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.product("Venda").id
    ward.detail(sheet_id, "4", area_id=ward.area_id)
    ward.detail(sheet_id, "9", product_id=other)
    for product_id, quantity in ((ward.product_id, "4.001"), (ward.product_id, "9996"), (other, "1")):
        with refused((Code.RESTOCK_MORE_THAN_NEEDED, "quantity")):
            tick(ward, product_id, quantity)
    tick(ward, ward.product_id, "4")
    close(ward)
    assert needed(ward) == {}
    with refused((Code.RESTOCK_MORE_THAN_NEEDED, "quantity")):
        tick(ward, ward.product_id, "1")


def test_every_tick_and_its_removal_are_audited(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    for _ in range(2):
        tick(ward, ward.product_id, "4")
    for _ in range(2):
        ward.use_cases.restock.undo_put_back(ward.supervisor, ward.area_id, ward.product_id, 1)
    items = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="area", limit=2))["items"]
    assert [(one["action"], one["entity_id"], one["changes"]) for one in items] == [
        (
            "area.restock_unticked",
            ward.area_id,
            {"product_id": [None, ward.product_id], "quantity": ["4.000", None], "user_id": [ward.nurse.user_id, None]},
        ),
        ("area.restock_ticked", ward.area_id, {"product_id": [None, ward.product_id], "quantity": [None, "4.000"]}),
    ]


def test_ticks_of_a_closed_list_are_refused(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    close(ward)
    ward.clock.advance(minutes=3)
    with refused((Code.RESTOCK_CLOSED, "number")) as refusal:
        ward.use_cases.restock.put_back(
            ward.supervisor, ward.area_id, ward.product_id, PutBackDraft(number=1, quantity=Decimal(4))
        )
    del refusal
    with refused((Code.NUMBER_OUT_OF_RANGE, "number")):
        ward.use_cases.restock.undo_put_back(ward.supervisor, ward.area_id, ward.product_id, 3)
    with pytest.raises(NotFound):
        an_open_list(ward, 999)
    with pytest.raises(Forbidden):
        ward.use_cases.restock.read(a_newcomer(), ward.area_id)


def test_one_of_two_closings_at_once_wins(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")

    def closing(number: int) -> Callable[[], object]:
        actor = (ward.nurse, ward.supervisor)[number % 2]
        return lambda: ward.use_cases.restock.close(actor, ward.area_id, CloseRestockDraft(number=1))

    outcomes = at_once([closing(number) for number in range(6)])
    losers = [one for one in outcomes if isinstance(one, Refused)]
    assert len(losers) == 5
    [winner] = [one.answer for one in outcomes if not isinstance(one, Exception)]
    for loser in losers:
        [reason] = loser.reasons
        assert (reason.code, reason.params["by"]) == (Code.RESTOCK_CLOSED, winner["by"])
    assert needed(ward) == {}


def test_a_repeated_closing_returns_the_same_list(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    key = IdempotencyKey("a" * 32, "close")
    draft = CloseRestockDraft(number=1)
    first = ward.use_cases.restock.close(ward.nurse, ward.area_id, draft, idempotency_key=key)
    again = ward.use_cases.restock.close(ward.nurse, ward.area_id, draft, idempotency_key=key)
    assert (again.replayed, again.answer) == (True, first.answer)


def test_closed_lists_come_in_pages(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("application.restock.MAX_LISTED", 2)
    sheet_id = ward.sheet()["id"]
    for _ in range(3):
        ward.detail(sheet_id, "1", area_id=ward.area_id)
        close(ward, settle_rest=True)
    page = ward.use_cases.restock.list_closed(ward.nurse, ward.area_id)
    assert ([one["number"] for one in page["items"]], page["more"]) == ([3, 2], True)
    page = ward.use_cases.restock.list_closed(ward.nurse, ward.area_id, 2)
    assert ([one["number"] for one in page["items"]], page["more"]) == ([1], False)


def test_areas_with_lists_are_not_deleted(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "1", area_id=area)
    close(ward, area, settle_rest=True)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert needed(ward, area) == {"Gasa estéril": Decimal(-1)}
    with refused(Code.IN_USE):
        ward.use_cases.areas.delete(ward.admin, area)


# All weeks of one test are in one ward.
NUMBERS = count()
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("record", "record", "record", "void", "move", "return", "quantity", "area", "tick", "close", "settle")
        ),
        st.integers(0, 9),
        st.integers(1, 4),
    ),
    min_size=5,
    max_size=25,
)


class Week:
    """A week of two areas and two products on two sheets."""

    def __init__(self, ward: Ward) -> None:
        self.ward = ward
        number = next(NUMBERS)
        first = ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Área {number}")).id
        second = ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Sala {number}")).id
        self.areas = (first, second)
        self.products = (ward.product_id, ward.product(f"Venda {number}").id)
        self.sheets = (ward.sheet()["id"], ward.sheet()["id"])
        self.details: list[int] = []
        self.closed: dict[tuple[int, int], Decimal] = defaultdict(Decimal)

    def run(self, step: str, which: int, quantity: int) -> None:
        uc, admin, ward = self.ward.use_cases, self.ward.admin, self.ward
        area, product, sheet = self.areas[which % 2], self.products[which // 2 % 2], self.sheets[which // 4 % 2]
        if step == "record":
            made = ward.detail(sheet, str(quantity), product_id=product, area_id=area)
            self.details.append(made["id"])
            return
        if step == "tick":
            with suppress(Refused):
                tick(ward, product, str(quantity), area)
            return
        if step in ("close", "settle"):
            with suppress(Refused):
                for item in close(ward, area, settle_rest=step == "settle")["items"]:
                    self.closed[area, item["product"]["id"]] += item["quantity"]
            return
        if not self.details:
            return
        detail_id = self.details[which % len(self.details)]
        line = self._line(detail_id)
        if line.voided:
            return
        on_sheet = line.sheet_id
        if step == "void":
            uc.details.void(admin, detail_id, VoidDraft(reason="Error"))
        elif step == "move":
            target = self.sheets[0] if on_sheet == self.sheets[1] else self.sheets[1]
            uc.details.move(admin, on_sheet, MoveDraft(detail_ids=(detail_id,), to_sheet_id=target, reason="Error"))
        elif step == "return" and line.quantity >= 1:
            uc.details.return_part(admin, detail_id, ReturnDraft(quantity=Decimal(1), reason="unused"))
        elif step == "quantity":
            uc.details.correct(admin, detail_id, CorrectionDraft(quantity=line.quantity + quantity), reason="Error")
        elif step == "area":
            draft = ward.detail_draft(str(line.quantity), product_id=line.product_id, area_id=area)
            uc.details.edit(admin, detail_id, draft)

    def _line(self, detail_id: int) -> Detail:
        with self.ward.store.begin_read_only() as work:
            line = work.details.get(detail_id)
        assert line
        return line

    def check(self) -> None:
        """Compare closed and open lists with what counts."""
        counts: dict[tuple[int, int], Decimal] = defaultdict(Decimal)
        # A correction voids the line and records another one.
        with self.ward.store.begin_read_only() as work:
            lines = [line for sheet_id in self.sheets for line in work.details.on_sheet(sheet_id)]
        for line in lines:
            if not line.voided and line.area_id:
                counts[line.area_id, line.product_id] += line.quantity
        listed = defaultdict(Decimal, self.closed)
        for area in self.areas:
            for item in an_open_list(self.ward, area)["items"]:
                listed[area, item["product"]["id"]] += item["needed"]
        assert {key: value for key, value in listed.items() if value} == {
            key: value for key, value in counts.items() if value
        }


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(steps=STEPS)
def test_lists_add_up_to_what_counts(ward: Ward, steps: list[tuple[str, int, int]]) -> None:
    week = Week(ward)
    for step in steps:
        week.run(*step)
        week.check()
