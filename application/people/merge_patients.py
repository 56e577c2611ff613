"""Merge two records of one person, and undo a merge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from application.audit.audit_log import access_entry, entry, to_audit_value
from application.audit.views import AuditQuery
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import PATIENT, AuditAction
from application.common.use_case import permitted
from application.people.unidentified_numbers import take_unidentified_number
from application.people.views import (
    DifferenceView,
    MergePreviewView,
    PatientView,
    SheetsToMoveView,
    UnmergedPatientView,
)
from application.people.work import Begin, UnitOfWork
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.text import code_key
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.people.patient import Patient, number_end
from domain.sheets.sheet import PatientSheet, of_patients


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeDraft(Draft):
    """The other record of the same person, and the reason for the merge.

    ``number_end`` is the end of a record number, which confirms that two persons with other data are the same.
    """

    into_id: int | None = None
    reason: str | None = None
    number_end: str | None = None


@dataclass(frozen=True, slots=True)
class PreviewMerge:
    """Preview what a merge would do.

    Nothing is changed, but access to both records is logged.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MERGE_PATIENTS)
    def __call__(self, actor: Actor, patient_id: int, into_id: int) -> MergePreviewView:
        now = self.clock()
        with self.begin() as work:
            other, survivor = work.patients.get(patient_id), work.patients.get(into_id)
            if other is None:
                raise NotFound
            if survivor is None:
                raise Refused(Reason(Code.REFERENCE_UNKNOWN, "into_id"))
            for one in (other, survivor):
                work.audit_log.append(access_entry(actor, now, AuditAction.PATIENT_READ, one.id))
            # Merge copies, which are discarded.
            filled = replace(survivor).merge_from(replace(other), now)
            sheets = work.sheets.find_many("patient_id", [other.id])
        closed = sum(sheet.closed for sheet in sheets)
        return MergePreviewView(
            sheets=SheetsToMoveView(open=len(sheets) - closed, closed=closed),
            fills=list(filled),
            differs=[
                DifferenceView(
                    field=name,
                    mine=str(to_audit_value(getattr(other, name))),
                    theirs=str(to_audit_value(getattr(survivor, name))),
                )
                for name in survivor.conflicting_fields(other)
            ],
            another_person=survivor.is_another_person(other),
            asks_number_of=_asks_number_of(other, survivor),
        )


