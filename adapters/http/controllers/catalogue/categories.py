"""Routes of product categories."""

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from adapters.documents.lists import CATEGORIES
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from adapters.http.routes import Use, delete, get, post, put
from application.catalogue.categories import (
    CategoryDraft,
    CreateCategory,
    DeleteCategory,
    ListCategories,
    UpdateCategory,
)
from application.catalogue.views import CategoryView
from application.common.paging import ListQuery, Page

CategoryDTO = draft_dto(CategoryDraft, "code", "name")


class CategoryController(Controller):
    path = "/api/categories"
    tags = ("categories",)

    @get(guards=[requires(ListCategories)], dependencies={"asked": Provide(provide_list)})
    async def list_categories(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[CategoryView]:
        """List product categories by name."""
        return await list_response(request, CATEGORIES, ListQuery(**asked))

    @get("/{category_id:int}", guards=[requires(ListCategories)], sync_to_thread=True)
    def read_category(
        self, request: ApiRequest, category_id: PathId, list_categories: Use[ListCategories]
    ) -> CategoryView:
        """Read a category."""
        return list_categories.one(request.user, category_id)

    @post(guards=[requires(CreateCategory)], dto=CategoryDTO, sync_to_thread=True)
    def create_category(
        self,
        request: ApiRequest,
        data: JSONBody[CategoryDraft],
        create_category: Use[CreateCategory],
        list_categories: Use[ListCategories],
    ) -> Response[CategoryView]:
        """Create a category."""
        category = create_category(request.user, data)
        return created(list_categories.changed(request.user, category.id), self.path)

    @put("/{category_id:int}", guards=[requires(UpdateCategory)], dto=CategoryDTO, sync_to_thread=True)
    def update_category(
        self,
        request: ApiRequest,
        data: JSONBody[CategoryDraft],
        category_id: PathId,
        list_categories: Use[ListCategories],
        update_category: Use[UpdateCategory],
    ) -> CategoryView:
        """Update a category."""
        update_category(request.user, category_id, data)
        return list_categories.changed(request.user, category_id)

    @delete("/{category_id:int}", guards=[requires(DeleteCategory)], sync_to_thread=True)
    def delete_category(self, request: ApiRequest, category_id: PathId, delete_category: Use[DeleteCategory]) -> None:
        """Delete an unused category. A 422 names the number of uses."""
        delete_category(request.user, category_id)
