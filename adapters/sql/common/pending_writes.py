"""Pending writes: the last statements of a unit of work, combined."""

from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, update

from adapters.sql.audit.tables import audit
from adapters.sql.common.tables import idempotent_answers
from adapters.sql.engine.bulk_insert import insert_all
from adapters.sql.engine.driver_execute import execute
from adapters.sql.sheets.tables import details, sheets

_INSERT_ANSWER = idempotent_answers.insert()
_INSERT_ANSWER_CTE = _INSERT_ANSWER.values(
    {column.name: bindparam(f"answer_{column.name}") for column in idempotent_answers.c}
).cte("kept")
_INSERT_ENTRY = audit.insert()
# With prefixes: a plain parameter name of a column would apply to each changed table.
_INSERT_AUDIT_CTE = audit.insert().values({name: bindparam(f"entry_{name}") for name in audit.c.keys() if name != "id"})  # noqa: SIM118
_INSERT_ENTRY_AND_ANSWER = _INSERT_AUDIT_CTE.add_cte(_INSERT_ANSWER_CTE)
# A new line is not voided or returned. psycopg parses a statement of more than 50 parameters again for each execution.
NEW_DETAIL: dict[str, BindParameter[Any]] = {
    column.name: bindparam(f"new_{column.name}")
    for column in details.c
    if column.name not in {"voided_at", "voided_by", "void_reason", "returned"}
}
_RECORDED = details.insert().values(NEW_DETAIL)
COUNT_UP = (
    update(sheets)
    .where(sheets.c.id == bindparam("this_id"))
    .values(total=bindparam("sheet_total"), lines=bindparam("sheet_lines"), version=bindparam("sheet_version"))
)
_RECORD = COUNT_UP.add_cte(_RECORDED.cte("recorded"))
_INSERT_ALL = _INSERT_ENTRY_AND_ANSWER.add_cte(_RECORDED.cte("recorded"), COUNT_UP.cte("counted_up"))


class PendingWrites:
    """Writes of a unit of work that are delayed until its end or a read.

    Mostly these are an audit entry and an idempotent answer. On PostgreSQL these two are one statement, together with
    the recorded line.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._entries: list[dict[str, Any]] = []
        self._answers: list[dict[str, Any]] = []
        self._lines: list[dict[str, Any]] = []

    def add_detail(self, line: dict[str, Any]) -> None:
        """Insert a line with a reserved id and its sheet's total (PostgreSQL)."""
        self._lines.append(line)

    def add_audit_entry(self, entry: dict[str, Any]) -> None:
        """Append an audit entry."""
        self._entries.append(entry)

    def add_answer(self, answer: dict[str, Any]) -> None:
        """Store an idempotent answer."""
        self._answers.append(answer)

    def write(self) -> None:
        """Execute the pending writes."""
        is_one_call = len(self._entries) == len(self._answers) == 1 and len(self._lines) <= 1
        if is_one_call and self._connection.dialect.name == "postgresql":
            params = {f"entry_{name}": value for name, value in self._entries[0].items()}
            params |= {f"answer_{name}": value for name, value in self._answers[0].items()}
            if self._lines:
                execute(self._connection, _INSERT_ALL, params | self._lines[0])
            else:
                execute(self._connection, _INSERT_ENTRY_AND_ANSWER, params)
        else:
            for line in self._lines:
                execute(self._connection, _RECORD, line)
            if len(self._entries) == 1:
                execute(self._connection, _INSERT_ENTRY, self._entries[0])
            else:
                insert_all(self._connection, audit, self._entries)
            for answer in self._answers:
                execute(self._connection, _INSERT_ANSWER, answer)
        self._lines.clear()
        self._entries.clear()
        self._answers.clear()
