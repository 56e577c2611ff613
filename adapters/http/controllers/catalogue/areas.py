"""Routes of the hospital's areas."""

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from adapters.documents.lists import AREAS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from adapters.http.routes import Use, delete, get, post, put
from application.catalogue.areas import AreaDraft, CreateArea, DeleteArea, ListAreas, UpdateArea
from application.catalogue.views import AreaView
from application.common.paging import ListQuery, Page

AreaDTO = draft_dto(AreaDraft, "name")


class AreaController(Controller):
    path = "/api/areas"
    tags = ("areas",)

    @get(guards=[requires(ListAreas)], dependencies={"asked": Provide(provide_list)})
    async def list_areas(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[AreaView]:
        """List areas by name."""
        return await list_response(request, AREAS, ListQuery(**asked))

    @get("/{area_id:int}", guards=[requires(ListAreas)], sync_to_thread=True)
    def read_area(self, request: ApiRequest, area_id: PathId, list_areas: Use[ListAreas]) -> AreaView:
        """Read an area."""
        return list_areas.one(request.user, area_id)

    @post(guards=[requires(CreateArea)], dto=AreaDTO, sync_to_thread=True)
    def create_area(
        self, request: ApiRequest, data: JSONBody[AreaDraft], create_area: Use[CreateArea], list_areas: Use[ListAreas]
    ) -> Response[AreaView]:
        """Create an area."""
        area = create_area(request.user, data)
        return created(list_areas.changed(request.user, area.id), self.path)

    @put("/{area_id:int}", guards=[requires(UpdateArea)], dto=AreaDTO, sync_to_thread=True)
    def update_area(
        self,
        request: ApiRequest,
        data: JSONBody[AreaDraft],
        area_id: PathId,
        list_areas: Use[ListAreas],
        update_area: Use[UpdateArea],
    ) -> AreaView:
        """Update an area."""
        update_area(request.user, area_id, data)
        return list_areas.changed(request.user, area_id)

    @delete("/{area_id:int}", guards=[requires(DeleteArea)], sync_to_thread=True)
    def delete_area(self, request: ApiRequest, area_id: PathId, delete_area: Use[DeleteArea]) -> None:
        """Delete an unused area. A 422 names the number of uses."""
        delete_area(request.user, area_id)
