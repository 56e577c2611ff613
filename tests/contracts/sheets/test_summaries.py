"""Contract of every store: sums, versions and names of sheets."""

from decimal import Decimal

from application.catalogue.categories import CategoryDraft
from domain.sheets.summary import DayCategorySubtotal, Summary
from tests.builders import TODAY, Ward


def portions(ward: Ward, sheet_id: int) -> list[DayCategorySubtotal]:
    with ward.store.read() as views:
        found = views.summaries.totals(sheet_id)
    assert found is not None
    return Summary(found.portions).portions


def summed(ward: Ward, sheet_id: int) -> list[tuple[str, str, int, Decimal]]:
    """Return lines and total by day and category.

    A store may return sums or single lines: both are added up here.
    """
    reported: dict[tuple[str, str], tuple[int, Decimal]] = {}
    for portion in portions(ward, sheet_id):
        key = (portion.day.isoformat(), f"{portion.category.code} {portion.category.name}")
        lines, total = reported.get(key, (0, Decimal(0)))
        reported[key] = (lines + portion.tally.lines, total + portion.tally.total)
    return [(*key, *value) for key, value in reported.items()]


def test_a_sheet_is_summed_up_by_hospital_day_and_category(ward: Ward) -> None:
    tubes = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="SON", name="Sondas"))
    tube = ward.product("Sonda", "0.35", category_id=tubes.id)
    sheet_id, other = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "0.5", product_id=tube.id)
    ward.detail(sheet_id)
    ward.detail(other)
    # 01:00 UTC is the evening before in the hospital.
    ward.clock.advance(hours=13)
    ward.detail(sheet_id, product_id=tube.id)
    ward.clock.advance(hours=6)
    ward.detail(sheet_id, product_id=tube.id)
    today, tomorrow = TODAY.isoformat(), TODAY.replace(day=TODAY.day + 1).isoformat()
    assert summed(ward, sheet_id) == [
        (today, "CUR Curación", 2, Decimal("37.50")),
        (today, "SON Sondas", 2, Decimal("0.53")),
        (tomorrow, "SON Sondas", 1, Decimal("0.35")),
    ]
    assert summed(ward, other) == [(today, "CUR Curación", 1, Decimal("12.50"))]


def test_a_sheet_without_details_is_empty_a_missing_one_is_none(ward: Ward) -> None:
    sheet = ward.sheet()
    with ward.store.read() as views:
        assert views.summaries.totals(sheet["id"]) == (sheet["version"], TODAY, None, [])
        assert views.summaries.incomplete_lines(sheet["id"]) == []
        assert views.summaries.totals(999) is None


def test_totals_have_the_stay_of_a_closed_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    closed_at = ward.clock.advance(hours=1)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    with ward.store.read() as views:
        totals = views.summaries.totals(sheet_id)
    assert totals is not None
    assert (totals.admission_date, totals.closed_at) == (TODAY, closed_at)


def test_far_out_lines_are_judged_by_the_usual_quantity(ward: Ward) -> None:
    other, sheet_id = ward.sheet()["id"], ward.sheet()["id"]
    dear, cheap = ward.product("Malla", "900.00").id, ward.product("Hisopo", "0.10").id
    for _ in range(21):
        ward.detail(other, "2")
    far = ward.detail(sheet_id, "21", acknowledged=["quantity.far_out"])["id"]
    ward.detail(sheet_id, "20")
    costly = ward.detail(sheet_id, "1", product_id=dear, by=ward.nurse)["id"]
    many = ward.detail(sheet_id, "20.5", product_id=cheap, acknowledged=["quantity.far_out"])["id"]
    voided = ward.detail(sheet_id, "30", product_id=cheap, acknowledged=["quantity.far_out"])["id"]
    ward.use_cases.details.delete(ward.admin, voided)

    def far_out(ask_above_total: Decimal | None) -> list[int]:
        with ward.store.read() as views:
            return [line["id"] for line in views.summaries.far_out_lines(sheet_id, ask_above_total)]

    assert far_out(None) == [far, many]
    assert far_out(Decimal(500)) == [far, costly, many]
    assert far_out(Decimal(900)) == [far, many]


def test_the_version_of_a_sheet_is_the_one_in_its_view(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    with ward.store.read() as views:
        sheet, summed_up = views.sheets.one(sheet_id), views.summaries.totals(sheet_id)
        assert sheet is not None
        assert summed_up is not None
        assert views.version_of_sheet(sheet_id) == summed_up.version == sheet["version"] == 2
        assert views.version_of_sheet(999) is None


def test_lines_without_quantity_or_price_come_oldest_first(ward: Ward) -> None:
    free = ward.product("Muestra", "0.00").id
    sheet_id = ward.sheet()["id"]
    nothing = ward.detail(sheet_id, "0")
    ward.detail(sheet_id)
    gift = ward.detail(sheet_id, "2", product_id=free)
    both = ward.detail(sheet_id, "0", product_id=free)
    # With a total set by hand, the line needs no correction.
    mended = ward.detail(sheet_id, product_id=free)
    ward.use_cases.details.edit(
        ward.admin, mended["id"], ward.detail_draft("1", product_id=free, total=Decimal("3.00"))
    )
    # A total set to zero by hand was waived on purpose.
    waived = ward.detail(sheet_id)
    ward.use_cases.details.edit(ward.admin, waived["id"], ward.detail_draft("1", total=Decimal(0)))
    ward.detail(ward.sheet()["id"], "0")
    with ward.store.read() as views:
        found = views.summaries.incomplete_lines(sheet_id)
    assert [(line.view["id"], line.without_quantity, line.without_price) for line in found] == [
        (nothing["id"], True, False),
        (gift["id"], False, True),
        (both["id"], True, True),
    ]
    assert found[1].view == {
        "id": gift["id"],
        "product_id": free,
        "product_name": "Muestra",
        "product_code": None,
        "quantity": Decimal("2.000"),
        "created_at": gift["created_at"],
    }
