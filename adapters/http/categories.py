"""Routes of product categories."""

from typing import Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, PathId, provide_list
from application.categories import CategoryDraft
from application.paging import ListQuery, Page
from application.use_cases import UseCases
from application.views import CategoryView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(CategoryDraft, "code", "name")


@get(
    "/api/categories",
    operation_id="listCategories",
    may=Permission.READ_CATALOGUE,
    summary="List categories",
    tags=["categories"],
    dependencies={"asked": Provide(provide_list)},
)
def list_categories(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
) -> Page[CategoryView]:
    """List product categories by name."""
    page: Page[CategoryView] = list_response(request, "categories", use_cases, actor, ListQuery(**asked), hospital)
    return page


@get(
    "/api/categories/{category_id:int}",
    operation_id="readCategory",
    may=Permission.READ_CATALOGUE,
    summary="Read a category",
    tags=["categories"],
)
def read_category(use_cases: UseCases, actor: Actor, category_id: PathId) -> CategoryView:
    return use_cases.categories.one(actor, category_id)


@post(
    "/api/categories",
    operation_id="createCategory",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Create a category",
    tags=["categories"],
)
def create_category(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[CategoryView]:
    category = use_cases.create_category(actor, body.read(CategoryDraft))
    location = {"Location": f"/api/categories/{category.id}"}
    return DecimalJSONResponse(use_cases.categories.changed(actor, category.id), headers=location)


@put(
    "/api/categories/{category_id:int}",
    operation_id="updateCategory",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Update a category",
    tags=["categories"],
)
def update_category(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    category_id: PathId,
) -> CategoryView:
    use_cases.update_category(actor, category_id, body.read(CategoryDraft))
    return use_cases.categories.changed(actor, category_id)


@delete(
    "/api/categories/{category_id:int}",
    operation_id="deleteCategory",
    may=Permission.MANAGE_CATALOGUE,
    summary="Delete a category",
    tags=["categories"],
)
def delete_category(use_cases: UseCases, actor: Actor, category_id: PathId) -> None:
    """Delete an unused category. A 422 names the number of uses."""
    use_cases.delete_category(actor, category_id)


ROUTES = [list_categories, read_category, create_category, update_category, delete_category]
