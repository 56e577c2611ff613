"""Consistency check of the accounts: adds up everything that is stored."""

from collections.abc import Iterator

from adapters.memory.data import MemoryData
from application.ports.readers.reports import DoubtfulPack, Inconsistency, InconsistencyKind
from application.sheets.closings import document_total
from domain.charges import balance
from domain.money import ZERO, ZERO_QUANTITY
from domain.text import code_key

# GS1 application identifiers of lot and serial number. A scanned record number that began with these digits was read as
# a lot or serial number.
_READ_AS = (("10", "lot"), ("21", "serial"))


def doubtful_packs(data: MemoryData) -> Iterator[DoubtfulPack]:
    """Yield details whose lot or serial is a record number minus its prefix.

    The prefix is the two digits of the application identifier.
    """
    records = {code_key(one.record_number) for one in data.patients.values() if one.record_number}
    for detail in sorted(data.counted, key=lambda one: one.id):
        for digits, name in _READ_AS:
            value = getattr(detail, name)
            if value and code_key(digits + value) in records:
                yield DoubtfulPack(detail.sheet_id, detail.id, name)


def inconsistencies(data: MemoryData) -> Iterator[Inconsistency]:
    """Yield each total, return, closing or charge that does not add up."""
    for sheet in data.sheets.values():
        expected = sum((detail.total for detail in data.counted if detail.sheet_id == sheet.id), ZERO)
        if expected != sheet.total:
            yield Inconsistency(InconsistencyKind.TOTAL, sheet.id, None, expected, sheet.total)
    for detail in data.details.values():
        closed_at = data.sheets[detail.sheet_id].closed_at
        if closed_at and detail.created_at > closed_at:
            yield Inconsistency(InconsistencyKind.AFTER_CLOSING, detail.sheet_id, detail.id, None, None)
    for detail in data.details.values():
        came_back = sum((one.quantity for one in data.detail_returns if one.detail_id == detail.id), ZERO_QUANTITY)
        if came_back != (detail.returned or ZERO_QUANTITY):
            yield Inconsistency(InconsistencyKind.RETURNED, detail.sheet_id, detail.id, came_back, detail.returned)
    for closing in data.closings.values():
        expected, sheet = document_total(closing.document), data.sheets[closing.sheet_id]
        in_force = closing.closed_at == sheet.closed_at
        if expected != closing.total or (in_force and closing.total != sheet.total):
            found = sheet.total if expected == closing.total else closing.total
            yield Inconsistency(InconsistencyKind.CLOSING, sheet.id, None, expected, found)
    for sheet_id in sorted({charge.sheet_id for charge in data.charges.values()}):
        charges = [charge for charge in data.charges.values() if charge.sheet_id == sheet_id]
        charged_for = data.closings.get((sheet_id, max(charge.turn for charge in charges)))
        expected, found = charged_for.total if charged_for else ZERO, balance(charges)
        if expected != found:
            yield Inconsistency(InconsistencyKind.CHARGED, sheet_id, None, expected, found)
