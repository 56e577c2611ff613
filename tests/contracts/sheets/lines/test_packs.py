"""Contract of every store: lots, serial numbers, recalls and scans."""

from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.views import RecallQuery
from application.reports.ports import DoubtfulPack
from application.scanning.look_up_product import MAX_NOTED_PER_DAY, Lookup
from application.sheets.detail_views import DetailQuery
from application.sheets.recalls import RecallDraft
from domain.common.errors import Code, NotFound
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.sheets.lines.test_packs import THESE_DAYS, look_up, noted_codes, recall, recalled_uses


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    ward.sheet()
    return ward.sheet(admission_date=THESE_DAYS.date())["id"]


# --- a line with its pack --------------------------------------------------------------------------------------------


def test_lines_are_found_by_lot_and_serial_as_they_are_read(ward: Ward, sheet_id: int) -> None:
    first = ward.detail(sheet_id, lot="Ab-1")["id"]
    second = ward.detail(sheet_id, lot="aB-1", serial="S1")["id"]
    ward.detail(sheet_id, lot="AB-12", serial="S12")

    def found(**asked: Any) -> list[int]:
        return [item["id"] for item in ward.use_cases.details.reader.page(ward.admin, DetailQuery(**asked))["items"]]

    assert found(lot="AB-1") == [second, first]
    assert found(lot="ａb – 1") == [second, first]
    assert found(serial="S1") == found(serial="ｓ1 ") == [second]
    assert found(lot="AB") == []


# --- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lot", ["AB–0012", "ＡＢ-0012", "ab - 0012", "AB\u00ad-0012"])
def test_a_recalled_lot_is_asked_about_in_any_spelling(ward: Ward, sheet_id: int, lot: str) -> None:
    recall(ward, "AB-0012")
    with refused((Code.LOT_RECALLED, "lot")):
        ward.detail(sheet_id, by=ward.nurse, lot=lot)
    ward.detail(sheet_id, serial="SN-1")
    with refused((Code.SERIAL_USED, "serial")):
        ward.detail(sheet_id, by=ward.nurse, serial="ｓｎ – 1")


def test_editing_to_another_recalled_lot_shows_the_use_again(ward: Ward, sheet_id: int) -> None:
    recall(ward, "L1")
    recall(ward, "L2")
    detail = ward.detail(sheet_id, lot="L1", acknowledged=("lot.recalled",), recall_reason="R")
    ward.use_cases.recalls.acknowledge_use(ward.admin, detail["id"])
    draft = ward.detail_draft(lot="L2", acknowledged=("lot.recalled",), recall_reason="R")
    ward.use_cases.details.edit(ward.admin, detail["id"], draft)
    assert recalled_uses(ward) == [(detail["id"], "L2")]


# --- recalls ---------------------------------------------------------------------------------------------------------


def test_recalls_are_filtered_by_product_and_by_state(ward: Ward) -> None:
    other = ward.product("Venda").id
    first, second = recall(ward, "L1").id, recall(ward, product_id=other).id
    ward.use_cases.recalls.update(
        ward.admin, first, RecallDraft(product_id=ward.product_id, lot="L1", reason="R", closed=True)
    )

    def found(**asked: Any) -> list[int]:
        return [
            item["id"] for item in ward.use_cases.recalls.reader.page(ward.supervisor, RecallQuery(**asked))["items"]
        ]

    assert found() == [second, first]
    assert (found(closed=True), found(closed=False)) == ([first], [second])
    assert (found(product_id=other), found(q="venda"), found(q="gasa")) == ([second], [second], [first])
    view = ward.use_cases.recalls.reader.one(ward.supervisor, first)
    assert (view["lot"], view["closed"], view["closed_at"], view["reason"]) == ("L1", True, ward.clock.now, "R")
    # A recalled product cannot be deleted.
    with refused(Code.IN_USE):
        ward.use_cases.products.delete(ward.admin, other)


def test_uses_of_a_recalled_lot_have_patient_and_room(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, lot="ab-12")["id"]
    ward.detail(sheet_id, lot="AB-13")
    this = recall(ward, "AB-12").id
    page = ward.use_cases.recalls.list_details.page(ward.supervisor, DetailQuery(), this)
    [item] = page["items"]
    assert item["patient"]
    assert (item["id"], item["patient"]["name"], item["room"]) == (line, "Ana", {"id": ward.room_id, "name": "101"})
    all_lots = ward.use_cases.recalls.list_details.iterate(ward.supervisor, DetailQuery(), recall(ward).id)
    assert len([*all_lots]) == 2
    with pytest.raises(NotFound):
        ward.use_cases.recalls.list_details.page(ward.supervisor, DetailQuery(), 999)


# --- product lookup --------------------------------------------------------------------------------------------------


