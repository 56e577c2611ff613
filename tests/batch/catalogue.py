"""Short ways to write the catalogue out, and to look at what there is."""

import io
from typing import Any

from adapters.batch.export import export_products
from application.views import ProductQuery, ProductView
from domain.policy import Actor
from tests.builders import Ward


def written_out(ward: Ward, *, actor: Actor | None = None) -> str:
    out = io.BytesIO()
    export_products(ward.use_cases, actor or ward.admin, out, advance=lambda _: None)
    return out.getvalue().decode()


def products(ward: Ward) -> dict[str, ProductView]:
    """Every product that has a code, by its code."""
    found: dict[str, ProductView] = {}
    for number in range(1, 100):
        page = ward.use_cases.products.page(ward.admin, ProductQuery(limit=100, page=number))
        found |= {product["code"]: product for product in page["items"] if product["code"]}
        if number >= page["meta"]["pages"]:
            break
    return found


def of(product: Any) -> tuple[str, str]:
    """Name and price."""
    return product["name"], str(product["price"])
