"""Contract of every store: restock lists lose nothing and count nothing twice."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from application.catalogue.areas import AreaDraft
from application.restock.restock_lists import CloseRestockDraft, ShelfDraft
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import Code, Forbidden, Refused
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, Unbilled
from tests.builders import TODAY, Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.restock.test_restock import an_open_list, close, needed, tick
from tests.used_for import lines_of, waste


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


def test_closed_lists_come_in_pages(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("application.restock.restock_lists.MAX_LISTED", 2)
    sheet_id = ward.sheet()["id"]
    for _ in range(3):
        ward.detail(sheet_id, "1", area_id=ward.area_id)
        close(ward, settle_rest=True)
    page = ward.use_cases.restock.list_closed(ward.nurse, ward.area_id)
    assert ([one["number"] for one in page["items"]], page["more"]) == ([3, 2], True)
    page = ward.use_cases.restock.list_closed(ward.nurse, ward.area_id, 2)
    assert ([one["number"] for one in page["items"]], page["more"]) == ([1], False)


# All weeks of one test are in one ward.
NUMBERS = count()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("record", "record", "record", "void", "move", "return", "quantity", "area", "waste", "to_area"),
                *("tick", "close", "settle"),
            )
        ),
        st.integers(0, 9),
        st.integers(1, 4),
    ),
    min_size=5,
    max_size=25,
)


class Week:
    """A week of two patients' sheets and two pages of areas.

    There are two products.

    ``handed_out`` is what left the store for the areas, by what was done: without a loss, it was all recorded.
    """

    def __init__(self, ward: Ward) -> None:
        self.ward = ward
        number = next(NUMBERS)
        first = ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Área {number}")).id
        second = ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Sala {number}")).id
        self.areas = (first, second)
        self.products = tuple(ward.product(f"Venda {number}{letter}", code=f"V{number}{letter}").id for letter in "AB")
        admitted = TODAY - timedelta(days=50)
        self.sheets = tuple(ward.sheet(admission_date=admitted)["id"] for _ in range(2))
        self.pages = {area: ward.use_cases.area_sheets.open(ward.admin, area).view["id"] for area in self.areas}
        self.details: list[int] = []
        self.closed: dict[tuple[int, int], Decimal] = defaultdict(Decimal)
        self.handed_out: dict[tuple[int, int], Decimal] = defaultdict(Decimal)

    def run(self, step: str, which: int, quantity: int) -> None:
        uc, admin, ward = self.ward.use_cases, self.ward.admin, self.ward
        area, product, sheet = self.areas[which % 2], self.products[which // 2 % 2], self.sheets[which // 4 % 2]
        if step == "record":
            made = ward.detail(sheet, str(quantity), product_id=product, area_id=area)
            self.details.append(made["id"])
            self.handed_out[area, product] += quantity
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
        assert line.area_id
        of = (line.area_id, line.product_id)
        if step == "void":
            uc.details.void(admin, detail_id, VoidDraft(reason="Error"))
            self.handed_out[of] -= line.quantity
        elif step == "waste" and not line.use_reason and line.unbilled is not Unbilled.AREA and line.quantity >= 1:
            self.details += waste(ward, detail_id, min(line.quantity, Decimal(quantity)))[1:]
        elif step == "to_area" and on_sheet != self.pages[area]:
            draft = MoveDraft(
                detail_ids=(detail_id,), to_sheet_id=self.pages[area], reason="Error", use_reason=UseReason.CLEANING
            )
            uc.details.move(admin, on_sheet, draft)
            self.handed_out[of] -= line.quantity
            self.handed_out[area, line.product_id] += line.quantity
        elif step == "move":
            target = self.sheets[0] if on_sheet == self.sheets[1] else self.sheets[1]
            uc.details.move(admin, on_sheet, MoveDraft(detail_ids=(detail_id,), to_sheet_id=target, reason="Error"))
        elif step == "return" and line.quantity >= 1:
            uc.details.return_part(admin, detail_id, ReturnDraft(quantity=Decimal(1), reason="unused"))
            self.handed_out[of] -= 1
        elif step == "quantity":
            uc.details.correct(admin, detail_id, CorrectionDraft(quantity=line.quantity + quantity), reason="Error")
            self.handed_out[of] += quantity
        elif step == "area" and on_sheet in self.sheets:
            edited = ward.detail_draft(str(line.quantity), product_id=line.product_id, area_id=area)
            uc.details.edit(admin, detail_id, edited)
            self.handed_out[of] -= line.quantity
            self.handed_out[area, line.product_id] += line.quantity

    def lines(self) -> list[Detail]:
        """Return the lines of patients and areas that count."""
        return lines_of(self.ward, (*self.sheets, *self.pages.values()))

    def _line(self, detail_id: int) -> Detail:
        with self.ward.store.begin_read_only() as work:
            line = work.details.get(detail_id)
        assert line
        return line

    def check(self) -> None:
        """Compare closed and open lists with what counts."""
        counts: dict[tuple[int, int], Decimal] = defaultdict(Decimal)
        # A correction voids the line and records another one.
        for line in self.lines():
            if line.area_id:
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
