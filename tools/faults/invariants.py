"""Invariants: acknowledged data is stored exactly once, and nothing else."""

import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from decimal import Decimal

from sqlalchemy import create_engine, select

from adapters.sql.audit.tables import audit
from adapters.sql.common.tables import idempotent_answers
from adapters.sql.engine.connections import to_url
from adapters.sql.reports.consistency import inconsistencies
from adapters.sql.sheets.tables import NOT_VOIDED, details, sheets
from application.common.entities import DETAIL, AuditAction
from domain.common.money import line_total
from tools.faults.load import Ledger


def findings_in(database_url: str, ledger: Ledger, *, all_told: bool = True) -> list[str]:
    """List violations as sentences.

    Without ``all_told``, unacknowledged data may be stored as well.
    """
    engine = create_engine(to_url(database_url))
    try:
        with engine.connect() as connection:
            lines = {row.id: row for row in connection.execute(select(details).where(NOT_VOIDED))}
            kept = {row.id: row for row in connection.execute(select(sheets))}
            audit_log = list(connection.execute(select(audit).order_by(audit.c.id)))
            adding_up = list(inconsistencies(connection))
            keys = Counter(row.key for row in connection.execute(select(idempotent_answers.c.key)))
    finally:
        engine.dispose()
    found: list[str] = []

    def check(right: bool, finding: str) -> None:
        if not right:
            found.append(finding)

    check(not adding_up, f"accounts do not add up: {adding_up[:3]}")
    there = set(lines)
    expected = set(ledger.lines) - ledger.removed
    lost = sorted(expected - there)
    check(not lost, f"{len(lost)} acknowledged details are not there, such as {lost[:3]}")
    back = sorted(ledger.removed & there)
    check(not back, f"{len(back)} details are there again after having been deleted, such as {back[:3]}")
    if all_told:
        more = sorted(there - expected)
        check(
            not more,
            f"{len(more)} details are unacknowledged or duplicated, such as {more[:3]}",
        )
    for detail_id in expected & there:
        line, row = ledger.lines[detail_id], lines[detail_id]
        if (row.sheet_id, row.quantity) != (line.sheet_id, line.quantity):
            found.append(f"detail {detail_id} has another sheet or quantity than was acknowledged")
        if all_told and keys[line.key] != 1:
            found.append(f"the answer under the key of detail {detail_id} is not kept")
    of_lines = [entry for entry in audit_log if entry.entity == DETAIL.name]
    entry_counts = Counter((entry.entity_id, entry.action) for entry in of_lines)
    for detail_id, row in lines.items():
        if (
            entry_counts[detail_id, AuditAction.DETAIL_ADDED] != 1
            or entry_counts[detail_id, AuditAction.DETAIL_EDITED] != row.version - 1
        ):
            found.append(f"the audit log does not tell of detail {detail_id} as it is")
        check(
            row.total == line_total(row.unit_price, row.quantity),
            f"the total of detail {detail_id} is not price by quantity",
        )
    added = {one for one, action in entry_counts if action == AuditAction.DETAIL_ADDED}
    removed = {one for one, action in entry_counts if action == AuditAction.DETAIL_VOIDED}
    check(added - removed == there, "the audit log tells of other details than there are")
    sums: defaultdict[int, Decimal] = defaultdict(Decimal)
    for row in lines.values():
        sums[row.sheet_id] += row.total
    histories: defaultdict[int, list[str]] = defaultdict(list)
    for entry in audit_log:
        histories[entry.sheet_id].append(entry.action)
    for sheet_id, sheet in kept.items():
        summed, history = sums[sheet_id], histories[sheet_id]
        check(sheet.total == summed, f"the total of sheet {sheet_id} is {sheet.total}, its details come to {summed}")
        check(
            sheet.version == len(history),
            f"sheet {sheet_id} is at version {sheet.version}, its history has {len(history)} entries",
        )
        check(sheet_id not in ledger.closed or sheet.closed_at is not None, f"sheet {sheet_id} was closed and is open")
        check(
            sheet.closed_at is None or history[-1] == AuditAction.SHEET_CLOSED,
            f"something was done on sheet {sheet_id} after its closing",
        )
    url = to_url(database_url)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(url.database or "")) as file:
            check(file.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is damaged")
            check(not file.execute("PRAGMA foreign_key_check").fetchall(), "references are broken")
    return [*ledger.findings, *found]
