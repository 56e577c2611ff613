"""Upkeep of the patients."""

from dataclasses import dataclass
from datetime import date, tzinfo

from application.audit import entry
from application.ports import Begin, Clock
from domain.checks import Checks
from domain.day import day_of
from domain.patient import Patient
from domain.policy import Actor, Permission
from domain.refusal import Code, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientDraft:
    """What is filled in for a patient; ``active`` is 1 or 0."""

    name: str | None = None
    first_surname: str | None = None
    second_surname: str | None = None
    date_of_birth: date | None = None
    active: int | None = None
    record_number: str | None = None
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class CreatePatient:
    """Register a patient. Nobody is born in the future (contract, section 4)."""

    begin: Begin
    clock: Clock
    zone: tzinfo

    def __call__(self, actor: Actor, draft: PatientDraft) -> Patient:
        actor.must(Permission.SAVE_PATIENTS)
        checks = Checks(draft.unreadable)
        now = self.clock()
        patient = Patient(
            name=checks.text("name", draft.name),
            first_surname=checks.text("first_surname", draft.first_surname),
            second_surname=checks.optional_text("second_surname", draft.second_surname),
            date_of_birth=checks.past_day("date_of_birth", draft.date_of_birth, day_of(now, self.zone)),
            active=checks.yes_or_no("active", draft.active),
            record_number=checks.optional_text("record_number", draft.record_number),
        )
        with self.begin() as work:
            if patient.record_number and work.patients.with_record_number(patient.record_number):
                checks.refuse(Code.TAKEN, "record_number", value=patient.record_number)
            checks.done()
            work.patients.add(patient)
            work.trail.append(entry(actor, now, "patient.created", "patient", after=patient))
        return patient
