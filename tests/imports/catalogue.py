"""Helpers that export the catalogue and read its products."""

from pathlib import Path
from typing import Any

from adapters.documents.lists import LISTS, Export, Form
from adapters.hospital.profile import HospitalProfile
from application.catalogue.views import ProductQuery, ProductView
from domain.common.policy import Actor
from tests.builders import ZONE, Ward


def taking_out(ward: Ward, *, actor: Actor | None = None, language: str = "es") -> Export[ProductQuery]:
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
    who = actor or ward.admin
    return Export(use_cases=ward.use_cases, actor=who, query=ProductQuery(), language=language, hospital=hospital)


def written_out(ward: Ward, *, actor: Actor | None = None) -> str:
    return "".join(LISTS["products"].csv(taking_out(ward, actor=actor), None))


def workbook_of(ward: Ward, file: Path, *, language: str = "es") -> Path:
    with LISTS["products"].file(Form.XLSX, taking_out(ward, language=language)) as written:
        file.write_bytes(written.read())
    return file


def products(ward: Ward) -> dict[str, ProductView]:
    """Return every product that has a code, by its code."""
    found: dict[str, ProductView] = {}
    for number in range(1, 100):
        page = ward.use_cases.products.reader.page(ward.admin, ProductQuery(limit=100, page=number))
        found |= {product["code"]: product for product in page["items"] if product["code"]}
        if number >= page["meta"]["pages"]:
            break
    return found


def of(product: Any) -> tuple[str, str]:
    """Return name and price."""
    return product["name"], str(product["price"])
