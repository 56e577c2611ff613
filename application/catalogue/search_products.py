"""Search products."""

from collections.abc import Iterator
from dataclasses import dataclass

from application.catalogue.products import ListProducts
from application.catalogue.views import ProductPage, ProductQuery, ProductView
from application.catalogue.work import Read
from application.common.redaction import redact_for
from domain.common.policy import Actor


@dataclass(frozen=True, slots=True)
class SearchProducts:
    """Search products. Without a match, suggest those with similar names."""

    read: Read
    products: ListProducts

    def page(self, actor: Actor, query: ProductQuery) -> ProductPage:
        """Return a page."""
        page = self.products.page(actor, query)
        found = ProductPage(items=page["items"], meta=page["meta"])
        if query.q and page["meta"]["total"] == 0:
            with self.read() as views:
                found["nearest"] = views.products.nearest(query)
        return redact_for(actor, found, ProductPage)

    def iterate(self, actor: Actor, query: ProductQuery) -> Iterator[ProductView]:
        """Iterate over all matches. Exports have no similar names."""
        return self.products.iterate(actor, query)
