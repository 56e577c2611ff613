"""Charges and credits: their balance equals the frozen total.

This holds after every closing, whatever changes came before it.
"""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.billing.charges import (
    BillingAccount,
    Charge,
    ChargedLine,
    ChargeKind,
    ClosedAccount,
    CreditReason,
    balance,
    due,
    open_charges,
    transaction_id,
)
from domain.common.errors import Code
from domain.common.money import ZERO
from domain.interop.outbound_message import GIVE_UP_AFTER, RETRY_DELAYS, OutboundMessage, OutboundState
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet, Usage
from tests.assertions import refused
from tests.builders import NOON, TODAY, a_product, a_sheet, an_admin

ANA, BETO = BillingAccount(patient_id=8), BillingAccount(patient_id=9)


def a_line(detail_id: int = 1, quantity: str = "2", price: str = "12.50", **particulars: Any) -> ChargedLine:
    filled_in: dict[str, Any] = {
        "product_id": 5, "product_code": "G-1", "product_name": "Gasa", "billing_code": None, "occurred_at": NOON,
        "area_id": None, "area": None, "total": Decimal(quantity) * Decimal(price),
    }  # fmt: skip
    return ChargedLine(
        detail_id=detail_id, quantity=Decimal(quantity), unit_price=Decimal(price), **filled_in | particulars
    )


def closed(turn: int, *lines: ChargedLine, account: BillingAccount = ANA) -> ClosedAccount:
    return ClosedAccount(sheet_id=7, turn=turn, account=account, lines=lines)


def reported(charges: list[Charge]) -> list[tuple[str, str, CreditReason | None]]:
    return [(charge.kind.value, charge.transaction_id, charge.reason) for charge in charges]


def test_the_first_closing_charges_every_line() -> None:
    first = due([], closed(1, a_line(1), a_line(2)))
    assert reported(first) == [("CG", "7_1", None), ("CG", "7_2", None)]
    assert balance(first) == Decimal("50.00")


def test_unchanged_lines_cause_no_charges() -> None:
    sent = due([], closed(1, a_line(1), a_line(2)))
    assert due(sent, closed(2, a_line(2), a_line(1))) == []
    # A new name is no reason for a new charge.
    assert due(sent, closed(2, a_line(1, product_name="Gasa 10×10"), a_line(2, area="UCI"))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"quantity": Decimal(3)}, {"total": Decimal(1)}, {"unit_price": Decimal(1)}, {"product_code": "G-2"},
        {"product_id": 6}, {"lot": "L"}, {"serial": "S"}, {"gtin": "1"}, {"expiry": TODAY}, {"billing_code": "B"},
        {"occurred_at": NOON - timedelta(days=1)}, {"area_id": 4},
    ],
)  # fmt: skip
def test_a_changed_line_is_credited_and_charged_again(change: dict[str, Any]) -> None:
    sent = due([], closed(1, a_line()))
    now = replace(a_line(), **change)
    credit, charge = due(sent, closed(2, now))
    assert reported([credit, charge]) == [("CD", "7_2", CreditReason.CHANGED), ("CG", "7_3", None)]
    assert (credit.reverses, credit.line, charge.line) == ("7_1", a_line(), now)


def test_a_removed_line_is_credited_once() -> None:
    sent = due([], closed(1, a_line(1), a_line(2)))
    sent += due(sent, closed(2, a_line(2)))
    assert reported(sent[2:]) == [("CD", "7_3", CreditReason.DELETED)]
    assert due(sent, closed(3, a_line(2))) == []
    # A line that reappears is charged again.
    sent += due(sent, closed(4, a_line(1), a_line(2)))
    assert reported(sent[3:]) == [("CG", "7_4", None)]
    assert [one.transaction_id for one in open_charges(sent)] == ["7_2", "7_4"]


def test_charges_with_former_ids_are_credited_with_new_ones() -> None:
    sent = [replace(one, transaction_id="7-1-1") for one in due([], closed(1, a_line(1)))]
    credit, charge = due(sent, closed(2, a_line(1, "3")))
    assert (credit.reverses, credit.transaction_id, charge.transaction_id) == ("7-1-1", "7_2", "7_3")


@given(st.integers(0, 36**7 - 1), st.integers(0, 36**4 - 1))
def test_a_transaction_id_has_at_most_twelve_characters(sheet_id: int, number: int) -> None:
    written = transaction_id(sheet_id, number)
    assert len(written) <= 12
    assert [int(one, 36) for one in written.split("_")] == [sheet_id, number]


def test_a_completely_returned_line_is_not_charged() -> None:
    assert due([], closed(1, a_line(1, "0"))) == []
    sent = due([], closed(1, a_line(1)))
    assert reported(due(sent, closed(2, a_line(1, "0")))) == [("CD", "7_2", CreditReason.DELETED)]
    # A supply without a price was still used.
    assert len(due([], closed(1, a_line(1, "1", "0.00")))) == 1


def test_another_account_causes_a_credit_there_and_a_charge_here() -> None:
    sent = due([], closed(1, a_line(1)))
    credit, charge = due(sent, closed(2, a_line(1), account=BETO))
    assert (credit.reason, credit.account, charge.account) == (CreditReason.ACCOUNT_CHANGED, ANA, BETO)


QUANTITIES = st.sampled_from(["0", "0.125", "1", "2.5", "7", "999"])
PRICES = st.sampled_from(["0.00", "0.01", "3.33", "12.50"])


