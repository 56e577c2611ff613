"""The catalogue that devices store, in memory."""

from dataclasses import astuple

from adapters.memory.data import MemoryData
from application.views.catalogue import (
    CatalogueArea,
    CatalogueCode,
    CatalogueKit,
    CatalogueKitLine,
    CataloguePicture,
    CatalogueProduct,
    CatalogueView,
)


def read_catalogue(data: MemoryData) -> CatalogueView:
    return CatalogueView(
        products=[
            CatalogueProduct(
                one.id,
                one.name,
                one.code,
                one.unit,
                one.decimals,
                one.asks_lot,
                one.asks_serial,
                one.active,
                list(one.also_called),
                one.implant,
            )
            for _, one in sorted(data.products.items())
        ],
        codes=[
            CatalogueCode(one.product_id, one.system.value, one.key, one.units, one.label)
            for _, one in sorted(data.product_codes.items())
        ],
        kits=[
            CatalogueKit(kit.id, kit.name, kit.area_id, [CatalogueKitLine(*astuple(line)) for line in kit.lines])
            for _, kit in sorted(data.kits.items())
            if kit.user_id is None and kit.active
        ],
        areas=[CatalogueArea(one.id, one.name) for _, one in sorted(data.areas.items())],
        pictures=[CataloguePicture(one.product_id, one.digest) for _, one in sorted(data.product_pictures.items())],
        installation=data.installation,
    )
