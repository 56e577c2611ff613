"""Later changes to sheets, to put rows into all tables about them."""

from decimal import Decimal

from application.accounts.sessions.service_accounts import ApiKeyDraft, ServiceAccountDraft
from application.catalogue.rooms import RoomDraft
from application.common.idempotency import IdempotencyKey
from application.people.merge_patients import MergeDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.offline.late_entries import LateEntryDraft
from application.sheets.offline.unlisted_items import UnlistedItemDraft
from application.sheets.transfer_patient import TransferDraft
from tests.builders import Ward


def make_corrections(ward: Ward, closed_sheet_id: int) -> None:
    """Create one of each kind of later change.

    An unlisted item, a late entry, merged patients, a program's key, a transfer and a return.
    """
    item = UnlistedItemDraft(description="bisturí láser", quantity=Decimal(1))
    ward.use_cases.unlisted_items.note(ward.nurse, ward.sheet()["id"], item)
    draft = LateEntryDraft(items=(ward.detail_draft("0.3"),), occurred_at=ward.clock.now)
    key = IdempotencyKey("late", "x")
    ward.use_cases.late_entries.submit(ward.nurse, closed_sheet_id, draft, idempotency_key=key)
    one, other = (ward.patient("Ana", "Gil", record_number=number) for number in ("E-1", "E-2"))
    ward.use_cases.patients.merge(ward.admin, one.id, MergeDraft(into_id=other.id, reason="La misma persona"))
    account = ward.use_cases.service_accounts.create(ward.admin, ServiceAccountDraft(name="HIS"))["id"]
    ward.use_cases.service_accounts.create_key(ward.admin, account, ApiKeyDraft(name="Clave", scopes=("sheets.read",)))
    sheet_id = ward.sheet()["id"]
    returned = ReturnDraft(quantity=Decimal(1), reason="unused")
    ward.use_cases.details.return_part(ward.nurse, ward.detail(sheet_id, "2")["id"], returned)
    room = RoomDraft(name="109", status=1, type=1, area_id=ward.area_id)
    there = ward.use_cases.rooms.create(ward.admin, room).id
    ward.use_cases.sheets.transfer_patient(ward.nurse, sheet_id, TransferDraft(room_id=there))
