"""Find or create the records that rows of consumption refer to."""

from decimal import Decimal

from application.catalogue.areas import AreaDraft, CreateArea
from application.catalogue.categories import CreateCategory
from application.catalogue.products import CreateProduct, ProductDraft
from application.catalogue.rooms import CreateRoom, RoomDraft
from application.imports.reading.row import Row
from application.imports.rows.patients import find_patient as find_listed_patient
from application.imports.rows.patients import warn_on_record_change
from application.imports.rows.people import find_by_name, parts_of, single_match
from application.imports.rows.products import UNCATEGORISED
from application.imports.rows.row_importer import ImportContext, renamed, warn_of_zeros
from application.people.patients import CreatePatient, PatientDraft
from domain.catalogue.area import Area
from domain.catalogue.product import Product
from domain.catalogue.room import Room, RoomStatus
from domain.common.errors import Code, Reason, Refused
from domain.common.text import code_key, fold, fold_product, strip_leading_zeros, unique_key
from domain.people.patient import Patient

# The room and area of lines for which the file has none.
FALLBACK_LOCATION = "Importación"

PATIENT_NAMES = {
    "name": "patient_name",
    "first_surname": "patient_first_surname",
    "second_surname": "patient_second_surname",
}


class ReferencedRecords:
    """Finds the records that a row of consumption refers to.

    Missing patients, products, rooms and areas are created.
    """

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._actor = context.actor
        self._staged = context.staged
        self._given = context.given
        self._create_patient = CreatePatient(context.begin, context.clock, context.zone)
        self._create_product = CreateProduct(context.begin, context.clock)
        self._create_category = CreateCategory(context.begin, context.clock, context.zone)
        self._create_area = CreateArea(context.begin, context.clock, context.zone)
        self._create_room = CreateRoom(context.begin, context.clock, context.zone)

    def product(self, row: Row) -> Product:
        """Return the product by code, or by name if the file has no codes.

        A missing product is created if the row has code and name. Without a price in the file, its price is zero.
        """
        code, name = row.text("product_code"), row.text("product_name")
        products = self._staged.products
        if "product_code" in self._given:
            if not code:
                # Without a code it could not be recognized in the next import.
                raise Refused(*(row.wrong("product_code") or [Reason(Code.REQUIRED, "product_code")]))
            found = products.find("code", code_key(code))
        else:
            if not name:
                raise Refused(*(row.wrong("product_name") or [Reason(Code.REQUIRED, "product_name")]))
            found = single_match(products.find_many("name", fold_product(name)), "product_name", name)
            if found is None:
                raise Refused(Reason(Code.REFERENCE_UNKNOWN, "product_name"))
        if found is not None:
            return found
        price = row.number("price") or Decimal(0)
        draft = ProductDraft(code=code, name=name, price=max(price, Decimal(0)), category_id=self._uncategorised_id())
        try:
            made = self._create_product(self._actor, draft)
        except Refused as refused:
            raise renamed(refused, {"code": "product_code", "name": "product_name"}) from None
        alike = products.find_many("code_without_zeros", strip_leading_zeros(code))
        warn_of_zeros(self._context, row, "product_code", [one.code for one in alike])
        return made

    def _uncategorised_id(self) -> int:
        found = self._staged.categories.find("code", code_key(UNCATEGORISED.code or ""))
        return (found or self._create_category(self._actor, UNCATEGORISED)).id

    def staff(self, row: Row) -> int | None:
        """Return the id of the staff member with that name."""
        text = row.text("staff")
        if not text:
            return None
        found = single_match(list(find_by_name(self._staged.staff, text)), "staff", text)
        if found is None:
            raise Refused(Reason(Code.REFERENCE_UNKNOWN, "staff"))
        return found.id

    def patient(self, row: Row) -> Patient:
        """Return the patient of the row, registering a missing one."""
        found = self.find_patient(row)
        if found is not None:
            return found
        names = parts_of(row, *PATIENT_NAMES.values())
        if not names["name"] and not names["first_surname"]:
            field = next((name for name in ("record_number", "full_name") if row.text(name)), "record_number")
            raise Refused(Reason(Code.REFERENCE_UNKNOWN if row.text(field) else Code.REQUIRED, field))
        draft = PatientDraft(
            name=names["name"],
            first_surname=names["first_surname"],
            second_surname=names["second_surname"],
            date_of_birth=row.day("date_of_birth"),
            record_number=row.text("record_number"),
            parse_errors=row.wrong("date_of_birth"),
        )
        try:
            made = self._create_patient(self._actor, draft)
        except Refused as refused:
            raise renamed(refused, PATIENT_NAMES) from None
        if draft.record_number:
            warn_on_record_change(self._context, row)
        return made

    def find_patient(self, row: Row) -> Patient | None:
        """Return the registered patient of the row."""
        patients, full_name = self._staged.patients, row.text("full_name")
        if row.text("record_number"):
            found = patients.find("record_number", code_key(row.text("record_number")))
            return patients.get(found.merged_into) if found and found.merged_into else found
        if full_name:
            alike = [one for one in find_by_name(patients, full_name) if one.merged_into is None]
            if row.day("date_of_birth"):
                alike = [one for one in alike if one.date_of_birth == row.day("date_of_birth")]
            return single_match(alike, "full_name", full_name)
        return find_listed_patient(patients, row, parts_of(row, *PATIENT_NAMES.values()))

    def room(self, row: Row) -> Room:
        """Return the room of the row, creating it if needed.

        Rows without a room share one.
        """
        name, area_name = row.text("room") or FALLBACK_LOCATION, row.text("area")
        alike: list[Room] = self._staged.rooms.find_many("name", fold(name))
        if area_name:
            area_id = self.area(area_name).id
            alike = [room for room in alike if room.area_id == area_id]
        found = single_match(alike, "room", name)
        if found is not None:
            return found
        free = RoomStatus.AVAILABLE
        draft = RoomDraft(name=name, status=free, type=free, area_id=self.area(area_name or FALLBACK_LOCATION).id)
        try:
            return self._create_room(self._actor, draft)
        except Refused as refused:
            raise renamed(refused, {"name": "room", "area_id": "area"}) from None

    def area(self, name: str) -> Area:
        """Return the area of that name, creating it if needed."""
        found = self._staged.areas.find("name", unique_key(name))
        if found is not None:
            return found
        try:
            return self._create_area(self._actor, AreaDraft(name=name))
        except Refused as refused:
            raise renamed(refused, {"name": "area"}) from None