class Wards:
    """Two sheets with their details and charges."""

    def __init__(self) -> None:
        self.sheets = [a_sheet(id=1), a_sheet(id=2)]
        self.details: list[Detail] = []
        self.sent: dict[int, list[Charge]] = {1: [], 2: []}
        self.turns = {1: 0, 2: 0}

    def on(self, sheet: PatientSheet) -> list[Detail]:
        return [one for one in self.details if one.sheet_id == sheet.id and not one.voided]

    def record(self, sheet: PatientSheet, quantity: str, price: str) -> None:
        detail = sheet.record(
            Usage(product=a_product(price), quantity=Decimal(quantity), day=TODAY), by=an_admin(), at=NOON
        )
        detail.id = len(self.details) + 1
        self.details.append(detail)

    def change(self, sheet: PatientSheet, detail: Detail, done: str, data: st.DataObject) -> None:
        if done == "void":
            sheet.void(detail, by=an_admin(), at=NOON)
        elif done == "return":
            sheet.return_quantity(detail, detail.quantity, by=an_admin(), total=ZERO)
        elif done == "move":
            sheet.move_detail_to(detail, self.sheets[2 - sheet.id], by=an_admin(), product=a_product())
        else:
            product = a_product(data.draw(PRICES), id=data.draw(st.integers(5, 6)))
            total = data.draw(st.none() | PRICES.map(Decimal))
            quantity = Decimal(data.draw(QUANTITIES))
            sheet.edit(
                detail, product, quantity, total=total, staff_id=None, area_id=None, use_reason=detail.use_reason
            )

    def close(self, sheet: PatientSheet) -> None:
        if sheet.closed:
            sheet.reopen()
        sheet.close(NOON, TODAY)
        self.turns[sheet.id] += 1
        lines = tuple(
            a_line(one.id, str(one.quantity), str(one.unit_price), total=one.total, product_id=one.product_id)
            for one in self.on(sheet)
        )
        account = BillingAccount(patient_id=sheet.patient_id)
        closing = ClosedAccount(sheet_id=sheet.id, turn=self.turns[sheet.id], account=account, lines=lines)
        new = due(self.sent[sheet.id], closing)
        self.sent[sheet.id] += new
        assert balance(self.sent[sheet.id]) == sheet.total
        of_account = [one for one in self.sent[sheet.id] if one.account == account]
        assert balance(of_account) == sheet.total
        ids = [one.transaction_id for sent in self.sent.values() for one in sent]
        assert len(ids) == len(set(ids))
        credits_of = [one.reverses for one in self.sent[sheet.id] if one.kind is ChargeKind.CREDIT]
        assert len(credits_of) == len(set(credits_of))


@given(st.data())
def test_after_every_closing_the_balance_equals_the_total(data: st.DataObject) -> None:
    ward = Wards()
    for _ in range(data.draw(st.integers(1, 25))):
        sheet = data.draw(st.sampled_from(ward.sheets))
        done = data.draw(st.sampled_from(["record", "close", "patient", "void", "edit", "return", "move"]))
        if done == "close":
            ward.close(sheet)
            continue
        for each in ward.sheets:
            if each.closed:
                each.reopen()
        if done == "record":
            ward.record(sheet, data.draw(QUANTITIES), data.draw(PRICES))
        elif done == "patient":
            sheet.patient_id = data.draw(st.integers(8, 9))
        elif ward.on(sheet):
            ward.change(sheet, data.draw(st.sampled_from(ward.on(sheet))), done, data)
    for sheet in ward.sheets:
        ward.close(sheet)


def a_message(**particulars: Any) -> OutboundMessage:
    filled_in: dict[str, Any] = {"sheet_id": 7, "control_id": "7.1.1", "body": "MSH", "charges": 1, "created_at": NOON}
    return OutboundMessage(**filled_in | {"next_try_at": NOON} | particulars)


def test_retries_slow_down_and_stop_after_a_day() -> None:
    message, now, pauses = a_message(), NOON, []
    while message.state is OutboundState.WAITING:
        message.start_attempt(now)
        message.mark_failed(now, "no answer")
        if message.state is OutboundState.WAITING:
            pauses.append(message.next_try_at - now)
            now = message.next_try_at
    assert tuple(pauses[:5]) == RETRY_DELAYS
    assert set(pauses[5:]) == {RETRY_DELAYS[-1]}
    assert GIVE_UP_AFTER <= now - NOON < GIVE_UP_AFTER + RETRY_DELAYS[-1]
    assert (message.state, message.problem) == (OutboundState.DEAD, "no answer")


def test_the_day_of_retries_starts_with_the_first_attempt() -> None:
    message = a_message(created_at=NOON - timedelta(days=9))
    message.start_attempt(NOON)
    message.mark_failed(NOON, "no answer")
    assert message.state is OutboundState.WAITING


def test_a_rejected_message_is_dead_at_once_and_can_be_retried() -> None:
    message = a_message()
    message.start_attempt(NOON)
    message.mark_failed(NOON, "AR: unknown patient", is_permanent=True)
    assert message.state.value == "dead"
    later = NOON + timedelta(days=2)
    message.retry(later)
    assert (message.state.value, message.next_try_at, message.tries) == ("waiting", later, 0)
    message.start_attempt(later)
    message.mark_failed(later, "no answer")
    assert message.state.value == "waiting"


def test_a_sent_message_stays_sent() -> None:
    message = a_message()
    message.mark_sent(an_admin(), NOON, "Se digitó a mano")
    message.mark_failed(NOON, "a late answer", is_permanent=True)
    message.mark_delivered(NOON + timedelta(hours=1))
    assert (message.state, message.sent_at, message.problem) == (OutboundState.SENT, NOON, None)
    with refused(Code.MESSAGE_SENT):
        message.retry(NOON)
    with refused(Code.MESSAGE_SENT):
        message.mark_sent(an_admin(), NOON, "again")
