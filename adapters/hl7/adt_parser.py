"""Parser of ADT messages, by configurable paths.

A hospital can set the paths in a TOML file, CONSUMO_HL7_MAP.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from functools import partial
from itertools import groupby, zip_longest
from typing import NamedTuple

from adapters.hl7.adt_codes import PATIENT_CLASSES, VERSIONS
from adapters.hl7.adt_paths import PATHS, Place
from adapters.hl7.charset import character_set, decode_escaped
from adapters.hl7.escapes import Delimiters, to_usual_delimiters, unescape
from adapters.hl7.moments import parse_day, parse_moment
from adapters.hl7.rejection import MessageRejected
from application.common.nothing import Nothing, nothing_said
from application.inbound.admission_message import (
    NOT_NAMED,
    AdmissionMessage,
    Authority,
    UnreadableMoment,
    visit_of_admission,
)
from application.inbound.ports import MessageField
from application.sheets.admission_data import DOCTOR, PATIENT_CLASS, SEGMENTS
from domain.common.errors import Code
from domain.common.text import full_name, is_storable
from domain.interop.external_record import Value
from domain.people.patient import authority_names, is_placeholder_number, is_same_authority

# Admitting and working diagnoses: HL7 table 0052.
DIAGNOSIS_TYPES = ("A", "W")
DIAGNOSIS_LENGTH = 2_000
# Maximum length of identifiers that are stored in columns of their own.
MAX_NAME = 199
# Maximum length of a field. HL7 allows no longer texts.
MAX_FIELD_LENGTH = 65_536
MAX_REPETITIONS = 100
# Maximum length of all segments of one name that are kept for billing.
MAX_KEPT_LENGTH = 16_000
# The value that deletes a field.
_EMPTY = '""'
# Precision of a moment, TS.2 in versions before 2.6: it may follow the moment.
_PRECISIONS = ("Y", "L", "D", "H", "M", "S")
# Earlier years are placeholders, or clocks that were never set.
MIN_YEAR, MIN_BIRTH_YEAR = 1990, 1900
# Maximum length of the quotation of a field.
MAX_QUOTED = 60

# Events of the same moment are ordered by the time of recording, then by the time of sending.
_ORDER = {"recorded_at": ("EVN-2",), "sent_at": ("MSH-7",)}

# Events about two patients.
_EXCHANGES = ("A17",)


class VisitSource(StrEnum):
    """What identifies the messages of a stay."""

    # PV1-19.
    NUMBER = "number"
    # The record number and the time of admission.
    ADMISSION = "admission"


class _Identifier(NamedTuple):
    number: str
    authority: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdtParser:
    """Parser for the ADT messages of one hospital.

    A moment without a time zone is in the hospital's.
    """

    zone: tzinfo
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: PATHS)
    # Assigning authority of record numbers, CX.4, with all its names, separated by commas.
    authority: str | None = None
    # Patient classes that get sheets.
    classes: frozenset[str] = frozenset({"I", "E"})
    # Classes of HL7 by the hospital's own.
    class_map: Mapping[str, str] = field(default_factory=dict)
    visit: VisitSource = VisitSource.NUMBER
    processing: frozenset[str] = frozenset({"P"})

    @property
    def settings_digest(self) -> str:
        """The digest of all settings: equal parsers have the same."""
        settings: tuple[object, ...] = (
            sorted(self.paths.items()), self.authority, sorted(self.classes), sorted(self.processing),
        )  # fmt: skip
        if self.class_map or self.visit is not VisitSource.NUMBER:
            settings = (*settings, sorted(self.class_map.items()), self.visit)
        return hashlib.sha256(repr((settings, str(self.zone))).encode()).hexdigest()

    def __call__(self, text: str) -> AdmissionMessage:
        """Parse a message. Raise ``MessageRejected``."""
        read = self._read(_Message(text))
        if read.kind not in _EXCHANGES:
            return read
        # The segments of the second patient follow those of the first.
        header, *patients = re.split(r"(?<=\r)(?=PID\W)", text)
        if len(patients) != 2:
            return read
        first, second = (self._read(_Message(header + patient)) for patient in patients)
        # Each of the two patients may be the one for whom the message waits.
        return replace(first, exchanged_with=second, prior_number=second.record_number)

    def _read(self, message: "_Message") -> AdmissionMessage:
        control_id = message.value(Place("MSH", 10, None, None))
        if not control_id:
            raise MessageRejected(Code.REFUSED_CONTROL_ID_MISSING, "MSH-10")
        kind, event = message.value(Place("MSH", 9, 1, None)), message.value(Place("MSH", 9, 2, None))
        if kind != "ADT" or not re.fullmatch(r"[A-Z][A-Z0-9]{2}", event or ""):
            raise MessageRejected(
                Code.REFUSED_NO_ADT, "MSH-9", value="^".join(filter(None, [kind, event]))[:MAX_QUOTED]
            )
        processing_id = message.value(Place("MSH", 11, 1, None)) or "P"
        if processing_id not in self.processing:
            allowed = ", ".join(sorted(self.processing))
            raise MessageRejected(
                Code.REFUSED_PROCESSING_ID, "MSH-11", value=processing_id[:MAX_QUOTED], allowed=allowed
            )
        version = message.value(Place("MSH", 12, 1, None))
        if version and version not in VERSIONS:
            raise MessageRejected(Code.REFUSED_VERSION, "MSH-12", value=version[:MAX_QUOTED])
        unreadable: list[UnreadableMoment] = []
        event_at = self._moment(message, "event_at", unreadable)
        if event_at is None:
            if not unreadable:
                raise MessageRejected(Code.REFUSED_TIME_MISSING, "MSH-7")
            _, place, value = unreadable[-1]
            raise MessageRejected(Code.REFUSED_TIME_UNREADABLE, place, value=value)
        admitted_at = self._moment(message, "admitted_at", unreadable)
        is_admission = event in ("A01", "A04")
        class_sent = self._first(message, "class")
        patient_class = self._class(class_sent)
        admitted_at = admitted_at or (event_at if is_admission else None)
        number, authority = self._number(message, "record_number")
        prior_number, prior_authority = self._number(message, "prior_number")
        read = AdmissionMessage(
            source=f"{message.value(Place('MSH', 3, 1, None))}|{message.value(Place('MSH', 4, 1, None))}",
            control_id=control_id,
            kind=event or "",
            event_at=event_at,
            recorded_at=self._moment(message, "recorded_at", unreadable),
            sent_at=self._moment(message, "sent_at", unreadable),
            record_number=number,
            authority=authority,
            prior_number=prior_number,
            prior_authority=prior_authority,
            merges=message.count("MRG"),
            visit_number=self._visit_number(message, number, admitted_at),
            is_visit_of_admission=self.visit is VisitSource.ADMISSION,
            class_taken=class_sent is None or patient_class in self.classes,
            class_sent=class_sent is not None,
            unknown_class=class_sent and class_sent[:MAX_QUOTED] if patient_class is None else None,
            location=self._location(message),
            person=self._person(message, unreadable),
            particulars=self._particulars(message),
            billing=self._billing(message),
            admission_date=admitted_at.astimezone(self.zone).date() if admitted_at else None,
            admitted_at=admitted_at,
            discharged_at=self._moment(message, "discharged_at", unreadable),
            # The times of event, recording and sending may share a path: each path is reported once.
            unreadable_moments=tuple({one.place: one for one in reversed(unreadable)}.values()),
        )
        self._check_identifiers(read)
        return read

    def _check_identifiers(self, read: AdmissionMessage) -> None:
        named = {
            "MSH-3": read.source,
            "MSH-10": read.control_id,
            "PID-3": read.record_number,
            "MRG-1": read.prior_number,
            "PV1-19": read.visit_number,
            "PV1-3": read.location,
        }
        for place, value in named.items():
            if value and len(value) > MAX_NAME:
                raise MessageRejected(Code.REFUSED_FIELD_TOO_LONG, place, most=MAX_NAME)
            if value and not is_storable(value):
                raise MessageRejected(Code.REFUSED_CONTROL_CHARACTER, place)

    def _first(self, message: "_Message", name: str) -> Value:
        """Return the first value among the field's paths; None without a value."""
        values = (message.value(Place.of(path)) for path in self.paths[name])
        return next((value for value in values if value and value != _EMPTY), None)

    def _values(self, message: "_Message", **names: str) -> dict[str, Value]:
        """Return the fields that the message has; None for those it deletes."""
        found: dict[str, Value] = {}
        for ours, name in names.items():
            value = self._first(message, name)
            if value is not None:
                found[ours] = value
            elif any(message.value(Place.of(path)) == _EMPTY for path in self.paths[name]):
                found[ours] = None
        return found

    def _number(self, message: "_Message", name: str) -> tuple[str | None, Authority]:
        """Return the record number among the identifiers, and its authority.

        Identifiers of the hospital's authority come first, then those of type MR, then any. Placeholders are left out.
        """
        identifiers = [one for path in self.paths[name] for one in self._identifiers(message, Place.of(path))]
        ours = [one for one in identifiers if self._is_own(one.authority)]
        typed = [one for one in identifiers if one.kind == "MR"]
        found = next(iter((*ours, *typed, *identifiers)), None)
        if found is None or not found.authority:
            return found and found.number, NOT_NAMED
        own = authority_names(self.authority)
        if self._is_own(found.authority):
            return found.number, Authority(own)
        return found.number, Authority((found.authority,), own[0] if own else None)

    def _identifiers(self, message: "_Message", place: Place) -> Iterator["_Identifier"]:
        for repetition in range(1, message.count(place.segment, place.field) + 1):
            value = partial(message.value, repetition=repetition)
            number = value(place._replace(component=place.component or 1))
            if number and number != _EMPTY and not _is_placeholder(number):
                if place.component not in (None, 1):
                    yield _Identifier(number)
                    continue
                authority = place._replace(component=4)
                names = [value(authority._replace(subcomponent=part)) or "" for part in (1, 2)]
                yield _Identifier(number, "&".join(names).rstrip("&"), value(place._replace(component=5)) or "")

    def _is_own(self, authority: str) -> bool:
        return any(is_same_authority(authority, one) for one in authority_names(self.authority))

    def _class(self, sent: str | None) -> str | None:
        """Return the class of HL7 that the hospital's class means, or None."""
        theirs = (sent or "").upper()
        mapped = next((ours for one, ours in self.class_map.items() if one.upper() == theirs), None)
        known = {one.upper(): one for one in (*PATIENT_CLASSES, *self.classes)}
        return mapped or known.get(theirs)

    def _visit_number(self, message: "_Message", number: str | None, admitted_at: datetime | None) -> str | None:
        if self.visit is VisitSource.ADMISSION:
            return visit_of_admission(number, admitted_at, self.zone) if number and admitted_at else None
        values = (message.value(Place.of(path)) for path in self.paths["visit_number"])
        return next((one for one in values if one and one != _EMPTY and not _is_placeholder(one)), None)

    def _location(self, message: "_Message") -> str | None:
        for path in self.paths["location"]:
            place = Place.of(path)
            parts = (1, 2, 3) if place.component is None else (place.component,)
            values = [message.value(place._replace(component=part)) or "" for part in parts]
            bind_to = "^".join("" if value == _EMPTY else value for value in values).rstrip("^")
            if bind_to:
                return bind_to
        return None

    def _person(self, message: "_Message", unreadable: list[UnreadableMoment]) -> dict[str, Value]:
        person = self._values(message, name="name", second_surname="second_surname")
        person |= self._first_surname(message)
        second = self._first(message, "second_name")
        if person.get("name") and second:
            person["name"] = f"{person['name']} {second}"
        for path in self.paths["date_of_birth"]:
            text = message.moment_text(Place.of(path))
            if text == _EMPTY:
                person["date_of_birth"] = None
            elif text:
                day = parse_day(text)
                # Birth dates in the future and dates that do not exist are reported as unreadable.
                if day is None or day.year < MIN_BIRTH_YEAR or day > datetime.now(self.zone).date():
                    unreadable.append(UnreadableMoment("date_of_birth", path, text[:MAX_QUOTED]))
                else:
                    person["date_of_birth"] = day.isoformat()
                break
        return person

    def _first_surname(self, message: "_Message") -> dict[str, Value]:
        """Return the whole surname.

        If the path names a part of it (FN.3), its prefix (FN.2) is put before it.
        """
        names = self._values(message, first_surname="first_surname")
        for place in map(Place.of, self.paths["first_surname"]):
            value = message.value(place)
            if value and value != _EMPTY:
                prefix = message.value(place._replace(subcomponent=2)) if place.subcomponent == 3 else None
                return {"first_surname": full_name(None if prefix == _EMPTY else prefix, value)}
        return names

    def _particulars(self, message: "_Message") -> dict[str, Value]:
        particulars: dict[str, Value] = {}
        for path in self.paths["doctor"]:
            place = Place.of(path)
            parts = (2, 3, 1) if place.component is None else (place.component,)
            values = [message.value(place._replace(component=part)) for part in parts]
            if values[-1] == _EMPTY or values[0] == _EMPTY:
                particulars.setdefault("doctor", None)
            elif any(values):
                particulars["doctor"] = " ".join(filter(None, values))
                break
        diagnosis = self._diagnosis(message)
        if diagnosis is not None:
            particulars["diagnosis"] = None if diagnosis == _EMPTY else diagnosis[:DIAGNOSIS_LENGTH]
        return particulars

    def _billing(self, message: "_Message") -> dict[str, Value]:
        """Return what billing gets as it came: class, doctor and segments."""
        found = self._values(message, **{PATIENT_CLASS: "class"})
        for place in map(Place.of, self.paths["doctor"]):
            sent = message.raw_field(place) if place.component is None else None
            if sent:
                found[DOCTOR] = None if sent == _EMPTY else sent
                break
        return found | {name: kept for name in SEGMENTS if (kept := message.raw_segments(name))}

    def _diagnosis(self, message: "_Message") -> str | None:
        """Return the words or else the code of the first diagnosis at admission.

        Successive paths of one segment name the same diagnosis.
        """
        places = map(Place.of, self.paths["diagnosis"])
        for name, of_segment in groupby(places, key=lambda place: place.segment):
            alternatives = list(of_segment)
            for number in range(1, message.count(name) + 1):
                kind = message.value(Place("DG1", 6, 1, None), segment=number) if name == "DG1" else None
                if kind and kind not in DIAGNOSIS_TYPES:
                    continue
                for place in alternatives:
                    if value := message.note(place, segment=number):
                        return value
        return None

    def _moment(self, message: "_Message", name: str, unreadable: list[UnreadableMoment]) -> datetime | None:
        """Return the first readable moment; add the others to ``unreadable``."""
        for path in self.paths.get(name) or _ORDER[name]:
            text = message.moment_text(Place.of(path))
            if not text or text == _EMPTY:
                continue
            moment = parse_moment(text, self.zone)
            if moment is not None and moment.astimezone(self.zone).year >= MIN_YEAR:
                return moment
            unreadable.append(UnreadableMoment(name, path, text[:MAX_QUOTED]))
        return None


