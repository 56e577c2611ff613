"""Contract of every store: amounts, quantities, times and texts are stored exactly."""

from datetime import UTC, date, datetime, timedelta

from application.common.idempotency import IdempotencyKey
from domain.common.money import MAX_LINE_TOTAL, MAX_PRICE, MAX_QUANTITY, line_total
from domain.sheets.sheet import MAX_LINES
from tests.builders import Ward

AMOUNTS = ["0.00", "0.01", "0.10", "1.10", "2.30", "900719925.43", "703687441.67", "999999999.99"]

QUANTITIES = ["0.000", "0.001", "0.100", "2.300", "4503.599", "9999.999"]


def test_money_is_stored_to_the_cent_in_every_field(ward: Ward) -> None:
    for amount in AMOUNTS:
        product = ward.product("Venda", amount)
        sheet_id = ward.sheet()["id"]
        detail_id = ward.detail(sheet_id, product_id=product.id)["id"]
        with ward.store.begin() as work:
            kept_product, kept_detail = work.products.get(product.id), work.details.get(detail_id)
            kept_sheet = work.sheets.get(sheet_id)
            product_view, detail_view = work.views.products.one(product.id), work.views.details.one(detail_id)
            sheet_view = work.views.sheets.one(sheet_id)
        assert kept_product
        assert kept_detail
        assert kept_sheet
        assert product_view
        assert detail_view
        assert sheet_view
        values = [kept_product.price, kept_detail.unit_price, kept_detail.total, kept_sheet.total]
        values += [product_view["price"], detail_view["unit_price"], detail_view["total"], sheet_view["total"]]
        assert [str(value) for value in values] == [amount] * 8


def test_a_quantity_is_stored_to_three_decimals(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for quantity in QUANTITIES:
        detail_id = ward.detail(sheet_id, quantity)["id"]
        with ward.store.begin() as work:
            kept, view = work.details.get(detail_id), work.views.details.one(detail_id)
        assert kept
        assert view
        assert [str(kept.quantity), str(view["quantity"])] == [quantity] * 2


def test_nothing_is_lost_at_the_limits(ward: Ward) -> None:
    dear = ward.product("Resonador", str(MAX_PRICE))
    sheet_id = ward.sheet()["id"]
    for _ in range(12):
        ward.detail(sheet_id, str(MAX_QUANTITY), product_id=dear.id)
    total = 12 * line_total(MAX_PRICE, MAX_QUANTITY)
    assert str(ward.use_cases.sheets.close(ward.admin, sheet_id)["total"]) == str(total)


def test_lines_recorded_with_a_key_are_counted(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for number in range(2):
        key = IdempotencyKey(f"k-{number}", "f")
        ward.use_cases.details.add(ward.nurse, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=key)
    with ward.store.begin() as work:
        sheet = work.sheets.get(sheet_id)
    assert sheet
    assert sheet.lines == 2


def test_the_total_of_the_largest_sheet_is_stored(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert sheet
        sheet.total, sheet.lines = MAX_LINES * MAX_LINE_TOTAL, MAX_LINES
        work.sheets.save(sheet)
    with ward.store.begin() as work:
        kept = work.sheets.lock(sheet_id)
    assert kept
    assert (kept.total, kept.lines) == (MAX_LINES * MAX_LINE_TOTAL, MAX_LINES)


MOMENTS = [
    datetime(2091, 5, 3, 12, 0, 0, 123456, tzinfo=UTC),
    datetime(2026, 10, 25, 0, 30, tzinfo=UTC),  # an hour that occurs twice in Madrid
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(9998, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
]


def test_a_time_is_stored_to_the_microsecond_in_utc(ward: Ward) -> None:
    for moment in MOMENTS:
        ward.clock.now = moment
        sheet_id = ward.sheet(admission_date=date.min)["id"]
        detail_id = ward.detail(sheet_id)["id"]
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        with ward.store.begin() as work:
            detail, sheet = work.details.get(detail_id), work.sheets.get(sheet_id)
            detail_view, sheet_view = work.views.details.one(detail_id), work.views.sheets.one(sheet_id)
        assert detail
        assert sheet
        assert detail_view
        assert sheet_view
        kept = [detail.created_at, sheet.closed_at, detail_view["created_at"], sheet_view["deleted_at"]]
        kept.append(sheet_view["consumptions"][0]["created_at"])
        assert kept == [moment] * 5
        assert {value.utcoffset() for value in kept if value} == {timedelta(0)}


def test_a_day_is_stored_unchanged(ward: Ward) -> None:
    for day in (date(1, 1, 1), date(1899, 12, 31), date(2024, 2, 29), date(9999, 12, 31)):
        sheet_id = ward.sheet(admission_date=day)["id"]
        with ward.store.read() as views:
            kept = views.sheets.one(sheet_id)
        assert kept
        assert kept["admission_date"] == day
        assert type(kept["admission_date"]) is date


def test_the_first_day_of_use_of_a_sheet_is_read(ward: Ward) -> None:
    sheet_id, other_id = (ward.sheet(admission_date=date(1900, 1, 1))["id"] for _ in range(2))
    for day in (3, 2, 5):
        ward.clock.now = datetime(2091, 5, day, 3, 0, tzinfo=UTC)  # the evening before, in the hospital
        ward.detail(sheet_id)
    with ward.store.begin() as work:
        first = work.details.first_day(sheet_id)
        assert work.details.first_day(other_id) is work.details.first_day(999) is None
    assert first == date(2091, 5, 1)
    assert type(first) is date


def test_a_text_is_stored_unchanged(ward: Ward) -> None:
    for text in ("O'Brien; DROP TABLE areas;--", "línea 1, línea 2 “½”", "輸液 🩹", "\\", "%_", "x" * 200):
        sheet_id = ward.sheet(doctor=text, diagnosis=text * 10)["id"]
        with ward.store.read() as views:
            kept = views.sheets.one(sheet_id)
        assert kept
        assert (kept["doctor"], kept["diagnosis"]) == (text, text * 10)
