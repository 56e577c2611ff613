"""Importing a catalogue: each row becomes a product, or changes the one with its code."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice

from adapters.batch.report import Report
from adapters.batch.tables import Row, TextTable, exact_number
from application.categories import CategoryDraft
from application.joining import joined
from application.ports import Begin, UnitOfWork
from application.products import ProductDraft
from application.use_cases import UseCases
from domain.policy import Actor
from domain.product import Product
from domain.refusal import Code, Reason, Refused

# Kept together: quick, and no other writer waits long.
ROWS_AT_A_TIME = 500

# Where products go whose file names no category.
UNSORTED = CategoryDraft(code="SIN-CLASIFICAR", name="Sin clasificar")


@dataclass(frozen=True, slots=True)
class ProductColumns:
    """Which column holds what."""

    code: str
    name: str
    price: str


def import_products(
    use_cases: UseCases,
    begin: Begin,
    actor: Actor,
    table: TextTable,
    columns: ProductColumns,
    *,
    advance: Callable[[int], None],
) -> Report:
    """Create or change a product for each row, some hundred rows at a time; ``advance`` is told how many are done.

    The same file again changes nothing: a product is known by its code.
    """
    report = Report()
    category_id = category_for_imports(use_cases, begin, actor)
    rows = table.rows()
    while batch := list(islice(rows, ROWS_AT_A_TIME)):
        with begin() as work:
            for row in batch:
                _import_row(use_cases, work, actor, _draft(row, columns, category_id), row.line, report)
        advance(len(batch))
    return report


def category_for_imports(use_cases: UseCases, begin: Begin, actor: Actor) -> int:
    """The category of products that come without one."""
    with begin() as work:
        category = work.categories.coded(UNSORTED.code or "")
        return (category or joined(use_cases.create_category, work)(actor, UNSORTED)).id


def _draft(row: Row, columns: ProductColumns, category_id: int) -> ProductDraft:
    code, price = row.text(columns.code), exact_number("price", row.text(columns.price))
    unreadable: Iterable[Reason] = [price] if isinstance(price, Reason) else []
    if not code:
        # Without its code a product could not be known again the next time.
        unreadable = [*unreadable, Reason(Code.REQUIRED, "code")]
    return ProductDraft(
        code=code,
        name=row.text(columns.name),
        price=price if isinstance(price, Decimal) else None,
        category_id=category_id,
        unreadable=tuple(unreadable),
    )


def _import_row(
    use_cases: UseCases, work: UnitOfWork, actor: Actor, draft: ProductDraft, line: int, report: Report
) -> None:
    known = work.products.coded(draft.code) if draft.code else None
    try:
        if known is None:
            joined(use_cases.create_product, work)(actor, draft)
            report.created += 1
        elif joined(use_cases.update_product, work)(actor, known.id, _keeping(draft, known)) == known:
            report.unchanged += 1
        else:
            report.changed += 1
    except Refused as refused:
        report.refuse(line, *refused.reasons)


def _keeping(draft: ProductDraft, known: Product) -> ProductDraft:
    """The draft, with what the file does not tell left as it is."""
    return replace(
        draft,
        category_id=known.category_id,
        gtin=known.gtin,
        unit=known.unit,
        active=int(known.active),
    )
