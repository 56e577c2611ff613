"""Fuzzy search of product names, with the full-text index."""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, column, exists, literal_column, or_, select, table, union

from adapters.sql.catalogue.products import PRODUCTS, PRODUCTS_ON_SQLITE
from adapters.sql.catalogue.tables import products
from adapters.sql.engine.lists import INDEXED_LETTERS, ListSpec, TableView, escape_like
from application.catalogue.nearest import nearest
from application.catalogue.views import ProductQuery, ProductView
from domain.common.fuzzy_search import Piece

_WORDS = table("products_words", column("rowid"))
_MATCHES = literal_column("products_words").op("MATCH")


class SqlProductsView(TableView[ProductView, ProductQuery]):
    """Read model of products."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, PRODUCTS_ON_SQLITE if connection.dialect.name == "sqlite" else PRODUCTS)

    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Return the products with the most similar names, best first."""
        ids = nearest(query.q or "", _Names(self._connection, self._listed, query))
        if not ids:
            return []
        found = self._connection.execute(self._listed.source.where(products.c.id.in_(ids)))
        views = [self._listed.to_item(row) for row in found]
        return sorted(views, key=lambda view: ids.index(view["id"]))


class _Names:
    """Names of the products that the query's filters select."""

    def __init__(
        self, connection: Connection, listed: ListSpec[ProductView, ProductQuery], query: ProductQuery
    ) -> None:
        self._connection = connection
        self._filters = {name: value for name, value in listed.filters_of(query).items() if value is not None}
        self._conditions = [listed.filters[name] for name in self._filters]

    def known(self, words: Collection[str]) -> set[str]:
        """Return the words that occur in some name."""
        if not words:
            return set()
        row = self._connection.execute(select(*(exists(self._ids_with([(word,)])) for word in words))).one()
        return {word for word, is_known in zip(words, row, strict=True) if is_known}

    def with_shared_ngrams(self, pieces: Collection[Piece], required: Collection[str]) -> Iterable[tuple[int, str]]:
        """Return names with at least one of the pieces and all required words."""
        conditions = [_contains((word,)) for word in required] + self._conditions
        statement = select(products.c.id, products.c.name_folded).where(
            products.c.id.in_(self._ids_with(pieces)), *conditions
        )
        return [(row.id, row.name_folded) for row in self._connection.execute(statement, self._filters)]

    def _ids_with(self, pieces: Collection[Piece]) -> Any:
        """Select ids of names with one of the pieces.

        Pieces that the index does not support are scanned separately.
        """
        indexed = [piece for piece in pieces if len(piece) == 1 and len(piece[0]) >= INDEXED_LETTERS]
        scanned = [piece for piece in pieces if piece not in indexed]
        parts: list[Select[Any]] = []
        if indexed and self._connection.dialect.name == "sqlite":
            one_of = " OR ".join('"' + text.replace('"', '""') + '"' for (text,) in indexed)
            parts.append(select(_WORDS.c.rowid).where(_MATCHES(f"name_folded : ({one_of})")))
        elif indexed:
            parts.append(select(products.c.id).where(or_(*map(_contains, indexed))))
        if scanned:
            parts.append(select(products.c.id).where(or_(*map(_contains, scanned))))
        return parts[0] if len(parts) == 1 else union(*parts)


def _contains(piece: Piece) -> ColumnElement[bool]:
    return products.c.name_folded.like(f"%{'_'.join(map(escape_like, piece))}%", escape="\\")
