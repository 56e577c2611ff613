"""Routes of product categories."""

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from adapters.documents.lists import CATEGORIES
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from application.catalogue.categories import CategoryDraft
from application.catalogue.views import CategoryView
from application.common.paging import ListQuery, Page
from domain.common.policy import Permission

CategoryDTO = draft_dto(CategoryDraft, "code", "name")


class CategoryController(Controller):
    path = "/api/categories"
    tags = ("categories",)

    @get(guards=[requires(Permission.READ_CATALOGUE)], dependencies={"asked": Provide(provide_list)})
    async def list_categories(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[CategoryView]:
        """List product categories by name."""
        return await list_response(request, CATEGORIES, ListQuery(**asked))

    @get("/{category_id:int}", guards=[requires(Permission.READ_CATALOGUE)], sync_to_thread=True)
    def read_category(self, request: ApiRequest, category_id: PathId) -> CategoryView:
        """Read a category."""
        return request.use_cases.categories.reader.one(request.user, category_id)

    @post(guards=[requires(Permission.MANAGE_CATALOGUE)], dto=CategoryDTO, sync_to_thread=True)
    def create_category(self, request: ApiRequest, data: JSONBody[CategoryDraft]) -> Response[CategoryView]:
        """Create a category."""
        category = request.use_cases.categories.create(request.user, data)
        return created(request.use_cases.categories.reader.changed(request.user, category.id), self.path)

    @put("/{category_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], dto=CategoryDTO, sync_to_thread=True)
    def update_category(self, request: ApiRequest, data: JSONBody[CategoryDraft], category_id: PathId) -> CategoryView:
        """Update a category."""
        request.use_cases.categories.update(request.user, category_id, data)
        return request.use_cases.categories.reader.changed(request.user, category_id)

    @delete("/{category_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def delete_category(self, request: ApiRequest, category_id: PathId) -> None:
        """Delete an unused category. A 422 names the number of uses."""
        request.use_cases.categories.delete(request.user, category_id)
