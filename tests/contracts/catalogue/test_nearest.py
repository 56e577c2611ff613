"""Contract of every store: products suggested when a search finds nothing."""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.nearest import MAX_SUGGESTIONS
from application.catalogue.views import ProductQuery
from domain.catalogue.product import Product
from tests.builders import Ward

CATALOGUE = [
    "Aguja hipodérmica 21 G",
    "Aguja para jeringa dental",
    "Bata desechable",
    "Catéter venoso central 7 Fr",
    "Catéter venoso periférico 20 G",
    "Electrodo 100% Ag_AgCl",
    "Gasa estéril 10 × 10 cm",
    "Gasa no estéril",
    "Guía \"roja\" '0.035'",
    "Jeringa desechable 10 ml",
    "Jeringa desechable 5 ml con aguja",
    "Micro-gotero",
    "Sonda Foley 14 Fr",
    "Tubo de drenaje en T",
    "Venda elástica 10 cm",
    "VENDA DE YESO",
]

NEAREST: list[tuple[str, list[str]]] = [
    # one letter wrong, missing or extra, or two swapped; at the beginning, middle or end
    (
        "jeirnga",
        ["Jeringa desechable 10 ml", "Jeringa desechable 5 ml con aguja", "Aguja para jeringa dental"],
    ),
    ("gaza", ["Gasa estéril 10 × 10 cm", "Gasa no estéril"]),
    ("tuvo", ["Tubo de drenaje en T"]),
    ("BENDA", ["VENDA DE YESO", "Venda elástica 10 cm"]),
    ("vnda", ["VENDA DE YESO", "Venda elástica 10 cm"]),
    ("sonnda", ["Sonda Foley 14 Fr"]),
    ("drenjae", ["Tubo de drenaje en T"]),
    ("micorgotero", ["Micro-gotero"]),
    ("mirco-gotero", ["Micro-gotero"]),
    # correctly spelled words must match, if any name has all of them
    ("cateter venozo central", ["Catéter venoso central 7 Fr"]),
    ("venozo", ["Catéter venoso central 7 Fr", "Catéter venoso periférico 20 G"]),
    ("jeirnga aguja", ["Aguja para jeringa dental", "Jeringa desechable 5 ml con aguja"]),
    ("jeirnga yeso", [
        "VENDA DE YESO", "Jeringa desechable 10 ml", "Jeringa desechable 5 ml con aguja", "Aguja para jeringa dental",
    ]),
    # with another size, a product is suggested only as similar
    ("jeringa 20", ["Jeringa desechable 10 ml", "Jeringa desechable 5 ml con aguja", "Aguja para jeringa dental"]),
    ("sonda yeso", ["Sonda Foley 14 Fr", "VENDA DE YESO"]),
    ("tubo qwer asdf", ["Tubo de drenaje en T"]),
    ("tubo qwer asdf zxcv", []),
    # the last word is still being typed
    ("cateetr", ["Catéter venoso central 7 Fr", "Catéter venoso periférico 20 G"]),
    ("electrdo 100% ag_", ["Electrodo 100% Ag_AgCl"]),
    # nothing similar: numbers, and words too short to judge, match nothing
    ("102371", []),
    ("zzz", []),
    ("qwertyuiop", []),
    ("'; DROP TABLE products;--", []),
    ('"NEAR" (x', []),
    ("%%%%", []),
    ("____", []),
    ("—", []),
]  # fmt: skip


@pytest.fixture
def catalogue(ward: Ward) -> Ward:
    """Return a ward that has only the products of the catalogue."""
    with ward.store.begin() as work:
        gauze = work.products.get(ward.product_id)
        assert gauze is not None
        gauze.name = "zz"
        work.products.save(gauze)
        for name in CATALOGUE:
            work.products.add(Product(name=name, price=Decimal(1), category_id=ward.category_id))
    return ward


def nearest(ward: Ward, q: str, **asked: Any) -> list[str]:
    """Return the names that are suggested for a text that finds nothing."""
    query = ProductQuery(q=q, **asked)
    with ward.store.read() as views:
        assert views.products.page(query)["items"] == []
        return [product["name"] for product in views.products.nearest(query)]


def test_the_nearest_names_are_suggested_in_order(catalogue: Ward) -> None:
    assert [(q, nearest(catalogue, q)) for q, _ in NEAREST] == NEAREST


def test_a_suggestion_has_the_fields_of_a_product(catalogue: Ward) -> None:
    with catalogue.store.read() as views:
        (product,) = views.products.nearest(ProductQuery(q="tuvo"))
        assert product == views.products.one(product["id"])


def test_suggestions_are_filtered(catalogue: Ward) -> None:
    catalogue.product("Gasa vieja", active=0)
    assert nearest(catalogue, "gaza", active=True) == ["Gasa estéril 10 × 10 cm", "Gasa no estéril"]
    assert nearest(catalogue, "gaza", active=False) == ["Gasa vieja"]
    assert nearest(catalogue, "gaza", category_id=catalogue.category_id)
    assert nearest(catalogue, "gaza", category_id=999) == []


def test_the_number_of_suggestions_is_limited(catalogue: Ward) -> None:
    for number in range(MAX_SUGGESTIONS + 5):
        catalogue.product(f"Apósito {number:02}")
    assert nearest(catalogue, "aposiot") == [f"Apósito {number:02}" for number in range(MAX_SUGGESTIONS)]


def test_a_text_of_many_long_words_is_no_error(catalogue: Ward) -> None:
    assert nearest(catalogue, " ".join(f"{chr(97 + number % 26) * 9}{number}z" for number in range(18))) == []
    assert nearest(catalogue, "x" * 200) == []
