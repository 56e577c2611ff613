"""Entries of the audit log with hostile names."""

import json
from datetime import UTC, datetime, timedelta

from sqlalchemy import create_engine, select

from adapters.sql.audit.tables import audit
from adapters.sql.engine.connections import to_url

_FIRST = datetime(2020, 1, 1, tzinfo=UTC)

HOSTILE = (
    "Núñez\nPérez",
    "\r\n<13>1 - - - - - - forged",
    'a|b=c]d"e\\f',
    '[x@1 y="z"] 12 <34>1',
    "\x7f\x1b[31m\x0b\x85\u2028\u2029\ufeff",
    "漢字 😀 ١٢٣",
    "#012#177 %msg% \\n",
)


def append_entries(database_url: str, count: int) -> list[int]:
    """Append entries, and return the ids of all."""
    engine = create_engine(to_url(database_url))
    with engine.begin() as connection:
        rows = [
            {
                "at": _FIRST + timedelta(seconds=number),
                "action": "patient.updated",
                "entity": "patient",
                "entity_id": number + 1,
                "changes": json.dumps({"name": [None, HOSTILE[number % len(HOSTILE)]]}),
            }
            for number in range(count)
        ]
        connection.execute(audit.insert(), rows)
        ids = list(connection.execute(select(audit.c.id).order_by(audit.c.id)).scalars())
    engine.dispose()
    return ids
