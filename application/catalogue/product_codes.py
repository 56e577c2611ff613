"""Add, list and remove the codes of products."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from application.audit.audit_log import entry
from application.catalogue.views import ProductCodesView, ProductCodeView
from application.catalogue.work import Begin, BeginReadOnly, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import PRODUCT_CODE, AuditAction
from application.common.entity_view import EntityView
from application.common.use_case import permitted
from application.records.crud import ensure_unique
from domain.catalogue.product import ONE, CodeSystem, Product, ProductCode, is_gtin
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductCodeDraft(Draft):
    """The form of a product code. ``units`` is 1 by default."""

    system: str | None = None
    code: str | None = None
    units: Decimal | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class ListProductCodes:
    """List the codes of a product."""

    begin_read_only: BeginReadOnly

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int) -> ProductCodesView:
        with self.begin_read_only() as work:
            if work.products.get(product_id) is None:
                raise NotFound
            codes = work.product_codes.find_many("product_id", [product_id])
        return ProductCodesView(items=list(map(code_view, in_order(codes))))


@dataclass(frozen=True, slots=True)
class AddProductCode:
    """Add a code to a product.

    The first GTIN with one unit becomes the product's own GTIN.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int, draft: ProductCodeDraft) -> ProductCodeView:
        now = self.clock()
        with self.begin() as work:
            product = work.products.lock(product_id)
            if product is None:
                raise NotFound
            code = _validate(work, product, draft)
            work.product_codes.add(code)
            if code.system is CodeSystem.GTIN and code.units == ONE and product.gtin is None:
                product.gtin = code.code
                work.products.save(product)
            work.audit_log.append(entry(actor, now, AuditAction.PRODUCT_CODE_ADDED, after=code))
        return code_view(code)


@dataclass(frozen=True, slots=True)
class RemoveProductCode:
    """Remove a code from its product."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, code_id: int) -> None:
        now = self.clock()
        with self.begin() as work:
            code = work.product_codes.lock(code_id)
            product = work.products.lock(code.product_id) if code else None
            if code is None or product is None:
                raise NotFound
            work.product_codes.remove(code)
            if code.system is CodeSystem.GTIN and is_its_own(product, code):
                product.gtin = None
                work.products.save(product)
            work.audit_log.append(entry(actor, now, AuditAction.PRODUCT_CODE_REMOVED, before=code))


def is_its_own(product: Product, code: ProductCode) -> bool:
    """Return whether the code is the product's own GTIN."""
    return product.gtin is not None and product.gtin.zfill(len(code.key)) == code.key


def in_order(codes: Iterable[ProductCode]) -> list[ProductCode]:
    """Sort codes by system, then by code."""
    return sorted(codes, key=lambda code: (list(CodeSystem).index(code.system), code.key))


_CODE = EntityView[ProductCodeView](ProductCodeView, ProductCode)


def code_view(code: ProductCode) -> ProductCodeView:
    """Convert a code to its view."""
    return _CODE.of(code)


def _validate(work: UnitOfWork, product: Product, draft: ProductCodeDraft) -> ProductCode:
    """Validate the draft. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    system = checks.str_enum("system", draft.system, CodeSystem)
    text = checks.required_line("code", draft.code)
    units = ONE if draft.units is None else checks.quantity("units", draft.units)
    if not units:
        checks.add_error(Code.REQUIRED, "units")
    checks.within_precision("units", units, product.decimals)
    code = ProductCode(
        product_id=product.id,
        system=system,
        code=text,
        units=units,
        label=checks.optional_line("label", draft.label),
    )
    if system is CodeSystem.GTIN and text:
        if is_gtin(text):
            code.code = code.key
        else:
            checks.add_error(Code.GTIN_INVALID, "code")
    ensure_unique(work, checks, PRODUCT_CODE, code)
    checks.raise_if_invalid()
    return code
