"""Staff."""

from typing import Any

from sqlalchemy import Row, func, select

from adapters.sql.accounts.tables import users
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.people.tables import staff
from adapters.sql.sheets.tables import details, unlisted_items
from application.people.views import StaffQuery, StaffView
from domain.common.text import fold_person, person_words, sort_name
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


def to_view(row: Row[Any]) -> StaffView:
    """Return the view of a row with the user's id and the staff's columns."""
    return StaffView(
        id=row.id,
        name=row.name,
        first_surname=row.first_surname,
        second_surname=row.second_surname,
        telephone_number=row.telephone_number,
        job_title=row.job_title,
        date_of_birth=row.date_of_birth,
        user_id=row.user_id,
    )


STAFF = ListSpec[StaffView, StaffQuery](
    source=select(staff, users.c.id.label("user_id")).outerjoin_from(staff, users, users.c.staff_id == staff.c.id),
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
    to_item=to_view,
    filters={"unassigned": users.c.id.is_(None)},
    filters_of=lambda query: {"unassigned": True if query.unassigned else None},
)
