"""Routes of rooms."""

from typing import Annotated

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import ROOMS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, FilterId, PathId, created, provide_list
from adapters.http.routes import Use, delete, get, post, put
from application.catalogue.room_ranges import CheckRoomRanges, CreateRoomRanges, RoomRangesDraft
from application.catalogue.rooms import CreateRoom, DeleteRoom, ListRooms, RoomDraft, UpdateRoom
from application.catalogue.views import RoomQuery, RoomRangesView, RoomView
from application.common.paging import Page

RoomRangesDTO = draft_dto(RoomRangesDraft, "ranges", "area_id")
RoomDTO = draft_dto(RoomDraft, "name", "status", "type", "area_id")

Status = Annotated[
    int | None,
    QueryParameter(ge=1, le=4, description="1 available, 2 occupied, 3 cleaning, 4 out of service", required=False),
]


class RoomController(Controller):
    path = "/api/rooms"
    tags = ("rooms",)

    @get(guards=[requires(ListRooms)], dependencies={"asked": Provide(provide_list)})
    async def list_rooms(
        self, request: ApiRequest, asked: NamedDependency[AskedList], area_id: FilterId = None, status: Status = None
    ) -> Page[RoomView]:
        """List rooms by name."""
        query = RoomQuery(**asked, area_id=area_id, status=status)
        return await list_response(request, ROOMS, query)

    @get("/{room_id:int}", guards=[requires(ListRooms)], sync_to_thread=True)
    def read_room(self, request: ApiRequest, room_id: PathId, list_rooms: Use[ListRooms]) -> RoomView:
        """Read a room."""
        return list_rooms.one(request.user, room_id)

    @post(guards=[requires(CreateRoom)], dto=RoomDTO, sync_to_thread=True)
    def create_room(
        self, request: ApiRequest, data: JSONBody[RoomDraft], create_room: Use[CreateRoom], list_rooms: Use[ListRooms]
    ) -> Response[RoomView]:
        """Create a room."""
        room = create_room(request.user, data)
        return created(list_rooms.changed(request.user, room.id), self.path)

    @post(
        "/ranges/check",
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

    @post("/ranges", guards=[requires(CreateRoomRanges)], dto=RoomRangesDTO, sync_to_thread=True)
    def create_room_ranges(
        self, request: ApiRequest, data: JSONBody[RoomRangesDraft], create_room_ranges: Use[CreateRoomRanges]
    ) -> RoomRangesView:
        """Create the rooms that a text names, such as 201–240, 301, 305A.

        It creates all of them or none. Rooms that the area has already are left as they are. The limit is 500.
        """
        return create_room_ranges(request.user, data)

    @put("/{room_id:int}", guards=[requires(UpdateRoom)], dto=RoomDTO, sync_to_thread=True)
    def update_room(
        self,
        request: ApiRequest,
        data: JSONBody[RoomDraft],
        room_id: PathId,
        list_rooms: Use[ListRooms],
        update_room: Use[UpdateRoom],
    ) -> RoomView:
        """Update a room."""
        update_room(request.user, room_id, data)
        return list_rooms.changed(request.user, room_id)

    @delete("/{room_id:int}", guards=[requires(DeleteRoom)], sync_to_thread=True)
    def delete_room(self, request: ApiRequest, room_id: PathId, delete_room: Use[DeleteRoom]) -> None:
        """Delete an unused room. A 422 names the number of uses."""
        delete_room(request.user, room_id)
