"""Numbers of usual products."""

from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, text

from adapters.sql.catalogue.tables import usual_numbers
from domain.catalogue.usual_products import UsualNumbers

_OF = (
    usual_numbers.c.user_id == bindparam("of_user"),
    usual_numbers.c.area_id == bindparam("of_area"),
)
_READ = select(usual_numbers).where(*_OF)
# The row exists before it is locked, so that a second device waits for the first.
_ADD = text(
    "INSERT INTO usual_numbers (user_id, area_id, ids, before) VALUES (:of_user, :of_area, '', '') "
    "ON CONFLICT DO NOTHING"
)
_LOCK = _READ.with_for_update()
_SAVE = usual_numbers.update().where(*_OF)


def read_numbers(connection: Connection, user_id: int, area_id: int) -> UsualNumbers | None:
    """Return the stored numbers; None without any."""
    row = connection.execute(_READ, {"of_user": user_id, "of_area": area_id}).one_or_none()
    return None if row is None else _to_numbers(row)


class SqlUsualNumbers:
    """Numbers of usual products within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock(self, user_id: int, area_id: int) -> UsualNumbers | None:
        """Return the numbers, locked; None without any."""
        place = {"of_user": user_id, "of_area": area_id}
        self._connection.execute(_ADD, place)
        return _to_numbers(self._connection.execute(_LOCK, place).one())

    def save(self, user_id: int, area_id: int, numbers: UsualNumbers) -> None:
        """Store the numbers of locked ones."""
        self._connection.execute(
            _SAVE.values(since=numbers.since, ids=_to_text(numbers.ids), before=_to_text(numbers.before)),
            {"of_user": user_id, "of_area": area_id},
        )


def _to_numbers(row: Row[Any]) -> UsualNumbers | None:
    return row.since and UsualNumbers(row.since, _to_ids(row.ids), _to_ids(row.before))


def _to_text(ids: tuple[int, ...]) -> str:
    return " ".join(map(str, ids))


def _to_ids(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
