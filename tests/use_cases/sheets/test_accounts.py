"""The account for the family: plain words, frozen on paper, compared."""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.paging import InvalidQuery
from application.sheets.account_views import AccountView
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import Code, NotFound, Refused
from domain.hospital.use_reason import UseReason
from domain.sheets.account import DifferenceKind
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.closing.test_closing_digests import close_again

D = Decimal


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def rows(account: AccountView) -> list[tuple[Any, ...]]:
    return [
        (item["name"], item["quantity"], item["articles"], item.get("included"), item.get("total"))
        for day in account["days"]
        for item in day["items"]
    ]


def changes(ward: Ward, sheet_id: int, since: str = "account-1") -> list[tuple[Any, ...]]:
    view = ward.use_cases.accounts.compare(ward.admin, sheet_id, since)
    found = [(one["kind"].value, one["name"], one["quantity"], one["amount"]) for one in view["items"]]
    assert sum((one[3] for one in found), D(0)) == view["difference"] == view["total_now"] - view["total_then"]
    return found


def issued(ward: Ward, sheet_id: int) -> str:
    return ward.use_cases.accounts.issue(ward.nurse, sheet_id)[0]["of"]


def test_an_account_has_plain_names_and_kinds(ward: Ward, sheet_id: int) -> None:
    gauze = [ward.product(f"GASA EST. {size}", "0.50", plain_name="Gasas").id for size in ("5X5", "10X10")]
    gloves = ward.product("GUANTE NIT. M", "3.00", plain_name="Guantes", included_in_stay=True).id
    for product_id, quantity in ((gauze[0], "8"), (gauze[1], "4"), (gloves, "6")):
        ward.detail(sheet_id, quantity, product_id=product_id)
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "1", product_id=ward.product("VENDA EL. 10CM", "0.00").id)
    account = ward.use_cases.accounts.read(ward.admin, sheet_id)
    assert rows(account) == [
        ("Gasas", D(12), False, False, D("6.00")),
        ("Guantes", D(6), False, True, D("0.00")),
        ("Curación", D(2), True, False, D("25.00")),
    ]
    assert account["kinds"] == [{"name": "Curación", "articles": 5, "total": D("31.00")}]
    assert (account["total"], account["without_price"], account["closed"]) == (D("31.00"), 1, False)
    for name in ("GASA", "GUANTE", "VENDA", "CUR"):
        assert name not in json.dumps(account, default=str)


def test_ward_staff_see_no_amount_and_no_mark(ward: Ward, sheet_id: int) -> None:
    gloves = ward.product("Guante", "3.00", plain_name="Guantes", included_in_stay=True).id
    paid = ward.product("Guante L", "3.25", plain_name="Guantes").id
    for product_id in (gloves, paid):
        ward.detail(sheet_id, "6", product_id=product_id)
    issued(ward, sheet_id)
    ward.detail(sheet_id, "1", product_id=paid)
    now = ward.use_cases.accounts.read(ward.nurse, sheet_id)
    assert rows(now) == [("Guantes", D(13), False, None, None)]
    printed = ward.use_cases.accounts.print(ward.nurse, sheet_id, issued(ward, sheet_id), with_prices=True)
    told = ward.use_cases.accounts.compare(ward.nurse, sheet_id, "account-1")
    assert [(one["kind"], one["quantity"]) for one in told["items"]] == [(DifferenceKind.ADDED, D(1))]
    for view in (now, printed, told):
        for secret in ("3.25", "19.50", "22.75", "total", "amount", "included", "difference", "without_price"):
            assert secret not in str(view)


