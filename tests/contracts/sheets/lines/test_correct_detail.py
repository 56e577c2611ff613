"""Contract of every store: correcting the quantity of a line.

One call voids the line and records another.
"""

import pytest

from application.common.idempotency import Replayable
from application.sheets.detail_views import Voided
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.recalls import RecallDraft
from domain.common.errors import Code, Refused
from tests.assertions import refused
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.sheets.lines.test_correct_detail import REASON, correct, faults, listed


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


# --- the corrected line ----------------------------------------------------------------------------------------------


def test_acknowledgements_stay_and_a_recalled_lot_is_shown_again(ward: Ward, sheet_id: int) -> None:
    recall = RecallDraft(product_id=ward.product_id, lot="L-1", reason="Empaque")
    ward.use_cases.recalls.open(ward.supervisor, recall)
    line = ward.detail(sheet_id, "2", by=ward.nurse, lot="L-1", acknowledged=("lot.recalled",), recall_reason="R")
    corrected = correct(ward, line, "30", acknowledged=("quantity.far_out",)).answer
    assert corrected["acknowledged"] == [Code.LOT_RECALLED, Code.QUANTITY_FAR_OUT]
    worklist = ward.use_cases.reports.read_worklist(ward.supervisor)
    assert [use["detail_id"] for use in worklist["recalled_uses"]] == [corrected["id"]]


# --- refusals and questions ------------------------------------------------------------------------------------------


def test_an_invalid_quantity_is_refused(ward: Ward, sheet_id: int) -> None:
    pin = ward.product("Clavo", decimals=0).id
    line = ward.detail(sheet_id, "1", by=ward.nurse, product_id=pin, serial="S-1")
    for quantity, code in (
        ("0", Code.QUANTITY_ZERO),
        ("1", Code.QUANTITY_SAME),
        ("2", Code.SERIAL_QUANTITY),
        ("1.5", Code.QUANTITY_TOO_FINE),
        ("-1", Code.NEGATIVE),
        ("10000", Code.QUANTITY_TOO_LARGE),
    ):
        with refused((code, "quantity")):
            correct(ward, line, quantity)
    with refused((Code.REQUIRED, "quantity")):
        ward.use_cases.details.correct(ward.nurse, line["id"], CorrectionDraft(), reason=REASON)
    assert [one["id"] for one in listed(ward, Voided.INCLUDE)] == [line["id"]]


# --- idempotency -----------------------------------------------------------------------------------------------------


def test_one_of_several_concurrent_corrections_succeeds(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    outcomes = at_once([lambda: correct(ward, line, "3", by=ward.admin)] * 3)
    assert sum(isinstance(one, Replayable) for one in outcomes) == 1
    assert sum(isinstance(one, Refused) for one in outcomes) == 2
    assert len(listed(ward)) == 1
    assert faults(ward) == []