@dataclass(frozen=True, slots=True)
class MergePatients:
    """Merge a patient into another record of the same person.

    All sheets, open and closed, move to the other record. The merged record stays, inactive. Its record number finds
    the surviving record.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MERGE_PATIENTS)
    def __call__(self, actor: Actor, patient_id: int, draft: MergeDraft) -> PatientView:
        checks = Validator(draft.parse_errors)
        into_id = checks.required_id("into_id", draft.into_id)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        now = self.clock()
        with self.begin() as work:
            merge_into(
                work, actor, patient_id, into_id, now, reason=reason, checks=checks, number_end=draft.number_end or ""
            )
            view = work.views.patients.one(into_id)
        assert view is not None, "it was saved just now"
        return view


@dataclass(frozen=True, slots=True)
class UnmergePatients:
    """Undo a merge: one's own, or any with the permission for that.

    What it moved goes back, except for sheets that were assigned to another patient since.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.UNMERGE_PATIENTS)
    def __call__(self, actor: Actor, patient_id: int) -> UnmergedPatientView:
        now = self.clock()
        with self.begin() as work:
            work.imports.acquire_lock()
            known = work.patients.get(patient_id)
            if known is None:
                raise NotFound
            # Lock the surviving record before the merged one. Merging the surviving record into a third one locks in
            # this order too.
            survivor = work.patients.lock(known.merged_into) if known.merged_into else None
            other = work.patients.lock(patient_id)
            if survivor is None or other is None or other.merged_into is None:
                raise Refused(Reason(Code.PATIENT_NOT_MERGED))
            if other.merged_by != actor.user_id and not actor.can(Permission.UNMERGE_ANY_PATIENTS):
                raise Refused(Reason(Code.MERGE_NOT_OWN))
            changes = _merge_of(work, patient_id)
            into = changes["merged_into"][1]
            if other.merged_into != into or survivor.id != into:
                # The surviving record was merged into another one since. That merge has to be undone first.
                raise Refused(Reason(Code.PATIENT_MERGED_ON, params={"patient": into}))
            was, survivor_was = replace(other), replace(survivor)
            if other.record_number is not None:
                work.former_record_numbers.remove(other.record_number)
            filled = tuple(_parts(changes, "filled"))
            number = changes["record_number"][0] if "record_number" in changes else other.record_number
            survivor.release(
                other,
                filled,
                record_number=None if number is None else str(number),
                active=bool(changes["active"][0]) if "active" in changes else other.active,
            )
            if "unidentified_number" in changes:
                other.unidentified_number = take_unidentified_number(work)
            if survivor != survivor_was:
                work.patients.save(survivor)
                _log_update(work, actor, now, survivor_was, survivor)
            self._give_back_number(work, other)
            followers = [
                one
                for one in work.patients.find_many("id", [int(each) for each in _parts(changes, "others")], locked=True)
                if one.merged_into == survivor.id
            ]
            work.patients.save_all([other, *_redirected(work, actor, now, followers, other.id)])
            for one in followers:
                if one.record_number is not None:
                    work.former_record_numbers.remove(one.record_number)
                    work.former_record_numbers.add(other.id, one.record_number)
            listed = [int(each) for each in _parts(changes, "sheets")]
            found = of_patients(work.sheets.find_many("id", listed, locked=True))
            here = [one for one in found if one.patient_id == survivor.id]
            returned = _moved(work, actor, now, here, other.id, AuditAction.SHEET_PATIENT_UNMERGED)
            stayed = [each for each in listed if each not in returned]
            notes = {"sheets": _listed(returned), "stayed": _listed(stayed)}
            unmerged = entry(
                actor,
                now,
                AuditAction.PATIENT_UNMERGED,
                before=was,
                after=other,
                **{name: text for name, text in notes.items() if text},
            )
            work.audit_log.append(replace(unmerged, patient_id=survivor.id))
            view = work.views.patients.one(patient_id)
        assert view is not None, "it was saved just now"
        return UnmergedPatientView(patient=view, returned=returned, stayed=stayed)

    def _give_back_number(self, work: UnitOfWork, other: Patient) -> None:
        """Give back the former number, unless another patient has it now."""
        if other.record_number is None:
            return
        holder = work.patients.find("record_number", code_key(other.record_number))
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
    number_end: str | None = None,
    **notes: str,
) -> Patient:
    """Merge two records, and return the surviving one.

    It happens within the given unit of work. ``checks`` may have earlier errors, which are raised together with these.
    """
    actor.require(Permission.MERGE_PATIENTS)
    return merge_records(
        work, actor, patient_id, into_id, at, reason=reason, checks=checks, number_end=number_end, **notes
    )


