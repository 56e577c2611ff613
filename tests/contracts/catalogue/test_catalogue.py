"""Contract of every store: the catalogue for devices and its version."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from application.catalogue.categories import CategoryDraft
from application.catalogue.device_views import CatalogueView
from application.work import UnitOfWork
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit, KitLine
from domain.catalogue.product import CodeSystem, Product, ProductCode
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once


def read(ward: Ward) -> tuple[int, CatalogueView]:
    with ward.store.read() as views:
        return views.catalogue_version(), views.catalogue()


def change(ward: Ward, do: Callable[[UnitOfWork], object]) -> None:
    with ward.store.begin() as work:
        do(work)


def a_code(ward: Ward) -> ProductCode:
    return ProductCode(
        product_id=ward.product_id, system=CodeSystem.HIBC, code="+a99", units=Decimal(100), label="Caja de 100"
    )


def add_kit(kit: Kit, work: UnitOfWork) -> None:
    work.kits.add(kit)


def add_area(area: Area, work: UnitOfWork) -> None:
    work.areas.add(area)


def a_kit(ward: Ward, name: str = "Vía", user_id: int | None = None) -> Kit:
    lines = (
        KitLine(product_id=ward.product("Sonda").id, quantity=Decimal("0.5"), optional=True),
        KitLine(product_id=ward.product_id, quantity=Decimal(2)),
    )
    return Kit(name=name, user_id=user_id, area_id=ward.area_id, lines=lines)


def test_the_catalogue_lists_usable_things_by_id_without_prices(ward: Ward) -> None:
    plaster = ward.product(
        "Esparadrapo", code="ES-1", unit="rollo", gtin="7501234567893", asks_lot=True, decimals=1, also_called=["Tela"]
    )
    old = ward.product("Apósito", active=False)
    change(ward, lambda work: work.product_codes.add(a_code(ward)))
    kits = [a_kit(ward), a_kit(ward, user_id=ward.nurse.user_id), a_kit(ward, "Otro")]
    for kit in kits:
        change(ward, partial(add_kit, kit))
    change(ward, lambda work: work.kits.save(kits[2].retired()))
    area = Area(name="Árbol")
    change(ward, lambda work: work.areas.add(area))
    _, catalogue = read(ward)
    products = {one.id: one for one in catalogue["products"]}
    assert list(products) == sorted(products)
    assert products[plaster.id] == (plaster.id, "Esparadrapo", "ES-1", "rollo", 1, True, False, True, ["Tela"], False)
    assert products[old.id] == (old.id, "Apósito", old.code, old.unit, 3, False, False, False, [], False)
    of_plaster = [code for code in catalogue["codes"] if code.product_id == plaster.id]
    assert of_plaster == [(plaster.id, "gtin", "07501234567893", Decimal(1), None)]
    assert (ward.product_id, "hibc", "+a99", Decimal(100), "Caja de 100") in catalogue["codes"]
    lines = [(kits[0].lines[0].product_id, Decimal("0.5"), True), (ward.product_id, Decimal(2), False)]
    # Personal kits and retired ones are not part of the catalogue.
    assert catalogue["kits"] == [(kits[0].id, "Vía", ward.area_id, lines)]
    assert catalogue["areas"][-1] == (area.id, "Árbol")
    assert [one.id for one in catalogue["areas"]] == sorted(one.id for one in catalogue["areas"])


def another(ward: Ward, work: UnitOfWork, **particulars: Any) -> Product:
    """Return the ward's product with another name."""
    [product] = work.products.find_many("id", [ward.product_id])
    return replace(product, name="Otra", **particulars)


def products_of(ward: Ward) -> list[Product]:
    with ward.store.begin() as work:
        return work.products.find_many("id", [ward.product_id])


def added(ward: Ward, work: UnitOfWork) -> Product:
    return another(ward, work, id=work.products.reserve(1)[0], code=None, gtin=None)


CHANGES: dict[str, Callable[[Ward, UnitOfWork], object]] = {
    "a product is added": lambda ward, work: work.products.add(another(ward, work, id=0, code=None, gtin=None)),
    "a product is changed": lambda ward, work: work.products.save(another(ward, work)),
    "products are added": lambda ward, work: work.products.add_all([added(ward, work)]),
    "products are changed": lambda ward, work: work.products.save_all([another(ward, work)]),
    "a code is added": lambda ward, work: work.product_codes.add(a_code(ward)),
    "a kit is added": lambda ward, work: work.kits.add(Kit(name="Vía", lines=a_kit_line(ward))),
    "an area is added": lambda _, work: work.areas.add(Area(name="Árbol")),
    "an area is renamed": lambda ward, work: work.areas.save(Area(id=ward.area_id, name="Árbol")),
}


def a_kit_line(ward: Ward) -> tuple[KitLine, ...]:
    return (KitLine(product_id=ward.product_id, quantity=Decimal(2)),)


@pytest.mark.parametrize("what", CHANGES)
def test_the_version_grows_when(ward: Ward, what: str) -> None:
    before, known = read(ward)
    change(ward, lambda work: CHANGES[what](ward, work))
    after, catalogue = read(ward)
    assert after > before
    assert catalogue != known


def test_the_version_grows_when_something_is_removed(ward: Ward) -> None:
    code, kit, area = a_code(ward), Kit(name="Vía", lines=a_kit_line(ward)), Area(name="Árbol")
    product = ward.product("De nadie")
    change(ward, lambda work: work.product_codes.add(code))
    change(ward, partial(add_kit, kit))
    change(ward, lambda work: work.areas.add(area))
    version, known = read(ward)
    for remove in (
        lambda work: work.product_codes.remove(code),
        lambda work: work.kits.remove(kit),
        lambda work: work.areas.remove(area),
        lambda work: work.products.remove_all([product.id]),
    ):
        change(ward, remove)
        before, (version, catalogue) = version, read(ward)
        assert version > before
        assert catalogue != known
        known = catalogue


def test_rollbacks_records_and_prices_do_not_change_the_version(ward: Ward) -> None:
    other = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="X-1", name="Otra")).id
    before, _ = read(ward)
    [product] = products_of(ward)
    priced = replace(product, price=product.price + 1, category_id=other)
    change(ward, lambda work: work.products.save(priced))
    change(ward, lambda work: work.products.save_all([replace(priced, price=Decimal(7))]))
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, by=ward.nurse)
    with pytest.raises(ZeroDivisionError):
        change(ward, lambda work: [add_area(Area(name="Árbol"), work), 1 / 0])  # type: ignore[func-returns-value]
    assert read(ward)[0] == before


def test_each_concurrent_change_makes_another_version(ward: Ward) -> None:
    before, _ = read(ward)
    areas = [Area(name=f"Área {number}") for number in range(8)]
    at_once([partial(change, ward, partial(add_area, area)) for area in areas])
    version, catalogue = read(ward)
    assert version == before + 8
    assert len(catalogue["areas"]) >= 8
