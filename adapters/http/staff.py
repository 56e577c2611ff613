"""Routes of staff."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, PathId, provide_list
from application.paging import Page
from application.staff import StaffDraft
from application.use_cases import UseCases
from application.views import StaffQuery, StaffView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(StaffDraft, "name", "first_surname")


@get(
    "/api/staff",
    operation_id="listStaff",
    may=Permission.MANAGE_STAFF,
    summary="List staff",
    tags=["staff"],
    dependencies={"asked": Provide(provide_list)},
)
def list_staff(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
    unassigned: Annotated[bool, QueryParameter(description="Those who are no user's profile")] = False,
) -> Page[StaffView]:
    """List staff by surname."""
    query = StaffQuery(**asked, unassigned=unassigned)
    page: Page[StaffView] = list_response(request, "staff", use_cases, actor, query, hospital)
    return page


@get(
    "/api/staff/{staff_id:int}",
    operation_id="readStaff",
    may=Permission.MANAGE_STAFF,
    summary="Read a staff member",
    tags=["staff"],
)
def read_staff(use_cases: UseCases, actor: Actor, staff_id: PathId) -> StaffView:
    return use_cases.staff.one(actor, staff_id)


@post(
    "/api/staff",
    operation_id="createStaff",
    may=Permission.MANAGE_STAFF,
    operation_class=_REQUEST_BODY,
    summary="Create a staff member",
    tags=["staff"],
)
def create_staff(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[StaffView]:
    staff = use_cases.create_staff(actor, body.read(StaffDraft))
    location = {"Location": f"/api/staff/{staff.id}"}
    return DecimalJSONResponse(use_cases.staff.changed(actor, staff.id), headers=location)


@put(
    "/api/staff/{staff_id:int}",
    operation_id="updateStaff",
    may=Permission.MANAGE_STAFF,
    operation_class=_REQUEST_BODY,
    summary="Update a staff member",
    tags=["staff"],
)
def update_staff(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    staff_id: PathId,
) -> StaffView:
    use_cases.update_staff(actor, staff_id, body.read(StaffDraft))
    return use_cases.staff.changed(actor, staff_id)


@delete(
    "/api/staff/{staff_id:int}",
    operation_id="deleteStaff",
    may=Permission.MANAGE_STAFF,
    summary="Delete a staff member",
    tags=["staff"],
)
def delete_staff(use_cases: UseCases, actor: Actor, staff_id: PathId) -> None:
    """Delete an unused staff member. A 422 names the number of uses."""
    use_cases.delete_staff(actor, staff_id)


ROUTES = [list_staff, read_staff, create_staff, update_staff, delete_staff]
