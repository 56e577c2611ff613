"""Read patients and staff, in memory."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, id_of
from application.views.people import PatientQuery, PatientView, PersonView, StaffQuery, StaffView
from application.views.sheets import SheetPatientView
from domain.patient import Patient, search_text
from domain.people_search import SearchableFields
from domain.text import fold_person, person_words, sort_name, unique_key


class MemoryPatientsView(MemoryView[PatientView, PatientQuery]):
    """Reads patients."""

    def names(self, query: PatientQuery) -> Iterable[tuple[int, str]]:
        """List the folded names that match the query's filters, by id."""
        return ((item["id"], sorted_as(item)) for item in self.everything() if self.matches(item, query))


def read_patients(data: MemoryData) -> MemoryPatientsView:
    open_sheets = Counter(sheet.patient_id for sheet in data.sheets.values() if not sheet.closed)
    return MemoryPatientsView(
        everything=lambda: [_patient_view(patient, open_sheets[patient.id]) for patient in data.patients.values()],
        matches=lambda item, query: (
            query.active in (None, bool(item["active"]))
            and query.merged in (None, item["merged_into"] is not None)
            and not (query.unnumbered and item["record_number"])
        ),
        searched=lambda _: (),
        words_of=person_words,
        person=lambda item: SearchableFields(
            text=searched_patient(item, item["record_number"]),
            names=sorted_as(item),
            record_number=item["record_number"],
            other_numbers=former_numbers_of(data, item["id"]),
        ),
        order=lambda item: (sorted_as(item), item["id"]),
        sorts={
            "id": id_of,
            "name": lambda item: searched_patient(item, item["record_number"]),
            "first_surname": sorted_as,
            "date_of_birth": lambda item: item["date_of_birth"] or date.min,
            "active": lambda item: item["active"],
            "record_number": lambda item: unique_key(item["record_number"] or ""),
        },
    )


def read_patients_numbered(data: MemoryData, number: str) -> dict[int, int]:
    """Map patients with that current or former number to the merged record."""
    key = unique_key(number)
    former = data.former_record_numbers.get(key, (0,))[0]
    return {
        one.id: one.merged_into or one.id
        for one in data.patients.values()
        if one.id == former or (one.record_number is not None and unique_key(one.record_number) == key)
    }


def read_staff(data: MemoryData) -> MemoryView[StaffView, StaffQuery]:
    user_ids = {user.staff_id: user.id for user in data.users.values()}
    return MemoryView(
        everything=lambda: [
            StaffView(
                id=person.id,
                name=person.name,
                first_surname=person.first_surname,
                second_surname=person.second_surname,
                telephone_number=person.telephone_number,
                job_title=person.job_title,
                date_of_birth=person.date_of_birth,
                user_id=user_ids.get(person.id),
            )
            for person in data.staff.values()
        ],
        matches=lambda item, query: not query.unassigned or item["user_id"] is None,
        searched=lambda item: (fold_person(display_name(item)),),
        words_of=person_words,
        order=lambda item: (sorted_as(item), item["id"]),
        sorts={
            "id": id_of,
            "name": lambda item: fold_person(display_name(item)),
            "first_surname": sorted_as,
            "job_title": lambda item: item["job_title"] or "",
        },
    )


def former_numbers_of(data: MemoryData, patient_id: int) -> list[str]:
    return [number for whose, number in data.former_record_numbers.values() if whose == patient_id]


def person_view(patient: Patient) -> PersonView:
    return PersonView(
        id=patient.id,
        name=patient.name,
        first_surname=patient.first_surname,
        second_surname=patient.second_surname,
    )


def sheet_patient_view(patient: Patient) -> SheetPatientView:
    view = SheetPatientView(
        id=patient.id,
        name=patient.name,
        first_surname=patient.first_surname,
        second_surname=patient.second_surname,
        record_number=patient.record_number,
        date_of_birth=patient.date_of_birth,
    )
    if patient.unidentified:
        view["unidentified"] = True
    return view


def _patient_view(patient: Patient, open_sheets: int) -> PatientView:
    view = PatientView(
        id=patient.id,
        name=patient.name,
        first_surname=patient.first_surname,
        second_surname=patient.second_surname,
        date_of_birth=patient.date_of_birth,
        active=int(patient.active),
        record_number=patient.record_number,
        open_sheets=open_sheets,
        merged_into=patient.merged_into,
    )
    if patient.merged_into is not None:
        view["merged_by"] = patient.merged_by
    if patient.unidentified:
        view["unidentified"] = True
    return view


def display_name(person: Mapping[str, Any]) -> str:
    return f"{person['name']} {person['first_surname']} {person['second_surname'] or ''}"


def searched_patient(person: Mapping[str, Any], record_number: str | None) -> str:
    return search_text(person["name"], person["first_surname"], person["second_surname"], record_number)


def sorted_as(person: Mapping[str, Any]) -> str:
    return sort_name(person["name"], person["first_surname"], person["second_surname"])
