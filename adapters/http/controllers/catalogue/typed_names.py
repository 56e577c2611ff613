"""Routes of typed names: failed search texts of products."""

from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import DecimalJSONResponse, PathId
from application.catalogue.typed_names import TypedNameDraft
from application.catalogue.views import ProductView, TypedNamesView
from domain.common.policy import Permission


class ProductTypedNameController(Controller):
    path = "/api/products/{product_id:int}/typed-names"
    tags = ("products",)

    @post(
        guards=[requires(Permission.READ_SHEETS, Permission.ADD_DETAILS)],
        dto=draft_dto(TypedNameDraft, "text"),
        status_code=204,
        sync_to_thread=True,
    )
    def note_typed_name(self, request: ApiRequest, data: JSONBody[TypedNameDraft], product_id: PathId) -> None:
        """Count a text that found nothing before the product was chosen.

        The user is not stored. Also answers 204 if the text is not noted: it already finds the product, is no name, or
        may be a patient's name or number.
        """
        request.use_cases.typed_names.note(request.user, product_id, data)

    @get(guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def list_typed_names(self, request: ApiRequest, product_id: PathId) -> TypedNamesView:
        """List typed names that are proposed as other names of the product.

        These were noted three times or more and are not dismissed; the most frequent first.
        """
        return request.use_cases.typed_names.list(request.user, product_id)


class TypedNameController(Controller):
    path = "/api/typed-names/{typed_name_id:int}"
    tags = ("products",)

    @post("/add", guards=[requires(Permission.MANAGE_CATALOGUE)], status_code=200, sync_to_thread=True)
    def add_typed_name(self, request: ApiRequest, typed_name_id: PathId) -> Response[ProductView]:
        """Append the text to also_called and return the product.

        The rules of updating a product apply.
        """
        product = request.use_cases.typed_names.add(request.user, typed_name_id)
        return DecimalJSONResponse(request.use_cases.products.reader.changed(request.user, product.id))

    @post("/dismiss", guards=[requires(Permission.MANAGE_CATALOGUE)], status_code=204, sync_to_thread=True)
    def dismiss_typed_name(self, request: ApiRequest, typed_name_id: PathId) -> None:
        """Dismiss a typed name. It is not proposed again."""
        request.use_cases.typed_names.dismiss(request.user, typed_name_id)
