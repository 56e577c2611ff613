"""Routes of rooms."""

from typing import Annotated

from litestar import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from adapters.http.authentication import requires
from adapters.http.controllers.crud import crud_controller
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import AskedList, FilterId
from adapters.http.routes import Use, post
from application.catalogue.room_ranges import CheckRoomRanges, CreateRoomRanges, RoomRangesDraft
from application.catalogue.rooms import CreateRoom, DeleteRoom, ListRooms, RoomDraft, UpdateRoom
from application.catalogue.views import RoomQuery, RoomRangesView

RoomRangesDTO = draft_dto(RoomRangesDraft, "ranges", "area_id")

Status = Annotated[
    int | None,
    QueryParameter(ge=1, le=4, description="1 available, 2 occupied, 3 cleaning, 4 out of service", required=False),
]


async def provide_rooms(
    asked: NamedDependency[AskedList], area_id: FilterId = None, status: Status = None
) -> RoomQuery:
    """Provide the query of the list of rooms."""
    return RoomQuery(**asked, area_id=area_id, status=status)


RoomController = crud_controller(
    "/api/rooms",
    "a room",
    dto=draft_dto(RoomDraft, "name", "status", "type", "area_id"),
    lists=ListRooms,
    creates=CreateRoom,
    updates=UpdateRoom,
    deletes=DeleteRoom,
    query=provide_rooms,
    about_list="List rooms by name.",
)


class RoomRangesController(Controller):
    path = "/api/rooms/ranges"
    tags = ("rooms",)

    @post(
        "/check",
        guards=[requires(CheckRoomRanges)],
        dto=RoomRangesDTO,
        status_code=200,
        sync_to_thread=True,
    )
    def check_room_ranges(
        self, request: ApiRequest, data: JSONBody[RoomRangesDraft], check_room_ranges: Use[CheckRoomRanges]
    ) -> RoomRangesView:
        """Preview the rooms that a text names: new ones, and existing ones."""
        return check_room_ranges(request.user, data)

    @post(guards=[requires(CreateRoomRanges)], dto=RoomRangesDTO, sync_to_thread=True)
    def create_room_ranges(
        self, request: ApiRequest, data: JSONBody[RoomRangesDraft], create_room_ranges: Use[CreateRoomRanges]
    ) -> RoomRangesView:
        """Create the rooms that a text names, such as 201–240, 301, 305A.

        It creates all of them or none. Rooms that the area has already are left as they are. The limit is 500.

        Items are separated by commas, semicolons or lines; a range has a dash or *a* between its ends, which have the
        same letters before and behind the number, or differ in one last letter (201A–F). Leading zeros stay. 422:
        room_range.reversed, room_range.unreadable, rooms.too_many.
        """
        return create_room_ranges(request.user, data)
