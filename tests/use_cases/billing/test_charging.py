"""Billing gets each change of a closing once.

The messages of a sheet are sent in the order of its closings.
"""

import random
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from adapters.simulator.charges import SentCharge, balance_of, charges_in
from application.audit.views import AuditQuery
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus, SettleDraft
from application.billing.views import OutboundMessageQuery
from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.closing.reopen_sheet import ReopenDraft
from application.people.merge_patients import MergeDraft
from application.people.patients import PatientDraft
from application.sheets.detail_views import DetailQuery
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.sheet_draft import SheetDraft
from domain.billing.charges import transaction_id
from domain.common.errors import Code, Forbidden, NotFound
from domain.common.policy import Permission, Role
from domain.interop.outbound_message import OutboundMessage, OutboundState
from tests.assertions import refused
from tests.builders import AnyStore, Ward, a_ward
from tests.hl7.charges import read, validated
from tests.hl7.messages import NUMBER, VISIT, Post, a_post, adt, the_sheet


@pytest.fixture
def ward(store: AnyStore) -> Ward:
    """Return a ward whose closings are sent to billing."""
    return a_ward(store, charging=True)


def close(ward: Ward, sheet_id: int) -> None:
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.close(ward.admin, sheet_id)


def reopen(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó algo"))


def messages(ward: Ward, sheet_id: int | None = None) -> list[OutboundMessage]:
    """Return the messages of one sheet or of all sheets, oldest first."""
    with ward.store.begin() as work:
        found = work.outbound_messages.find_many("sheet_id", [sheet_id] if sheet_id else range(1, 99))
    return sorted(found, key=lambda one: one.id)


def reported(ward: Ward, sheet_id: int | None = None) -> list[SentCharge]:
    return [one for message in messages(ward, sheet_id) for one in charges_in(message.body)]


def total_of(ward: Ward, sheet_id: int) -> Decimal:
    return ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]


def send(ward: Ward, answer: DeliveryStatus = DeliveryStatus.ACCEPTED, problem: str = "") -> OutboundMessage | None:
    """Send the next due message to a receiver that answers with ``answer``."""
    message = ward.use_cases.outbound_messages.claim_due()
    return message and ward.use_cases.outbound_messages.record_delivery(message.id, DeliveryResult(answer, problem))


def test_without_billing_a_closing_writes_no_charges(store: AnyStore) -> None:
    ward = a_ward(store)
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    assert messages(ward) == []
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["charging"] is None
    with store.begin() as work:
        assert work.charges.of_sheet(sheet_id) == []


def test_a_closing_charges_its_lines(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "0.5")
    # The user who closes the sheet may not see its prices.
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    [message] = messages(ward)
    assert (message.control_id, message.state, message.charges) == (f"{sheet_id}.1.1", OutboundState.WAITING, 2)
    validated(message.body)
    assert [(one.transaction_id, one.kind, one.quantity, one.total) for one in charges_in(message.body)] == [
        (transaction_id(sheet_id, 1), "CG", Decimal(2), Decimal("25.00")),
        (transaction_id(sheet_id, 2), "CG", Decimal("0.5"), Decimal("6.25")),
    ]


