"""Consumption details as rows."""

from datetime import tzinfo
from typing import Any

from sqlalchemy import Connection, Row, bindparam, literal, select

from adapters.sql.kept import Kept, TableStore
from adapters.sql.lists import ListOf, moment_of_key
from adapters.sql.tables import areas, categories, details, products, staff
from application.ports import References
from application.views import AreaView, CategoryView, DetailProductView, DetailQuery, DetailView, PersonView
from domain.area import Area
from domain.day import end_of, start_of
from domain.product import Category, Product
from domain.sheet import Detail
from domain.staff import Staff


def to_row(detail: Detail) -> dict[str, Any]:
    """A detail as a row."""
    return {
        "sheet_id": detail.sheet_id,
        "product_id": detail.product_id,
        "staff_id": detail.staff_id,
        "user_id": detail.user_id,
        "area_id": detail.area_id,
        "quantity": detail.quantity,
        "unit_price": detail.unit_price,
        "total": detail.total,
        "created_at": detail.created_at,
        "day": detail.day,
        "version": detail.version,
    }


def to_entity(row: Row[Any]) -> Detail:
    """A row as a detail."""
    return Detail(
        id=row.id,
        sheet_id=row.sheet_id,
        product_id=row.product_id,
        staff_id=row.staff_id,
        user_id=row.user_id,
        area_id=row.area_id,
        quantity=row.quantity,
        unit_price=row.unit_price,
        total=row.total,
        created_at=row.created_at,
        day=row.day,
        version=row.version,
    )


KEPT = Kept(details, to_row, to_entity)
_ON_SHEET = select(details).where(details.c.sheet_id == bindparam("sheet_id")).order_by(details.c.id)

# One row in any case; what does not exist comes back as nulls.
_REFERENCES = select(
    *(c.label(f"product_{c.name}") for c in products.c),
    *(c.label(f"category_{c.name}") for c in categories.c),
    *(c.label(f"staff_{c.name}") for c in staff.c),
    *(c.label(f"area_{c.name}") for c in areas.c),
).select_from(
    select(literal(1).label("one"))
    .subquery("always")
    .outerjoin(products, products.c.id == bindparam("product_id"))
    .outerjoin(categories, categories.c.id == products.c.category_id)
    .outerjoin(staff, staff.c.id == bindparam("staff_id"))
    .outerjoin(areas, areas.c.id == bindparam("area_id"))
)


class SqlDetails(TableStore[Detail]):
    """The details, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, KEPT)

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """All details of a sheet, the oldest first."""
        return [to_entity(row) for row in self._connection.execute(_ON_SHEET, {"sheet_id": sheet_id})]

    def references(self, *, product_id: int, staff_id: int | None, area_id: int | None) -> References:
        """All that a detail refers to, in one look."""
        params = {"product_id": product_id, "staff_id": staff_id, "area_id": area_id}
        row = self._connection.execute(_REFERENCES, params).one()
        product = category = person = area = None
        if row.product_id is not None:
            product = Product(
                id=row.product_id,
                name=row.product_name,
                price=row.product_price,
                category_id=row.product_category_id,
                code=row.product_code,
                gtin=row.product_gtin,
                unit=row.product_unit,
                active=row.product_active,
            )
            category = Category(id=row.category_id, code=row.category_code, name=row.category_name)
        if row.staff_id is not None:
            person = Staff(
                id=row.staff_id,
                name=row.staff_name,
                first_surname=row.staff_first_surname,
                second_surname=row.staff_second_surname,
                telephone_number=row.staff_telephone_number,
                job_title=row.staff_job_title,
                date_of_birth=row.staff_date_of_birth,
            )
        if row.area_id is not None:
            area = Area(id=row.area_id, name=row.area_name)
        return References(product, category, person, area)


def _to_view(row: Row[Any]) -> DetailView:
    person = area = None
    if row.staff_id is not None:
        person = PersonView(
            id=row.staff_id,
            name=row.staff_name,
            first_surname=row.first_surname,
            second_surname=row.second_surname,
        )
    if row.area_id is not None:
        area = AreaView(id=row.area_id, name=row.area_name)
    return DetailView(
        id=row.id,
        consumption_sheet_id=row.sheet_id,
        product_id=row.product_id,
        product=DetailProductView(
            id=row.product_id,
            name=row.product_name,
            price=row.product_price,
            category=CategoryView(id=row.category_id, code=row.category_code, name=row.category_name),
        ),
        staff_id=row.staff_id,
        staff=person,
        user_id=row.user_id,
        area_id=row.area_id,
        area=area,
        quantity=row.quantity,
        unit_price=row.unit_price,
        total=row.total,
        created_at=row.created_at,
        version=row.version,
    )


_ALL = (
    select(
        details,
        products.c.name.label("product_name"),
        products.c.price.label("product_price"),
        products.c.category_id,
        categories.c.code.label("category_code"),
        categories.c.name.label("category_name"),
        staff.c.name.label("staff_name"),
        staff.c.first_surname,
        staff.c.second_surname,
        areas.c.name.label("area_name"),
    )
    .join_from(details, products)
    .join(categories, categories.c.id == products.c.category_id)
    .outerjoin(staff, staff.c.id == details.c.staff_id)
    .outerjoin(areas, areas.c.id == details.c.area_id)
)


def list_of_details(zone: tzinfo) -> ListOf[DetailView, DetailQuery]:
    """The details; on which day one was recorded is told in the hospital's time zone."""
    moment = details.c.created_at.type
    return ListOf[DetailView, DetailQuery](
        source=_ALL,
        id=details.c.id,
        order=(details.c.created_at.desc(), details.c.id.desc()),
        sorts={
            "id": details.c.id,
            "created_at": details.c.created_at,
            "product": products.c.name_folded,
            "quantity": details.c.quantity,
            "unit_price": details.c.unit_price,
            "total": details.c.total,
        },
        searched=(products.c.name_folded,),
        to_item=_to_view,
        filters={
            "consumption_sheet_id": details.c.sheet_id == bindparam("consumption_sheet_id"),
            "product_id": details.c.product_id == bindparam("product_id"),
            "staff_id": details.c.staff_id == bindparam("staff_id"),
            "area_id": details.c.area_id == bindparam("area_id"),
            "since": details.c.created_at >= bindparam("since", type_=moment),
            "until": details.c.created_at < bindparam("until", type_=moment),
        },
        filters_of=lambda query: {
            "consumption_sheet_id": query.consumption_sheet_id,
            "product_id": query.product_id,
            "staff_id": query.staff_id,
            "area_id": query.area_id,
            "since": start_of(query.since, zone) if query.since else None,
            "until": end_of(query.until, zone) if query.until else None,
        },
        bounded=False,
        cursor_key=details.c.created_at,
        key_of=lambda view: (view["created_at"].isoformat(), view["id"]),
        read_key=moment_of_key,
    )
