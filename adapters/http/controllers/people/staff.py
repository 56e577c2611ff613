"""Routes of staff."""

from typing import Annotated

from litestar.di import NamedDependency
from litestar.params import QueryParameter

from adapters.http.controllers.crud import crud_controller
from adapters.http.requests.drafts import draft_dto
from adapters.http.responses.wire import AskedList
from application.people.staff import CreateStaff, DeleteStaff, ListStaff, StaffDraft, UpdateStaff
from application.people.views import StaffQuery


async def provide_staff(
    asked: NamedDependency[AskedList],
    unassigned: Annotated[bool, QueryParameter(description="Only staff without a user account")] = False,
) -> StaffQuery:
    """Provide the query of the list of staff."""
    return StaffQuery(**asked, unassigned=unassigned)


StaffController = crud_controller(
    "/api/staff",
    "a staff member",
    dto=draft_dto(StaffDraft, "name", "first_surname"),
    lists=ListStaff,
    creates=CreateStaff,
    updates=UpdateStaff,
    deletes=DeleteStaff,
    query=provide_staff,
    about_list="List staff by surname.",
)