class _Message:
    """A message with lenient access: missing values are None.

    A segment is split only on access, and only as far as necessary.
    """

    def __init__(self, text: str) -> None:
        header = text.partition("\r")[0]
        if not header.startswith("MSH") or "\0" in text or len(header) < len("MSH|^~\\&|"):
            raise MessageRejected(Code.REFUSED_NO_HL7, "MSH")
        self._delimiters = _delimiters(header)
        self._character_set = character_set(text)
        self._segments: dict[str, list[str]] = {}
        for segment in text.strip().split("\r"):
            name = segment.partition(self._delimiters.field)[0]
            self._segments.setdefault(name, []).append(segment)

    def count(self, segment: str, field: int | None = None) -> int:
        """Return the number of such segments, or of repetitions of a field.

        Repetitions are counted in the first segment only.
        """
        if field is None:
            return len(self._segments.get(segment, []))
        text = self._field(Place(segment, field, None, None))
        repetitions = 0 if text is None else text.count(self._delimiters.repetition) + 1
        if repetitions > MAX_REPETITIONS:
            raise MessageRejected(Code.REFUSED_TOO_MANY_REPETITIONS, f"{segment}-{field}", most=MAX_REPETITIONS)
        return repetitions

    def value(self, place: Place, repetition: int = 1, *, segment: int = 1) -> Value:
        """Return the text at a place as one line; None if there is none."""
        text = self.note(place, repetition, segment=segment)
        return " ".join(re.split("[\n\t]+", text)).strip() or None if text else None

    def note(self, place: Place, repetition: int = 1, *, segment: int = 1) -> Value:
        """Return the text at a place, which may have several lines; None if empty."""
        component = self._component(place, repetition, segment=segment)
        return self._text(_part(component, self._delimiters.subcomponent, place.subcomponent or 1))

    def raw_field(self, place: Place) -> str | None:
        """Return the first repetition of a field with the usual delimiters."""
        piece = _part(self._field(place), self._delimiters.repetition, 1)
        return to_usual_delimiters(piece, self._delimiters, self._decode) if piece else None

    def raw_segments(self, name: str) -> str:
        """Return all segments of that name, with the usual delimiters.

        Of very many, those that fit into ``MAX_KEPT_LENGTH``.
        """
        kept, length = [], 0
        for segment in self._segments.get(name, []):
            text = to_usual_delimiters(segment, self._delimiters, self._decode)
            length += len(text) + 1
            if length > MAX_KEPT_LENGTH:
                break
            kept.append(text)
        return "\r".join(kept)

    def moment_text(self, place: Place) -> Value:
        """Return the text of a moment without its precision (TS.2).

        If the field has other components, they are included.
        """
        if place.component is not None:
            return self._text(self._component(place))
        piece = self._field(place)
        first, *others = (piece or "").split(self._delimiters.component)
        is_alone = [one for one in others if one] in ([], *([code] for code in _PRECISIONS))
        return self._text(first if is_alone else piece)

    def _component(self, place: Place, repetition: int = 1, *, segment: int = 1) -> str | None:
        piece = _part(self._field(place, segment), self._delimiters.repetition, repetition)
        return _part(piece, self._delimiters.component, place.component or 1)

    def _field(self, place: Place, segment: int = 1) -> str | None:
        found = self._segments.get(place.segment, [])
        if segment > len(found):
            return None
        # MSH-1 is the separator itself.
        number = place.field - 1 if place.segment == "MSH" else place.field
        text = _part(found[segment - 1], self._delimiters.field, number + 1)
        if text is not None and len(text) > MAX_FIELD_LENGTH:
            raise MessageRejected(Code.REFUSED_FIELD_TOO_LONG, f"{place.segment}-{place.field}", most=MAX_FIELD_LENGTH)
        return text

    def _text(self, piece: str | None) -> Value:
        return unescape(piece or "", self._delimiters, self._decode).strip() or None

    def _decode(self, content: bytes) -> str | None:
        return decode_escaped(content, self._character_set)


