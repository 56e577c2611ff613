"""Patients and their record numbers."""

import re
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from domain.common.errors import Code, Reason, Refused
from domain.common.text import code_key, fold, fold_code, fold_person, unique_key

# Fields that may be blank. A merge fills them from the other record of the same person.
FILLABLE_FIELDS = ("name", "second_surname", "date_of_birth", "record_number")
# Fields that are compared between two records of a person.
# Fields that say who a person is. If one differs, a merge has to be confirmed by the end of a record number.
PERSON_FIELDS = ("name", "first_surname", "date_of_birth")
# How many letters and digits of a record number confirm a merge.
NUMBER_END = 4
IDENTITY_FIELDS = ("name", "first_surname", "second_surname", "date_of_birth", "record_number")


# Characters that divide a record number into parts, and that its comparison key keeps; a blank divides it too.
KEPT_SEPARATORS = "-./_"
# Nines alone mean an unknown number from this length on.
MIN_NINES = 4
# How many of the latest record numbers are examined for the usual shapes.
NUMBERS_OF_SHAPE = 500
# Shorter parts of a text are not compared with patients' numbers.
MIN_HELD_LENGTH = 4
_EDGE = re.compile(r"(?<=[0-9])(?![0-9])|(?<![0-9])(?=[0-9])|(?<=[^\W\d_])(?![^\W\d_])|(?<![^\W\d_])(?=[^\W\d_])")
_WITHOUT_SEPARATORS = str.maketrans(dict.fromkeys(KEPT_SEPARATORS, ""))


def number_code(number: str) -> str:
    """Return the comparison key of a record number, without separators."""
    return code_key(number).translate(_WITHOUT_SEPARATORS)


def number_shape(number: str) -> str:
    """Return the shape of a number: ``aaa9999`` for ``EXP-2026``.

    Letters become ``a`` and digits ``9``.
    """
    return "".join("9" if one.isdigit() else "a" if one.isalpha() else one for one in number_code(number))


def scanned_number(text: str, authority: str | None = None) -> str | None:
    """Return the record number in a scanned text, or None.

    The stars of Code 39 are removed, and the further components of an HL7 CX field, as in ``123^^^HOSP``. The result is
    None if the CX names an assigning authority other than ``authority``, which may have several names.
    """
    number, *components = text.split("^")
    assigned_by = components[2].strip() if len(components) > 2 else ""
    own = authority_names(authority)
    if own and assigned_by and not any(is_same_authority(assigned_by, name) for name in own):
        return None
    return number.strip().strip("*") or None


def held_numbers(text: str) -> list[str]:
    """Return the parts of a text that may be a patient's number.

    The whole comes first. A part begins and ends where letters, digits and other characters meet, and has a digit.
    """
    edges = [match.start() for match in _EDGE.finditer(text)]
    parts = (text[low:high] for place, low in enumerate(edges) for high in edges[place + 1 :])
    return [text, *(it for it in parts if len(it) >= MIN_HELD_LENGTH and it != text and any(map(str.isdigit, it)))]


def held_shapes(text: str) -> set[str]:
    """Return the shapes of the parts of a text between separators.

    Parts without a digit have none: if record numbers have only letters, every word has their shape.
    """
    cuts = [0, *(place for place, one in enumerate(text) if not one.isalnum()), len(text)]
    parts = {text, *(text[low:high].strip() for place, low in enumerate(cuts) for high in cuts[place + 1 :])}
    shapes = {
        number_shape(part.strip(KEPT_SEPARATORS + " "))
        for part in parts
        if part == text or len(part) >= MIN_HELD_LENGTH
    }
    return {shape for shape in shapes if "9" in shape}


def is_placeholder_number(number: str) -> bool:
    """Return whether a number stands for none, such as 0, 0000 or 9999."""
    code = number_code(number)
    return code.isdigit() and (not code.strip("0") or (len(code) >= MIN_NINES and not code.strip("9")))


def authority_names(names: str | None) -> tuple[str, ...]:
    """Split the names of one assigning authority, which commas separate."""
    return tuple(filter(None, map(str.strip, (names or "").split(","))))


def is_same_authority(one: str, other: str) -> bool:
    """Return whether two assigning authorities are the same.

    Each is a namespace, a universal id behind ``&``, or both. If both have a universal id, it decides.
    """
    (name, id_), (other_name, other_id) = ([*unique_key(text).split("&"), ""][:2] for text in (one, other))
    return id_ == other_id if id_ and other_id else name == other_name != ""


