"""Routes of product categories."""

from adapters.http.controllers.crud import crud_controller
from adapters.http.requests.drafts import draft_dto
from application.catalogue.categories import (
    CategoryDraft,
    CreateCategory,
    DeleteCategory,
    ListCategories,
    UpdateCategory,
)

CategoryController = crud_controller(
    "/api/categories",
    "a category",
    dto=draft_dto(CategoryDraft, "code", "name"),
    lists=ListCategories,
    creates=CreateCategory,
    updates=UpdateCategory,
    deletes=DeleteCategory,
    about_list="List product categories by name.",
)
