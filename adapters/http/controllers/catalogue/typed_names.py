"""Routes of typed names: failed search texts of products."""

from litestar import Controller
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import PathId
from adapters.http.routes import Use, get, post
from application.catalogue.products import ListProducts
from application.catalogue.typed_names import (
    AddTypedName,
    DismissTypedName,
    ListTypedNames,
    NoteTypedName,
    TypedNameDraft,
)
from application.catalogue.views import ProductView, TypedNamesView


class ProductTypedNameController(Controller):
    path = "/api/products/{product_id:int}/typed-names"
    tags = ("products",)

    @post(
        guards=[requires(NoteTypedName)],
        dto=draft_dto(TypedNameDraft, "text"),
        status_code=204,
        sync_to_thread=True,
    )
    def note_typed_name(
        self,
        request: ApiRequest,
        data: JSONBody[TypedNameDraft],
        product_id: PathId,
        note_typed_name: Use[NoteTypedName],
    ) -> None:
        """Count a text that found nothing before the product was chosen.

        The user is not stored. Also answers 204 if the text is not noted: it already finds the product, is no name, or
        may be a patient's name or number.

        The folded text, its count and its last time are stored, at most 50 texts per product: the oldest of the least
        frequent is replaced. A text has 3 to 40 characters, and not more digits than letters.

        It takes details.add.
        """
        note_typed_name(request.user, product_id, data)

    @get(guards=[requires(ListTypedNames)], sync_to_thread=True)
    def list_typed_names(
        self, request: ApiRequest, product_id: PathId, list_typed_names: Use[ListTypedNames]
    ) -> TypedNamesView:
        """List typed names that are proposed as other names of the product.

        These were noted three times or more and are not dismissed; the most frequent first.

        It takes catalogue.manage.
        """
        return list_typed_names(request.user, product_id)


class TypedNameController(Controller):
    path = "/api/typed-names/{typed_name_id:int}"
    tags = ("products",)

    @post("/add", guards=[requires(AddTypedName)], status_code=200, sync_to_thread=True)
    def add_typed_name(
        self,
        request: ApiRequest,
        typed_name_id: PathId,
        add_typed_name: Use[AddTypedName],
        list_products: Use[ListProducts],
    ) -> ProductView:
        """Append the text to also_called and return the product.

        The rules of updating a product apply.
        """
        product = add_typed_name(request.user, typed_name_id)
        return list_products.changed(request.user, product.id)

    @post("/dismiss", guards=[requires(DismissTypedName)], status_code=204, sync_to_thread=True)
    def dismiss_typed_name(
        self, request: ApiRequest, typed_name_id: PathId, dismiss_typed_name: Use[DismissTypedName]
    ) -> None:
        """Dismiss a typed name. It is not proposed again."""
        dismiss_typed_name(request.user, typed_name_id)