def test_an_amount_alone_is_no_difference_without_prices(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    issued(ward, sheet_id)
    draft = replace(
        ward.detail_draft("2"),
        staff_id=None,
        total=D("20.00"),
        sent_fields=frozenset({"product_id", "quantity", "total"}),
    )
    ward.use_cases.details.edit(ward.admin, line["id"], draft)
    assert changes(ward, sheet_id) == [("corrected", "Curación", D(0), D("-5.00"))]
    assert ward.use_cases.accounts.compare(ward.nurse, sheet_id, "account-1")["items"] == []


def test_an_unchanged_account_is_stored_once(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "2")
    first, is_new = ward.use_cases.accounts.issue(ward.nurse, sheet_id)
    assert (first["of"], is_new) == ("account-1", True)
    assert ward.use_cases.accounts.issue(ward.admin, sheet_id) == (first, False)
    ward.clock.advance(minutes=1)
    ward.detail(sheet_id, "1")
    second, is_new = ward.use_cases.accounts.issue(ward.nurse, sheet_id)
    assert (second["of"], is_new, second["id"]) == ("account-2", True, (first["id"] or 0) + 1)
    moments = ward.use_cases.accounts.read(ward.admin, sheet_id)["issued"]
    assert [(moment["since"], moment["total"]) for moment in moments] == [
        ("account-1", D("25.00")),
        ("account-2", D("37.50")),
    ]


def test_a_closed_account_is_that_of_its_closing(ward: Ward, sheet_id: int) -> None:
    product = ward.product("GASA X", "1.00", plain_name="Gasas")
    ward.detail(sheet_id, "2", product_id=product.id)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    view, is_new = ward.use_cases.accounts.issue(ward.nurse, sheet_id)
    assert (view["of"], view["id"], is_new) == ("closing-1", None, False)
    assert (view["proof"] or "").startswith("CNSC")
    assert rows(ward.use_cases.accounts.read(ward.admin, sheet_id)) == [("Gasas", D(2), False, False, D("2.00"))]
    close_again(ward, sheet_id)
    assert issued(ward, sheet_id) == "closing-2"
    assert changes(ward, sheet_id, "closing-1") == []
    assert [one["since"] for one in ward.use_cases.accounts.read(ward.admin, sheet_id)["issued"]] == ["closing-1"]


def test_each_way_of_changing_is_told_by_its_name(ward: Ward, sheet_id: int) -> None:
    def line(name: str, quantity: str) -> Any:
        return ward.detail(sheet_id, quantity, product_id=ward.product(name, "2.00", plain_name=name).id)

    kept, returned, corrected, voided, moved, wasted = (
        line(name, "4") for name in ("Gasas", "Jeringas", "Vendas", "Sondas", "Sueros", "Tubos")
    )
    issued(ward, sheet_id)
    details = ward.use_cases.details
    details.return_part(ward.admin, returned["id"], ReturnDraft(quantity=D(1), reason="unused"))
    details.correct(ward.admin, corrected["id"], CorrectionDraft(quantity=D(3)), reason="Error")
    details.void(ward.admin, voided["id"], VoidDraft(reason="Error"))
    other = ward.sheet(patient_id=ward.patient("Otra", "Persona").id)["id"]
    details.move(ward.admin, sheet_id, MoveDraft(detail_ids=(moved["id"],), to_sheet_id=other, reason="De la otra"))
    replace(details.mark_waste, billed_waste=())(
        ward.admin, wasted["id"], WasteDraft(quantity=D(1), use_reason=UseReason.DROPPED)
    )
    ward.detail(sheet_id, "1", product_id=kept["product_id"])
    assert changes(ward, sheet_id) == [
        ("added", "Gasas", D(1), D("2.00")),
        ("corrected", "Vendas", D(-1), D("-2.00")),
        ("returned", "Jeringas", D(1), D("-2.00")),
        ("wasted", "Tubos", D(1), D("-2.00")),
        ("voided", "Sondas", D(4), D("-8.00")),
        ("moved", "Sueros", D(4), D("-8.00")),
    ]
    told = str(ward.use_cases.accounts.compare(ward.admin, sheet_id, "account-1"))
    assert "Otra" not in told


def test_an_account_shows_what_was_frozen(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    first = issued(ward, sheet_id)
    ward.clock.advance(minutes=1)
    ward.use_cases.details.void(ward.admin, line["id"], VoidDraft(reason="Error"))
    printed = ward.use_cases.accounts.print(ward.admin, sheet_id, first, with_prices=True)
    assert printed["account"]["total"] == D("25.00")
    assert printed["changes"] is None
    second = ward.use_cases.accounts.print(ward.admin, sheet_id, issued(ward, sheet_id), with_prices=True)
    assert second["account"]["total"] == D("0.00")
    assert second["changes"] is not None
    assert [one["kind"] for one in second["changes"]["items"]] == [DifferenceKind.VOIDED]
    assert "total" not in str(ward.use_cases.accounts.print(ward.admin, sheet_id, first, with_prices=False))


def test_a_paper_of_an_account_is_compared(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "2")
    proof = ward.use_cases.accounts.issue(ward.nurse, sheet_id)[0]["proof"] or ""
    check = ward.use_cases.sheets.check_paper(ward.nurse, proof)
    assert proof.startswith("CNSD")
    assert (check["kind"], check["sheet_id"], check["turn"], check["same"]) == ("document", sheet_id, 1, True)
    assert "12.50" not in str(check)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    with refused((Code.DOCUMENT_UNKNOWN, "text")):
        ward.use_cases.sheets.check_paper(ward.nurse, proof)


def test_printing_is_noted_with_turn_and_digest(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.accounts.print(ward.nurse, sheet_id, issued(ward, sheet_id), with_prices=False)
    with ward.store.read() as views:
        [noted] = views.audit.page(AuditQuery(sheet_id=sheet_id, action="sheet.account_printed", limit=9))["items"]
        [kept] = views.accounts.about(views.accounts.one(1).issued.subject)  # type: ignore[union-attr]
    assert (noted["changes"]["turn"][1], noted["changes"]["document_digest"][1]) == (1, kept.digest)


@pytest.mark.parametrize("since", ["account-2", "closing-1", "account-999999999"])
def test_a_moment_that_a_sheet_lacks_is_not_found(ward: Ward, sheet_id: int, since: str) -> None:
    issued(ward, sheet_id)
    with pytest.raises(NotFound):
        ward.use_cases.accounts.compare(ward.admin, sheet_id, since)


@pytest.mark.parametrize("since", ["", "account", "account-0", "account-1 ", "ACCOUNT-1", "account-1'--", "account-٣"])
def test_a_malformed_moment_is_refused(ward: Ward, sheet_id: int, since: str) -> None:
    with pytest.raises(InvalidQuery):
        ward.use_cases.accounts.compare(ward.admin, sheet_id, since)


def test_the_page_of_an_area_has_no_account(ward: Ward) -> None:
    page = ward.use_cases.area_sheets.open(ward.admin, ward.area_id).view["id"]
    for read in (
        lambda: ward.use_cases.accounts.read(ward.admin, page),
        lambda: ward.use_cases.accounts.compare(ward.admin, page, "account-1"),
        lambda: ward.use_cases.accounts.print(ward.admin, page, "account-1", with_prices=True),
    ):
        with pytest.raises(NotFound):
            read()
    with pytest.raises(Refused) as refusal:
        ward.use_cases.accounts.issue(ward.admin, page)
    assert refusal.value.reasons[0].code is Code.SHEET_OF_AREA


def test_an_account_after_a_reopening_compares_with_the_closing(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una gasa"))
    ward.detail(sheet_id, "1")
    assert changes(ward, sheet_id, "closing-1") == [("added", "Curación", D(1), D("12.50"))]
    assert issued(ward, sheet_id) == "account-1"


def test_moments_are_in_order_of_time(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "2")
    issued(ward, sheet_id)
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una gasa"))
    moments = ward.use_cases.accounts.read(ward.admin, sheet_id)["issued"]
    assert [one["since"] for one in moments] == ["account-1", "closing-1"]


def test_rows_of_a_day_are_in_order_of_names(ward: Ward, sheet_id: int) -> None:
    for name in ("Sueros", "gasas", "Élite"):
        ward.detail(sheet_id, "1", product_id=ward.product(f"X {name}", "1.00", plain_name=name).id)
    [day] = ward.use_cases.accounts.read(ward.admin, sheet_id)["days"]
    assert [row["name"] for row in day["items"]] == ["Élite", "gasas", "Sueros"]
