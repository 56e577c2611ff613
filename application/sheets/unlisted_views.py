"""Views of unlisted items."""

from application.common.entity_view import EntityView
from application.people.people import names_of_users
from application.sheets.views import UnlistedItemView
from application.sheets.work import Views
from domain.sheets.unlisted_item import UnlistedItem

_ITEM = EntityView[UnlistedItemView](
    UnlistedItemView, UnlistedItem, "consumption_sheet_id", "by", "staff", "area", "decided_by"
)


def open_unlisted_items(views: Views, sheet_id: int) -> list[UnlistedItemView]:
    """Return the open unlisted items of a sheet, by time of use."""
    return _views(views, views.open_unlisted_items(sheet_id))


def unlisted_item_view(views: Views, item: UnlistedItem) -> UnlistedItemView:
    """Return the view of one unlisted item."""
    return _views(views, [item])[0]


def _views(views: Views, items: list[UnlistedItem]) -> list[UnlistedItemView]:
    people = {item.user_id for item in items} | {item.decided_by for item in items if item.decided_by}
    named = names_of_users(views, people)
    staff = views.names("staff_id", {item.staff_id for item in items if item.staff_id})
    areas = views.names("area_id", {item.area_id for item in items if item.area_id})
    return [
        _ITEM.of(
            item,
            consumption_sheet_id=item.sheet_id,
            by=named.get(item.user_id),
            staff=staff.get(item.staff_id or 0),
            area=areas.get(item.area_id or 0),
            decided_by=named.get(item.decided_by or 0),
        )
        for item in items
    ]
