"""Kits and their lines."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict, replace
from datetime import date
from typing import cast

from sqlalchemy import Connection, bindparam, case, func, literal, literal_column, or_, select, type_coerce

from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.tables import areas, kit_lines, kits, products
from adapters.sql.engine.columns import QUANTITY
from adapters.sql.engine.lists import ListSpec, TableView
from adapters.sql.engine.row_shape import Computed, PresentIf, RowShape, is_set, or_none
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.sheets.tables import NOT_VOIDED, USED_AT, details
from application.catalogue.ports import KitUses
from application.catalogue.views import KitLineView, KitProductView, KitQuery, KitView
from application.common.paging import Page
from domain.catalogue.kit import Kit, KitLine
from domain.catalogue.kit_review import ProductUse
from domain.common.text import fold, unique_key
from domain.hospital.use_reason import WASTE

# Lines are in a table of their own. Retired kits free their name.
MAPPING = TableMapping[Kit](
    kits,
    Kit,
    details.c.kit_id,
    keys={"name": kits.c.name_key},
    written={
        "name_key": lambda kit: unique_key(kit.name) if kit.active else f"\x1f{kit.id}",
        "name_folded": lambda kit: fold(kit.name),
    },
    omitted={"lines"},
)

_NAMED = select(kits).where(
    kits.c.name_key == bindparam("name_key"),
    func.coalesce(kits.c.user_id, literal_column("0")) == bindparam("owner"),
)
_OWNED = select(kits).where(kits.c.user_id == bindparam("user_id"), kits.c.active).order_by(kits.c.id)
_KIT_LINE = RowShape[KitLine](KitLine, kit_lines)
_LINES = select(*_KIT_LINE.columns).where(kit_lines.c.kit_id == bindparam("kit_id")).order_by(kit_lines.c.place)
_ADD_LINES = kit_lines.insert()
_DROP_LINES = kit_lines.delete().where(kit_lines.c.kit_id == bindparam("of_kit"))


class SqlKits:
    """Kits within a unit of work."""

    def __init__(self, connection: Connection, changed: Callable[[], None]) -> None:
        self._connection = connection
        self._kits = TableStore(connection, MAPPING, changed)

    def get(self, id: int) -> Kit | None:
        return self._whole(self._kits.get(id))

    def lock(self, id: int) -> Kit | None:
        """Return the kit, locked until the end of the unit of work."""
        return self._whole(self._kits.lock(id))

    def find(self, key: str, value: Hashable) -> Kit | None:
        """Return the kit with this natural key: owner and name."""
        assert key == "name", key
        owner, name_key = cast("tuple[int, str]", value)
        row = self._connection.execute(_NAMED, {"owner": owner, "name_key": name_key}).one_or_none()
        return None if row is None else self._whole(MAPPING.to_entity(row))

    def add(self, kit: Kit) -> None:
        """Insert a kit and set its id."""
        self._kits.add(kit)
        self._add_lines(kit)

    def save(self, kit: Kit) -> None:
        """Update a kit and replace its lines."""
        self._kits.save(kit)
        self._connection.execute(_DROP_LINES, {"of_kit": kit.id})
        self._add_lines(kit)

    def remove(self, kit: Kit) -> None:
        """Delete a kit and its lines."""
        self._connection.execute(_DROP_LINES, {"of_kit": kit.id})
        self._kits.remove(kit)

    def reference_count(self, id: int) -> int:
        """Return the number of details that refer to the kit."""
        return self._kits.reference_count(id)

    def owned_by(self, user_id: int) -> list[Kit]:
        """Return a user's own active kits, by id."""
        return [
            self._with_lines(MAPPING.to_entity(row)) for row in self._connection.execute(_OWNED, {"user_id": user_id})
        ]

    def _whole(self, kit: Kit | None) -> Kit | None:
        return None if kit is None else self._with_lines(kit)

    def _with_lines(self, kit: Kit) -> Kit:
        rows = self._connection.execute(_LINES, {"kit_id": kit.id})
        return replace(kit, lines=tuple(map(_KIT_LINE.read, rows)))

    def _add_lines(self, kit: Kit) -> None:
        rows = [{"kit_id": kit.id, "place": place, **asdict(line)} for place, line in enumerate(kit.lines)]
        if rows:
            self._connection.execute(_ADD_LINES, rows)


_IS_OWN = case((kits.c.user_id.is_(None), literal(False)), else_=literal(True))

_KIT = RowShape[KitView](
    KitView,
    kits,
    names={
        "area": or_none(AREA_NAME),
        "own": is_set(kits.c.user_id),
        "lines": Computed(list),
    },
)