def test_after_an_undone_closing_the_difference_is_sent_once(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    for _ in range(2):
        ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
        ward.clock.advance(minutes=1)
        ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert len(messages(ward)) == 1
    ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
    ward.detail(sheet_id, "1")
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert [(one.kind, one.total) for one in reported(ward)] == [("CG", Decimal("25.00")), ("CG", Decimal("12.50"))]
    assert total_of(ward, sheet_id) == Decimal("37.50")


def test_closing_again_sends_only_the_difference(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    _, voided, edited, returned = (ward.detail(sheet_id, "2")["id"] for _ in range(4))
    close(ward, sheet_id)
    reopen(ward, sheet_id)
    close(ward, sheet_id)
    assert len(messages(ward)) == 1
    reopen(ward, sheet_id)
    uc = ward.use_cases
    uc.details.void(ward.admin, voided, VoidDraft(reason="Se usó en otro paciente | no aquí"))
    uc.details.edit(ward.admin, edited, ward.detail_draft("3"))
    uc.details.return_part(ward.admin, returned, ReturnDraft(quantity=Decimal(2), reason="unused"))
    new = ward.detail(sheet_id, "1")["id"]
    close(ward, sheet_id)
    message = messages(ward)[-1]
    validated(message.body)
    assert [(one.transaction_id, one.kind, one.total) for one in charges_in(message.body)] == [
        (transaction_id(sheet_id, 5), "CD", Decimal("25.00")),
        (transaction_id(sheet_id, 6), "CD", Decimal("25.00")),
        (transaction_id(sheet_id, 7), "CG", Decimal("37.50")),
        (transaction_id(sheet_id, 8), "CD", Decimal("25.00")),
        (transaction_id(sheet_id, 9), "CG", Decimal("12.50")),
    ]
    reasons = [str(one[9]) for one in read(message.body).segments("FT1")]
    assert reasons == ["VOIDED", "CHANGED", "", "CHANGED", ""]
    assert f"|REVERSES {transaction_id(sheet_id, 2)}~Se usó en otro paciente \\F\\ no aquí\r" in message.body
    with ward.store.begin() as work:
        assert [one.line.detail_id for one in work.charges.of_sheet(sheet_id)[4:]] == [
            voided, edited, edited, returned, new,
        ]  # fmt: skip
    assert balance_of(reported(ward)) == total_of(ward, sheet_id) == Decimal("75.00")


def test_a_moved_line_is_credited_and_charged_on_the_other_sheet(ward: Ward) -> None:
    one, other = ward.sheet()["id"], ward.sheet()["id"]
    line = ward.detail(one, "2")["id"]
    ward.detail(one, "1")
    close(ward, one)
    reopen(ward, one)
    ward.use_cases.details.move(ward.admin, one, MoveDraft(to_sheet_id=other, detail_ids=(line,), reason="De la otra"))
    close(ward, one)
    close(ward, other)
    assert [each.transaction_id for each in reported(ward, one)][2:] == [transaction_id(one, 3)]
    assert "|MOVED|" in messages(ward, one)[-1].body
    assert [each.transaction_id for each in reported(ward, other)] == [transaction_id(other, 1)]
    for sheet_id in (one, other):
        assert balance_of(reported(ward, sheet_id)) == total_of(ward, sheet_id)


def test_a_credit_repeats_the_names_and_prices_of_its_charge(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, "2")["id"]
    close(ward, sheet_id)
    product = ProductDraft(name="Otro nombre", price=Decimal(99), category_id=ward.category_id, code="ZZ-1")
    ward.use_cases.products.update(ward.admin, ward.product_id, product)
    reopen(ward, sheet_id)
    ward.use_cases.details.delete(ward.admin, line)
    close(ward, sheet_id)
    [credit] = read(messages(ward)[-1].body).segments("FT1")
    assert (str(credit[7][0][1]), str(credit[12])) == ("Gasa estéril", "12.50&USD")


def test_another_patient_on_a_sheet_credits_all_to_the_first(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    close(ward, sheet_id)
    reopen(ward, sheet_id)
    other = ward.use_cases.patients.create(
        ward.admin, PatientDraft(name="Beto", first_surname="Sáenz", record_number="HC-2")
    )
    ward.use_cases.sheets.update(ward.admin, sheet_id, ward.sheet_draft(patient_id=other.id))
    # A credit shows a deleted patient as the patient was.
    ward.use_cases.patients.delete(ward.admin, ward.patient_id)
    close(ward, sheet_id)
    _, taken_back, charges = messages(ward)
    assert [(one.kind, one.record) for one in charges_in(taken_back.body)] == [("CD", str(ward.patient_id))]
    assert [(one.kind, one.record) for one in charges_in(charges.body)] == [("CG", "HC-2")]
    assert "Ríos" in taken_back.body
    assert "Sáenz" in charges.body
    validated(taken_back.body)


def test_a_merge_alone_changes_no_charges(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    close(ward, sheet_id)
    other = ward.use_cases.patients.create(
        ward.admin, PatientDraft(name="Ana", first_surname="Ríos", record_number="2")
    )
    ward.use_cases.patients.merge(ward.admin, ward.patient_id, MergeDraft(into_id=other.id, reason="La misma"))
    reopen(ward, sheet_id)
    close(ward, sheet_id)
    assert len(messages(ward)) == 1
    # After a charge in between and the undoing, each account has its own charges.
    reopen(ward, sheet_id)
    ward.detail(sheet_id, "1")
    close(ward, sheet_id)
    assert messages(ward)[-1].charges == 1
    ward.use_cases.patients.unmerge(ward.admin, ward.patient_id)
    reopen(ward, sheet_id)
    close(ward, sheet_id)
    of_own, of_other = messages(ward)[-1], messages(ward)[-2]
    assert [(one.kind, one.record) for one in charges_in(of_other.body)] == [("CD", "2")]
    assert [one.kind for one in charges_in(of_own.body)] == ["CG"]
    assert list(ward.use_cases.reports.check_consistency()) == []


@pytest.mark.parametrize("closed", [True, False])
def test_deleting_a_sheet_credits_all_its_charges(ward: Ward, closed: bool) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(3):
        ward.detail(sheet_id, "2")
    close(ward, sheet_id)
    if not closed:
        reopen(ward, sheet_id)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert balance_of(reported(ward, sheet_id)) == 0
    assert messages(ward)[-1].body.count("|DELETED|") == 3
    validated(messages(ward)[-1].body)
    assert list(ward.use_cases.reports.check_consistency()) == []
    # The sheet is gone: sending its messages works without it.
    sent = [send(ward), send(ward)]
    assert [one and one.state for one in sent] == [OutboundState.SENT] * 2


def test_a_charge_has_codes_pack_and_places(ward: Ward) -> None:
    uc = ward.use_cases
    product = uc.products.create(
        ward.admin,
        ProductDraft(
            name="Sutura ~ 3-0 & aguja", price=Decimal("3.33"), category_id=ward.category_id, code="S^1",
            gtin="07501031311309",
        ),
    )  # fmt: skip
    uc.products.add_code(ward.admin, product.id, ProductCodeDraft(system="billing", code="B|9"))
    sheet_id = ward.sheet(doctor="Dra. Núñez\\Ávila")["id"]
    staff = ward.staff("Íñigo", "Muñoz")
    ward.detail(
        sheet_id, "1", product_id=product.id, area_id=ward.area_id, staff_id=staff.id, gtin="07501031311309",
        lot="L^1", serial="S~9", expiry=date(2092, 1, 31), by=ward.admin,
    )  # fmt: skip
    close(ward, sheet_id)
    [message] = messages(ward)
    parsed = validated(message.body)
    assert parsed.msh.msh_9.to_er7() == "DFT^P03^DFT_P03"
    taken = read(message.body)
    charge = taken.segment("FT1")
    unescape = taken.unescape
    assert [unescape(str(part)) for part in charge[7][0]] == [
        "S^1", "Sutura ~ 3-0 & aguja", "L", "B|9", "Sutura ~ 3-0 & aguja", "billing",
    ]  # fmt: skip
    assert (str(charge[10]), str(charge[11]), str(charge[12])) == ("1", "3.33&USD", "3.33&USD")
    assert [str(part[0]) for part in charge[13][0]] == [str(ward.area_id), "Urgencias", "L"]
    assert [str(part[0]) for part in charge[16][0]] == ["Urgencias", "101"]
    assert [str(part[0]) for part in charge[20][0]] == [str(staff.id), "Muñoz", "Íñigo"]
    assert unescape(str(charge[21][0][1])) == "Dra. Núñez\\Ávila"
    assert unescape(str(taken.segment("OBX")[5])) == "(01)07501031311309(17)920131(10)L^1(21)S~9"
    assert taken.segment("PV1")[19][0][0] == [str(sheet_id)]


def test_a_failed_delivery_is_retried_unchanged(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    failed = send(ward, DeliveryStatus.FAILED, "no answer")
    assert failed
    assert (failed.state, failed.problem, failed.tries) == (OutboundState.WAITING, "no answer", 1)
    assert send(ward) is None
    ward.clock.advance(seconds=5)
    again = send(ward)
    assert again
    assert (again.id, again.body, again.state, again.problem) == (failed.id, failed.body, OutboundState.SENT, None)


def test_sending_does_not_change_the_version_of_an_open_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    reopen(ward, sheet_id)
    version = ward.use_cases.sheets.read_version(ward.nurse, sheet_id)
    assert send(ward)
    assert ward.use_cases.sheets.read_version(ward.nurse, sheet_id) == version


def test_the_sheet_shows_the_state_of_its_charges(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)

    def charging() -> tuple[OutboundState, object, int]:
        sheet = ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)
        said = sheet["charging"]
        assert said
        return said["state"], said["at"], sheet["version"]

    waiting = charging()
    assert waiting[:2] == (OutboundState.WAITING, None)
    send(ward, DeliveryStatus.REJECTED, "no")
    dead = charging()
    assert dead[:2] == (OutboundState.DEAD, None)
    ward.use_cases.outbound_messages.retry(ward.admin, messages(ward)[0].id)
    at = ward.clock.advance(minutes=6)
    send(ward)
    sent = charging()
    assert sent[:2] == (OutboundState.SENT, at)
    # Each change increases the version, so that clients reload the sheet.
    assert waiting[2] < dead[2] < sent[2]


def test_only_administrators_settle_and_retry_and_it_is_logged(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    send(ward, DeliveryStatus.REJECTED, "AR: no such patient")
    [message] = messages(ward)
    uc = ward.use_cases
    for someone in (ward.nurse, ward.supervisor):
        with pytest.raises(Forbidden):
            uc.outbound_messages.mark_sent(someone, message.id, SettleDraft(reason="x"))
        with pytest.raises(Forbidden):
            uc.outbound_messages.retry(someone, message.id)
    with refused((Code.REQUIRED, "reason")):
        uc.outbound_messages.mark_sent(ward.admin, message.id, SettleDraft(reason=" "))
    settled = uc.outbound_messages.mark_sent(ward.admin, message.id, SettleDraft(reason="Se digitó a mano"))
    assert (settled["state"], settled["reason"], settled["decided_by"]) == (
        OutboundState.SENT, "Se digitó a mano", "admin@consumo.test",
    )  # fmt: skip
    with refused(Code.MESSAGE_SENT):
        uc.outbound_messages.retry(ward.admin, message.id)
    for call in (uc.outbound_messages.retry, uc.outbound_messages.read):
        with pytest.raises(NotFound):
            call(ward.admin, 999)
    [entry, *_] = uc.sheets.read_history(ward.supervisor, sheet_id, AuditQuery())["items"]
    assert entry["action"] == "outbound_message.settled"
    assert entry["changes"]["reason"] == [None, "Se digitó a mano"]
    assert "body" not in entry["changes"]


def test_a_message_body_needs_the_price_permission_and_is_logged(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    uc = ward.use_cases
    [listed] = uc.outbound_messages.reader.page(ward.supervisor, OutboundMessageQuery())["items"]
    assert "12.50" not in str(listed)
    whole = uc.outbound_messages.read(ward.supervisor, listed["id"])
    assert "|12.50&USD|" in whole["body"]
    assert (
        uc.sheets.read_history(ward.supervisor, sheet_id, AuditQuery())["items"][0]["action"] == "outbound_message.read"
    )
    without_prices = ward.admin.__class__(
        user_id=ward.admin.user_id,
        role=Role.SERVICE_ACCOUNT,
        staff_id=None,
        scopes=frozenset({Permission.READ_MESSAGES}),
    )
    assert uc.outbound_messages.reader.page(without_prices, OutboundMessageQuery())["items"] == [listed]
    for someone in (ward.nurse, without_prices):
        with pytest.raises(Forbidden):
            uc.outbound_messages.read(someone, listed["id"])
    with pytest.raises(Forbidden):
        uc.outbound_messages.reader.page(ward.nurse, OutboundMessageQuery())


def test_charges_equal_the_total_after_any_changes(ward: Ward) -> None:
    chance, uc, admin = random.Random(17), ward.use_cases, ward.admin
    sheets = [ward.sheet()["id"] for _ in range(2)]
    is_closed = dict.fromkeys(sheets, False)

    def lines(sheet_id: int) -> list[int]:
        return [one["id"] for one in uc.details.reader.page(admin, DetailQuery(consumption_sheet_id=sheet_id))["items"]]

    for _ in range(60):
        sheet_id, other = chance.sample(sheets, 2)
        done = chance.choice(["record", "record", "void", "edit", "return", "move", "close", "close"])
        if done == "close" and not is_closed[sheet_id]:
            close(ward, sheet_id)
            is_closed[sheet_id] = True
            assert balance_of(reported(ward, sheet_id)) == total_of(ward, sheet_id)
            continue
        for each in sheets:
            if is_closed[each]:
                reopen(ward, each)
                is_closed[each] = False
        line = chance.choice(lines(sheet_id) or [0])
        quantity = chance.choice(["1", "2.5", "0.125"])
        if done == "record":
            ward.detail(sheet_id, quantity)
        elif line and done == "void":
            uc.details.delete(admin, line)
        elif line and done == "edit":
            uc.details.edit(admin, line, ward.detail_draft(quantity, total=Decimal(chance.choice(["0", "7.77"]))))
        elif line and done == "return":
            left = uc.details.reader.one(admin, line)["quantity"]
            if left:
                uc.details.return_part(admin, line, ReturnDraft(quantity=left, reason="unused", total=Decimal(0)))
        elif line and done == "move":
            uc.details.move(admin, sheet_id, MoveDraft(to_sheet_id=other, detail_ids=(line,), reason="De la otra"))
    for sheet_id in sheets:
        if not is_closed[sheet_id]:
            close(ward, sheet_id)
        assert balance_of(reported(ward, sheet_id)) == total_of(ward, sheet_id)
    everything = reported(ward)
    assert len({one.transaction_id for one in everything}) == len(everything)
    assert list(uc.reports.check_consistency()) == []


# --- data of the admission -------------------------------------------------------------------------------------------


OLD_PLAN, PLAN = "IN1|1|P1^Viejo|A-1", "IN1|1|P2^Nuevo|A-1"


def admitted(ward: Ward) -> tuple[Post, int]:
    """Return a post, and the sheet that an admission opened, with one line."""
    post = a_post(ward)
    sent = adt("A01", doctor="D7^Vega^Luz^^^Dra.", diagnosis="Sepsis", patient_class="E")
    post.send(f"{sent}GT1|1||Paz^Ana\r{OLD_PLAN}\r")
    sheet_id = the_sheet(ward).id
    ward.detail(sheet_id)
    return post, sheet_id


def test_billing_gets_the_newest_data_of_the_admission(ward: Ward) -> None:
    post, sheet_id = admitted(ward)
    post.send(adt("A03", at=post.after(hours=3)) + f"{PLAN}\r")
    # It arrives late.
    post.send(adt("A08", at=post.after(hours=1)) + "IN1|1|P9^Tarde|A-1\r")
    close(ward, sheet_id)
    [message] = messages(ward)
    validated(message.body)
    visit = read(message.body).segment("PV1")
    assert (str(visit[2]), str(visit[17]), str(visit[19])) == ("I", "D7^Vega^Luz^^^Dra.", VISIT)
    assert message.body.endswith(f"\rDG1|1||J18^Sepsis^I10|||A\rGT1|1||Paz^Ana\r{PLAN}\r")


def test_data_that_arrives_after_the_closing_is_in_the_next_one(ward: Ward) -> None:
    post, sheet_id = admitted(ward)
    close(ward, sheet_id)
    post.send(adt("A08", at=post.after(hours=1)) + f"{PLAN}\r")
    reopen(ward, sheet_id)
    ward.detail(sheet_id)
    close(ward, sheet_id)
    first, second = messages(ward)
    assert (OLD_PLAN in first.body, PLAN in second.body) == (True, True)


def test_a_doctor_whom_users_corrected_is_sent_by_name(ward: Ward) -> None:
    _, sheet_id = admitted(ward)
    update_admission(ward, sheet_id, doctor="Dr. Gil")
    close(ward, sheet_id)
    assert str(read(messages(ward)[0].body).segment("PV1")[17]) == "^Dr. Gil"


def test_another_patient_does_not_get_the_insurance(ward: Ward) -> None:
    _, sheet_id = admitted(ward)
    close(ward, sheet_id)
    reopen(ward, sheet_id)
    update_admission(ward, sheet_id, patient_id=ward.patient_id)
    close(ward, sheet_id)
    credit, charge = messages(ward)[-2:]
    assert "|OTHER ACCOUNT|" in credit.body
    assert not any(kept in one.body for one in (credit, charge) for kept in ("IN1|", "GT1|", "DG1|"))


def test_a_credit_of_a_former_account_has_no_admission_data(ward: Ward) -> None:
    post = a_post(ward)
    patient = ward.patient("Ana", "Paz", record_number=NUMBER, date_of_birth=date(1980, 2, 29))
    sheet_id = ward.sheet(patient_id=patient.id)["id"]
    ward.detail(sheet_id)
    close(ward, sheet_id)
    reopen(ward, sheet_id)
    # The sheet that was opened by hand becomes the visit's.
    post.send(adt("A01") + f"{PLAN}\r")
    close(ward, sheet_id)
    credit, charge = messages(ward)[-2:]
    assert "|OTHER ACCOUNT|" in credit.body
    assert (PLAN in credit.body, PLAN in charge.body) == (False, True)


def test_a_deleted_sheet_is_credited_with_the_admission_data(ward: Ward) -> None:
    _, sheet_id = admitted(ward)
    close(ward, sheet_id)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert OLD_PLAN in messages(ward)[-1].body


def test_admission_data_is_in_no_view_and_not_in_the_audit_log(ward: Ward) -> None:
    _, sheet_id = admitted(ward)
    close(ward, sheet_id)
    seen = [
        ward.use_cases.sheets.reader.one(ward.admin, sheet_id),
        *ward.use_cases.audit.reader.page(ward.admin, AuditQuery(limit=100))["items"],
    ]
    assert "P1^Viejo" not in repr(seen)


def update_admission(ward: Ward, sheet_id: int, **changes: Any) -> None:
    sheet = the_sheet(ward)
    as_it_is: dict[str, Any] = {
        name: getattr(sheet, name) for name in ("patient_id", "room_id", "admission_date", "diagnosis", "doctor")
    }
    ward.use_cases.sheets.update(ward.admin, sheet_id, SheetDraft(**as_it_is | changes))