def merge_records(
    work: UnitOfWork,
    actor: Actor,
    patient_id: int,
    into_id: int,
    at: datetime,
    *,
    checks: Validator | None = None,
    number_end: str | None = None,
    **notes: str,
) -> Patient:
    """Merge two records; the caller has checked the permission.

    With a ``number_end``, records that contradict are merged only if it is the end of the number that is asked for. The
    hospital's system is not asked.
    """
    checks = checks or Validator()
    # Running imports have already looked up their patients. With this lock none of them commits before this unit of
    # work.
    work.imports.acquire_lock()
    other, survivor = _locked(work, patient_id, into_id)
    if other is None:
        raise NotFound
    if survivor is None and into_id:
        checks.add_error(Code.REFERENCE_UNKNOWN, "into_id")
    if survivor is not None and number_end is not None and other.merged_into is survivor.merged_into is None:
        _check_confirmation(checks, other, survivor, number_end)
    checks.raise_if_invalid()
    assert survivor is not None, "refused above"
    was, survivor_was = replace(other), replace(survivor)
    filled = survivor.merge_from(other, at, actor.user_id)
    followers = work.patients.find_many("merged_into", [other.id], locked=True)
    # Save the record that loses the number first, because the number is unique.
    work.patients.save_all([other, *_redirected(work, actor, at, followers, survivor.id)])
    if survivor != survivor_was:
        work.patients.save(survivor)
        _log_update(work, actor, at, survivor_was, survivor)
    for number in work.former_record_numbers.of(other.id):
        work.former_record_numbers.remove(number)
        work.former_record_numbers.add(survivor.id, number)
    if other.record_number is not None:
        work.former_record_numbers.add(survivor.id, other.record_number)
    moved = _moved(
        work, actor, at, of_patients(work.sheets.find_many("patient_id", [other.id], locked=True)), survivor.id,
        AuditAction.SHEET_PATIENT_MERGED,
    )  # fmt: skip
    merge_notes = {
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
        **{name: text for name, text in merge_notes.items() if text},
        **notes,
    )
    work.audit_log.append(replace(merged, patient_id=survivor.id))
    return survivor


def _asks_number_of(other: Patient, survivor: Patient) -> int | None:
    """Return the record whose number confirms the merge, if any.

    It is the record that goes, if it has a number.
    """
    numbered = [one for one in (other, survivor) if one.record_number]
    return numbered[0].id if numbered and survivor.is_another_person(other) else None


def _check_confirmation(checks: Validator, other: Patient, survivor: Patient, typed: str) -> None:
    asked = _asks_number_of(other, survivor)
    number = next((one.record_number for one in (other, survivor) if one.id == asked), None)
    if number and number_end(typed) != number_end(number):
        params = {"value": typed} if typed else {}
        checks.add_error(Code.MERGE_UNCONFIRMED, "number_end", **params)


def _locked(work: UnitOfWork, *ids: int) -> list[Patient | None]:
    """Return the patients, locked in the order of their ids.

    The fixed order prevents deadlocks.
    """
    found = {one.id: one for one in work.patients.find_many("id", set(ids), locked=True)}
    return [found.get(each) for each in ids]


def _moved(
    work: UnitOfWork, actor: Actor, at: datetime, sheets: Sequence[PatientSheet], to: int, action: AuditAction
) -> list[int]:
    """Assign the sheets to a patient, and return their ids.

    Their versions grow, so that clients that have them open notice it.
    """
    for sheet in sheets:
        before = replace(sheet)
        sheet.reassign_to(to)
        work.audit_log.append(entry(actor, at, action, before=before, after=sheet))
    work.sheets.save_all(sheets)
    return [sheet.id for sheet in sheets]


def _redirected(work: UnitOfWork, actor: Actor, at: datetime, followers: Sequence[Patient], to: int) -> list[Patient]:
    """Return records that were merged before, merged into another one now."""
    redirected = [replace(one, merged_into=to) for one in followers]
    for before, after in zip(followers, redirected, strict=True):
        _log_update(work, actor, at, before, after)
    return redirected


def _log_update(work: UnitOfWork, actor: Actor, at: datetime, before: Patient, after: Patient) -> None:
    work.audit_log.append(entry(actor, at, AuditAction.PATIENT_UPDATED, before=before, after=after))


def _merge_of(work: UnitOfWork, patient_id: int) -> dict[str, list[str | int | bool | None]]:
    """Return the changes in the audit entry of the patient's latest merge."""
    query = AuditQuery(entity=PATIENT.name, entity_id=patient_id, action=AuditAction.PATIENT_MERGED, limit=1)
    (merge,) = work.views.audit.page(query)["items"]
    return merge["changes"]


def _listed(values: Iterable[object]) -> str:
    return "; ".join(map(str, values))


def _parts(changes: dict[str, list[str | int | bool | None]], name: str) -> list[str]:
    return str(changes[name][1]).split("; ") if name in changes else []
