"""Charging: write the charges of a closing into the outbox.

They are written with the closing and sent later. Nothing is written if no destination is configured. The charges due
are the difference between those written before and what the closing froze. If a sheet is deleted, everything is
credited.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from application.billing.ports import ChargesMessage, WriteChargesMessage
from application.billing.work import UnitOfWork
from application.people.people import names_of_users
from application.sheets.admission_data import admission_data
from application.sheets.closings import lines_of
from application.sheets.detail_views import DetailView
from application.sheets.stores import Closing
from application.sheets.summary_views import SheetDocument
from domain.billing.charges import BillingAccount, Charge, ChargedLine, ClosedAccount, CreditReason, due
from domain.catalogue.product import CodeSystem
from domain.interop.outbound_message import OutboundMessage
from domain.sheets.sheet import PatientSheet

# The maximum number of lines in one message: receivers read each message as a whole.
MAX_CHARGES_PER_MESSAGE = 100


def charge_closing(work: UnitOfWork, write: WriteChargesMessage, closing: Closing, at: datetime) -> None:
    """Write the charges and credits of a closing as outbox messages."""
    document = closing.document
    details = lines_of(document)
    sheet = document["sheet"]
    account = BillingAccount(patient_id=sheet["patient_id"], visit_number=sheet.get("visit_number"))
    closed = ClosedAccount(
        sheet_id=closing.sheet_id, turn=closing.turn, account=account, lines=tuple(_charged_lines(work, details))
    )
    sent = _as_of(account, work, work.charges.of_sheet(closing.sheet_id))
    _write(work, write, _with_reasons(work, due(sent, closed), closed), closed, sent, at, document)


def credit_all(work: UnitOfWork, write: WriteChargesMessage, sheet: PatientSheet, at: datetime) -> None:
    """Credit all charges of a sheet that is about to be deleted."""
    sent = work.charges.of_sheet(sheet.id)
    if sent:
        turn = max(work.closings.closing_count(sheet.id), *(charge.turn for charge in sent)) + 1
        account = BillingAccount(patient_id=sheet.patient_id, visit_number=sheet.visit_number)
        nothing = ClosedAccount(sheet_id=sheet.id, turn=turn, account=account, lines=())
        _write(work, write, due(_as_of(account, work, sent), nothing), nothing, sent, at)


def _write(
    work: UnitOfWork,
    write: WriteChargesMessage,
    charges: list[Charge],
    closed: ClosedAccount,
    sent: Sequence[Charge],
    at: datetime,
    closing_document: SheetDocument | None = None,
) -> None:
    """Write messages of one account each, other accounts first.

    Charges of other accounts are only taken back. ``sent`` are the charges before.
    """
    if not charges:
        return
    number = 0
    turns = {charge.transaction_id: charge.turn for charge in sent}
    sheet = work.sheets.get(closed.sheet_id)
    admission = admission_data(sheet) if isinstance(sheet, PatientSheet) else {}
    charges.sort(
        key=lambda one: (one.account == closed.account, one.account.patient_id, one.account.visit_number or "")
    )
    for account, theirs in groupby(charges, key=lambda one: one.account):
        of_account = list(theirs)
        is_current = account == closed.account
        document = (closing_document if is_current else None) or _document_when_charged(work, of_account, turns)
        charged = {one.line.detail_id for one in of_account}
        lines = {line["id"]: line for line in lines_of(document) if line["id"] in charged}
        people = names_of_users(work.views, {line["user_id"] for line in lines.values()})
        rooms = work.views.names("room_id", _rooms_of(lines.values()))
        coded = work.rooms.find_many("id", {document["sheet"]["room_id"], *rooms})
        codes = {room.id: room.code for room in coded if room.code}
        area_ids = {document["sheet"]["room"]["area_id"], *(one.line.area_id for one in of_account)}
        areas = work.areas.find_many("id", area_ids - {None})
        area_codes = {area.id: area.code for area in areas if area.code}
        for some in _chunks(of_account):
            number += 1
            message = ChargesMessage(
                control_id=f"{some[0].sheet_id}.{some[0].turn}.{number}",
                written_at=at,
                account=account,
                document=document,
                charges=some,
                lines=lines,
                people=people,
                rooms=rooms,
                room_codes=codes,
                area_codes=area_codes,
                admission=admission if is_current else {},
            )
            kept = OutboundMessage(
                sheet_id=some[0].sheet_id,
                control_id=message.control_id,
                body=write(message),
                charges=len(some),
                created_at=at,
                next_try_at=at,
            )
            work.outbound_messages.add(kept)
            work.charges.add_all([replace(one, message_id=kept.id) for one in some])


def _charged_lines(work: UnitOfWork, details: Sequence[DetailView]) -> Iterator[ChargedLine]:
    products = {line["product_id"] for line in details}
    codes = work.product_codes.find_many("product_id", products) if products else []
    billing = {code.product_id: code.code for code in codes if code.system is CodeSystem.BILLING}
    for line in details:
        if line.get("unbilled"):
            continue
        area = line["area"]
        yield ChargedLine(
            detail_id=line["id"],
            product_id=line["product_id"],
            product_code=line["product"].get("code"),
            product_name=line["product"]["name"],
            billing_code=billing.get(line["product_id"]),
            quantity=line["quantity"],
            unit_price=line["unit_price"],
            total=line["total"],
            occurred_at=line.get("occurred_at") or line["created_at"],
            area_id=line["area_id"],
            area=area["name"] if area else None,
            gtin=line.get("gtin"),
            lot=line.get("lot"),
            expiry=line.get("expiry"),
            serial=line.get("serial"),
        )


def _as_of(account: BillingAccount, work: UnitOfWork, sent: list[Charge]) -> list[Charge]:
    """Attribute charges of merged records to this patient.

    So a merge alone causes no new charges.
    """
    others = {charge.account.patient_id for charge in sent} - {account.patient_id}
    if not others:
        return sent
    merged = {one.id for one in work.patients.find_many("id", others) if one.merged_into == account.patient_id}
    return [
        replace(charge, account=replace(charge.account, patient_id=account.patient_id))
        if charge.account.patient_id in merged
        else charge
        for charge in sent
    ]


def _with_reasons(work: UnitOfWork, charges: list[Charge], closed: ClosedAccount) -> list[Charge]:
    """Set the reason of each credit for a line that is gone."""
    gone = {charge.line.detail_id for charge in charges if charge.reason is CreditReason.DELETED}
    details = {detail.id: detail for detail in work.details.find_many("id", gone)} if gone else {}
    result = []
    for charge in charges:
        detail = details.get(charge.line.detail_id) if charge.reason is CreditReason.DELETED else None
        if detail is None:
            result.append(charge)
        elif detail.voided:
            result.append(replace(charge, reason=CreditReason.VOIDED, note=detail.void_reason))
        elif detail.sheet_id != closed.sheet_id:
            result.append(replace(charge, reason=CreditReason.MOVED))
        else:
            # Everything was returned.
            result.append(replace(charge, reason=CreditReason.CHANGED))
    return result


def _document_when_charged(work: UnitOfWork, credits: Sequence[Charge], turns: Mapping[str, int]) -> SheetDocument:
    """Return the frozen sheet of the closing that charged these lines."""
    turn = max(turns[one.reverses] for one in credits if one.reverses)
    document = work.views.closings.document(credits[0].sheet_id, turn)
    assert document is not None, "what was charged was frozen"
    return document


def _chunks(charges: Sequence[Charge]) -> Iterator[Sequence[Charge]]:
    return (
        charges[first : first + MAX_CHARGES_PER_MESSAGE] for first in range(0, len(charges), MAX_CHARGES_PER_MESSAGE)
    )


def _rooms_of(lines: Iterable[DetailView]) -> Collection[int]:
    return {room_id for line in lines if (room_id := line.get("room_id"))}
