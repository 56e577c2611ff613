"""Lots, serial numbers, recalls and scans."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.product_codes import ProductCodeDraft
from application.people.merge_patients import MergeDraft
from application.scanning.look_up_product import Lookup
from application.scanning.views import ProductLookupView
from application.sheets.detail_views import DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.open_sheet import open_sheet
from application.sheets.recalls import RecallDraft
from domain.catalogue.recall import Recall
from domain.common.errors import Code, Forbidden, NotFound
from domain.common.policy import Actor, Permission, Role
from tests.assertions import refused
from tests.builders import TODAY, Ward

GTIN, AS_14 = "4006381333931", "04006381333931"


GS = "\x1d"


SCAN = f"]d201{AS_14}17271031" + f"10AB-12{GS}21SER9"


PACK: dict[str, Any] = {"gtin": AS_14, "lot": "AB-12", "expiry": date(2027, 10, 31), "serial": "SER9"}


FLAGS = ("separator_lost", "expiry_unreadable", "incomplete", "bare")


# The current time, because the century of a two-digit year is derived from the system clock.
THESE_DAYS = datetime(2026, 11, 20, 18, tzinfo=UTC)


# A program that may read the catalogue only.
CATALOGUE_READER = Actor(
    user_id=1, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=frozenset({Permission.READ_CATALOGUE})
)


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    ward.sheet()
    return ward.sheet(admission_date=THESE_DAYS.date())["id"]


def pack_of(view: DetailView) -> dict[str, Any]:
    return {name: view[name] for name in PACK}  # type: ignore[literal-required]


def recall(ward: Ward, lot: str | None = None, product_id: int | None = None, reason: str = "Empaque") -> Recall:
    draft = RecallDraft(product_id=product_id or ward.product_id, lot=lot, reason=reason)
    return ward.use_cases.recalls.open(ward.supervisor, draft)


def look_up(ward: Ward, **asked: Any) -> ProductLookupView:
    return ward.use_cases.products.look_up(ward.nurse, Lookup(**asked))


# --- a line with its pack --------------------------------------------------------------------------------------------


def test_a_line_stores_the_entered_or_scanned_pack(ward: Ward, sheet_id: int) -> None:
    ward.clock.now = THESE_DAYS
    filled_in = ward.detail(sheet_id, **{**PACK, "gtin": GTIN})
    scanned = ward.detail(sheet_id, scan=SCAN, acknowledged=(Code.SERIAL_USED,))
    assert pack_of(filled_in) == pack_of(scanned) == PACK
    scanned.pop("warnings")  # it was recorded a moment before
    assert ward.use_cases.details.reader.one(ward.admin, scanned["id"]) == scanned
    # Entered values take precedence over scanned ones.
    assert ward.detail(sheet_id, scan=SCAN, lot="Otro", serial="S1")["lot"] == "Otro"
    # A value that may be wrong because of a lost separator is left for a person to confirm.
    unsure = ward.detail(sheet_id, scan=f"01{AS_14}10AB-1217271031")
    assert pack_of(unsure) == {**dict.fromkeys(PACK), "gtin": AS_14}


def test_an_edit_keeps_the_pack_fields_it_does_not_send(ward: Ward, sheet_id: int) -> None:
    ward.clock.now = THESE_DAYS
    line = ward.detail(sheet_id, **PACK)

    def correct(**sent: Any) -> dict[str, Any]:
        draft = DetailDraft(product_id=ward.product_id, quantity=Decimal(1), sent_fields=frozenset(sent), **sent)
        return pack_of(ward.use_cases.details.edit(ward.supervisor, line["id"], draft))

    assert correct() == PACK
    assert correct(lot="AB-13") == {**PACK, "lot": "AB-13"}
    assert correct(expiry=None, serial=None) == {**PACK, "lot": "AB-13", "expiry": None, "serial": None}


# --- questions -------------------------------------------------------------------------------------------------------


def test_expired_lots_are_asked_about_nearly_expired_ones_warn(ward: Ward, sheet_id: int) -> None:
    yesterday = TODAY - timedelta(days=1)
    with refused((Code.LOT_EXPIRED, "expiry")):
        ward.detail(sheet_id, by=ward.nurse, expiry=yesterday)
    line = ward.detail(sheet_id, by=ward.nurse, expiry=yesterday, acknowledged=(Code.LOT_EXPIRED,))
    assert line["acknowledged"] == [Code.LOT_EXPIRED]
    for ahead, reported in ((0, True), (30, True), (31, False)):
        expiry = TODAY + timedelta(days=ahead)
        warnings = ward.detail(sheet_id, expiry=expiry).get("warnings", [])
        assert [one for one in warnings if one["code"] != Code.DETAIL_REPEATED] == [
            {"code": Code.LOT_EXPIRES_SOON, "expiry": expiry}
        ] * reported
    for unclear in (date(1999, 12, 31), date(TODAY.year + 51, 1, 1)):
        with refused((Code.DATE_YEAR_UNCLEAR, "expiry")):
            ward.detail(sheet_id, expiry=unclear)


def test_a_product_can_require_the_lot(ward: Ward, sheet_id: int) -> None:
    product = ward.product("Prótesis", asks_lot=True).id
    with refused((Code.LOT_REQUIRED, "lot")):
        ward.detail(sheet_id, product_id=product)
    line = ward.detail(sheet_id, product_id=product, acknowledged=(Code.LOT_REQUIRED,))
    assert line["acknowledged"] == [Code.LOT_REQUIRED]
    # An edit of another field does not ask again.
    draft = DetailDraft(product_id=product, quantity=Decimal(2), sent_fields=frozenset())
    assert ward.use_cases.details.edit(ward.supervisor, line["id"], draft)["acknowledged"] == [Code.LOT_REQUIRED]


def test_a_returned_piece_with_serial_number_is_edited(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, serial="S1")
    ward.use_cases.details.return_part(ward.nurse, line["id"], ReturnDraft(quantity=Decimal(1), reason="unused"))
    draft = DetailDraft(
        product_id=ward.product_id, quantity=Decimal(0), area_id=ward.area_id, sent_fields=frozenset({"area_id"})
    )
    edited = ward.use_cases.details.edit(ward.supervisor, line["id"], draft)
    assert (edited["area_id"], edited["serial"], edited["quantity"]) == (ward.area_id, "S1", Decimal(0))


def test_a_product_can_require_the_serial_number(ward: Ward, sheet_id: int) -> None:
    product = ward.product("Marcapasos", asks_lot=True, asks_serial=True).id
    with refused((Code.LOT_REQUIRED, "lot"), (Code.SERIAL_REQUIRED, "serial")):
        ward.detail(sheet_id, product_id=product)
    assert ward.detail(sheet_id, product_id=product, lot="L1", serial="S1")["acknowledged"] == []
    line = ward.detail(sheet_id, product_id=product, lot="L1", acknowledged=(Code.SERIAL_REQUIRED,))
    assert line["acknowledged"] == [Code.SERIAL_REQUIRED]


def test_a_serial_number_is_used_once_and_for_one_piece(ward: Ward, sheet_id: int) -> None:
    with refused((Code.SERIAL_QUANTITY, "quantity")):
        ward.detail(sheet_id, "2", serial="S1")
    line = ward.detail(sheet_id, serial="S1")
    with pytest.raises(Exception, match=r"serial\.used") as asked:
        ward.detail(ward.sheet()["id"], serial="S1")
    assert asked.value.reasons[0].params == {"sheet": sheet_id}  # type: ignore[attr-defined]
    other = ward.product("Otra").id
    assert ward.detail(sheet_id, serial="S1", product_id=other)["acknowledged"] == []
    # The line's own serial number is no conflict, and is free again when the line is voided.
    draft = DetailDraft(product_id=ward.product_id, quantity=Decimal(1), lot="L1", sent_fields=frozenset({"lot"}))
    assert ward.use_cases.details.edit(ward.supervisor, line["id"], draft)["serial"] == "S1"
    with refused((Code.SERIAL_QUANTITY, "quantity")):
        ward.use_cases.details.edit(
            ward.supervisor, line["id"], replace(draft, quantity=Decimal(2), lot=None, sent_fields=frozenset())
        )
    ward.use_cases.details.delete(ward.admin, line["id"])
    assert ward.detail(sheet_id, serial="S1")["acknowledged"] == []


def test_a_recalled_lot_is_asked_about_until_recall_is_closed(ward: Ward, sheet_id: int) -> None:
    of_lot = recall(ward, "ab-12", reason="Empaque dañado")
    with pytest.raises(Exception, match=r"lot\.recalled") as asked:
        ward.detail(sheet_id, lot="AB-12")
    params = {"recall_id": of_lot.id, "since": TODAY, "reason": "Empaque dañado", "lot": "AB-12"}
    assert asked.value.reasons[0].params == params  # type: ignore[attr-defined]
    assert ward.detail(sheet_id, lot="AB-13")["acknowledged"] == []
    for reason in (None, " "):
        with refused((Code.LOT_RECALLED, "lot")):
            ward.detail(sheet_id, lot="AB-12", acknowledged=(Code.LOT_RECALLED,), recall_reason=reason)
    line = ward.detail(sheet_id, lot="AB-12", acknowledged=(Code.LOT_RECALLED,), recall_reason=" No había otro ")
    assert (line["acknowledged"], line["recall_reason"]) == ([Code.LOT_RECALLED], "No había otro")
    assert ward.use_cases.details.reader.one(ward.admin, line["id"])["recall_reason"] == "No había otro"
    # A reason counts only with a recall.
    assert ward.detail(sheet_id, lot="AB-13", recall_reason="No había otro")["recall_reason"] is None
    close = RecallDraft(product_id=ward.product_id, lot="ab-12", reason="Empaque dañado", closed=True)
    ward.use_cases.recalls.update(ward.admin, of_lot.id, close)
    assert ward.detail(sheet_id, lot="AB-12")["acknowledged"] == []
    recall(ward)
    for lot in (None, "AB-13"):
        with refused((Code.LOT_RECALLED, "lot")):
            ward.detail(sheet_id, lot=lot)


def recalled_uses(ward: Ward, actor: Any = None) -> list[tuple[int, str | None]]:
    """Return the detail and lot of each recalled use in the worklist."""
    view = ward.use_cases.reports.read_worklist(actor or ward.supervisor)
    return [(one["detail_id"], one["lot"]) for one in view["recalled_uses"]]


def test_recalled_uses_are_shown_until_they_are_marked_as_seen(ward: Ward, sheet_id: int) -> None:
    recall(ward, "L1")
    recall(ward, "L2")
    past: dict[str, Any] = {"lot": "L1", "acknowledged": ("lot.recalled",), "recall_reason": "R"}
    ward.detail(sheet_id)
    first = ward.detail(sheet_id, **past)["id"]
    line = ward.detail_draft("2", **past)
    kit = ward.details(sheet_id, line, line, by=ward.nurse)
    taken_back = ward.detail(sheet_id, **past)["id"]
    ward.use_cases.details.delete(ward.admin, taken_back)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    second, third = kit[0]["id"], kit[1]["id"]
    assert recalled_uses(ward) == recalled_uses(ward, ward.admin) == [(third, "L1"), (second, "L1"), (first, "L1")]
    reported = ward.use_cases.reports.read_worklist(ward.supervisor)["recalled_uses"][0]
    assert reported["reason"] == "R"
    assert reported["patient"]
    assert (reported["consumption_sheet_id"], reported["closed"], reported["patient"]["name"]) == (
        sheet_id,
        True,
        "Ana",
    )
    assert (reported["room"], reported["product"]["name"], reported["quantity"]) == (
        "101",
        "Gasa estéril",
        kit[0]["quantity"],
    )
    # Ward staff do not see recalled uses, and cannot mark them as seen.
    with pytest.raises(Forbidden):
        ward.use_cases.reports.read_worklist(ward.nurse)
    with pytest.raises(Forbidden):
        ward.use_cases.recalls.acknowledge_use(ward.nurse, first)
    with pytest.raises(NotFound):
        ward.use_cases.recalls.acknowledge_use(ward.supervisor, 999)
    for actor in (ward.supervisor, ward.admin):
        ward.use_cases.recalls.acknowledge_use(actor, first)
    seen = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="detail.recall_seen"))["items"]
    assert [(one["entity_id"], one["sheet_id"]) for one in seen] == [(first, sheet_id)]
    assert [one["user"] and one["user"]["id"] for one in seen] == [ward.supervisor.user_id]
    assert recalled_uses(ward) == [(third, "L1"), (second, "L1")]


# --- recalls ---------------------------------------------------------------------------------------------------------


def test_all_errors_of_a_recall_are_reported_at_once(ward: Ward) -> None:
    with refused((Code.TEXT_TOO_LONG, "lot"), (Code.REQUIRED, "reason"), (Code.REFERENCE_UNKNOWN, "product_id")):
        ward.use_cases.recalls.open(ward.admin, RecallDraft(product_id=999, lot="L" * 51, reason=" "))


# --- product lookup --------------------------------------------------------------------------------------------------


def names(found: ProductLookupView) -> list[tuple[str, str]]:
    return [(match["product"]["name"], match["system"]) for match in found["matches"]]


def test_a_scan_returns_product_pack_recall_and_serial_use(ward: Ward, sheet_id: int) -> None:
    ward.clock.now = THESE_DAYS
    product = ward.product("Sonda", gtin=GTIN).id
    assert look_up(ward, scan=SCAN) == {
        "reading": {**PACK, "count": None, **dict.fromkeys(FLAGS, False)},
        "matches": look_up(ward, gtin=AS_14)["matches"],
        "people": look_up(ward, gtin=AS_14)["people"],
        "recall": None,
        "expired": False,
        "serial_used": None,
        "label": None,
        "noted": None,
        "read_as": None,
    }
    at = ward.clock.now
    ward.detail(sheet_id, product_id=product, serial="SER9")
    called_back = recall(ward, "AB-12", product)
    ward.clock.advance(days=800)
    found = look_up(ward, scan=SCAN)
    assert (names(found), found["expired"]) == ([("Sonda", "gtin")], True)
    assert found["recall"] == {"id": called_back.id, "reason": "Empaque", "since": at}
    assert found["serial_used"] == {"consumption_sheet_id": sheet_id, "at": at}
    assert "price" not in found["matches"][0]["product"]


def test_a_code_matches_the_products_that_have_it(ward: Ward) -> None:
    sonda = ward.product("Sonda", gtin=GTIN).id
    own = ward.product("Aguja", code="AG-1").id
    for product, system, code, units in (
        (sonda, "gtin", "14006381333938", "100"),
        (sonda, "hibc", "+A1", "1"),
        (own, "billing", "F-1", "1"),
    ):
        draft = ProductCodeDraft(system=system, code=code, units=Decimal(units), label="caja")
        ward.use_cases.products.add_code(ward.admin, product, draft)
    for asked in ({"gtin": GTIN}, {"scan": GTIN}, {"text": GTIN}, {"scan": f"01{AS_14}"}):
        assert names(look_up(ward, **asked)) == [("Sonda", "gtin")]
    [box] = look_up(ward, scan="14006381333938")["matches"]
    assert (box["units"], box["label"]) == (Decimal(100), "caja")
    for asked in ({"hibc": "+a1"}, {"scan": "+A1"}, {"text": "+A1"}):
        assert names(look_up(ward, **asked)) == [("Sonda", "hibc")]
    for asked in ({"code": "ag-1"}, {"scan": "AG-1"}, {"text": "AG-1"}):
        assert names(look_up(ward, **asked)) == [("Aguja", "code")]
    assert names(look_up(ward, text="F-1")) == [("Aguja", "billing")]
    assert names(look_up(ward, code="F-1")) == []
    # A product's own code may equal another product's GTIN, or start like the text of a symbol.
    ward.product("Otra", code=GTIN)
    assert names(look_up(ward, scan=GTIN)) == [("Sonda", "gtin"), ("Otra", "code")]
    ward.product("Catéter", code="10045")
    found = look_up(ward, scan="10045")
    assert (names(found), found["reading"]) == ([("Catéter", "code")], None)
    with refused((Code.GTIN_INVALID, "gtin")):
        look_up(ward, gtin="4006381333930")
    for nothing in ({}, {"scan": ""}, {"text": " "}, {"lot": "L-1"}):
        with refused((Code.REQUIRED, "code")):
            look_up(ward, **nothing)


def test_an_unknown_code_is_noted_until_a_product_has_it(ward: Ward) -> None:
    def unknown() -> list[tuple[str, str, int]]:
        items = ward.use_cases.products.list_unknown_codes(ward.supervisor)["items"]
        return [(item["system"], item["code"], item["times"]) for item in items]

    for scan, noted in (
        (GTIN, ("gtin", AS_14)),
        (f"01{AS_14}10L1", ("gtin", AS_14)),
        ("+A1", ("hibc", "+A1")),
        ("ZZ-1", ("code", "ZZ-1")),
        ("1727013110L1", None),
        ("Z" * 51, None),
    ):
        ward.clock.advance(seconds=1)
        found = look_up(ward, scan=scan)
        assert (names(found), found["noted"]) == ([], noted and {"system": noted[0], "code": noted[1]})
    # Typed text is not noted as a code.
    assert look_up(ward, text="gasa")["noted"] is None
    # A scan of the scanner test is not noted either.
    tried = look_up(ward, scan=f"01{AS_14}", only_tried=True)
    assert (tried["reading"] is not None, tried["noted"]) == (True, None)
    assert unknown() == [("code", "ZZ-1", 1), ("hibc", "+A1", 1), ("gtin", AS_14, 2)]
    ward.product("Sonda", gtin=GTIN)
    ward.product("Otra", code="zz-1")
    assert unknown() == [("hibc", "+A1", 1)]
    assert look_up(ward, scan=GTIN)["noted"] is None


# --- scans that are no symbol, or a patient's -------------------------------------------------------------------------


NO_PACK_READ = dict.fromkeys(PACK)


@pytest.mark.parametrize(
    "scan", ["1042331", "21042332", "17280101", "3012", "]C010AB", "12345670", "80189520000000000000"]
)
def test_text_that_only_looks_like_an_element_is_not_recorded(ward: Ward, sheet_id: int, scan: str) -> None:
    line = ward.detail(sheet_id, scan=scan)
    assert pack_of(line) == NO_PACK_READ
    draft = DetailDraft(product_id=ward.product_id, quantity=Decimal(1), scan=scan, sent_fields=frozenset({"scan"}))
    assert pack_of(ward.use_cases.details.edit(ward.supervisor, line["id"], draft)) == NO_PACK_READ
    [one] = ward.details(sheet_id, ward.detail_draft(scan=scan))
    assert pack_of(one) == NO_PACK_READ


def test_unambiguous_elements_of_a_symbol_are_recorded(ward: Ward, sheet_id: int) -> None:
    for scan in ("]C11042331", "(10)42331", f"1042331{GS}", "+$42331+5"):
        assert pack_of(ward.detail(sheet_id, scan=scan)) == {**NO_PACK_READ, "lot": "42331"}, scan
    for scan in (f"01{AS_14}10LÓTE", f"01{AS_14}10{'A' * 21}", f"01{AS_14}10A240B"):
        assert pack_of(ward.detail(sheet_id, scan=scan)) == {**NO_PACK_READ, "gtin": AS_14}, scan
    # A scan converted from another keyboard layout needs confirmation by a person.
    assert pack_of(ward.detail(sheet_id, scan=f")01={AS_14})10=AB'1")) == NO_PACK_READ


def test_a_known_code_takes_precedence_over_a_symbol(ward: Ward, sheet_id: int) -> None:
    for system, code in (("supplier", "10X77"), ("billing", "2199"), ("cnis", "17280101"), ("gmdn", "12345670")):
        draft = ProductCodeDraft(system=system, code=code, units=Decimal(1), label=None)
        ward.use_cases.products.add_code(ward.admin, ward.product_id, draft)
    own = ward.product("Broca", code="1012345").id
    for scan in ("10X77", "]C110X77", "2199", "17280101", f"{GS}17280101", "12345670"):
        found = look_up(ward, scan=scan)
        assert ([match["product"]["id"] for match in found["matches"]], found["reading"]) == ([ward.product_id], None)
        assert pack_of(ward.detail(sheet_id, scan=scan)) == NO_PACK_READ, scan
    assert pack_of(ward.detail(sheet_id, product_id=own, scan="]C11012345")) == NO_PACK_READ
    # A product's code that is another product's GTIN.
    ward.product("Sonda", gtin=GTIN)
    other = ward.product("Otra", code=GTIN).id
    assert pack_of(ward.detail(sheet_id, product_id=other, scan=GTIN)) == NO_PACK_READ


def noted_codes(ward: Ward) -> list[tuple[str, str]]:
    return [
        (one["system"], one["code"]) for one in ward.use_cases.products.list_unknown_codes(ward.supervisor)["items"]
    ]


def test_a_possible_patient_number_is_not_noted(ward: Ward) -> None:
    def patient(number: str) -> int:
        return ward.patient("Ana", "Vega", record_number=number).id

    patient("1042331")
    patient("EXP-2025-0923")
    patient("96385074")
    into = patient("H-7")
    ward.use_cases.patients.merge(ward.admin, patient("VIEJO-1"), MergeDraft(into_id=into, reason="La misma"))
    for scan in (
        *("1042331", "]C01042331", "0001042331", "*1042331*", "EXP-2025-0923", "exp-2025-0923", "96385074"),
        *("*EXP-2025-0923*", "VIEJO-1", "H-7"),
        *(
            "]C18018952000000000000018",
            "8018952000000000000010",
            "(8017)952000000000000018",
            "CNSP12345674220",
            "cnsf1",
        ),
    ):
        found = look_up(ward, scan=scan)
        assert (found["matches"], found["noted"]) == ([], None), scan
    assert noted_codes(ward) == []
    # For a caller who may not read patients, no answer depends on whether the code is a patient's.
    for scan in ("EXP-2025-0923", "NADIE-1"):
        found = ward.use_cases.products.look_up(CATALOGUE_READER, Lookup(scan=scan))
        assert found["noted"] is None
    # A noted code that becomes a patient's number later disappears from the list.
    for scan in ("EXP-9", "*EXP-8*", "00777", "ZZ-1"):
        assert look_up(ward, scan=scan)["noted"], scan
    for number in ("exp-9", "EXP-8", "777"):
        patient(number)
    assert noted_codes(ward) == [("code", "ZZ-1")]


def test_a_visit_number_is_not_noted(ward: Ward) -> None:
    assert look_up(ward, scan="VIS-18")["noted"]
    for number in ("VIS-17", "VIS-18"):
        patient_id = ward.patient("Ana", "Vega").id
        with ward.store.begin() as work:
            open_sheet(work, ward.admin, ward.sheet_draft(patient_id=patient_id), ward.clock.now, visit_number=number)
    for scan in ("VIS-17", "vis-17", "*VIS-17*", "]C0VIS-17"):
        assert look_up(ward, scan=scan)["noted"] is None, scan
    assert noted_codes(ward) == []
