"""Views of unlisted items."""

from application.people.people import names_of_users
from application.sheets.views import UnlistedItemView
from application.sheets.work import Views
from domain.sheets.unlisted_item import UnlistedItem


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
        UnlistedItemView(
            id=item.id,
            consumption_sheet_id=item.sheet_id,
            description=item.description,
            quantity=item.quantity,
            occurred_at=item.occurred_at,
            created_at=item.created_at,
            user_id=item.user_id,
            by=named.get(item.user_id),
            staff_id=item.staff_id,
            staff=staff.get(item.staff_id or 0),
            area_id=item.area_id,
            area=areas.get(item.area_id or 0),
            room_id=item.room_id,
            state=item.state,
            decided_at=item.decided_at,
            decided_by=named.get(item.decided_by or 0),
            reason=item.reason,
            detail_id=item.detail_id,
        )
        for item in items
    ]
