"""Routes of rooms."""

from typing import Annotated

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import ROOMS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, FilterId, PathId, created, provide_list
from application.catalogue.room_ranges import RoomRangesDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import RoomQuery, RoomRangesView, RoomView
from application.common.paging import Page
from domain.common.policy import Permission

RoomRangesDTO = draft_dto(RoomRangesDraft, "ranges", "area_id")
RoomDTO = draft_dto(RoomDraft, "name", "status", "type", "area_id")

Status = Annotated[
    int | None,
    QueryParameter(ge=1, le=4, description="1 available, 2 occupied, 3 cleaning, 4 out of service", required=False),
]


class RoomController(Controller):
    path = "/api/rooms"
    tags = ("rooms",)

    @get(guards=[requires(Permission.READ_CATALOGUE)], dependencies={"asked": Provide(provide_list)})
    async def list_rooms(
        self, request: ApiRequest, asked: NamedDependency[AskedList], area_id: FilterId = None, status: Status = None
    ) -> Page[RoomView]:
        """List rooms by name."""
        query = RoomQuery(**asked, area_id=area_id, status=status)
        return await list_response(request, ROOMS, query)

    @get("/{room_id:int}", guards=[requires(Permission.READ_CATALOGUE)], sync_to_thread=True)
    def read_room(self, request: ApiRequest, room_id: PathId) -> RoomView:
        """Read a room."""
        return request.use_cases.rooms.reader.one(request.user, room_id)

    @post(guards=[requires(Permission.MANAGE_CATALOGUE)], dto=RoomDTO, sync_to_thread=True)
    def create_room(self, request: ApiRequest, data: JSONBody[RoomDraft]) -> Response[RoomView]:
        """Create a room."""
        room = request.use_cases.rooms.create(request.user, data)
        return created(request.use_cases.rooms.reader.changed(request.user, room.id), self.path)

    @post(
        "/ranges/check",
        guards=[requires(Permission.MANAGE_CATALOGUE)],
        dto=RoomRangesDTO,
        status_code=200,
        sync_to_thread=True,
    )
    def check_room_ranges(self, request: ApiRequest, data: JSONBody[RoomRangesDraft]) -> RoomRangesView:
        """Preview the rooms that a text names: new ones, and existing ones."""
        return request.use_cases.rooms.check_ranges(request.user, data)

    @post("/ranges", guards=[requires(Permission.MANAGE_CATALOGUE)], dto=RoomRangesDTO, sync_to_thread=True)
    def create_room_ranges(self, request: ApiRequest, data: JSONBody[RoomRangesDraft]) -> RoomRangesView:
        """Create the rooms that a text names, such as 201–240, 301, 305A.

        It creates all of them or none. Rooms that the area has already are left as they are. The limit is 500.
        """
        return request.use_cases.rooms.create_ranges(request.user, data)

    @put("/{room_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], dto=RoomDTO, sync_to_thread=True)
    def update_room(self, request: ApiRequest, data: JSONBody[RoomDraft], room_id: PathId) -> RoomView:
        """Update a room."""
        request.use_cases.rooms.update(request.user, room_id, data)
        return request.use_cases.rooms.reader.changed(request.user, room_id)

    @delete("/{room_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def delete_room(self, request: ApiRequest, room_id: PathId) -> None:
        """Delete an unused room. A 422 names the number of uses."""
        request.use_cases.rooms.delete(request.user, room_id)
