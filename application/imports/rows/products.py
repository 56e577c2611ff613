"""Import products and their categories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from application.catalogue.categories import CategoryDraft, CreateCategory
from application.catalogue.products import CreateProduct, ProductDraft, UpdateProduct
from application.imports.reading.row import Row, quotable
from application.imports.rows.people import single_match
from application.imports.rows.row_importer import (
    FirstSeen,
    ImportContext,
    Outcome,
    RowImporter,
    filled_in,
    renamed,
    upsert,
    warn_of_zeros,
)
from application.imports.rows.similar_names import products_differ
from domain.catalogue.product import Product, gtin_key
from domain.common.errors import Code, Reason, Refused
from domain.common.money import to_cents
from domain.common.text import code_key, fold, fold_product, strip_leading_zeros

# A price that changes by this factor may be a typing error.
_OUTLIER_FACTOR = 10
# The category of products if the file has none.
UNCATEGORISED = CategoryDraft(code="SIN-CLASIFICAR", name="Sin clasificar")


class ProductImporter(RowImporter):
    """Imports products, identified by code, or else by GTIN or name.

    The file's columns decide: the first of these fields that has a column identifies all rows.
    """

    _KEYS: Mapping[str, Callable[[str], str]] = {"code": code_key, "gtin": gtin_key, "name": fold_product}
    _CATEGORY = ("category", "category_code")

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._known_by = next(name for name in self._KEYS if name in context.given)
        self._folded = self._KEYS[self._known_by]
        self._create = CreateProduct(context.begin, context.clock)
        self._update = UpdateProduct(context.begin, context.clock)
        self._create_category = CreateCategory(context.begin, context.clock, context.zone)
        self._lines = FirstSeen()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the products by their identifying field, and the categories."""
        products, categories = self._staged.products, self._staged.categories
        keys = [self._folded(text) for row in rows if (text := row.text(self._known_by))]
        products.look_up(self._known_by, keys)
        if self._known_by == "code":
            new = [key for key in keys if not products.find_many(self._known_by, key)]
            products.look_up("code_without_zeros", map(strip_leading_zeros, new))
        gtins = [gtin_key(text) for row in rows if (text := row.text("gtin"))]
        if gtins:
            products.look_up("gtin", gtins)
        names = {name for row in rows for name in (row.text("category"), row.text("category_code")) if name}
        categories.look_up("code", [code_key(name) for name in [*names, UNCATEGORISED.code or ""]])
        if names:
            categories.look_up("name", [fold(name) for name in names])

    def import_row(self, row: Row) -> Outcome:
        """Create the product, or update the existing one."""
        identity = row.text(self._known_by)
        key = self._folded(identity)
        found = self._staged.products.find_many(self._known_by, key) if identity else []
        known = single_match(found, self._known_by, identity)
        first = self._lines.first(key)
        if known and first and self._known_by == "code" and known.code != identity:
            self._context.warn(
                Code.CODE_DIFFERS_IN_CASE,
                "code",
                value=row.quoted("code"),
                other=quotable(known.code or ""),
                line=first,
            )
            return Outcome.UNCHANGED
        wrong = [reason for reason in row.faults if reason.field not in self._CATEGORY]
        if not identity and not row.wrong(self._known_by):
            # It could not be recognized in the next import.
            wrong.append(Reason(Code.REQUIRED, self._known_by))
        category_id = None
        try:
            category_id = self._category(row, known)
        except Refused as refused:
            wrong.append(replace(refused.reasons[0], field="category_id"))
        # Code or name of the category are other columns.
        values = filled_in(known, row, ProductDraft, "category_id")
        if names := row.text("also_called"):
            values["also_called"] = (names,)
        draft = ProductDraft(**values, category_id=category_id, parse_errors=tuple(wrong))
        try:
            outcome = upsert(self._create, self._update, self._actor, known, draft)
        except Refused as refused:
            raise renamed(refused, {"category_id": "category"}) from None
        if known is None:
            self._warn_of_zeros(row)
        else:
            self._warn_of_changes(row, known)
        return self._lines.check_repeat(key, row, outcome, self._known_by)

    def _warn_of_zeros(self, row: Row) -> None:
        if self._known_by == "code":
            alike = self._staged.products.find_many("code_without_zeros", strip_leading_zeros(row.text("code")))
            warn_of_zeros(self._context, row, "code", (one.code for one in alike))

    def _warn_of_changes(self, row: Row, known: Product) -> None:
        price = row.number("price")
        if price is not None and is_price_outlier(known.price, after := to_cents(price)):
            self._context.warn(Code.PRICE_JUMPS, "price", value=row.quoted("price"), before=known.price, after=after)
        if self._known_by != "name":
            warn_of_another_product(self._context, row, known, self._known_by, "name")

    def _category(self, row: Row, known: Product | None) -> int:
        """Return the category of the row, creating it if needed.

        Without one in the row, it is the product's own category.
        """
        wrong = row.wrong(*self._CATEGORY)
        if wrong:
            raise Refused(*wrong)
        code, name = row.text("category_code"), row.text("category")
        if not code and not name:
            return known.category_id if known else self._find_or_create(UNCATEGORISED)
        if not code:
            found = single_match(self._staged.categories.find_many("name", fold(name)), "category", name)
            if found:
                return found.id
        return self._find_or_create(CategoryDraft(code=code or name, name=name or code))

    def _find_or_create(self, draft: CategoryDraft) -> int:
        found = self._staged.categories.find("code", code_key(draft.code or ""))
        return (found or self._create_category(self._actor, draft)).id


def is_price_outlier(one: Decimal, other: Decimal) -> bool:
    """Return whether one price is at least ten times the other.

    A price of zero is an outlier to any other price.
    """
    least, most = sorted((one, other))
    return least != most and most >= _OUTLIER_FACTOR * least


def warn_of_another_product(context: ImportContext, row: Row, known: Product, code: str, name: str) -> None:
    """Warn if the name differs from the product with the same code.

    ``code`` and ``name`` are the fields of both.
    """
    new_name = row.text(name)
    if products_differ(known.name, new_name or known.name):
        context.warn(
            Code.PRODUCT_RENAMED, name, value=quotable(new_name), known=quotable(known.name), number=row.quoted(code)
        )
