"""Read products and recalls, in memory."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, by_name, folded, id_of
from application.catalogue.nearest import nearest
from application.entities import PRODUCT
from application.paging import ListQuery
from application.ports.readers.catalogue import PriceChange
from application.views.catalogue import (
    CategoryView,
    ProductNameView,
    ProductQuery,
    ProductView,
    RecallQuery,
    RecallView,
)
from domain.fuzzy_search import Piece, contains
from domain.money import ZERO_QUANTITY
from domain.text import fold, fold_product, product_words, unique_key


class MemoryProductsView(MemoryView[ProductView, ProductQuery]):
    """Reads products."""

    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Return the filtered products with the most similar names, best first."""
        everything = {item["id"]: (item, self.searched(item)[0]) for item in self.everything()}
        matching = {each: name for each, (item, name) in everything.items() if self.matches(item, query)}
        names = _Names([name for _, name in everything.values()], matching)
        return [everything[each][0] for each in nearest(query.q or "", names)]


@dataclass(frozen=True)
class _Names:
    """The folded names of all products, and the filtered ones by id."""

    all: Collection[str]
    matching: Mapping[int, str]

    def known(self, words: Collection[str]) -> set[str]:
        """Return the words that occur in a name."""
        return {word for word in words if any(word in name for name in self.all)}

    def with_shared_ngrams(self, pieces: Collection[Piece], required: Collection[str]) -> Iterable[tuple[int, str]]:
        """Return names with at least one of the ngrams and all required words."""
        for each, name in self.matching.items():
            if all(word in name for word in required) and any(contains(name, piece) for piece in pieces):
                yield each, name


def read_products(data: MemoryData) -> MemoryProductsView:
    return MemoryProductsView(
        everything=lambda: [product_view(data, product_id) for product_id in data.products],
        matches=lambda item, query: (
            query.category_id in (None, item["category_id"])
            and query.active in (None, item["active"])
            and query.implant in (None, item["implant"])
        ),
        searched=lambda item: (
            fold_product(item["name"]),
            "\n".join(map(fold_product, item["also_called"])),
        ),
        order=lambda item: (fold_product(item["name"]), item["id"]),
        sorts={
            "id": id_of,
            "name": lambda item: fold_product(item["name"]),
            "price": lambda item: item["price"],
            "category": lambda item: fold(item["category"]["name"]),
            "code": lambda item: unique_key(item["code"] or ""),
        },
        words_of=product_words,
        exact=lambda item: (item["code"], item["gtin"], *_codes_of(data, item["id"])),
        code=lambda item: item["code"],
    )


def read_recalls(data: MemoryData) -> MemoryView[RecallView, RecallQuery]:
    return MemoryView(
        everything=lambda: [
            RecallView(
                id=one.id,
                product_id=one.product_id,
                product=ProductNameView(id=product.id, name=product.name, code=product.code, unit=product.unit),
                lot=one.lot,
                reason=one.reason,
                opened_at=one.opened_at,
                opened_by=one.opened_by,
                closed=one.closed_at is not None,
                closed_at=one.closed_at,
                set_aside=sum(
                    (each.quantity for each in data.set_aside.values() if each.recall_id == one.id), ZERO_QUANTITY
                ),
            )
            for one in data.recalls.values()
            for product in [data.products[one.product_id]]
        ],
        matches=lambda item, query: (
            query.product_id in (None, item["product_id"]) and query.closed in (None, item["closed"])
        ),
        searched=lambda item: (fold_product(item["product"]["name"]),),
        words_of=product_words,
        order=id_of,
        sorts={
            "id": id_of,
            "product": lambda item: fold_product(item["product"]["name"]),
            "opened_at": lambda item: item["opened_at"],
        },
        newest_first=True,
    )


def read_categories(data: MemoryData) -> MemoryView[CategoryView, ListQuery]:
    return MemoryView(
        everything=lambda: [category_view(data, category_id) for category_id in data.categories],
        matches=lambda _, __: True,
        searched=lambda item: (fold(item["name"]),),
        order=by_name,
        sorts={"id": id_of, "name": folded("name"), "category_code": lambda item: unique_key(item["code"])},
    )


def category_view(data: MemoryData, id: int) -> CategoryView:
    category = data.categories[id]
    return CategoryView(id=category.id, code=category.code, name=category.name)


def product_view(data: MemoryData, id: int) -> ProductView:
    product, picture = data.products[id], data.product_pictures.get(id)
    return ProductView(
        id=product.id,
        name=product.name,
        price=product.price,
        category_id=product.category_id,
        category=category_view(data, product.category_id),
        code=product.code,
        gtin=product.gtin,
        unit=product.unit,
        active=product.active,
        decimals=product.decimals,
        asks_lot=product.asks_lot,
        asks_serial=product.asks_serial,
        implant=product.implant,
        also_called=list(product.also_called),
        picture=picture.digest if picture else None,
    )


def _codes_of(data: MemoryData, product_id: int) -> Iterable[str]:
    """Return all codes of the product; GTINs with and without leading zeros."""
    for code in data.product_codes.values():
        if code.product_id == product_id:
            yield code.key
            yield from (code.key[zeros:] for zeros in (1, 2, 6) if code.key[:zeros] == "0" * zeros)


def read_price_changes(data: MemoryData, product_id: int, *, most: int) -> list[PriceChange]:
    """List the product's price changes from the audit log, latest first."""
    found = []
    for entry in reversed(data.audit_log):
        if (entry.entity, entry.entity_id) != (PRODUCT.name, product_id) or "price" not in entry.changes:
            continue
        before, after = entry.changes["price"]
        if after is None:
            continue
        first = None if before is None else Decimal(str(before))
        found.append(PriceChange(entry.at, entry.user_id, entry.import_id is not None, first, Decimal(str(after))))
    return found[:most]
