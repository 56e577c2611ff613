"""Two records of one person become one, and apart again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from application.audit_log import access_entry, entry, plain
from application.entities import PATIENT, AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from application.views import (
    AuditQuery,
    DifferenceView,
    MergePreviewView,
    PatientView,
    SheetsToMoveView,
    UnmergedPatientView,
)
from domain.errors import Code, NotFound, Reason, Refused
from domain.patient import Patient
from domain.policy import Actor, Permission
from domain.sheet import Sheet
from domain.text import unique_key
from domain.validation import MAX_REASON_LENGTH, Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeDraft:
    """Into which other record of the same person a patient is merged, and why that is known."""

    into_id: int | None = None
    reason: str | None = None
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class PreviewMerge:
    """What merging a patient into another one would do. Nothing is changed; both were looked at."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, patient_id: int, into_id: int) -> MergePreviewView:
        actor.must(Permission.MERGE_PATIENTS)
        now = self.clock()
        with self.begin() as work:
            other, survivor = work.patients.get(patient_id), work.patients.get(into_id)
            if other is None:
                raise NotFound
            if survivor is None:
                raise Refused(Reason(Code.REFERENCE_UNKNOWN, "into_id"))
            for one in (other, survivor):
                work.audit_log.append(access_entry(actor, now, AuditAction.PATIENT_READ, one.id))
            # As it would be: on copies of which nothing is kept.
            filled = replace(survivor).merge_from(replace(other), now)
            sheets = work.sheets.having("patient_id", [other.id])
        closed = sum(sheet.closed for sheet in sheets)
        return MergePreviewView(
            sheets=SheetsToMoveView(open=len(sheets) - closed, closed=closed),
            fills=list(filled),
            differs=[
                DifferenceView(
                    field=name, mine=str(plain(getattr(other, name))), theirs=str(plain(getattr(survivor, name)))
                )
                for name in survivor.conflicting_fields(other)
            ],
        )


@dataclass(frozen=True, slots=True)
class MergePatients:
    """Merge a patient into another record of the same person: all sheets, open and closed, become the other one's.

    The merged record stays, inactive; its record number finds the one that goes on.
    """

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, patient_id: int, draft: MergeDraft) -> PatientView:
        actor.must(Permission.MERGE_PATIENTS)
        checks = Validator(draft.unreadable)
        into_id = checks.required_id("into_id", draft.into_id)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        now = self.clock()
        with self.begin() as work:
            merge_into(work, actor, patient_id, into_id, now, reason=reason, checks=checks)
            view = work.views.patients.one(into_id)
        assert view is not None, "it was saved just now"
        return view


@dataclass(frozen=True, slots=True)
class UnmergePatients:
    """Undo a merge: exactly what it moved goes back, but for sheets that became somebody else's since."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, patient_id: int) -> UnmergedPatientView:
        actor.must(Permission.UNMERGE_PATIENTS)
        now = self.clock()
        with self.begin() as work:
            work.imports.take_turn()
            known = work.patients.get(patient_id)
            if known is None:
                raise NotFound
            # Who goes on is locked before who was merged: whoever merges that one further locks in this order.
            survivor = work.patients.lock(known.merged_into) if known.merged_into else None
            other = work.patients.lock(patient_id)
            if survivor is None or other is None or other.merged_into is None:
                raise Refused(Reason(Code.PATIENT_NOT_MERGED))
            told = _merge_of(work, patient_id)
            into = told["merged_into"][1]
            if other.merged_into != into or survivor.id != into:
                # That one was merged further since: what went there comes back from there first.
                raise Refused(Reason(Code.PATIENT_MERGED_ON, params={"patient": into}))
            was, survivor_was = replace(other), replace(survivor)
            if other.record_number is not None:
                work.former_record_numbers.remove(other.record_number)
            filled = tuple(_parts(told, "filled"))
            number = told["record_number"][0] if "record_number" in told else other.record_number
            survivor.release(
                other,
                filled,
                record_number=None if number is None else str(number),
                active=bool(told["active"][0]) if "active" in told else other.active,
            )
            if survivor != survivor_was:
                work.patients.save(survivor)
            self._give_back_number(work, other)
            followers = [
                one
                for one in work.patients.having("id", [int(each) for each in _parts(told, "others")], locked=True)
                if one.merged_into == survivor.id
            ]
            work.patients.save_all([other, *(replace(one, merged_into=other.id) for one in followers)])
            for one in followers:
                if one.record_number is not None:
                    work.former_record_numbers.remove(one.record_number)
                    work.former_record_numbers.add(other.id, one.record_number)
            listed = [int(each) for each in _parts(told, "sheets")]
            here = [one for one in work.sheets.having("id", listed, locked=True) if one.patient_id == survivor.id]
            returned = _moved(work, actor, now, here, other.id, AuditAction.SHEET_PATIENT_UNMERGED)
            stayed = [each for each in listed if each not in returned]
            notes = {"sheets": _listed(returned), "stayed": _listed(stayed)}
            unmerged = entry(
                actor,
                now,
                AuditAction.PATIENT_UNMERGED,
                before=was,
                after=other,
                **{name: told for name, told in notes.items() if told},
            )
            work.audit_log.append(replace(unmerged, patient_id=survivor.id))
            view = work.views.patients.one(patient_id)
        assert view is not None, "it was saved just now"
        return UnmergedPatientView(patient=view, returned=returned, stayed=stayed)

    def _give_back_number(self, work: UnitOfWork, other: Patient) -> None:
        """The number that was the other's, unless somebody has it for good by now."""
        if other.record_number is None:
            return
        holder = work.patients.find("record_number", unique_key(other.record_number))
        if holder is not None and holder.id != other.id:
            other.record_number = None


