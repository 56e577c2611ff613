"""Unsent lines that devices reported."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, exists, literal_column, select, text

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.tables import areas
from adapters.sql.engine.columns import Moment
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.people.staff import USER_NAME
from adapters.sql.people.tables import staff
from adapters.sql.reports.tables import judgements
from adapters.sql.sheets.tables import device_outboxes
from application.ward.worklist_views import DeviceOutboxView
from domain.sheets.anomalies import Oddity
from domain.sheets.device_outbox import DeviceOutbox

_SAVE = text(
    "INSERT INTO device_outboxes (device_id, user_id, area_id, lines, oldest_at, reported_at, version)"
    " VALUES (:device_id, :user_id, :area_id, :lines, :oldest_at, :reported_at, 1)"
    " ON CONFLICT (device_id, user_id) DO UPDATE SET area_id = excluded.area_id, lines = excluded.lines,"
    " oldest_at = excluded.oldest_at, reported_at = excluded.reported_at, version = device_outboxes.version"
    # As DeviceOutbox.needs_new_judgement.
    " + CASE WHEN excluded.lines > device_outboxes.lines OR excluded.oldest_at <> device_outboxes.oldest_at"
    " THEN 1 ELSE 0 END"
).bindparams(bindparam("oldest_at", type_=Moment()), bindparam("reported_at", type_=Moment()))
_REPORT = RowShape[DeviceOutbox](DeviceOutbox, device_outboxes)
_ONE = select(*_REPORT.columns).where(device_outboxes.c.id == bindparam("id"))
_REMOVE = device_outboxes.delete().where(
    device_outboxes.c.device_id == bindparam("of_device"), device_outboxes.c.user_id == bindparam("of_user")
)
_LATEST = (
    select(device_outboxes.c.id)
    .where(device_outboxes.c.user_id == bindparam("of_user"))
    .order_by(device_outboxes.c.reported_at.desc(), device_outboxes.c.id.desc())
    .limit(bindparam("most"))
)
_REMOVE_OLDER = device_outboxes.delete().where(
    device_outboxes.c.user_id == bindparam("of_user"), device_outboxes.c.id.not_in(_LATEST)
)
_PURGE = device_outboxes.delete().where(
    device_outboxes.c.reported_at < bindparam("before", type_=device_outboxes.c.reported_at.type)
)
_OUTBOX = RowShape[DeviceOutboxView](DeviceOutboxView, device_outboxes, names={"by": USER_NAME, "area": areas.c.name})
UNSENT = (
    select(*_OUTBOX.columns)
    .join_from(device_outboxes, users, users.c.id == device_outboxes.c.user_id)
    .outerjoin(staff, staff.c.id == users.c.staff_id)
    .outerjoin(areas, areas.c.id == device_outboxes.c.area_id)
    .where(
        ~exists().where(
            judgements.c.kind == literal_column(f"'{Oddity.LINES_UNSENT}'"),
            judgements.c.entity_id == device_outboxes.c.id,
            judgements.c.version == device_outboxes.c.version,
        )
    )
    .order_by(device_outboxes.c.oldest_at, device_outboxes.c.id)
    .limit(bindparam("most"))
)


class SqlDeviceOutboxes:
    """Reports of devices within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(self, outbox: DeviceOutbox) -> None:
        """Store a report, instead of an earlier one of the same."""
        names = ("device_id", "user_id", "area_id", "lines", "oldest_at", "reported_at")
        self._connection.execute(_SAVE, {name: getattr(outbox, name) for name in names})

    def get(self, id: int) -> DeviceOutbox | None:
        """Return the report with this id."""
        row = self._connection.execute(_ONE, {"id": id}).one_or_none()
        return None if row is None else _REPORT.read(row)

    def remove(self, device_id: str, user_id: int) -> None:
        """Delete the report, if there is one."""
        self._connection.execute(_REMOVE, {"of_device": device_id, "of_user": user_id})

    def keep_latest(self, user_id: int, most: int) -> None:
        """Delete a user's reports but the latest ones."""
        self._connection.execute(_REMOVE_OLDER, {"of_user": user_id, "most": most})

    def purge(self, before: datetime) -> None:
        """Delete reports from before a moment."""
        self._connection.execute(_PURGE, {"before": before})


def read_unsent(connection: Connection, *, most: int) -> list[DeviceOutboxView]:
    """Return devices with unsent lines not judged right, oldest first."""
    return [_OUTBOX.read(row) for row in connection.execute(UNSENT, {"most": most})]
