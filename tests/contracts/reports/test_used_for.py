"""Contract of every store: for whom lines were used, in reports and lists."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.documents.lists import CONSUMPTION, DETAILS, Export
from adapters.hospital.profile import HospitalProfile
from application.common.paging import InvalidQuery, Sort
from application.reports.views import Compare, ConsumptionBy, ConsumptionPage, ConsumptionQuery
from application.sheets.detail_views import DetailQuery
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.recalls import RecallDraft
from application.sheets.used_for import Part, UsedFor
from domain.common.money import MAX_PRICE, MAX_QUANTITY, line_total
from domain.common.policy import Actor
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, Unbilled
from tests.builders import TODAY, ZONE, Ward
from tests.used_for import WASTE, lines_of, part_of, sums_of, use_for_area, value_of, waste

PERIOD: dict[str, Any] = {"since": TODAY.replace(day=1), "until": TODAY, "limit": 100}
HOSPITAL = HospitalProfile(letterhead=(), currency="", zone=ZONE)
EVERY_WAY = pytest.mark.parametrize("by", list(ConsumptionBy))
IS_FOR: dict[UsedFor, Any] = {
    UsedFor.PATIENTS: lambda line: line.unbilled is not Unbilled.AREA,
    UsedFor.AREA: lambda line: line.unbilled is Unbilled.AREA,
    UsedFor.WASTED: lambda line: part_of(line) is Part.WASTED,
    UsedFor.ALL: lambda _: True,
}


def asked(by: ConsumptionBy, used_for: UsedFor, **more: Any) -> ConsumptionQuery:
    return ConsumptionQuery(by=by, used_for=used_for, **{"sort": Sort("key"), **PERIOD, **more})


def report(ward: Ward, by: ConsumptionBy, used_for: UsedFor = UsedFor.PATIENTS, **more: Any) -> ConsumptionPage:
    return ward.use_cases.reports.consumption.page(more.pop("actor", ward.admin), asked(by, used_for, **more))


def part_sums(view: Any) -> tuple[int, Decimal, Decimal]:
    return view["details"], view["quantity"], view["total"]


def csv_of(ward: Ward, listed: Any, query: Any, actor: Actor | None = None) -> list[str]:
    export = Export(use_cases=ward.use_cases, actor=actor or ward.admin, query=query, language="es", hospital=HOSPITAL)
    return "".join(listed.csv(export, None)).lstrip("\N{BYTE ORDER MARK}").splitlines()


def everything_of_patients(ward: Ward, sheet_ids: list[int]) -> list[object]:
    """Return what is shown of patients by default, as answers and as files."""
    cases = ward.use_cases
    found: list[object] = []
    for by in ConsumptionBy:
        found.append(report(ward, by))
        query = asked(by, UsedFor.PATIENTS, compare=Compare.PREVIOUS)
        found.append(csv_of(ward, CONSUMPTION, query))
        found.append(cases.reports.consumption.page(ward.admin, query))
    for details in (DetailQuery(limit=100), DetailQuery(sort=Sort("total")), DetailQuery(patient_id=ward.patient_id)):
        found += [cases.details.reader.page(ward.admin, details), csv_of(ward, DETAILS, details)]
    found += [cases.details.reader.page(ward.admin, DetailQuery(consumption_sheet_id=one)) for one in sheet_ids]
    return found


def test_area_use_changes_nothing_of_patients(ward: Ward) -> None:
    sheet_id, of_area = ward.sheet()["id"], ward.sheet(patient_id=ward.patient("Ana", "Abad").id)["id"]
    for quantity in ("2", "0.333", "5"):
        kept = ward.detail(sheet_id, quantity, area_id=ward.area_id)
    waste(ward, kept["id"], Decimal(2))
    before = everything_of_patients(ward, [sheet_id])
    for quantity in ("1", "7"):
        line = ward.detail(of_area, quantity, area_id=ward.area_id)
        waste(ward, line["id"], Decimal(1), UseReason.EXPIRED)
        for one in lines_of(ward, [of_area]):
            use_for_area(ward, one.id)
    # A line that is added later has a higher id; those of patients stay as they are.
    assert everything_of_patients(ward, [sheet_id]) == before
    assert report(ward, ConsumptionBy.AREA, UsedFor.AREA)["sums"]["details"] == 3


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("0.333", "1", "2.5", "12")),
        st.integers(0, 3),
        st.sampled_from((None, *WASTE)),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(steps=STEPS)
def test_parts_add_up_to_all_use(ward: Ward, steps: list[tuple[str, int, UseReason | None, bool, bool]]) -> None:
    products = [ward.product_id, *(ward.product(f"P{number}", "0.35").id for number in range(2))]
    sheet_id = ward.sheet()["id"]
    for quantity, which, reason, of_area, some_back in steps:
        area_id = ward.area_id if which % 2 or of_area else None
        line = ward.detail(sheet_id, quantity, product_id=products[which % 3], area_id=area_id)
        if some_back:
            back = ReturnDraft(quantity=Decimal(quantity) / 3 if quantity == "12" else None, reason="unused")
            if back.quantity:
                ward.use_cases.details.return_part(ward.admin, line["id"], back)
        lines = [line["id"]]
        if reason and Decimal(quantity) >= 1:
            lines = waste(ward, line["id"], Decimal(1), reason)
        if of_area:
            for one in lines:
                use_for_area(ward, one)
    lines_now = lines_of(ward, [sheet_id])
    keys: dict[ConsumptionBy, Any] = {
        ConsumptionBy.PRODUCT: lambda line: str(line.product_id),
        ConsumptionBy.AREA: lambda line: str(line.area_id or ""),
        ConsumptionBy.MONTH: lambda line: f"{line.day:%Y-%m}",
        ConsumptionBy.USE_REASON: lambda line: line.use_reason or "",
    }
    with ward.store.read() as views:
        listed = {one: views.details.page(DetailQuery(used_for=one, limit=100))["items"] for one in UsedFor}
    for used_for, counts in IS_FOR.items():
        of_them = [line for line in lines_now if line.sheet_id == sheet_id and counts(line)]
        assert {one["id"] for one in listed[used_for] if one["consumption_sheet_id"] == sheet_id} == {
            line.id for line in of_them
        }
    everything = lines_of(ward, range(1, sheet_id + 1))
    for by, key in keys.items():
        for used_for, counts in IS_FOR.items():
            page = report(ward, by, used_for)
            of_rows: dict[str, list[Detail]] = {}
            for line in filter(counts, everything):
                of_rows.setdefault(key(line), []).append(line)
            assert {row["key"]: part_sums(row) for row in page["items"]} == {
                one: sums_of(lines) for one, lines in of_rows.items()
            }
            if used_for is UsedFor.PATIENTS:
                assert not any("value" in row or "parts" in row for row in (page["sums"], *page["items"]))
                continue
            sums: Any = page["sums"]
            for row in (sums, *page["items"]):
                of_row = of_rows[row["key"]] if "key" in row else [*filter(counts, everything)]
                assert row["value"] == value_of(of_row)
                assert ("parts" in row) == (used_for is UsedFor.ALL)
                for part, found in row.get("parts", {}).items():
                    assert part_sums(found) == sums_of(line for line in of_row if part_of(line) == part)
            alone = [*ward.use_cases.reports.consumption.iterate(ward.admin, asked(by, used_for))]
            assert alone == page["items"]


@EVERY_WAY
def test_a_comparison_has_values_and_present_parts(ward: Ward, by: ConsumptionBy) -> None:
    sheet_id = ward.sheet()["id"]
    waste(ward, ward.detail(sheet_id, "3")["id"], Decimal(1))
    use_for_area(ward, ward.detail(sheet_id, "2")["id"])
    page = report(ward, by, UsedFor.ALL, compare=Compare.PREVIOUS, sort=Sort("value"))
    of_all: Any = page["sums"]
    for row in (of_all, *page["items"]):
        assert "value" in row["previous"]
        assert "parts" not in row["previous"]
        assert sum(part["details"] for part in row["parts"].values()) == row["details"]
    printed = ward.use_cases.reports.consumption.full_report(
        ward.admin, asked(by, UsedFor.ALL, compare=Compare.PREVIOUS), most=100
    )
    assert printed["sums"] == page["sums"]
    none = report(ward, by, UsedFor.ALL, product_id=ward.product("Nada").id)
    assert none["items"] == []
    assert none["sums"]["value"] == sum(part_sums(none["sums"]["parts"]["area"])) == 0


def test_returned_supplies_are_divided_too(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for use_of_area in (False, True):
        line = ward.detail(sheet_id, "5")["id"]
        if use_of_area:
            use_for_area(ward, line)
        ward.use_cases.details.return_part(ward.admin, line, ReturnDraft(quantity=Decimal(2), reason="unused"))
    sums = report(ward, ConsumptionBy.PRODUCT, UsedFor.ALL, returns=True)["sums"]
    assert (sums["details"], sums["quantity"], sums["value"]) == (2, Decimal(4), Decimal("50.00"))
    assert [sums["parts"][part]["quantity"] for part in ("treatment", "area", "wasted")] == [2, 2, 0]
    assert report(ward, ConsumptionBy.PRODUCT, returns=True)["sums"]["quantity"] == 2


def test_values_are_exact_at_the_limits(ward: Ward) -> None:
    dear = ward.product("Prótesis", str(MAX_PRICE)).id
    sheet_id = ward.sheet()["id"]
    for _ in range(3):
        ward.detail(sheet_id, str(MAX_QUANTITY), product_id=dear, acknowledged=("quantity.far_out",))
    [row] = report(ward, ConsumptionBy.PRODUCT, UsedFor.ALL)["items"]
    assert row["value"] == 3 * line_total(MAX_PRICE, MAX_QUANTITY) == row["total"]


def test_ward_staff_learn_no_amount(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    waste(ward, ward.detail(sheet_id, "3")["id"], Decimal(1))
    use_for_area(ward, ward.detail(sheet_id, "2")["id"])
    for used_for in UsedFor:
        page = report(ward, ConsumptionBy.PRODUCT, used_for, actor=ward.nurse, sort=None)
        [row] = page["items"]
        assert row.keys() & {"total", "value"} == set()
        assert all(part.keys() == {"details", "quantity"} for part in row.get("parts", {}).values())  # type: ignore[attr-defined]
        query = asked(ConsumptionBy.PRODUCT, used_for, compare=Compare.PREVIOUS)
        [heading, *_] = csv_of(ward, CONSUMPTION, query, ward.nurse)
        assert not any(name in heading for name in ("total", "value"))
        for field in ("value", "total"):
            with pytest.raises(InvalidQuery):
                report(ward, ConsumptionBy.PRODUCT, used_for, actor=ward.nurse, sort=Sort(field))
    with pytest.raises(InvalidQuery):
        report(ward, ConsumptionBy.PRODUCT, sort=Sort("value"))


def test_lists_select_by_use_and_by_reason(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    kept, dropped = waste(ward, ward.detail(sheet_id, "3")["id"], Decimal(1))
    area = ward.detail(sheet_id, "2", area_id=ward.area_id)["id"]
    use_for_area(ward, area)

    def found(**query: Any) -> set[int]:
        return {one["id"] for one in ward.use_cases.details.reader.page(ward.admin, DetailQuery(**query))["items"]}

    assert found() == {kept, dropped}
    assert found(consumption_sheet_id=sheet_id) == {kept, dropped, area}
    assert found(consumption_sheet_id=sheet_id, used_for=UsedFor.AREA) == {area}
    assert found(used_for=UsedFor.AREA) == {area}
    assert found(used_for=UsedFor.WASTED) == {dropped}
    assert found(used_for=UsedFor.ALL, sort=Sort("quantity")) == {kept, dropped, area}
    assert found(use_reason=UseReason.DROPPED) == {dropped}
    assert found(use_reason=UseReason.EXPIRED) == set()
    assert found(used_for=UsedFor.AREA, since=TODAY, until=TODAY) == {area}


def test_exports_name_no_patient_of_an_area(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "1", lot="L1")
    area = ward.detail(sheet_id, "2", area_id=ward.area_id, lot="L1")["id"]
    use_for_area(ward, area)
    lines = csv_of(ward, DETAILS, DetailQuery(used_for=UsedFor.ALL))
    assert len(lines) == 3
    assert len(csv_of(ward, DETAILS, DetailQuery())) == 2
    assert csv_of(ward, DETAILS, DetailQuery(used_for=UsedFor.AREA))[1].startswith(f"{area},{sheet_id},")
    # A recalled lot is found wherever it was used; programs and the register of implants are about patients.
    draft = RecallDraft(product_id=ward.product_id, lot="L1", reason="Retiro")
    recall_id = ward.use_cases.recalls.open(ward.admin, draft).id
    page = ward.use_cases.recalls.list_details.page(ward.admin, DetailQuery(), recall_id)
    assert {one["id"] for one in page["items"]} >= {area}
    with ward.store.read() as views:
        assert [one["id"] for one in views.patient_details.page(DetailQuery())["items"]] != [area]
        of_sheet = views.patient_details.page(DetailQuery(consumption_sheet_id=sheet_id))
        assert (area in {one["id"] for one in of_sheet["items"]}, of_sheet["meta"]["total"]) == (False, 1)
        assert views.patient_details.one(area) is None
