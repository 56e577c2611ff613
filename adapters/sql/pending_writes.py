"""What a unit of work writes last, in as few statements as can be."""

from typing import Any

from sqlalchemy import Connection, bindparam

from adapters.sql.fast_execute import execute
from adapters.sql.tables import audit, idempotent_answers

_KEEP = idempotent_answers.insert()
_KEEP_TOO = _KEEP.values({column.name: bindparam(f"answer_{column.name}") for column in idempotent_answers.c}).cte(
    "kept"
)
_LEAVE = audit.insert()
_LEAVE_AND_KEEP = _LEAVE.add_cte(_KEEP_TOO)


class PendingWrites:
    """What a unit of work writes when it ends, or when somebody looks: mostly an entry in the audit log, and an answer.

    On PostgreSQL these two are one statement.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._entries: list[dict[str, Any]] = []
        self._answers: list[dict[str, Any]] = []

    def leave(self, entry: dict[str, Any]) -> None:
        """Write an entry of the audit log at the end."""
        self._entries.append(entry)

    def keep(self, answer: dict[str, Any]) -> None:
        """Write an answer at the end."""
        self._answers.append(answer)

    def write(self) -> None:
        """Write it now."""
        if len(self._entries) == len(self._answers) == 1 and self._connection.dialect.name == "postgresql":
            answer = {f"answer_{name}": value for name, value in self._answers[0].items()}
            execute(self._connection, _LEAVE_AND_KEEP, self._entries[0] | answer)
        else:
            if len(self._entries) == 1:
                execute(self._connection, _LEAVE, self._entries[0])
            elif self._entries:
                self._connection.execute(_LEAVE, self._entries)
            for answer in self._answers:
                execute(self._connection, _KEEP, answer)
        self._entries.clear()
        self._answers.clear()
