"""Fills the demonstration hospital through the use cases, hour by hour."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import cycle
from operator import itemgetter
from typing import Any, TypeVar

from adapters.demo.accounts import ACCOUNTS, ADMINISTRATOR, NURSE, PASSWORD, SUPERVISOR
from adapters.demo.calendar import Calendar
from adapters.demo.tables import table
from application.accounts.ports.identity import PasswordScore
from application.accounts.users.draft import UserDraft
from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.use_case import bind_to
from application.forms.print_forms import FormsDraft
from application.people.patients import PatientDraft
from application.people.staff import StaffDraft
from application.reports.months import MonthDraft
from application.restock.restock_lists import CloseRestockDraft, PutBackDraft, ShelfDraft
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.recalls import RecallDraft
from application.sheets.sheet_draft import SheetDraft
from application.use_cases import UseCases
from application.work import UnitOfWork
from domain.common.policy import Actor
from domain.reports.month import may_close_from, month_name

UseCase = TypeVar("UseCase", bound=Any)
Event = tuple[datetime, Callable[[datetime], None]]

# The founding, and the arrival of the patients who were not admitted since.
_FOUNDED, _REGISTERED = "95 09:00", "30 10:15"


class _AnyPassword:
    """A password check that accepts the public demonstration password."""

    def judge(self, password: str, about: Sequence[str]) -> PasswordScore:  # noqa: ARG002
        return PasswordScore(0)


@dataclass(slots=True)
class _Stay:
    """A row of the sheets table, and its sheet once it is open."""

    row: dict[str, str]
    area: str
    sheet_id: int = 0


class Hospital:
    """The hospital under construction, by the names in its tables."""

    def __init__(self, use_cases: UseCases, work: UnitOfWork, calendar: Calendar) -> None:
        self._use_cases = use_cases
        self._work = work
        self._calendar = calendar
        self._founded = calendar.moment(_FOUNDED)
        self._actors: dict[str, Actor] = {}
        self._areas: dict[str, int] = {}
        self._rooms: dict[str, int] = {}
        self._supplies: dict[str, int] = {}
        self._patients: dict[str, int] = {}
        self._latest_sheet: dict[str, int] = {}
        self._staff_of: dict[str, list[int]] = defaultdict(list)
        # By lot: the start of its recall, and the lot used from then on.
        self._recalled: dict[str, tuple[datetime, str]] = {}
        # By patient and supply.
        self._implants = {(row["patient"], row["supply"]): row for row in table("implants")}

    def register_accounts(self) -> None:
        """Let the administrator create the other accounts."""
        register = replace(self._at(self._founded, self._use_cases.users.register), judge=_AnyPassword())
        for account in ACCOUNTS:
            draft = UserDraft(email=account.email, role=account.role, password=PASSWORD)
            user = register(self._actors.get(ADMINISTRATOR.email), draft)
            self._actors[account.email] = Actor(user_id=user.id, role=user.role, staff_id=None)

    def set_up(self) -> None:
        """Create the data that exists before the first patient arrives."""
        cases, admin = self._use_cases, self._actors[ADMINISTRATOR.email]
        create_area = self._at(self._founded, cases.areas.create)
        for row in table("areas"):
            self._areas[row["name"]] = create_area(admin, AreaDraft(name=row["name"])).id
        create_room = self._at(self._founded, cases.rooms.create)
        for row in table("rooms"):
            status, made_for = int(row["status"]), int(row["type"])
            room = RoomDraft(name=row["name"], status=status, type=made_for, area_id=self._areas[row["area"]])
            self._rooms[row["name"]] = create_room(admin, room).id
        self._list_supplies(admin)
        self._employ(admin)
        self._offer_kits(admin)
        self._set_shelves(admin)

    def live_through_the_weeks(self) -> None:
        """Replay all events in order, so that ids grow with time as on a ward."""
        for moment, happen in sorted(self._events(), key=itemgetter(0)):
            happen(moment)

    def _list_supplies(self, admin: Actor) -> None:
        create_category = self._at(self._founded, self._use_cases.categories.create)
        categories = {
            row["code"]: create_category(admin, CategoryDraft(code=row["code"], name=row["name"])).id
            for row in table("categories")
        }
        create_product = self._at(self._founded, self._use_cases.products.create)
        implants = {supply for _, supply in self._implants}
        included = {row["supply"] for row in table("included")}
        plain_names = {row["supply"]: row["plain_name"] for row in table("plain_names")}
        for row in table("supplies"):
            # The code of a supply begins with that of its category.
            category, _, _ = row["code"].partition("-")
            product = ProductDraft(
                name=row["name"],
                price=Decimal(row["price"]),
                category_id=categories[category],
                code=row["code"],
                gtin=row["gtin"],
                unit=row["unit"],
                active=int(row["active"]),
                implant=row["name"] in implants,
                included_in_stay=row["name"] in included,
                plain_name=plain_names.get(row["name"]),
            )
            self._supplies[row["name"]] = create_product(admin, product).id
        add_code = self._at(self._founded, self._use_cases.products.add_code)
        for row in table("packs"):
            code = ProductCodeDraft(
                system=row["system"], code=row["code"], units=Decimal(row["units"]), label=row["label"]
            )
            add_code(admin, self._supplies[row["supply"]], code)

    def _offer_kits(self, admin: Actor) -> None:
        """Create the hospital's kits, and one of the nurse's own."""
        create_kit = self._at(self._founded, self._use_cases.kits.create)
        used = table("kits")
        for row in table("offered_kits"):
            lines = tuple(
                KitLineDraft(product_id=self._supplies[line["supply"]], quantity=Decimal(line["quantity"]))
                for line in used
                if line["kit"] == row["kit"]
            )
            keeper = self._actors[row["account"]] if row["account"] else admin
            area_id = self._areas[row["area"]] if row["area"] else None
            create_kit(keeper, KitDraft(name=row["name"], area_id=area_id, own=bool(row["account"]), lines=lines))

    def _set_shelves(self, admin: Actor) -> None:
        set_shelf = self._at(self._founded, self._use_cases.restock.set_shelf)
        for row in table("shelves"):
            amount = Decimal(row["fixed_amount"]) if row["fixed_amount"] else None
            shelf = ShelfDraft(shelf=row["shelf"], fixed_amount=amount)
            set_shelf(admin, self._areas[row["area"]], self._supplies[row["supply"]], shelf)

    def _employ(self, admin: Actor) -> None:
        create_staff = self._at(self._founded, self._use_cases.staff.create)
        assign_profile = self._at(self._founded, self._use_cases.users.assign_profile)
        for row in table("staff"):
            draft = StaffDraft(
                name=row["name"],
                first_surname=row["first_surname"],
                second_surname=row["second_surname"],
                telephone_number=row["telephone_number"],
                job_title=row["job_title"],
                date_of_birth=date.fromisoformat(row["date_of_birth"]),
            )
            staff = create_staff(admin, draft)
            self._staff_of[row["area"]].append(staff.id)
            if row["account"]:
                user = assign_profile(admin, self._actors[row["account"]].user_id, staff.id)
                self._actors[row["account"]] = Actor(user_id=user.id, role=user.role, staff_id=staff.id)

    def _events(self) -> Iterator[Event]:
        stays = table("sheets")
        came = {row["patient"]: row["admitted"] for row in reversed(stays)}
        for row in table("patients"):
            event_time = came.get(row["record_number"], _REGISTERED)
            yield self._calendar.moment(event_time), partial(self._register_patient, row)
        for row in table("recalls"):
            moment = self._calendar.moment(row["opened"])
            self._recalled[row["lot"]] = moment, row["next_lot"]
            yield moment, partial(self._open_recall, row)
        area_of_room = {row["name"]: row["area"] for row in table("rooms")}
        kits: dict[str, list[dict[str, str]]] = defaultdict(list)
        for row in table("kits"):
            kits[row["kit"]].append(row)
        printed = {row["patient"]: row["printed"] for row in table("printed_forms")}
        on_duty = {area: cycle(staff) for area, staff in self._staff_of.items()}
        for row in stays:
            stay = _Stay(row, area_of_room[row["room"]])
            yield self._calendar.moment(row["admitted"]), partial(self._open_sheet, stay)
            for event_time in filter(None, row["rounds"].split("; ")):
                days_ago, hour, name = event_time.split(maxsplit=2)
                area = kits[name][0]["area"] or stay.area
                staff_id = next(on_duty[area])
                for line in kits[name]:
                    moment = self._calendar.moment(f"{days_ago} {hour}", int(line["minute"]))
                    yield moment, partial(self._add_detail, stay, line, staff_id, area)
            if row["closed"]:
                yield self._calendar.moment(row["closed"]), partial(self._close_sheet, stay)
            elif row["patient"] in printed:
                yield self._calendar.moment(printed[row["patient"]]), partial(self._print_form, stay)
        for row in table("wasted"):
            yield self._calendar.moment(row["at"]), partial(self._waste, row)
        for row in table("accounts"):
            yield self._calendar.moment(row["at"]), partial(self._issue_account, row)
        for row in table("closed_months"):
            month = self._calendar.day(self._calendar.moment(f"{row['days_ago']} 12:00")).replace(day=1)
            first = may_close_from(month, self._calendar.zone)
            yield first + timedelta(hours=9), partial(self._close_month, month)
        for row in table("corrected_later"):
            yield self._calendar.moment(row["at"]), partial(self._correct_later, row)
        # At midnight all of today's events are simultaneous: what is put back was recorded before.
        for row in table("restock_lists"):
            yield self._calendar.moment(row["closed"]), partial(self._close_restock_list, row)
            yield self._calendar.moment(row["put_back"]), partial(self._put_back, row)
        for row in table("area_lines"):
            yield self._calendar.moment(row["at"]), partial(self._add_area_line, row)

    def _register_patient(self, row: dict[str, str], at: datetime) -> None:
        draft = PatientDraft(
            name=row["name"],
            first_surname=row["first_surname"],
            second_surname=row["second_surname"],
            date_of_birth=self._calendar.birthday(int(row["years"]), int(row["days"])),
            active=int(row["active"]),
            record_number=row["record_number"],
        )
        create_patient = self._at(at, self._use_cases.patients.create)
        self._patients[row["record_number"]] = create_patient(self._actors[NURSE.email], draft).id

    def _open_sheet(self, stay: _Stay, at: datetime) -> None:
        draft = SheetDraft(
            diagnosis=stay.row["diagnosis"],
            doctor=stay.row["doctor"],
            patient_id=self._patients[stay.row["patient"]],
            room_id=self._rooms[stay.row["room"]],
            admission_date=self._calendar.day(at),
        )
        open_sheet = self._at(at, self._use_cases.sheets.open)
        stay.sheet_id = open_sheet(self._sheet_actor(stay), draft).answer["id"]
        self._latest_sheet[stay.row["patient"]] = stay.sheet_id

    def _add_detail(self, stay: _Stay, line: dict[str, str], staff_id: int, area: str, at: datetime) -> None:
        """Record a line: by the nurse for herself, otherwise by the supervisor."""
        nurse = self._actors[NURSE.email]
        recorder = nurse if nurse.staff_id == staff_id else self._actors[SUPERVISOR.email]
        lot = line["lot"]
        recalled_at, next_lot = self._recalled.get(lot, (None, lot))
        implant = self._implants.get((stay.row["patient"], line["supply"]), {})
        draft = DetailDraft(
            product_id=self._supplies[line["supply"]],
            lot=implant.get("lot") or (next_lot if recalled_at and at >= recalled_at else lot) or None,
            serial=implant.get("serial") or None,
            implant_reason=implant.get("reason") or None,
            quantity=Decimal(line["quantity"]),
            staff_id=staff_id,
            area_id=self._areas[area],
        )
        self._at(at, self._use_cases.details.add)(recorder, draft, sheet_id=stay.sheet_id)

    def _add_area_line(self, row: dict[str, str], at: datetime) -> None:
        """Record what an area uses for no patient.

        The nurse records in her own area, elsewhere the supervisor.
        """
        area = row["area"]
        nurse = self._actors[NURSE.email]
        recorder = nurse if nurse.staff_id in self._staff_of[area] else self._actors[SUPERVISOR.email]
        page = self._at(at, self._use_cases.area_sheets.open)(recorder, self._areas[area]).view
        draft = DetailDraft(
            product_id=self._supplies[row["supply"]], quantity=Decimal(row["quantity"]), use_reason=row["reason"]
        )
        self._at(at, self._use_cases.details.add)(recorder, draft, sheet_id=page["id"])

    def _waste(self, row: dict[str, str], at: datetime) -> None:
        """Let the author of a line mark it, or a part, as thrown away.

        It is on the patient's latest sheet.
        """
        product_id = self._supplies[row["supply"]]
        lines = self._work.details.on_sheet(self._latest_sheet[row["patient"]])
        line = next(line for line in lines if line.product_id == product_id)
        author = next(actor for actor in self._actors.values() if actor.user_id == line.user_id)
        draft = WasteDraft(quantity=Decimal(row["quantity"]), use_reason=row["reason"])
        self._at(at, self._use_cases.details.mark_waste)(author, line.id, draft)

    def _issue_account(self, row: dict[str, str], at: datetime) -> None:
        """Issue the account of a patient's latest sheet for the family."""
        issue = self._at(at, self._use_cases.accounts.issue)
        issue(self._actors[NURSE.email], self._latest_sheet[row["patient"]])

    def _close_month(self, month: date, at: datetime) -> None:
        draft = MonthDraft(month=month_name(month), turn=1)
        self._at(at, self._use_cases.reports.close_month)(self._actors[SUPERVISOR.email], draft)

    def _correct_later(self, row: dict[str, str], at: datetime) -> None:
        """Correct a line of a closed sheet, which is reopened for it."""
        sheet_id, product_id = self._latest_sheet[row["patient"]], self._supplies[row["supply"]]
        day = self._calendar.day(self._calendar.moment(f"{row['day']} 12:00"))
        lines = self._work.details.on_sheet(sheet_id)
        line = next(line for line in lines if (line.product_id, line.day) == (product_id, day))
        admin, supervisor = self._actors[ADMINISTRATOR.email], self._actors[SUPERVISOR.email]
        self._at(at, self._use_cases.sheets.reopen)(admin, sheet_id, ReopenDraft(reason="Revisión de la cuenta"))
        if row["change"] == "void":
            draft = VoidDraft(reason="Se registró dos veces")
            self._at(at, self._use_cases.details.void)(supervisor, line.id, draft)
        else:
            returned = ReturnDraft(quantity=Decimal(row["quantity"]), reason="unused")
            self._at(at, self._use_cases.details.return_part)(supervisor, line.id, returned)
        self._at(at, self._use_cases.sheets.close)(supervisor, sheet_id)

    def _open_recall(self, row: dict[str, str], at: datetime) -> None:
        draft = RecallDraft(product_id=self._supplies[row["supply"]], lot=row["lot"], reason=row["reason"])
        self._at(at, self._use_cases.recalls.open)(self._actors[SUPERVISOR.email], draft)

    def _close_sheet(self, stay: _Stay, at: datetime) -> None:
        self._at(at, self._use_cases.sheets.close)(self._sheet_actor(stay), stay.sheet_id)

    def _print_form(self, stay: _Stay, at: datetime) -> None:
        """Print a contingency form of an open sheet, which is not back yet."""
        print_forms = replace(
            self._at(at, self._use_cases.contingency_forms.print), read=lambda: nullcontext(self._work.views)
        )
        print_forms(self._sheet_actor(stay), FormsDraft(sheet_ids=(stay.sheet_id,)))

    def _close_restock_list(self, row: dict[str, str], at: datetime) -> None:
        """Close the first restock list of an area, which takes everything."""
        close = self._at(at, self._use_cases.restock.close)
        close(self._actors[NURSE.email], self._areas[row["area"]], CloseRestockDraft(number=1, settle_rest=True))

    def _put_back(self, row: dict[str, str], at: datetime) -> None:
        """Tick a supply on the second restock list of an area."""
        area_id, product_id = self._areas[row["area"]], self._supplies[row["supply"]]
        [needed] = (
            line.needed for line in self._work.views.restock.open_lines(area_id) if line.product_id == product_id
        )
        put_back = self._at(at, self._use_cases.restock.put_back)
        put_back(self._actors[NURSE.email], area_id, product_id, PutBackDraft(number=2, quantity=needed))

    def _sheet_actor(self, stay: _Stay) -> Actor:
        """Return the user who opens and closes the sheet.

        It is the nurse in her own area, elsewhere the supervisor.
        """
        nurse = self._actors[NURSE.email]
        return nurse if nurse.staff_id in self._staff_of[stay.area] else self._actors[SUPERVISOR.email]

    def _at(self, moment: datetime, use_case: UseCase) -> UseCase:
        """Bind the use case to the single unit of work and to that moment."""
        then: UseCase = replace(bind_to(use_case, self._work), clock=lambda: moment)
        return then
