"""Routes of the hospital's areas."""

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from adapters.documents.lists import AREAS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from application.catalogue.areas import AreaDraft
from application.catalogue.views import AreaView
from application.common.paging import ListQuery, Page
from domain.common.policy import Permission

AreaDTO = draft_dto(AreaDraft, "name")


class AreaController(Controller):
    path = "/api/areas"
    tags = ("areas",)

    @get(guards=[requires(Permission.READ_CATALOGUE)], dependencies={"asked": Provide(provide_list)})
    async def list_areas(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[AreaView]:
        """List areas by name."""
        return await list_response(request, AREAS, ListQuery(**asked))

    @get("/{area_id:int}", guards=[requires(Permission.READ_CATALOGUE)], sync_to_thread=True)
    def read_area(self, request: ApiRequest, area_id: PathId) -> AreaView:
        """Read an area."""
        return request.use_cases.areas.reader.one(request.user, area_id)

    @post(guards=[requires(Permission.MANAGE_CATALOGUE)], dto=AreaDTO, sync_to_thread=True)
    def create_area(self, request: ApiRequest, data: JSONBody[AreaDraft]) -> Response[AreaView]:
        """Create an area."""
        area = request.use_cases.areas.create(request.user, data)
        return created(request.use_cases.areas.reader.changed(request.user, area.id), self.path)

    @put("/{area_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], dto=AreaDTO, sync_to_thread=True)
    def update_area(self, request: ApiRequest, data: JSONBody[AreaDraft], area_id: PathId) -> AreaView:
        """Update an area."""
        request.use_cases.areas.update(request.user, area_id, data)
        return request.use_cases.areas.reader.changed(request.user, area_id)

    @delete("/{area_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def delete_area(self, request: ApiRequest, area_id: PathId) -> None:
        """Delete an unused area. A 422 names the number of uses."""
        request.use_cases.areas.delete(request.user, area_id)
