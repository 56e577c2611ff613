"""Simulated stays: the messages of a hospital system about its patients."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from adapters.hl7.charset import ENCODINGS
from adapters.hl7.segments import to_charset
from adapters.simulator.adt_message import AdtMessage
from adapters.simulator.patients import DIAGNOSES, DOCTORS, Patient, invent_patient

SOURCE = "SIMULADOR"
# Beds of the demonstration hospital.
DEMO_BEDS = ("Urgencias^Cubículo 1", "Urgencias^Cubículo 2", "Medicina Interna^Habitación 201")
# The events of a stay, one stay after the other. A stay with A40 begins under a provisional record number.
STAYS = (
    ("A28", "A01", "A08", "A02", "A03"),
    ("A04", "A06", "A02", "A08", "A03", "A13", "A03"),
    ("A01", "A11"),
    ("A01", "A02", "A12", "A31", "A03"),
    ("A04", "A40", "A02", "A03"),
    ("A01", "A07", "A03"),
)
# All events are over when the messages are sent.
_FIRST_EVENT = timedelta(hours=8)
_MAX_FIRST_DELAY, _MAX_STEP = 60, 40
_CLASS_AFTER = {"A01": "I", "A04": "E", "A06": "I", "A07": "O"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The content of one MLLP block or one file, and its messages.

    ``way`` is the short name of an unusual form, and ``expects`` the acknowledgement code of each message.
    """

    content: bytes
    messages: tuple[AdtMessage, ...]
    way: str = ""
    expects: str = "AA"


@dataclass(frozen=True, slots=True, kw_only=True)
class HisConventions:
    """What the sender and the receiver agreed on."""

    beds: tuple[str, ...] = DEMO_BEDS
    character_set: str = "UNICODE UTF-8"
    version: str = "2.5.1"
    processing: str = "P"


@dataclass(slots=True, kw_only=True)
class Stay:
    """A patient's stay. Each event happens some minutes after the last one."""

    patient: Patient
    visit: str
    at: datetime
    chance: random.Random
    conventions: HisConventions
    new_control_id: Callable[[], str]
    provisional_number: str | None = None
    _class: str = "I"
    # The beds until now; the patient is in the last one.
    _beds: list[str] = field(default_factory=list)

    def event(self, kind: str, **changes: Any) -> AdtMessage:
        """Return the message about the next event, with changed fields."""
        self.at += timedelta(minutes=self.chance.randrange(5, _MAX_STEP))
        self._class = _CLASS_AFTER.get(kind, self._class)
        self._move(kind)
        fields: dict[str, Any] = {
            "number": self.provisional_number or self.patient.record_number,
            "visit": self.visit,
            "location": self._beds[-1],
            "doctor": self.chance.choice(DOCTORS) if kind in ("A01", "A04", "A06") else None,
            "diagnosis": self.chance.choice(DIAGNOSES) if kind == "A08" else None,
        }
        if kind == "A40":
            fields |= {
                "number": self.patient.record_number,
                "prior": self.provisional_number,
                "visit": None,
            }
            self.provisional_number = None
        return AdtMessage(
            **{
                "kind": kind,
                "at": self.at,
                "control_id": self.new_control_id(),
                "name": self.patient.name,
                "second_surname": self.patient.second_surname,
                "born": self.patient.born,
                "sex": self.patient.sex,
                "patient_class": self._class,
                "source": SOURCE,
                "facility": SOURCE,
                "processing": self.conventions.processing,
                "character_set": self.conventions.character_set,
                "version": self.conventions.version,
                **fields,
                **changes,
            }
        )

    def _move(self, kind: str) -> None:
        if not self._beds:
            self._beds.append(self.chance.choice(self.conventions.beds))
        elif kind == "A02":
            others = [bed for bed in self.conventions.beds if bed != self._beds[-1]]
            self._beds.append(self.chance.choice(others or list(self.conventions.beds)))
        elif kind == "A12" and len(self._beds) > 1:
            self._beds.pop()


@dataclass(slots=True)
class Hospital:
    """Writes messages determined by seed, start and conventions.

    Control ids and visit numbers contain the start, so that another run is about other visits of the same patients.
    """

    seed: int
    started: datetime
    conventions: HisConventions = HisConventions()
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _patients: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def run_id(self) -> str:
        """Return the start of the run, as in its control ids."""
        return f"{self.started:%y%m%d%H%M%S}"

    def new_stay(self, *, is_provisional: bool = False) -> Stay:
        """Return the stay of the next patient, before its first event."""
        number = next(self._patients)
        chance = random.Random(f"{self.seed}-{number}-stay")  # noqa: S311 - repeatable stays, no secret
        visit = f"SIM{self.run_id}-{number}"
        return Stay(
            patient=invent_patient(self.seed, number),
            visit=visit,
            at=self.started - _FIRST_EVENT + timedelta(minutes=chance.randrange(_MAX_FIRST_DELAY)),
            chance=chance,
            conventions=self.conventions,
            new_control_id=lambda: f"SIM{self.run_id}-{next(self._numbers):04}",
            provisional_number=f"SIM-P{self.run_id}-{number}" if is_provisional else None,
        )

    def stays(self, patients: int) -> list[Sending]:
        """Return the messages of that number of stays, by the time of the events."""
        messages = []
        for number in range(patients):
            kinds = STAYS[number % len(STAYS)]
            stay = self.new_stay(is_provisional="A40" in kinds)
            messages += [stay.event(kind) for kind in kinds]
        return [
            Sending(content=encode(message), messages=(message,))
            for message in sorted(messages, key=lambda one: one.at)
        ]


def encode(message: AdtMessage) -> bytes:
    """Return the message in the character set that it declares."""
    encoding = ENCODINGS[message.character_set]
    return to_charset(message.text(), encoding).encode(encoding)
