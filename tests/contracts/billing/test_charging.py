"""Contract of every store: billing gets each change of a closing once.

The messages of a sheet are sent in the order of its closings.
"""

from decimal import Decimal
from typing import Any

import pytest

from adapters.hl7.dft_message import DftMessageWriter
from adapters.simulator.charges import balance_of
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from application.imports.batch import Batch
from application.imports.reading.cells import RawRow
from application.imports.reading.fields import Noun
from application.imports.reading.row import Row
from application.reports.ports import InconsistencyKind
from domain.billing.charges import ChargeKind, balance, transaction_id
from domain.interop.outbound_message import LEASE, OutboundState
from tests.builders import AnyStore, Ward, a_ward
from tests.contracts.common.concurrently import at_once
from tests.imports.importing import RowCollector
from tests.use_cases.billing.test_charging import close, messages, reopen, reported, send, total_of


@pytest.fixture
def ward(store: AnyStore) -> Ward:
    """Return a ward whose closings are sent to billing."""
    return a_ward(store, charging=True)


def test_a_message_holds_a_hundred_charges(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for first in range(0, 201, 100):
        ward.details(sheet_id, *[ward.detail_draft() for _ in range(min(100, 201 - first))])
    close(ward, sheet_id)
    assert [(one.control_id, one.charges) for one in messages(ward)] == [
        (f"{sheet_id}.1.{number}", count) for number, count in ((1, 100), (2, 100), (3, 1))
    ]
    assert len({one.transaction_id for one in reported(ward)}) == 201


def test_messages_of_a_sheet_keep_their_order_and_block_no_other(ward: Ward) -> None:
    one, other = ward.sheet()["id"], ward.sheet()["id"]
    for sheet_id in (one, other):
        ward.detail(sheet_id)
        close(ward, sheet_id)
    reopen(ward, one)
    ward.detail(one)
    close(ward, one)
    dead = send(ward, DeliveryStatus.REJECTED, "AR: no such patient")
    assert dead
    assert (dead.sheet_id, dead.state, dead.problem) == (one, OutboundState.DEAD, "AR: no such patient")
    sent = send(ward)
    assert sent
    assert (sent.sheet_id, sent.state, sent.sent_at) == (other, OutboundState.SENT, ward.clock.now)
    # The second message of the first sheet waits for the dead one, however long.
    ward.clock.advance(days=9)
    assert send(ward) is None
    ward.use_cases.outbound_messages.retry(ward.admin, dead.id)
    again = send(ward)
    assert again
    assert (again.id, again.body, again.control_id) == (dead.id, dead.body, dead.control_id)
    last = send(ward)
    assert last
    assert (last.sheet_id, last.state) == (one, OutboundState.SENT)
    assert send(ward) is None


def test_a_message_is_claimed_again_when_its_lease_expires(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    taken = ward.use_cases.outbound_messages.claim_due()
    assert taken
    # No other sender gets the message during the lease.
    assert ward.use_cases.outbound_messages.claim_due() is None
    ward.clock.now += LEASE
    again = ward.use_cases.outbound_messages.claim_due()
    assert again
    assert (again.id, again.body) == (taken.id, taken.body)
    # Both senders report: the first confirmed delivery counts.
    ward.use_cases.outbound_messages.record_delivery(again.id, DeliveryResult(DeliveryStatus.ACCEPTED))
    assert (
        ward.use_cases.outbound_messages.record_delivery(taken.id, DeliveryResult(DeliveryStatus.FAILED, "late")).state
        is OutboundState.SENT
    )


def test_concurrent_senders_claim_each_message_once(ward: Ward) -> None:
    sheets = [ward.sheet()["id"] for _ in range(6)]
    for sheet_id in sheets:
        ward.detail(sheet_id)
        close(ward, sheet_id)
    taken = [one for _ in range(4) for one in at_once([ward.use_cases.outbound_messages.claim_due] * 3) if one]
    assert sorted(one.sheet_id for one in taken) == sheets


def test_the_list_of_messages_is_filtered_by_state_and_sheet(ward: Ward) -> None:
    sheets = [ward.sheet()["id"] for _ in range(3)]
    for sheet_id in sheets:
        ward.detail(sheet_id)
        close(ward, sheet_id)
    send(ward, DeliveryStatus.REJECTED, "no")
    send(ward)

    def listed(**asked: object) -> list[OutboundMessageView]:
        return ward.use_cases.outbound_messages.reader.page(ward.admin, OutboundMessageQuery(**asked))["items"]  # type: ignore[arg-type]

    assert [one["consumption_sheet_id"] for one in listed()] == sheets[::-1]
    for state, sheet_id in zip((OutboundState.DEAD, OutboundState.SENT, OutboundState.WAITING), sheets, strict=True):
        assert [one["consumption_sheet_id"] for one in listed(state=state)] == [sheet_id]
        assert [one["state"] for one in listed(consumption_sheet_id=sheet_id)] == [state]
    assert [one["next_try_at"] is None for one in listed()] == [False, True, True]


def test_check_consistency_finds_wrong_charges(ward: Ward) -> None:
    sheet_id, gone = ward.sheet()["id"], ward.sheet()["id"]
    for each in (sheet_id, gone):
        ward.detail(each)
        close(ward, each)
    assert list(ward.use_cases.reports.check_consistency()) == []
    with ward.store.begin() as work:
        [charge] = work.charges.of_sheet(sheet_id)
        charge.transaction_id, charge.kind = transaction_id(sheet_id, 2), ChargeKind.CREDIT
        work.charges.add_all([charge])
        sheet = work.sheets.lock(gone)
        assert sheet
        work.sheets.remove(sheet)
        assert balance(work.charges.of_sheet(gone)) == Decimal("12.50")
    found = [(one.kind, one.sheet_id, one.expected, one.found) for one in ward.use_cases.reports.check_consistency()]
    assert found == [
        ("charged", sheet_id, Decimal("12.50"), Decimal("0.00")),
        ("charged", gone, Decimal("0.00"), Decimal("12.50")),
    ]


@pytest.mark.parametrize("was_charged", [True, False])
def test_an_imported_closing_of_a_users_lines_is_charged(ward: Ward, was_charged: bool) -> None:
    ward.clock.advance(days=2)
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    if was_charged:
        close(ward, sheet_id)
        reopen(ward, sheet_id)
    # Opened by a user, but only files record on it.
    opened = ward.sheet(patient_id=ward.patient("Eva", "Soto").id)["id"]
    day = ward.sheet_draft().admission_date
    values: dict[str, Any] = {
        "patient_name": "Ana", "patient_first_surname": "Ríos", "room": "101", "admission_date": day,
        "discharge_date": day, "product_name": "Gasa estéril", "quantity": Decimal(3), "created_at": day,
    }  # fmt: skip
    others = [values | {"patient_name": name, "patient_first_surname": "Soto"} for name in ("Luz", "Eva")]
    rows = [Row(line, each, (), RawRow(line, [str(line)])) for line, each in enumerate([values, *others], 2)]
    batch = Batch(
        noun=Noun.CONSUMPTION,
        file_name="consumo.csv",
        count=3,
        given=frozenset(values),
        columns=tuple(values),
        rows=lambda: iter(rows),
    )
    assert ward.use_cases.imports.run(ward.admin, batch, RowCollector()).kept
    assert all(ward.use_cases.sheets.reader.one(ward.admin, each)["closed"] for each in (sheet_id, opened))
    # The system that the other lines come from has charged them.
    assert {one.sheet_id for one in messages(ward)} == {sheet_id}
    assert balance_of(reported(ward, sheet_id)) == total_of(ward, sheet_id) == Decimal("62.50")
    assert [one for one in ward.use_cases.reports.check_consistency() if one.kind is InconsistencyKind.CHARGED] == []


def test_a_closing_without_its_message_is_rolled_back(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)

    def broken(*_: object) -> str:
        raise OSError("no room for the message")

    with monkeypatch.context() as patched:
        patched.setattr(DftMessageWriter, "__call__", broken)
        with pytest.raises(OSError, match="no room"):
            close(ward, sheet_id)
    assert not ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["closed"]
    assert messages(ward) == []
    close(ward, sheet_id)
    assert len(messages(ward)) == 1
