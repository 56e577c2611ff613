"""Unusual lines and sheets that a user judged right."""

from sqlalchemy import Connection, bindparam, text

from adapters.sql.engine.columns import Moment
from adapters.sql.reports.tables import judgements
from domain.sheets.anomalies import Judgement, Oddity

_SAVE = text(
    "INSERT INTO judgements (kind, entity_id, version, user_id, at) VALUES (:kind, :entity_id, :version, :user_id, :at)"
    " ON CONFLICT (kind, entity_id)"
    " DO UPDATE SET version = excluded.version, user_id = excluded.user_id, at = excluded.at"
).bindparams(bindparam("at", type_=Moment()))
_REMOVE = judgements.delete().where(
    judgements.c.kind == bindparam("of_kind"), judgements.c.entity_id == bindparam("of_entity")
)


class SqlJudgements:
    """Judgements within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(self, judgement: Judgement) -> None:
        """Store a judgement, instead of an earlier one of the same."""
        params = {
            "kind": str(judgement.kind),
            "entity_id": judgement.entity_id,
            "version": judgement.version,
            "user_id": judgement.user_id,
            "at": judgement.at,
        }
        self._connection.execute(_SAVE, params)

    def remove(self, kind: Oddity, entity_id: int) -> bool:
        """Remove a judgement; return False if there is none."""
        return self._connection.execute(_REMOVE, {"of_kind": str(kind), "of_entity": entity_id}).rowcount > 0
