"""Areas."""

from collections.abc import Collection

from sqlalchemy import bindparam, select

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.tables import areas, kits, rooms, set_aside
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.restock.tables import restock_lists
from adapters.sql.sheets.tables import details, documents, sheets, unlisted_items
from application.catalogue.views import AreaView
from application.common.paging import ListQuery
from domain.catalogue.area import Area
from domain.common.text import fold, unique_key

MAPPING = TableMapping[Area](
    areas,
    Area,
    rooms.c.area_id,
    details.c.area_id,
    unlisted_items.c.area_id,
    set_aside.c.area_id,
    restock_lists.c.area_id,
    documents.c.area_id,
    kits.c.area_id,
    sheets.c.area_id,
    keys={"name": areas.c.name_key, "code": areas.c.code},
    written={"name_key": lambda area: unique_key(area.name), "name_folded": lambda area: fold(area.name)},
)

_CLEAR_WARD = users.update().where(users.c.ward_area_id.in_(bindparam("ids", expanding=True))).values(ward_area_id=None)


class SqlAreas(TableStore[Area]):
    """Areas within a unit of work. Users of a deleted one are asked again."""

    def remove(self, entity: Area) -> None:
        """Delete an area."""
        self._connection.execute(_CLEAR_WARD, {"ids": [entity.id]})
        super().remove(entity)

    def remove_all(self, ids: Collection[int]) -> None:
        """Delete areas."""
        if ids:
            self._connection.execute(_CLEAR_WARD, {"ids": list(ids)})
        super().remove_all(ids)


AREA_VIEW = RowShape[AreaView](AreaView, areas)
# The area of something else, by name.
AREA_NAME = RowShape[AreaView](AreaView, areas, omitted={"code"})

AREAS = ListSpec[AreaView, ListQuery](
    source=select(*AREA_VIEW.columns),
    id=areas.c.id,
    order=(areas.c.name_folded, areas.c.id),
    sorts={"id": areas.c.id, "name": areas.c.name_folded},
    searched=(areas.c.name_folded,),
    to_item=AREA_VIEW.read,
)