def number_spellings(text: str) -> tuple[str, str, str, str]:
    """Return a scanned number in the cases in which scanners type it.

    The stars of Code 39 are removed.
    """
    number = text.strip().strip("*")
    return number, number.upper(), number.lower(), number.swapcase()


@dataclass(slots=True, kw_only=True)
class Patient:
    """A patient. ``record_number`` is the hospital's own number and unique.

    ``name`` is empty for a person without a given name, such as a newborn admitted by the hospital's system.
    ``merged_into`` is the record of the same person that replaces this one, and ``merged_by`` the user who merged it.
    That record itself is not merged.
    ``unidentified_number`` is set until the person is identified (``domain.people.unidentified``).
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
    merged_by: int | None = None
    unidentified_number: int | None = None
    # The data of the hospital's system (domain.interop.external_record).
    external_record: str | None = field(default=None, repr=False)

    @property
    def unidentified(self) -> bool:
        """Whether the person is still unidentified."""
        return self.unidentified_number is not None

    def ensure_unidentified(self) -> None:
        """Raise ``Refused`` (patient.identified) if the person is known."""
        if not self.unidentified:
            raise Refused(Reason(Code.PATIENT_IDENTIFIED))

    def ensure_not_merged(self, field: str | None = None) -> None:
        """Raise ``Refused`` (patient.merged) if another record replaces this one."""
        if self.merged_into is not None:
            raise Refused(Reason(Code.PATIENT_MERGED, field, {"patient": self.merged_into}))

    def blank_fields_known_by(self, other: "Patient") -> tuple[str, ...]:
        """Return the fields that are blank here but not in ``other``."""
        return tuple(name for name in FILLABLE_FIELDS if not getattr(self, name) and getattr(other, name))

    def conflicting_fields(self, other: "Patient") -> tuple[str, ...]:
        """Return the fields that have different values in both records."""
        return tuple(
            name
            for name in IDENTITY_FIELDS
            if all(one := (getattr(self, name), getattr(other, name))) and one[0] != one[1]
        )

    def is_another_person(self, other: "Patient") -> bool:
        """Return whether name, surname or date of birth contradict.

        Accents and letter case do not matter. Nothing is known of an unidentified person.
        """
        if self.unidentified or other.unidentified:
            return False
        contradicting = set(self.conflicting_fields(other)).intersection(PERSON_FIELDS)
        return any(
            name == "date_of_birth" or fold_person(getattr(self, name)) != fold_person(getattr(other, name))
            for name in contradicting
        )

    def merge_from(self, other: "Patient", at: datetime, by: int | None = None) -> tuple[str, ...]:
        """Merge another record of the same person into this one.

        Return the fields that it filled. Fields with a value are not changed. Two records cannot share a record number:
        if it is filled here, the other record loses it. A known person is not merged into an unidentified one.
        """
        if other.id == self.id:
            raise Refused(Reason(Code.SAME_PATIENT, "into_id"))
        other.ensure_not_merged()
        self.ensure_not_merged("into_id")
        if self.unidentified and not other.unidentified:
            raise Refused(Reason(Code.PATIENT_UNIDENTIFIED_STAYS, "into_id"))
        filled = self.blank_fields_known_by(other)
        for name in filled:
            setattr(self, name, getattr(other, name))
        if "record_number" in filled:
            other.record_number = None
        other.active = False
        other.merged_into, other.merged_at, other.merged_by = self.id, at, by
        other.unidentified_number = None
        return filled

    def release(self, other: "Patient", filled: tuple[str, ...], *, record_number: str | None, active: bool) -> None:
        """Undo a merge.

        ``other`` gets back its record number and state. Fields that the merge filled become blank again, except those
        that a user changed since. A record number that a user gave this record permanently does not go back.
        """
        was = replace(other, record_number=record_number)
        for name in filled:
            if getattr(self, name) == getattr(was, name):
                setattr(self, name, "" if name == "name" else None)
        other.record_number = record_number
        other.active = active
        other.merged_into = other.merged_at = other.merged_by = None


def number_end(record_number: str) -> str:
    """Return the last letters and digits of a record number, folded."""
    return fold_code(record_number)[-NUMBER_END:]


def search_text(name: str, first_surname: str, second_surname: str | None, record_number: str | None) -> str:
    """Return the text in which searches look.

    It has all names and the record number, as written and without hyphens and blanks.
    """
    names = fold_person(f"{name} {first_surname} {second_surname or ''}")
    text = f"{names} {fold(record_number or '')}".strip()
    code = fold_code(record_number or "")
    return text if code in text else f"{text} {code}"
