"""What the forms choose from: products, categories, areas, rooms, patients, staff."""

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.http.wire import FilterId, FreeText, Limit, PageNumber, PathId, SortBy, sort_by
from application.paging import ListQuery, Page
from application.use_cases import UseCases
from application.views import (
    AreaView,
    CategoryView,
    PatientQuery,
    PatientView,
    ProductQuery,
    ProductView,
    RoomQuery,
    RoomView,
    StaffQuery,
    StaffView,
)
from domain.policy import Actor

Active = Annotated[bool | None, QueryParameter(description="1 for active ones, 0 for inactive ones", required=False)]


async def provide_list_query(
    page: PageNumber = 1, limit: Limit = 25, sort: SortBy = None, q: FreeText = None
) -> ListQuery:
    """What every list can be asked for."""
    return ListQuery(page=page, limit=limit, sort=sort_by(sort), q=q)


_LIST = {"asked": Provide(provide_list_query)}


@get(
    "/api/products",
    operation_id="listProducts",
    summary="List and search products",
    tags=["products"],
    dependencies=_LIST,
    sync_to_thread=True,
)
def list_products(
    use_cases: NamedDependency[UseCases],
    actor: NamedDependency[Actor],
    asked: NamedDependency[ListQuery],
    name: Annotated[str | None, QueryParameter(description="The same as q", required=False)],
    category_id: FilterId,
    active: Active,
) -> Page[ProductView]:
    """Products by name; a search ignores case and accents, and an exact code or GTIN comes first."""
    query = ProductQuery(
        page=asked.page,
        limit=asked.limit,
        sort=asked.sort,
        q=asked.q or name,
        category_id=category_id,
        active=active,
    )
    return use_cases.products.page(actor, query)


@get(
    "/api/products/{product_id:int}",
    operation_id="readProduct",
    summary="Read a product",
    tags=["products"],
    sync_to_thread=True,
)
def read_product(
    use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], product_id: PathId
) -> ProductView:
    """One product."""
    return use_cases.products.one(actor, product_id)


@get(
    "/api/categories",
    operation_id="listCategories",
    summary="List categories",
    tags=["categories"],
    dependencies=_LIST,
    sync_to_thread=True,
)
def list_categories(
    use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], asked: NamedDependency[ListQuery]
) -> Page[CategoryView]:
    """Product categories by name."""
    return use_cases.categories.page(actor, asked)


@get(
    "/api/categories/{category_id:int}",
    operation_id="readCategory",
    summary="Read a category",
    tags=["categories"],
    sync_to_thread=True,
)
def read_category(
    use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], category_id: PathId
) -> CategoryView:
    """One category."""
    return use_cases.categories.one(actor, category_id)


@get(
    "/api/areas",
    operation_id="listAreas",
    summary="List areas",
    tags=["areas"],
    dependencies=_LIST,
    sync_to_thread=True,
)
def list_areas(
    use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], asked: NamedDependency[ListQuery]
) -> Page[AreaView]:
    """Areas by name."""
    return use_cases.areas.page(actor, asked)


@get("/api/areas/{area_id:int}", operation_id="readArea", summary="Read an area", tags=["areas"], sync_to_thread=True)
def read_area(use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], area_id: PathId) -> AreaView:
    """One area."""
    return use_cases.areas.one(actor, area_id)


@get(
    "/api/rooms",
    operation_id="listRooms",
    summary="List rooms",
    tags=["rooms"],
    dependencies=_LIST,
    sync_to_thread=True,
)
def list_rooms(
    use_cases: NamedDependency[UseCases],
    actor: NamedDependency[Actor],
    asked: NamedDependency[ListQuery],
    area_id: FilterId,
) -> Page[RoomView]:
    """Rooms by name."""
    query = RoomQuery(page=asked.page, limit=asked.limit, sort=asked.sort, q=asked.q, area_id=area_id)
    return use_cases.rooms.page(actor, query)


@get("/api/rooms/{room_id:int}", operation_id="readRoom", summary="Read a room", tags=["rooms"], sync_to_thread=True)
def read_room(use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], room_id: PathId) -> RoomView:
    """One room."""
    return use_cases.rooms.one(actor, room_id)


@get(
    "/api/patients",
    operation_id="listPatients",
    summary="List and search patients",
    tags=["patients"],
    dependencies=_LIST,
    sync_to_thread=True,
)
def list_patients(
    use_cases: NamedDependency[UseCases],
    actor: NamedDependency[Actor],
    asked: NamedDependency[ListQuery],
    active: Active,
) -> Page[PatientView]:
    """Patients by surname; a search looks at names and record numbers."""
    query = PatientQuery(page=asked.page, limit=asked.limit, sort=asked.sort, q=asked.q, active=active)
    return use_cases.patients.page(actor, query)


@get(
    "/api/patients/{patient_id:int}",
    operation_id="readPatient",
    summary="Read a patient",
    tags=["patients"],
    sync_to_thread=True,
)
def read_patient(
    use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], patient_id: PathId
) -> PatientView:
    """One patient."""
    return use_cases.patients.one(actor, patient_id)


@get(
    "/api/staff",
    operation_id="listStaff",
    summary="List staff",
    tags=["staff"],
    dependencies=_LIST,
    sync_to_thread=True,
)
def list_staff(
    use_cases: NamedDependency[UseCases],
    actor: NamedDependency[Actor],
    asked: NamedDependency[ListQuery],
    unassigned: Annotated[bool, QueryParameter(description="Those who are no user's profile")] = False,
) -> Page[StaffView]:
    """Staff by surname."""
    query = StaffQuery(page=asked.page, limit=asked.limit, sort=asked.sort, q=asked.q, unassigned=unassigned)
    return use_cases.staff.page(actor, query)


@get(
    "/api/staff/{staff_id:int}",
    operation_id="readStaff",
    summary="Read a staff member",
    tags=["staff"],
    sync_to_thread=True,
)
def read_staff(use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor], staff_id: PathId) -> StaffView:
    """One staff member."""
    return use_cases.staff.one(actor, staff_id)


ROUTES = [
    list_products,
    read_product,
    list_categories,
    read_category,
    list_areas,
    read_area,
    list_rooms,
    read_room,
    list_patients,
    read_patient,
    list_staff,
    read_staff,
]
