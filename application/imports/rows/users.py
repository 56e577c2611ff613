"""Import users, without passwords."""

from collections.abc import Sequence

from application.accounts.users.assign_profile import AssignProfile
from application.accounts.users.draft import UserDraft
from application.accounts.users.invite_user import add_invited_user
from application.imports.reading.row import Row
from application.imports.rows.people import parts_of, single_match, sorted_name, sorted_name_told
from application.imports.rows.row_importer import FirstSeen, ImportContext, Outcome, RowImporter, renamed
from application.people.staff import CreateStaff, StaffDraft
from domain.accounts.user import User, normalize_email
from domain.catalogue.area import Area
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Permission, Role
from domain.common.text import unique_key


class UserImporter(RowImporter):
    """Imports users, who are identified by email.

    They have no password: a personal link leads to choosing one. An existing account is never changed. The names are
    those of the staff profile, which is created if there is none.
    """

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._create_staff = CreateStaff(context.begin, context.clock, context.zone)
        self._assign_profile = AssignProfile(context.begin, context.clock)
        self._lines = FirstSeen()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the users by email, the staff by names, and the areas."""
        self._staged.users.look_up("email", [_key(row) for row in rows])
        self._staged.staff.look_up("full_name", [name for row in rows if (name := sorted_name_told(row))])
        self._staged.areas.look_up("name", [unique_key(row.text("area")) for row in rows if row.text("area")])

    def import_row(self, row: Row) -> Outcome:
        """Create the user, unless there is one with that email."""
        self._actor.require(Permission.MANAGE_USERS)
        known = self._staged.users.find("email", _key(row)) if row.text("email") else None
        role = row.values.get("role")
        if known is not None:
            return self._existing(row, known, role)
        area = self._area_of(row)
        with_profile = role != Role.ADMIN and any(row.text(name) for name in ("name", "first_surname", "full_name"))
        draft = UserDraft(
            email=row.text("email"),
            role=role if isinstance(role, int) else None,
            staff_id=self._profile_of(row) if with_profile else None,
            parse_errors=row.faults,
        )
        try:
            user = add_invited_user(
                self._context.begin, self._assign_profile, self._actor, draft, self._context.clock(), area=area
            )
        except Refused as refused:
            raise renamed(refused, {"staff_id": "full_name" if row.text("full_name") else "name"}) from None
        return self._lines.check_repeat(unique_key(user.email), row, Outcome.CREATED, "email")

    def _existing(self, row: Row, known: User, role: object) -> Outcome:
        """Leave the account as it is; warn if the file has another role."""
        wrong = row.faults
        if wrong:
            raise Refused(*wrong)
        if role is not None and role != known.role:
            if self._lines.first(unique_key(known.email)) is not None:
                return self._lines.check_repeat(unique_key(known.email), row, Outcome.CHANGED, "email")
            self._context.warn(Code.USER_ROLE_STAYS, "role", value=row.quoted("email"), role=int(known.role))
        return Outcome.UNCHANGED

    def _area_of(self, row: Row) -> Area | None:
        name = row.text("area")
        if not name:
            return None
        area = self._staged.areas.find("name", unique_key(name))
        if area is None:
            raise Refused(Reason(Code.REFERENCE_UNKNOWN, "area"))
        return area

    def _profile_of(self, row: Row) -> int:
        """Return the staff member with these names, or create one."""
        names = parts_of(row)
        alike = self._staged.staff.find_many("full_name", sorted_name(names))
        known = single_match(alike, "name", " ".join(filter(None, names.values())))
        if known is not None:
            return known.id
        draft = StaffDraft(
            name=names["name"],
            first_surname=names["first_surname"],
            second_surname=names["second_surname"],
            job_title=row.text("job_title") or None,
        )
        return self._create_staff(self._actor, draft).id


def _key(row: Row) -> str:
    return unique_key(normalize_email(row.text("email")))