def test_an_ignored_code_is_listed_again_after_the_next_scan(ward: Ward) -> None:
    def unknown() -> list[tuple[str, str, int]]:
        items = ward.use_cases.products.list_unknown_codes(ward.supervisor)["items"]
        return [(item["system"], item["code"], item["times"]) for item in items]

    for scan in ("ZZ-1", "ZZ-1", "+ZZ-1", "https://a.example/?b=c d", "A/B 1"):
        ward.clock.advance(seconds=1)
        look_up(ward, scan=scan)
    ward.use_cases.products.ignore_unknown_code(ward.supervisor, "code", "zz-1")
    assert unknown() == [("hibc", "+ZZ-1", 1)]
    for system, code in (("code", "ZZ-1"), ("gtin", "+ZZ-1"), ("hibc", ""), ("hibc", "+ZZ-1\0")):
        with pytest.raises(NotFound):
            ward.use_cases.products.ignore_unknown_code(ward.admin, system, code)
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="unknown_code"))["items"]
    assert entries[0]["changes"] == {"system": ["code", None], "code": ["zz-1", None]}
    ward.clock.advance(seconds=1)
    look_up(ward, scan="ZZ-1")
    assert unknown() == [("code", "ZZ-1", 1), ("hibc", "+ZZ-1", 1)]


# --- scans that are no symbol, or a patient's -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scan",
    [
        *("EXP-2026-0012;Garcia Ana;29/02/1980", "9999999;Soto Luis;1980", "Garcia Ana", "1042331|1", "ZZ-1\tA"),
        *("REF/EXP-2026-0012", "EXP-2026-0012-GARCIA", "P1042331X", "V77-1042331", "EXP-2026-9999/2", "garcia-ana-80"),
    ],
)
def test_nothing_of_a_wristband_is_noted(ward: Ward, scan: str) -> None:
    for number in ("EXP-2026-0012", "1042331"):
        ward.patient("Ana", "Garcia", record_number=number)
    assert look_up(ward, scan=scan)["noted"] is None
    assert noted_codes(ward) == []
    for code in ("*VEN-14/G*", "ZZ-10423", "X_1.5%", "AB+2$"):
        assert look_up(ward, scan=code)["noted"], code


def test_new_unknown_codes_are_limited_by_user_and_day(ward: Ward) -> None:
    look_up(ward, scan="REAL-1")
    for number in range(MAX_NOTED_PER_DAY):
        assert ward.use_cases.products.look_up(ward.admin, Lookup(scan=f"FALSO{number}"))["noted"]
    assert ward.use_cases.products.look_up(ward.admin, Lookup(scan="FALSO-X"))["noted"] is None
    assert ward.use_cases.products.look_up(ward.admin, Lookup(scan="FALSO1"))["noted"], "it is stored"
    assert look_up(ward, scan="REAL-2")["noted"]
    ward.clock.advance(days=1, seconds=1)
    assert ward.use_cases.products.look_up(ward.admin, Lookup(scan="FALSO-X"))["noted"]
    with ward.store.begin() as work:
        work.unknown_codes.purge(ward.clock.now)
    assert noted_codes(ward) == [("code", "FALSO-X")]


def test_one_users_codes_do_not_displace_those_of_others(ward: Ward) -> None:
    look_up(ward, scan="REAL-1")
    for number in range(9):
        ward.clock.advance(seconds=1)
        ward.use_cases.products.look_up(ward.admin, Lookup(scan=f"FALSO{number}"))
    with ward.store.read() as views:
        assert [one["code"] for one in views.packs.unknown(most=3)] == ["FALSO8", "FALSO7", "REAL-1"]


def test_only_the_product_of_a_hibc_symbol_is_noted(ward: Ward) -> None:
    assert look_up(ward, scan="+E999T8002060/$$3281231LOT9/S7X")["noted"] == {"system": "hibc", "code": "+E999T8002060"}
    assert look_up(ward, scan="+$$3281231LOT9+5")["noted"] is None
    # A code that is readable only with another keyboard layout is not noted either.
    assert look_up(ward, scan="ZZ'1")["noted"] is None
    assert noted_codes(ward) == [("hibc", "+E999T8002060")]


def test_lots_and_serials_that_end_a_record_number_are_reported(ward: Ward, sheet_id: int) -> None:
    def reported() -> list[DoubtfulPack]:
        return [*ward.use_cases.reports.check_consistency.doubtful_packs()]

    lot = ward.detail(sheet_id, lot="42331")["id"]
    both = ward.detail(sheet_id, lot="AB-7", serial="77")["id"]
    taken_back = ward.detail(sheet_id, lot="42331")["id"]
    ward.use_cases.details.delete(ward.admin, taken_back)
    assert reported() == []
    for number in ("1042331", "10ab-7", "2177", "42331"):
        ward.patient("Ana", "Vega", record_number=number)
    assert reported() == [
        DoubtfulPack(sheet_id, detail, field) for detail, field in ((lot, "lot"), (both, "lot"), (both, "serial"))
    ]
    assert [*ward.use_cases.reports.check_consistency()] == []
