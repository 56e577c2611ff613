"""The contract of every store: which products are offered when a search finds nothing."""

from decimal import Decimal
from typing import Any

import pytest

from application.nearest import MAX_SUGGESTIONS
from application.views import ProductQuery
from domain.product import Product
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
    # a letter is wrong, missing or too much, or two are swapped; at the beginning, in the middle, at the end
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
    # what is spelt right must be there, where a name has it all
    ("cateter venozo central", ["Catéter venoso central 7 Fr"]),
    ("venozo", ["Catéter venoso central 7 Fr", "Catéter venoso periférico 20 G"]),
    ("jeirnga aguja", ["Aguja para jeringa dental", "Jeringa desechable 5 ml con aguja"]),
    ("jeirnga yeso", [
        "VENDA DE YESO", "Jeringa desechable 10 ml", "Jeringa desechable 5 ml con aguja", "Aguja para jeringa dental",
    ]),
    # another size is another thing, and said to be merely like it
    ("jeringa 20", ["Jeringa desechable 10 ml", "Jeringa desechable 5 ml con aguja", "Aguja para jeringa dental"]),
    ("sonda yeso", ["Sonda Foley 14 Fr", "VENDA DE YESO"]),
    ("tubo qwer asdf", ["Tubo de drenaje en T"]),
    ("tubo qwer asdf zxcv", []),
    # still to be typed to the end
    ("cateetr", ["Catéter venoso central 7 Fr", "Catéter venoso periférico 20 G"]),
    ("electrdo 100% ag_", ["Electrodo 100% Ag_AgCl"]),
    # nothing like it: neither numbers nor what is too short to tell
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
    """A ward with products to search in, and none besides."""
    with ward.store.begin() as work:
        gauze = work.products.get(ward.product_id)
        assert gauze is not None
        gauze.name = "zz"
        work.products.save(gauze)
        for name in CATALOGUE:
            work.products.add(Product(name=name, price=Decimal(1), category_id=ward.category_id))
    return ward


def nearest(ward: Ward, q: str, **asked: Any) -> list[str]:
    """The names that are offered for a text that finds nothing."""
    query = ProductQuery(q=q, **asked)
    with ward.store.read() as views:
        assert views.products.page(query)["items"] == []
        return [product["name"] for product in views.products.nearest(query)]


def test_the_nearest_names_are_offered_in_their_order(catalogue: Ward) -> None:
    assert [(q, nearest(catalogue, q)) for q, _ in NEAREST] == NEAREST


def test_what_is_offered_is_a_product_as_it_is_answered(catalogue: Ward) -> None:
    with catalogue.store.read() as views:
        (product,) = views.products.nearest(ProductQuery(q="tuvo"))
        assert product == views.products.one(product["id"])


def test_only_what_the_filters_let_through_is_offered(catalogue: Ward) -> None:
    catalogue.product("Gasa vieja", active=0)
    assert nearest(catalogue, "gaza", active=True) == ["Gasa estéril 10 × 10 cm", "Gasa no estéril"]
    assert nearest(catalogue, "gaza", active=False) == ["Gasa vieja"]
    assert nearest(catalogue, "gaza", category_id=catalogue.category_id)
    assert nearest(catalogue, "gaza", category_id=999) == []


def test_no_more_are_offered_than_can_be_taken_in(catalogue: Ward) -> None:
    for number in range(MAX_SUGGESTIONS + 5):
        catalogue.product(f"Apósito {number:02}")
    assert nearest(catalogue, "aposiot") == [f"Apósito {number:02}" for number in range(MAX_SUGGESTIONS)]


def test_a_text_of_many_long_words_is_borne(catalogue: Ward) -> None:
    assert nearest(catalogue, " ".join(f"{chr(97 + number % 26) * 9}{number}z" for number in range(18))) == []
    assert nearest(catalogue, "x" * 200) == []