def _is_placeholder(number: str) -> bool:
    """Return whether the text stands for no number."""
    is_word = nothing_said(number, is_code=True) in (Nothing.CERTAIN, Nothing.LIKELY)
    return is_word or is_placeholder_number(number)


def _delimiters(header: str) -> Delimiters:
    """Return the delimiters of MSH-1 and MSH-2, by default the usual ones.

    Raise ``MessageRejected`` if two of them are the same.
    """
    usual = Delimiters()
    component, repetition, escape, subcomponent = (
        named or default
        for named, default in zip_longest(
            header[4:].partition(header[3])[0][:4],
            (usual.component, usual.repetition, usual.escape, usual.subcomponent),
        )
    )
    separators = (header[3], component, repetition, subcomponent)
    if len(set(separators)) < len(separators):
        raise MessageRejected(Code.REFUSED_SEPARATORS, "MSH-2")
    return Delimiters(header[3], component, repetition, escape, subcomponent)


def _part(piece: str | None, separator: str, index: int) -> str | None:
    """Return a part by its number from 1; an undivided piece is part 1."""
    if piece is None:
        return None
    parts = piece.split(separator, index)
    return parts[index - 1] if 0 < index <= len(parts) else None


def describe(text: str) -> list[MessageField]:
    """Return all fields with a value, for display."""
    described = []
    for line in text.replace("\n", "\r").split("\r"):
        mark = line[3:4]
        if not mark:
            continue
        name, *fields = line.split(mark)
        first = 2 if name == "MSH" else 1
        described += [MessageField(f"{name}-{first + n}", value) for n, value in enumerate(fields) if value]
    return described
