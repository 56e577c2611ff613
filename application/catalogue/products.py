"""Create, update and delete products."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from application.catalogue.views import PRODUCT_SORTS, ProductQuery, ProductView
from application.catalogue.work import UnitOfWork
from application.common.draft import Draft, field_names
from application.common.entities import PRODUCT
from application.records.crud import Create, Crud, Delete, Update, ensure_unique
from application.records.list_reader import ListReader
from domain.catalogue.product import MAX_DECIMALS, MAX_OTHER_NAME_LENGTH, MAX_OTHER_NAMES, Product, is_gtin
from domain.common.errors import Code
from domain.common.policy import Permission
from domain.common.text import fold_product
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductDraft(Draft):
    """The form of a product; ``active`` is 1 or 0."""

    name: str | None = None
    price: Decimal | None = None
    category_id: int | None = None
    code: str | None = None
    gtin: str | None = None
    unit: str | None = None
    active: int | None = None
    decimals: int | None = None
    asks_lot: bool | None = None
    asks_serial: bool | None = None
    implant: bool | None = None
    included_in_stay: bool | None = None
    also_called: tuple[str, ...] | None = None
    plain_name: str | None = None


def _decimals(checks: Validator, value: int | Decimal | None) -> int:
    if value is None:
        return MAX_DECIMALS
    choices = range(MAX_DECIMALS + 1)
    if value not in choices:
        checks.add_error(Code.CHOICE_UNKNOWN, "decimals", choices=", ".join(map(str, choices)))
    return int(value)


def other_names(checks: Validator, names: tuple[str, ...]) -> tuple[str, ...]:
    """Validate the other names, and remove duplicates.

    Names that differ only in case, accents or hyphens are duplicates. A semicolon separates two names, because files
    have them all in one cell.
    """
    texts = [
        checks.optional_line("also_called", part, longest=MAX_OTHER_NAME_LENGTH)
        for name in names
        for part in name.split(";")
    ]
    different: dict[str, str] = {}
    for text in filter(None, texts):
        different.setdefault(fold_product(text), text)
    if len(different) > MAX_OTHER_NAMES:
        checks.add_error(Code.NAMES_TOO_MANY, "also_called", most=MAX_OTHER_NAMES, count=len(different))
    return tuple(different.values())


def _validate(work: UnitOfWork, draft: ProductDraft, id: int, today: date) -> Product:  # noqa: ARG001
    checks = Validator(draft.parse_errors)
    product = Product(
        id=id,
        name=checks.required_line("name", draft.name),
        price=checks.price("price", draft.price),
        category_id=checks.required_id("category_id", draft.category_id),
        code=checks.optional_line("code", draft.code),
        gtin=checks.optional_line("gtin", draft.gtin),
        unit=checks.optional_line("unit", draft.unit),
        active=checks.boolean("active", draft.active),
        decimals=_decimals(checks, draft.decimals),
        asks_lot=bool(draft.asks_lot),
        asks_serial=bool(draft.asks_serial),
        implant=bool(draft.implant),
        included_in_stay=bool(draft.included_in_stay),
        also_called=other_names(checks, draft.also_called or ()),
        plain_name=checks.optional_line("plain_name", draft.plain_name, longest=MAX_OTHER_NAME_LENGTH),
    )
    if product.category_id and work.categories.get(product.category_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "category_id")
    ensure_unique(work, checks, PRODUCT, product)
    if product.gtin and not is_gtin(product.gtin):
        checks.add_error(Code.GTIN_INVALID, "gtin")
    checks.raise_if_invalid()
    return product


PRODUCTS = Crud(
    kind=PRODUCT,
    permission=Permission.MANAGE_CATALOGUE,
    validate=_validate,
    # Not every client sends the other fields.
    optional=field_names(ProductDraft, "name", "price", "category_id"),
)


class CreateProduct(Create[Product, ProductDraft]):
    """Create a product."""

    rules = PRODUCTS


class UpdateProduct(Update[Product, ProductDraft]):
    """Update a product. Recorded details keep their prices."""

    rules = PRODUCTS


class DeleteProduct(Delete):
    """Delete a product that nothing refers to."""

    rules = PRODUCTS


class ListProducts(ListReader[ProductView, ProductQuery]):
    """The products, by name."""

    kind = PRODUCT
    permission = Permission.READ_CATALOGUE
    item_type = ProductView
    sorts = PRODUCT_SORTS
