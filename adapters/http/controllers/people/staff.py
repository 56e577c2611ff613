"""Routes of staff."""

from typing import Annotated

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import STAFF_MEMBERS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from application.common.paging import Page
from application.people.staff import StaffDraft
from application.people.views import StaffQuery, StaffView
from domain.common.policy import Permission

StaffDTO = draft_dto(StaffDraft, "name", "first_surname")


class StaffController(Controller):
    path = "/api/staff"
    tags = ("staff",)

    @get(guards=[requires(Permission.MANAGE_STAFF)], dependencies={"asked": Provide(provide_list)})
    async def list_staff(
        self,
        request: ApiRequest,
        asked: NamedDependency[AskedList],
        unassigned: Annotated[bool, QueryParameter(description="Those who are no user's profile")] = False,
    ) -> Page[StaffView]:
        """List staff by surname."""
        query = StaffQuery(**asked, unassigned=unassigned)
        return await list_response(request, STAFF_MEMBERS, query)

    @get("/{staff_id:int}", guards=[requires(Permission.MANAGE_STAFF)], sync_to_thread=True)
    def read_staff(self, request: ApiRequest, staff_id: PathId) -> StaffView:
        """Read a staff member."""
        return request.use_cases.staff.reader.one(request.user, staff_id)

    @post(guards=[requires(Permission.MANAGE_STAFF)], dto=StaffDTO, sync_to_thread=True)
    def create_staff(self, request: ApiRequest, data: JSONBody[StaffDraft]) -> Response[StaffView]:
        """Create a staff member."""
        staff = request.use_cases.staff.create(request.user, data)
        return created(request.use_cases.staff.reader.changed(request.user, staff.id), self.path)

    @put("/{staff_id:int}", guards=[requires(Permission.MANAGE_STAFF)], dto=StaffDTO, sync_to_thread=True)
    def update_staff(self, request: ApiRequest, data: JSONBody[StaffDraft], staff_id: PathId) -> StaffView:
        """Update a staff member."""
        request.use_cases.staff.update(request.user, staff_id, data)
        return request.use_cases.staff.reader.changed(request.user, staff_id)

    @delete("/{staff_id:int}", guards=[requires(Permission.MANAGE_STAFF)], sync_to_thread=True)
    def delete_staff(self, request: ApiRequest, staff_id: PathId) -> None:
        """Delete an unused staff member. A 422 names the number of uses."""
        request.use_cases.staff.delete(request.user, staff_id)
