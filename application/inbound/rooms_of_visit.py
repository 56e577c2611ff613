"""Find the room of a message and compute the transfers of its visit."""

from dataclasses import replace
from itertools import pairwise

from application.inbound.message_context import ADMITTING, CHANGING_CLASS, CORRECTING, MOVING, MessageContext
from domain.common.day import start_of
from domain.common.errors import Code, Reason, Refused
from domain.common.text import fold, unique_key
from domain.interop.external_record import ExternalRecord, RoomEvent, RoomEventKind, event_sort_key, room_periods
from domain.sheets.sheet import PatientSheet
from domain.sheets.stay import Transfer


def room_event_of(context: MessageContext, sheet: PatientSheet) -> RoomEvent | None:
    """Return the event of the message about the patient's room, or None.

    Its kind depends on the message alone, so that the order of arrival has no effect.
    """
    kind = context.message.kind
    if kind in MOVING:
        return room_event(context, MOVING[kind], find_room_id(context))
    if kind not in CORRECTING or not has_location(context):
        return None
    if kind in CHANGING_CLASS:
        return room_event(context, RoomEventKind.MOVED, find_room_id(context))
    # The first event makes a sheet that was opened by hand part of the visit.
    is_first = kind in ADMITTING or not sheet.external_record
    return room_event(context, RoomEventKind.ADMITTED if is_first else RoomEventKind.CORRECTED, find_room_id(context))


def has_location(context: MessageContext) -> bool:
    """Return whether the message or a user names the room."""
    return context.message.location is not None or context.answered_room_id is not None


def room_event(context: MessageContext, kind: RoomEventKind, room_id: int) -> RoomEvent:
    return RoomEvent(context.order, kind, room_id, min(context.message.event_at, context.now))


def move(
    context: MessageContext, sheet: PatientSheet, known: ExternalRecord, record: ExternalRecord, event: RoomEvent
) -> tuple[ExternalRecord, bool]:
    """Compute the transfers again, with the event in its place.

    Transfers that users recorded by hand count as events too.
    """
    transfers = context.work.transfers.of_sheet(sheet.id)
    went_to = [*(transfer.left_room_id for transfer in transfers[1:]), sheet.room_id]
    by_hand = [
        RoomEvent(event_sort_key(transfer.at), RoomEventKind.MOVED, room_id, transfer.at, transfer.user_id)
        for transfer, room_id in zip(transfers, went_to, strict=False)
        if transfer.user_id != context.actor.user_id
    ]
    first = transfers[0].left_room_id if transfers else sheet.room_id
    if room_periods(first, [*known.rooms, *by_hand])[-1].room_id != sheet.room_id:
        # A user corrected the room by hand after all events so far.
        latest = max((one.order for one in (*known.rooms, *by_hand)), default="")
        record = record.add_room_event(RoomEvent(f"{latest}~", RoomEventKind.CORRECTED, sheet.room_id, context.now))
    record = record.add_room_event(event)
    now = room_periods(first, [*record.rooms, *by_hand])
    earliest = start_of(sheet.admission_date, context.zone)
    wanted = [
        Transfer(
            sheet_id=sheet.id,
            left_room_id=left.room_id,
            at=max(entered.since or earliest, earliest),
            user_id=entered.by or context.actor.user_id,
        )
        for left, entered in pairwise(now)
    ]
    same = 0
    while same < min(len(wanted), len(transfers)) and replace(transfers[same], id=0) == wanted[same]:
        same += 1
    for gone in reversed(transfers[same:]):
        context.work.transfers.remove(gone)
    for added in wanted[same:]:
        context.work.transfers.add(added)
    is_moved = len(wanted) != same or len(transfers) != same
    if sheet.room_id != now[-1].room_id:
        sheet.room_id = now[-1].room_id
        is_moved = True
    return record, is_moved


def find_room_id(context: MessageContext) -> int:
    """Return the room that a user chose, or else that of the location.

    Raise ``Refused`` if the location is missing, or if it is unknown and no administrator has mapped it yet.
    """
    answered = context.answered_room_id
    if answered is not None and context.work.rooms.get(answered) is not None:
        return answered
    location = context.message.location
    if location is None:
        raise Refused(Reason(Code.LOCATION_MISSING))
    ward, room, *_ = [*location.split("^"), ""]
    for code in (location, f"{ward}^{room}", room):
        known = context.work.rooms.find("code", code) if code.strip("^") else None
        if known is not None:
            return known.id
    mapped = context.work.room_mappings.room(context.message.source, location)
    if mapped is not None:
        return mapped
    area = context.work.areas.find("code", ward) or context.work.areas.find("name", unique_key(ward))
    named = context.work.rooms.find_many("name", [fold(room)]) if area and room else []
    here = [one for one in named if area and one.area_id == area.id]
    if len(here) == 1:
        return here[0].id
    raise Refused(Reason(Code.LOCATION_UNKNOWN, params={"location": location}))
