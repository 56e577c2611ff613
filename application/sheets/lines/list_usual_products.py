"""List the products that are likely to be recorded next on a sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from application.catalogue.views import ProductView
from application.common.clock import Clock
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.lines.proposal_views import UsualProductsView
from application.sheets.ports import SheetPlace
from application.sheets.work import Begin, Read, Views
from domain.catalogue.usual_products import MOST, UsualNumbers
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.ward.shift import Shifts

# The user's own products come first, and leave room for the area's.
MAX_OWN = 6
MAX_PINNED = 6


@dataclass(frozen=True, slots=True)
class ListUsualProducts:
    """List products: pinned ones, the user's latest, the area's usual ones.

    Only active products are listed, each once. Their numbers are stored for the user, the area and the shift, except
    those of an area's page.
    """

    read: Read
    begin: Begin
    clock: Clock
    shifts: Shifts

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, sheet_id: int) -> UsualProductsView:
        since = self.shifts.at(self.clock()).since
        with self.read() as views:
            place = views.usual_products.place_of(sheet_id)
            if place is None:
                raise NotFound
            pinned, likely = _likely(views, actor.user_id, place)
            area_id = place.area_id
            # The stored numbers are those of patients' sheets, which a page must not change.
            kept = None if place.is_page else views.usual_products.numbers(actor.user_id, area_id)
            numbers, items = _arranged(views, kept, likely, pinned, since)
        if numbers != kept and not place.is_page:
            # Another device may have stored numbers meanwhile: they stay.
            with self.begin() as work:
                kept = work.usual_numbers.lock(actor.user_id, area_id)
                numbers, items = _arranged(work.views, kept, likely, pinned, since)
                if numbers != kept:
                    work.usual_numbers.save(actor.user_id, area_id, numbers)
        view = UsualProductsView(items=items, pinned=pinned, changed=[] if place.is_page else list(numbers.changed))
        return redact_for(actor, view, UsualProductsView)


def _likely(views: Views, user_id: int, place: SheetPlace) -> tuple[list[int], list[int]]:
    """Return the ids of pinned products, and of all likely ones."""
    pinned = views.usual_products.pinned(user_id, most=MAX_PINNED)
    own = views.usual_products.of_person(user_id, is_page=place.is_page, most=MOST)
    common = views.usual_products.of_area(place, most=MOST)
    likely = [*pinned, *own[:MAX_OWN], *common, *own[MAX_OWN:]]
    return [one["id"] for one in pinned], list(dict.fromkeys(one["id"] for one in likely))


def _arranged(
    views: Views, kept: UsualNumbers | None, likely: Sequence[int], pinned: Sequence[int], since: datetime
) -> tuple[UsualNumbers, list[ProductView]]:
    """Return the numbers of this shift, and their active products."""
    earlier = kept or UsualNumbers(since, ())
    found = {one["id"]: one for one in views.usual_products.active([*earlier.ids, *likely])}
    if kept is not None and kept.since == since:
        numbers = kept.within_shift(likely, found)
    else:
        numbers = earlier.in_next_shift(since, likely, pinned)
    return numbers, [found[one] for one in numbers.ids if one in found]
