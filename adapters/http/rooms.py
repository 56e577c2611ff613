"""Routes of rooms."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, FilterId, PathId, provide_list
from application.paging import Page
from application.rooms import RoomDraft
from application.use_cases import UseCases
from application.views import RoomQuery, RoomView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(RoomDraft, "name", "status", "type", "area_id")

Status = Annotated[
    int | None,
    QueryParameter(ge=1, le=4, description="1 available, 2 occupied, 3 cleaning, 4 out of service", required=False),
]


@get(
    "/api/rooms",
    operation_id="listRooms",
    may=Permission.READ_CATALOGUE,
    summary="List rooms",
    tags=["rooms"],
    dependencies={"asked": Provide(provide_list)},
)
def list_rooms(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
    area_id: FilterId = None,
    status: Status = None,
) -> Page[RoomView]:
    """List rooms by name."""
    query = RoomQuery(**asked, area_id=area_id, status=status)
    page: Page[RoomView] = list_response(request, "rooms", use_cases, actor, query, hospital)
    return page


@get(
    "/api/rooms/{room_id:int}",
    operation_id="readRoom",
    may=Permission.READ_CATALOGUE,
    summary="Read a room",
    tags=["rooms"],
)
def read_room(use_cases: UseCases, actor: Actor, room_id: PathId) -> RoomView:
    return use_cases.rooms.one(actor, room_id)


@post(
    "/api/rooms",
    operation_id="createRoom",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Create a room",
    tags=["rooms"],
)
def create_room(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[RoomView]:
    room = use_cases.create_room(actor, body.read(RoomDraft))
    location = {"Location": f"/api/rooms/{room.id}"}
    return DecimalJSONResponse(use_cases.rooms.changed(actor, room.id), headers=location)


@put(
    "/api/rooms/{room_id:int}",
    operation_id="updateRoom",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Update a room",
    tags=["rooms"],
)
def update_room(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    room_id: PathId,
) -> RoomView:
    use_cases.update_room(actor, room_id, body.read(RoomDraft))
    return use_cases.rooms.changed(actor, room_id)


@delete(
    "/api/rooms/{room_id:int}",
    operation_id="deleteRoom",
    may=Permission.MANAGE_CATALOGUE,
    summary="Delete a room",
    tags=["rooms"],
)
def delete_room(use_cases: UseCases, actor: Actor, room_id: PathId) -> None:
    """Delete an unused room. A 422 names the number of uses."""
    use_cases.delete_room(actor, room_id)


ROUTES = [list_rooms, read_room, create_room, update_room, delete_room]
