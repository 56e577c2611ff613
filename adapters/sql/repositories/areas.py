"""Areas."""

from sqlalchemy import select

from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.tables import areas, details, kits, rooms, set_aside, unlisted_items
from application.paging import ListQuery
from application.views.catalogue import AreaView
from domain.area import Area
from domain.text import fold, unique_key

MAPPING = TableMapping[Area](
    areas,
    Area,
    rooms.c.area_id,
    details.c.area_id,
    unlisted_items.c.area_id,
    set_aside.c.area_id,
    kits.c.area_id,
    keys={"name": areas.c.name_key, "code": areas.c.code},
    written={"name_key": lambda area: unique_key(area.name), "name_folded": lambda area: fold(area.name)},
)


AREAS = ListSpec[AreaView, ListQuery](
    source=select(areas.c.id, areas.c.name, areas.c.code),
    id=areas.c.id,
    order=(areas.c.name_folded, areas.c.id),
    sorts={"id": areas.c.id, "name": areas.c.name_folded},
    searched=(areas.c.name_folded,),
    to_item=lambda row: AreaView(id=row.id, name=row.name, code=row.code),
)
