"""Areas."""

from typing import Any

from sqlalchemy import Row, select

from adapters.sql.lists import ListSpec
from adapters.sql.table_mapping import TableMapping
from adapters.sql.tables import areas, details, kits, rooms, unlisted_items
from application.paging import ListQuery
from application.views.catalogue import AreaView
from domain.area import Area
from domain.text import fold, unique_key


def to_row(area: Area) -> dict[str, Any]:
    """Return the row of an area."""
    return {"name": area.name, "code": area.code, "name_key": unique_key(area.name), "name_folded": fold(area.name)}


def to_entity(row: Row[Any]) -> Area:
    """Return the area in a row."""
    return Area(id=row.id, name=row.name, code=row.code)


MAPPING = TableMapping(
    areas,
    to_row,
    to_entity,
    rooms.c.area_id,
    details.c.area_id,
    unlisted_items.c.area_id,
    kits.c.area_id,
    keys={"name": areas.c.name_key, "code": areas.c.code},
)


AREAS = ListSpec[AreaView, ListQuery](
    source=select(areas.c.id, areas.c.name, areas.c.code),
    id=areas.c.id,
    order=(areas.c.name_folded, areas.c.id),
    sorts={"id": areas.c.id, "name": areas.c.name_folded},
    searched=(areas.c.name_folded,),
    to_item=lambda row: AreaView(id=row.id, name=row.name, code=row.code),
)