_KITS = ListSpec[KitView, KitQuery](
    source=select(*_KIT.columns).join_from(kits, areas, isouter=True),
    id=kits.c.id,
    # A user's own kits come first, then those of an area, then those for all areas.
    order=(kits.c.user_id.is_(None), kits.c.area_id.is_(None), kits.c.name_folded, kits.c.id),
    sorts={"id": kits.c.id, "name": kits.c.name_folded},
    searched=(kits.c.name_folded,),
    to_item=_KIT.read,
    filters={
        "active": kits.c.active == bindparam("active"),
        "area_id": or_(kits.c.user_id.is_not(None), kits.c.area_id.is_(None), kits.c.area_id == bindparam("area_id")),
        "own": bindparam("own") == _IS_OWN,
        "user_id": or_(kits.c.user_id.is_(None), kits.c.user_id == bindparam("user_id")),
    },
    filters_of=lambda query: {
        "active": query.active,
        "area_id": query.area_id,
        "own": query.own,
        "user_id": query.user_id,
    },
)

KIT_PRODUCT = RowShape[KitProductView](
    KitProductView, products, names={"implant": PresentIf(products.c.implant, products.c.implant)}
)
_LINE = RowShape[KitLineView](KitLineView, kit_lines, names={"product": KIT_PRODUCT})
_LINES_OF_ALL = (
    select(*_LINE.columns, kit_lines.c.kit_id)
    .join_from(kit_lines, products)
    .where(kit_lines.c.kit_id.in_(bindparam("kit_ids", expanding=True)))
    .order_by(kit_lines.c.kit_id, kit_lines.c.place)
)

_IS_WASTED = details.c.use_reason.in_([literal_column(f"'{reason}'") for reason in WASTE])
_NONE = literal_column("0", QUANTITY)
# What each use of a kit recorded of each product: a use is the lines with equal sheet, author and time of use.
_of_use = (
    select(
        details.c.sheet_id,
        details.c.user_id,
        USED_AT.label("used_at"),
        details.c.product_id,
        type_coerce(func.sum(case((_IS_WASTED, _NONE), else_=details.c.quantity)), QUANTITY).label("used"),
        type_coerce(func.sum(case((_IS_WASTED, details.c.quantity), else_=_NONE)), QUANTITY).label("wasted"),
        type_coerce(func.sum(details.c.returned), QUANTITY).label("returned"),
    )
    .where(
        details.c.kit_id == bindparam("kit_id"),
        details.c.day >= bindparam("since", type_=details.c.day.type),
        NOT_VOIDED,
    )
    .group_by(details.c.sheet_id, details.c.user_id, USED_AT, details.c.product_id)
    .cte("of_use")
)
_uses = select(_of_use.c.sheet_id, _of_use.c.user_id, _of_use.c.used_at).distinct().subquery("uses")
_by_quantity = (
    select(
        _of_use.c.product_id,
        _of_use.c.used,
        func.count().label("times"),
        sum_exactly(_of_use.c.wasted).label("wasted"),
        sum_exactly(_of_use.c.returned).label("returned"),
    )
    .group_by(_of_use.c.product_id, _of_use.c.used)
    .subquery("by_quantity")
)
_USES = select(
    *KIT_PRODUCT.columns,
    *(_by_quantity.c[name] for name in ("used", "times", "wasted", "returned")),
    select(func.count()).select_from(_uses).scalar_subquery().label("uses"),
).join_from(_by_quantity, products, products.c.id == _by_quantity.c.product_id)


class SqlKitsView:
    """Read model of kits."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kits = TableView(connection, _KITS)

    def one(self, id: int) -> KitView | None:
        """Return a kit in use."""
        view = self._kits.one(id)
        if view is not None:
            self._add_lines([view])
        # A retired kit has no lines: it is not found.
        return view if view and view["lines"] else None

    def uses(self, kit_id: int, *, since: date) -> KitUses:
        """Return what was recorded with a kit since a day, by one statement."""
        rows = self._connection.execute(_USES, {"kit_id": kit_id, "since": since}).all()
        by_product: dict[int, ProductUse] = {}
        found = {row.id: KIT_PRODUCT.read(row) for row in rows}
        for row in rows:
            before = by_product.get(row.id, ProductUse(product_id=row.id))
            by_product[row.id] = replace(
                before,
                used={**before.used, row.used: row.times} if row.used else before.used,
                recorded=before.recorded + row.times * row.used + row.wasted + row.returned,
                returned=before.returned + row.returned,
                wasted=before.wasted + row.wasted,
            )
        return KitUses(rows[0].uses if rows else 0, list(by_product.values()), list(found.values()))

    def page(self, query: KitQuery) -> Page[KitView]:
        """Return a page of kits."""
        page = self._kits.page(query)
        self._add_lines(page["items"])
        return page

    def _add_lines(self, views: Iterable[KitView]) -> None:
        """Read the lines of all kits by one statement."""
        by_id = {view["id"]: view for view in views}
        rows = self._connection.execute(_LINES_OF_ALL, {"kit_ids": list(by_id)}) if by_id else ()
        for row in rows:
            by_id[row.kit_id]["lines"].append(_LINE.read(row))
