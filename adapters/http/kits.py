"""Routes of kits: supplies that are recorded together."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, FilterId, IfMatch, PathId, created, expected_versions, provide_list, versioned
from application.kits import KitDraft
from application.paging import Page
from application.use_cases import UseCases
from application.views import KitQuery, KitView
from domain.policy import Actor, Permission

_PATH = "/api/kits"
_REQUEST_BODY = request_body_schema(KitDraft, "name", "lines", "lines.product_id", "lines.quantity")


@get(
    _PATH,
    operation_id="listKits",
    may=Permission.ADD_DETAILS,
    summary="List kits",
    tags=["kits"],
    dependencies={"asked": Provide(provide_list)},
)
def list_kits(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
    area_id: FilterId = None,
    own: Annotated[
        bool | None, QueryParameter(description="true for the own ones alone, false for the hospital's", required=False)
    ] = None,
) -> Page[KitView]:
    """List the caller's own kits, then the hospital's.

    The hospital's kits of an area come before those for all areas. With area_id, other areas' kits are left out.
    """
    query = KitQuery(**asked, area_id=area_id, own=own)
    page: Page[KitView] = list_response(request, "kits", use_cases, actor, query, hospital)
    return page


@get(
    "/api/kits/{kit_id:int}",
    operation_id="readKit",
    may=Permission.ADD_DETAILS,
    summary="Read a kit",
    tags=["kits"],
)
def read_kit(use_cases: UseCases, actor: Actor, kit_id: PathId) -> Response[KitView]:
    """Return one kit with its ETag."""
    return versioned(use_cases.kits.one(actor, kit_id))


@post(
    _PATH,
    operation_id="createKit",
    may=Permission.MANAGE_OWN_KITS,
    operation_class=_REQUEST_BODY,
    summary="Create a kit",
    tags=["kits"],
)
def create_kit(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[KitView]:
    """Create an own kit, or one of the hospital, which needs kits.manage."""
    kit = use_cases.create_kit(actor, body.read(KitDraft))
    return created(use_cases.kits.one(actor, kit.id), _PATH, replayed=False)


@put(
    "/api/kits/{kit_id:int}",
    operation_id="updateKit",
    may=Permission.MANAGE_OWN_KITS,
    operation_class=_REQUEST_BODY,
    summary="Update a kit",
    tags=["kits"],
)
def update_kit(
    use_cases: UseCases, actor: Actor, body: JsonBody, kit_id: PathId, if_match: IfMatch
) -> Response[KitView]:
    """Update a kit. Without ``own`` its owner stays; recorded details stay."""
    use_cases.update_kit(actor, kit_id, body.read(KitDraft), expected_versions(if_match))
    return versioned(use_cases.kits.one(actor, kit_id))


@delete(
    "/api/kits/{kit_id:int}",
    operation_id="deleteKit",
    may=Permission.MANAGE_OWN_KITS,
    summary="Delete a kit",
    tags=["kits"],
)
def delete_kit(use_cases: UseCases, actor: Actor, kit_id: PathId, if_match: IfMatch) -> None:
    """Delete a kit. Details recorded with it keep the reference."""
    use_cases.delete_kit(actor, kit_id, expected_versions(if_match))


ROUTES = [list_kits, read_kit, create_kit, update_kit, delete_kit]
