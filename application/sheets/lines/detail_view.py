"""The view of a detail, made from entities already loaded."""

from application.catalogue.views import AreaView, CategoryView
from application.common.entity_view import EntityView
from application.people.views import PersonView
from application.sheets.detail_views import DetailProductView, DetailView, KitNameView
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.product import Category, Product
from domain.common.money import ZERO_QUANTITY
from domain.people.staff import Staff
from domain.sheets.detail import Detail

_CATEGORY = EntityView[CategoryView](CategoryView, Category)
_PRODUCT = EntityView[DetailProductView](DetailProductView, Product, "category", omitted={"plain_name"})
_PERSON = EntityView[PersonView](PersonView, Staff)
_AREA = EntityView[AreaView](AreaView, Area, omitted={"code"})
_KIT = EntityView[KitNameView](KitNameView, Kit)
_DETAIL = EntityView[DetailView](
    DetailView,
    Detail,
    *("consumption_sheet_id", "product", "staff", "area", "acknowledged", "kit", "returned"),
    omitted={"voided", "warnings"},
)


def detail_view(
    detail: Detail, product: Product, category: Category, staff: Staff | None, area: Area | None, kit: Kit | None
) -> DetailView:
    """Return the view of a detail from entities already loaded.

    It needs no further query, which recording would wait for.
    """
    return _DETAIL.of(
        detail,
        consumption_sheet_id=detail.sheet_id,
        product=_PRODUCT.of(product, category=_CATEGORY.of(category)),
        staff=_PERSON.of(staff) if staff else None,
        area=_AREA.of(area) if area else None,
        acknowledged=[*detail.acknowledged],
        kit=_KIT.of(kit) if kit else None,
        returned=detail.returned or ZERO_QUANTITY,
    )
