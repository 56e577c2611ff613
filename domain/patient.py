"""Who is admitted."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime

from domain.errors import Code, Reason, Refused
from domain.text import fold, fold_code, fold_person, unique_key

# What may be blank, and is then filled from the other record of the same person.
FILLABLE_FIELDS = ("name", "second_surname", "date_of_birth", "record_number")
# What two records tell of a person.
IDENTITY_FIELDS = ("name", "first_surname", "second_surname", "date_of_birth", "record_number")


# Characters that divide a record number into parts.
NUMBER_SEPARATORS = "-./ _"
# How many of the latest record numbers tell which shapes they have.
NUMBERS_OF_SHAPE = 500
_WITHOUT_SEPARATORS = str.maketrans(dict.fromkeys(NUMBER_SEPARATORS, ""))


def number_code(number: str) -> str:
    """Return what two spellings of a record number share, with its separators and without them."""
    return unique_key(number).translate(_WITHOUT_SEPARATORS)


def number_shape(number: str) -> str:
    """Return which characters of a number are letters and which are digits: ``aaa9999`` for ``EXP-2026``."""
    return "".join("9" if one.isdigit() else "a" if one.isalpha() else one for one in number_code(number))


def scanned_number(text: str, authority: str | None = None) -> str | None:
    """Return the number that a scanned text may be: without the stars of Code 39 and without what HL7 (CX) has behind
    it, as in ``123^^^HOSP``; None if that says that another ``authority`` gave it.
    """
    number, *components = text.split("^")
    assigned_by = components[2].partition("&")[0].strip() if len(components) > 2 else ""
    if authority and assigned_by and assigned_by.casefold() != authority.casefold():
        return None
    return number.strip().strip("*") or None


def number_spellings(text: str) -> tuple[str, str, str, str]:
    """The number that a scanned text may be, without the stars of Code 39, in the cases in which scanners type it."""
    number = text.strip().strip("*")
    return number, number.upper(), number.lower(), number.swapcase()


@dataclass(slots=True, kw_only=True)
class Patient:
    """A person who is or was admitted. ``record_number`` is the hospital's own and unique.

    ``name`` is empty for a person without a given name, such as a newborn whom the hospital's system admits.
    ``merged_into`` is the record of the same person that goes on in the place of this one, which itself is not merged.
    """

    id: int = 0
    name: str
    first_surname: str
    second_surname: str | None = None
    date_of_birth: date | None = None
    active: bool = True
    record_number: str | None = None
    merged_into: int | None = None
    merged_at: datetime | None = None
    # What the hospital's system said (domain.external_record).
    external_record: str | None = field(default=None, repr=False)

    def ensure_not_merged(self, field: str | None = None) -> None:
        """Raise ``Refused`` (patient.merged) where another record goes on in the place of this one."""
        if self.merged_into is not None:
            raise Refused(Reason(Code.PATIENT_MERGED, field, {"patient": self.merged_into}))

    def blank_fields_known_by(self, other: "Patient") -> tuple[str, ...]:
        """The fields that are blank here and not there."""
        return tuple(name for name in FILLABLE_FIELDS if not getattr(self, name) and getattr(other, name))

    def conflicting_fields(self, other: "Patient") -> tuple[str, ...]:
        """The fields that both tell, and tell otherwise."""
        return tuple(
            name
            for name in IDENTITY_FIELDS
            if all(one := (getattr(self, name), getattr(other, name))) and one[0] != one[1]
        )

    def merge_from(self, other: "Patient", at: datetime) -> tuple[str, ...]:
        """Go on for the other record of the same person, and tell which fields that filled here.

        What is told here stays. Two cannot have one record number: one that is filled in here goes from there.
        """
        if other.id == self.id:
            raise Refused(Reason(Code.SAME_PATIENT, "into_id"))
        other.ensure_not_merged()
        self.ensure_not_merged("into_id")
        filled = self.blank_fields_known_by(other)
        for name in filled:
            setattr(self, name, getattr(other, name))
        if "record_number" in filled:
            other.record_number = None
        other.active = False
        other.merged_into, other.merged_at = self.id, at
        return filled

    def release(self, other: "Patient", filled: tuple[str, ...], *, record_number: str | None, active: bool) -> None:
        """Undo having absorbed the other record, which had that number and state: what was filled here is blank again,
        but for what somebody changed since. A number that somebody gave this record for good does not go back.
        """
        was = replace(other, record_number=record_number)
        for name in filled:
            if getattr(self, name) == getattr(was, name):
                setattr(self, name, "" if name == "name" else None)
        other.record_number = record_number
        other.active = active
        other.merged_into = other.merged_at = None


def search_text(name: str, first_surname: str, second_surname: str | None, record_number: str | None) -> str:
    """What searches look at: all names, and the record number as it is written and without hyphens and blanks."""
    names = fold_person(f"{name} {first_surname} {second_surname or ''}")
    text = f"{names} {fold(record_number or '')}".strip()
    code = fold_code(record_number or "")
    return text if code in text else f"{text} {code}"
