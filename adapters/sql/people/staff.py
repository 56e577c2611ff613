"""Staff."""

from sqlalchemy import func, select

from adapters.sql.accounts.tables import users
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.people.tables import staff
from adapters.sql.sheets.tables import details, unlisted_items
from application.people.views import StaffQuery, StaffView
from domain.common.text import fold_person, full_name, person_words, sort_name
from domain.people.staff import Staff

MAPPING = TableMapping[Staff](
    staff,
    Staff,
    details.c.staff_id,
    unlisted_items.c.staff_id,
    users.c.staff_id,
    keys={"full_name": staff.c.sort_folded},
    written={
        "search_folded": lambda one: fold_person(f"{one.name} {one.first_surname} {one.second_surname or ''}"),
        "sort_folded": lambda one: sort_name(one.name, one.first_surname, one.second_surname or ""),
    },
)


_USER_ID = users.c.id.label("user_id")
STAFF_VIEW = RowShape[StaffView](StaffView, staff, names={"user_id": _USER_ID})
# The name of a user: the staff member's, or else the email.
USER_NAME = Computed(
    lambda email, *person: full_name(*person) or email,
    *(users.c.email, staff.c.name, staff.c.first_surname, staff.c.second_surname),
)

STAFF = ListSpec[StaffView, StaffQuery](
    source=select(*STAFF_VIEW.columns).outerjoin_from(staff, users, users.c.staff_id == staff.c.id),
    id=staff.c.id,
    order=(staff.c.sort_folded, staff.c.id),
    sorts={
        "id": staff.c.id,
        "name": staff.c.search_folded,
        "first_surname": staff.c.sort_folded,
        "job_title": func.coalesce(staff.c.job_title, ""),
    },
    searched=(staff.c.search_folded,),
    words_of=person_words,
    to_item=STAFF_VIEW.read,
    filters={"unassigned": users.c.id.is_(None)},
    filters_of=lambda query: {"unassigned": True if query.unassigned else None},
)
