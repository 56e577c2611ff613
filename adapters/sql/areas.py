"""Areas as rows."""

from typing import Any

from sqlalchemy import Connection, Row, select

from adapters.sql.lists import ListOf
from adapters.sql.table_mapping import TableMapping, TableStore
from adapters.sql.tables import areas, details, rooms
from application.paging import ListQuery
from application.views import AreaView
from domain.area import Area
from domain.text import fold, unique_key


def to_row(area: Area) -> dict[str, Any]:
    """An area as a row."""
    return {"name": area.name, "name_key": unique_key(area.name), "name_folded": fold(area.name)}


def to_entity(row: Row[Any]) -> Area:
    """A row as an area."""
    return Area(id=row.id, name=row.name)


MAPPING = TableMapping(areas, to_row, to_entity, rooms.c.area_id, details.c.area_id, keys={"name": areas.c.name_key})
_NAMED = MAPPING.by(areas.c.name_key)


class SqlAreas(TableStore[Area]):
    """The areas, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def named(self, name: str) -> Area | None:
        """The area of that name, whatever the case."""
        return self.find(_NAMED, {"value": unique_key(name)})


AREAS = ListOf[AreaView, ListQuery](
    source=select(areas.c.id, areas.c.name),
    id=areas.c.id,
    order=(areas.c.name_folded, areas.c.id),
    sorts={"id": areas.c.id, "name": areas.c.name_folded},
    searched=(areas.c.name_folded,),
    to_item=lambda row: AreaView(id=row.id, name=row.name),
)
