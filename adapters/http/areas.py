"""Routes of the hospital's areas."""

from typing import Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, PathId, provide_list
from application.areas import AreaDraft
from application.paging import ListQuery, Page
from application.use_cases import UseCases
from application.views import AreaView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(AreaDraft, "name")


@get(
    "/api/areas",
    operation_id="listAreas",
    may=Permission.READ_CATALOGUE,
    summary="List areas",
    tags=["areas"],
    dependencies={"asked": Provide(provide_list)},
)
def list_areas(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
) -> Page[AreaView]:
    """List areas by name."""
    page: Page[AreaView] = list_response(request, "areas", use_cases, actor, ListQuery(**asked), hospital)
    return page


@get(
    "/api/areas/{area_id:int}",
    operation_id="readArea",
    may=Permission.READ_CATALOGUE,
    summary="Read an area",
    tags=["areas"],
)
def read_area(use_cases: UseCases, actor: Actor, area_id: PathId) -> AreaView:
    return use_cases.areas.one(actor, area_id)


@post(
    "/api/areas",
    operation_id="createArea",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Create an area",
    tags=["areas"],
)
def create_area(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[AreaView]:
    area = use_cases.create_area(actor, body.read(AreaDraft))
    location = {"Location": f"/api/areas/{area.id}"}
    return DecimalJSONResponse(use_cases.areas.changed(actor, area.id), headers=location)


@put(
    "/api/areas/{area_id:int}",
    operation_id="updateArea",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Update an area",
    tags=["areas"],
)
def update_area(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    area_id: PathId,
) -> AreaView:
    use_cases.update_area(actor, area_id, body.read(AreaDraft))
    return use_cases.areas.changed(actor, area_id)


@delete(
    "/api/areas/{area_id:int}",
    operation_id="deleteArea",
    may=Permission.MANAGE_CATALOGUE,
    summary="Delete an area",
    tags=["areas"],
)
def delete_area(use_cases: UseCases, actor: Actor, area_id: PathId) -> None:
    """Delete an unused area. A 422 names the number of uses."""
    use_cases.delete_area(actor, area_id)


ROUTES = [list_areas, read_area, create_area, update_area, delete_area]
