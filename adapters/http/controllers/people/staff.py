"""Routes of staff."""

from typing import Annotated

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import STAFF_MEMBERS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from adapters.http.routes import Use, delete, get, post, put
from application.common.paging import Page
from application.people.staff import CreateStaff, DeleteStaff, ListStaff, StaffDraft, UpdateStaff
from application.people.views import StaffQuery, StaffView

StaffDTO = draft_dto(StaffDraft, "name", "first_surname")


class StaffController(Controller):
    path = "/api/staff"
    tags = ("staff",)

    @get(guards=[requires(ListStaff)], dependencies={"asked": Provide(provide_list)})
    async def list_staff(
        self,
        request: ApiRequest,
        asked: NamedDependency[AskedList],
        unassigned: Annotated[bool, QueryParameter(description="Those who are no user's profile")] = False,
    ) -> Page[StaffView]:
        """List staff by surname."""
        query = StaffQuery(**asked, unassigned=unassigned)
        return await list_response(request, STAFF_MEMBERS, query)

    @get("/{staff_id:int}", guards=[requires(ListStaff)], sync_to_thread=True)
    def read_staff(self, request: ApiRequest, staff_id: PathId, list_staff: Use[ListStaff]) -> StaffView:
        """Read a staff member."""
        return list_staff.one(request.user, staff_id)

    @post(guards=[requires(CreateStaff)], dto=StaffDTO, sync_to_thread=True)
    def create_staff(
        self,
        request: ApiRequest,
        data: JSONBody[StaffDraft],
        create_staff: Use[CreateStaff],
        list_staff: Use[ListStaff],
    ) -> Response[StaffView]:
        """Create a staff member."""
        staff = create_staff(request.user, data)
        return created(list_staff.changed(request.user, staff.id), self.path)

    @put("/{staff_id:int}", guards=[requires(UpdateStaff)], dto=StaffDTO, sync_to_thread=True)
    def update_staff(
        self,
        request: ApiRequest,
        data: JSONBody[StaffDraft],
        staff_id: PathId,
        list_staff: Use[ListStaff],
        update_staff: Use[UpdateStaff],
    ) -> StaffView:
        """Update a staff member."""
        update_staff(request.user, staff_id, data)
        return list_staff.changed(request.user, staff_id)

    @delete("/{staff_id:int}", guards=[requires(DeleteStaff)], sync_to_thread=True)
    def delete_staff(self, request: ApiRequest, staff_id: PathId, delete_staff: Use[DeleteStaff]) -> None:
        """Delete an unused staff member. A 422 names the number of uses."""
        delete_staff(request.user, staff_id)
