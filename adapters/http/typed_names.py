"""Routes of typed names: failed search texts of products."""

from litestar import Response

from adapters.http.body import JsonBody, request_body_schema
from adapters.http.routing import get, post
from adapters.http.wire import DecimalJSONResponse, PathId
from application.typed_names import TypedNameDraft
from application.use_cases import UseCases
from application.views import ProductView, TypedNamesView
from domain.policy import Actor, Permission


@post(
    "/api/products/{product_id:int}/typed-names",
    operation_id="noteTypedName",
    may=Permission.ADD_DETAILS,
    operation_class=request_body_schema(TypedNameDraft, "text"),
    summary="Note what was typed in vain for a product",
    tags=["products"],
    status_code=204,
)
def note_typed_name(use_cases: UseCases, actor: Actor, body: JsonBody, product_id: PathId) -> None:
    """Count a text that found nothing before the product was chosen.

    The user is not stored. Also answers 204 if the text is not noted: it already finds the product, is no name, or may
    be a patient's name or number.
    """
    use_cases.note_typed_name(actor, product_id, body.read(TypedNameDraft))


@get(
    "/api/products/{product_id:int}/typed-names",
    operation_id="listTypedNames",
    may=Permission.MANAGE_CATALOGUE,
    summary="List what people type in vain for a product",
    tags=["products"],
)
def list_typed_names(use_cases: UseCases, actor: Actor, product_id: PathId) -> TypedNamesView:
    """List typed names that are proposed as other names of the product.

    These were noted three times or more and are not dismissed; the most frequent first.
    """
    return use_cases.list_typed_names(actor, product_id)


@post(
    "/api/typed-names/{typed_name_id:int}/add",
    operation_id="addTypedName",
    may=Permission.MANAGE_CATALOGUE,
    summary="Make what people type another name of the product",
    tags=["products"],
    status_code=200,
)
def add_typed_name(use_cases: UseCases, actor: Actor, typed_name_id: PathId) -> Response[ProductView]:
    """Append the text to also_called and return the product.

    The rules of updating a product apply.
    """
    product = use_cases.add_typed_name(actor, typed_name_id)
    return DecimalJSONResponse(use_cases.products.changed(actor, product.id))


@post(
    "/api/typed-names/{typed_name_id:int}/dismiss",
    operation_id="dismissTypedName",
    may=Permission.MANAGE_CATALOGUE,
    summary="Dismiss what people type for a product",
    tags=["products"],
    status_code=204,
)
def dismiss_typed_name(use_cases: UseCases, actor: Actor, typed_name_id: PathId) -> None:
    """Dismiss a typed name. It is not proposed again."""
    use_cases.dismiss_typed_name(actor, typed_name_id)


ROUTES = [note_typed_name, list_typed_names, add_typed_name, dismiss_typed_name]
