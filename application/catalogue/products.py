"""Create, update and delete products."""

from dataclasses import dataclass
from decimal import Decimal

from application.audit.audit_log import entry
from application.catalogue.views import PRODUCT_SORTS, ProductQuery, ProductView
from application.catalogue.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft, field_names
from application.common.entities import PRODUCT, AuditAction
from application.common.use_case import permitted
from application.records.crud import delete_unused, ensure_unique, keep_unsent_fields
from application.records.list_reader import ListReader
from domain.catalogue.product import MAX_DECIMALS, MAX_OTHER_NAME_LENGTH, MAX_OTHER_NAMES, Product, is_gtin
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
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
    also_called: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CreateProduct:
    """Create a product."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, draft: ProductDraft) -> Product:
        now = self.clock()
        with self.begin() as work:
            product = _validate(work, draft, id=0)
            work.products.add(product)
            work.audit_log.append(entry(actor, now, AuditAction.PRODUCT_CREATED, after=product))
        return product


@dataclass(frozen=True, slots=True)
class UpdateProduct:
    """Update a product. Recorded details keep their prices."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int, draft: ProductDraft) -> Product:
        now = self.clock()
        with self.begin() as work:
            before = work.products.lock(product_id)
            if before is None:
                raise NotFound
            product = _validate(work, keep_unsent_fields(draft, before, *_OPTIONAL), id=product_id)
            if product != before:
                work.products.save(product)
                work.audit_log.append(entry(actor, now, AuditAction.PRODUCT_UPDATED, before=before, after=product))
        return product


@dataclass(frozen=True, slots=True)
class DeleteProduct:
    """Delete a product that nothing refers to."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int) -> None:
        delete_unused(self.begin, actor, product_id, at=self.clock(), kind=PRODUCT, action=AuditAction.PRODUCT_DELETED)


# Not every client sends the other fields.
_OPTIONAL = field_names(ProductDraft, "name", "price", "category_id")


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


def _validate(work: UnitOfWork, draft: ProductDraft, *, id: int) -> Product:
    """Validate the draft. Raise ``Refused`` with all errors."""
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
        also_called=other_names(checks, draft.also_called or ()),
    )
    if product.category_id and work.categories.get(product.category_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "category_id")
    ensure_unique(work, checks, PRODUCT, product)
    if product.gtin and not is_gtin(product.gtin):
        checks.add_error(Code.GTIN_INVALID, "gtin")
    checks.raise_if_invalid()
    return product


class ListProducts(ListReader[ProductView, ProductQuery]):
    """The products, by name."""

    kind = PRODUCT
    permission = Permission.READ_CATALOGUE
    item_type = ProductView
    sorts = PRODUCT_SORTS
