"""Routes of the hospital's areas."""

from adapters.http.controllers.crud import crud_controller
from adapters.http.requests.drafts import draft_dto
from application.catalogue.areas import AreaDraft, CreateArea, DeleteArea, ListAreas, UpdateArea

AreaController = crud_controller(
    "/api/areas",
    "an area",
    dto=draft_dto(AreaDraft, "name"),
    lists=ListAreas,
    creates=CreateArea,
    updates=UpdateArea,
    deletes=DeleteArea,
    about_list="List areas by name.",
)
