"""Read kits, in memory."""

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, by_name, folded, id_of
from application.views.catalogue import AreaView, KitLineView, KitProductView, KitQuery, KitView
from domain.kit import Kit, KitLine
from domain.text import fold


def read_kits(data: MemoryData) -> MemoryView[KitView, KitQuery]:
    return MemoryView(
        everything=lambda: [_kit_view(data, kit) for kit in data.kits.values() if kit.active],
        matches=lambda item, query: (
            query.active
            and item["user_id"] in (None, query.user_id)
            and query.own in (None, item["own"])
            and (item["own"] or query.area_id is None or item["area_id"] in (None, query.area_id))
        ),
        searched=lambda item: (fold(item["name"]),),
        order=lambda item: (not item["own"], item["area_id"] is None, *by_name(item)),
        sorts={"id": id_of, "name": folded("name")},
    )


def _kit_view(data: MemoryData, kit: Kit) -> KitView:
    def line(one: KitLine) -> KitLineView:
        product = data.products[one.product_id]
        shown = KitProductView(
            id=product.id, code=product.code, name=product.name, unit=product.unit, active=product.active
        )
        if product.implant:
            shown["implant"] = True
        return KitLineView(product_id=product.id, product=shown, quantity=one.quantity, optional=one.optional)

    area = data.areas.get(kit.area_id or 0)
    return KitView(
        id=kit.id,
        name=kit.name,
        area_id=kit.area_id,
        area=AreaView(id=area.id, name=area.name) if area else None,
        own=kit.user_id is not None,
        user_id=kit.user_id,
        lines=[line(one) for one in kit.lines],
        version=kit.version,
    )