def merge_into(
    work: UnitOfWork,
    actor: Actor,
    patient_id: int,
    into_id: int,
    at: datetime,
    *,
    reason: str,
    checks: Validator | None = None,
    **notes: str,
) -> Patient:
    """The record that goes on, with all that was the other one's, within that unit of work; ``checks`` raise all that
    is wrong at once.
    """
    actor.must(Permission.MERGE_PATIENTS)
    checks = checks or Validator()
    # Files that are being brought in have looked up their patients: none is kept between this and the end.
    work.imports.take_turn()
    other, survivor = _locked(work, patient_id, into_id)
    if other is None:
        raise NotFound
    if survivor is None and into_id:
        checks.add_error(Code.REFERENCE_UNKNOWN, "into_id")
    checks.raise_if_invalid()
    assert survivor is not None, "refused above"
    was, survivor_was = replace(other), replace(survivor)
    filled = survivor.merge_from(other, at)
    followers = work.patients.having("merged_into", [other.id], locked=True)
    # The number goes from here before it is there.
    work.patients.save_all([other, *(replace(one, merged_into=survivor.id) for one in followers)])
    if survivor != survivor_was:
        work.patients.save(survivor)
    for number in work.former_record_numbers.of(other.id):
        work.former_record_numbers.remove(number)
        work.former_record_numbers.add(survivor.id, number)
    if other.record_number is not None:
        work.former_record_numbers.add(survivor.id, other.record_number)
    moved = _moved(
        work, actor, at, work.sheets.having("patient_id", [other.id], locked=True), survivor.id,
        AuditAction.SHEET_PATIENT_MERGED,
    )  # fmt: skip
    said = {
        "filled": _listed(filled),
        "sheets": _listed(moved),
        "others": _listed(one.id for one in followers),
    }
    merged = entry(
        actor,
        at,
        AuditAction.PATIENT_MERGED,
        before=was,
        after=other,
        reason=reason,
        **{name: told for name, told in said.items() if told},
        **notes,
    )
    work.audit_log.append(replace(merged, patient_id=survivor.id))
    return survivor


def _locked(work: UnitOfWork, *ids: int) -> list[Patient | None]:
    """Those patients, locked in the order of their ids: nobody waits for somebody who waits for them."""
    found = {one.id: one for one in work.patients.having("id", set(ids), locked=True)}
    return [found.get(each) for each in ids]


def _moved(
    work: UnitOfWork, actor: Actor, at: datetime, sheets: Sequence[Sheet], to: int, action: AuditAction
) -> list[int]:
    """The ids of these sheets, that patient's from now on. Whoever has one of them open is told: its version grows."""
    for sheet in sheets:
        before = replace(sheet)
        sheet.reassign_to(to)
        work.audit_log.append(entry(actor, at, action, before=before, after=sheet))
    work.sheets.save_all(sheets)
    return [sheet.id for sheet in sheets]


def _merge_of(work: UnitOfWork, patient_id: int) -> dict[str, list[str | int | bool | None]]:
    """What the audit log tells of the patient's latest merge."""
    query = AuditQuery(entity=PATIENT.name, entity_id=patient_id, action=AuditAction.PATIENT_MERGED, limit=1)
    (told,) = work.views.audit.page(query)["items"]
    return told["changes"]


def _listed(values: Iterable[object]) -> str:
    return "; ".join(map(str, values))


def _parts(told: dict[str, list[str | int | bool | None]], name: str) -> list[str]:
    return str(told[name][1]).split("; ") if name in told else []
