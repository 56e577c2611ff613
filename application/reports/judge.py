"""Judge unusual lines, sheets and devices right, to clear the worklist."""

from dataclasses import dataclass
from datetime import datetime

from application.audit.audit_log import Changes, entry_by_id
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.reports.work import Begin, UnitOfWork
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.sheets.anomalies import SHEET_ODDITIES, Judgement, Oddity
from domain.sheets.detail import Detail
from domain.sheets.device_outbox import DeviceOutbox
from domain.sheets.sheet import PatientSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementDraft(Draft):
    """What is right: the ``kind`` of anomaly, and the line, sheet or outbox."""

    kind: str | None = None
    detail_id: int | None = None
    sheet_id: int | None = None
    outbox_id: int | None = None


@dataclass(frozen=True, slots=True)
class JudgeRight:
    """Judge a line, a sheet or the unsent lines of a device right.

    A line returns to the worklist when it is changed, a sheet when it has been unusual for as long again, a device when
    it reports more lines or other ones.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor, draft: JudgementDraft) -> None:
        kind, entity_id = _validate(draft)
        now = self.clock()
        with self.begin() as work:
            judged = _load(work, kind, entity_id)
            version = None if isinstance(judged, PatientSheet) else judged.version
            work.judgements.save(
                Judgement(kind=kind, entity_id=entity_id, version=version, user_id=actor.user_id, at=now)
            )
            _note(work, actor, now, kind, judged, undone=False)


@dataclass(frozen=True, slots=True)
class UndoJudgement:
    """Undo a judgement: the line, sheet or device returns to the worklist."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor, draft: JudgementDraft) -> None:
        kind, entity_id = _validate(draft)
        now = self.clock()
        with self.begin() as work:
            judged = _load(work, kind, entity_id)
            if not work.judgements.remove(kind, entity_id):
                raise NotFound
            _note(work, actor, now, kind, judged, undone=True)


def _validate(draft: JudgementDraft) -> tuple[Oddity, int]:
    """Return the kind and the id of what is judged, or raise ``Refused``."""
    checks = Validator(draft.parse_errors)
    kind = checks.str_enum("kind", draft.kind, Oddity)
    checks.raise_if_invalid()  # the kind decides which id is required
    if kind in SHEET_ODDITIES:
        entity_id = checks.required_id("sheet_id", draft.sheet_id)
    elif kind is Oddity.LINES_UNSENT:
        entity_id = checks.required_id("outbox_id", draft.outbox_id)
    else:
        entity_id = checks.required_id("detail_id", draft.detail_id)
    checks.raise_if_invalid()
    return kind, entity_id


def _load(work: UnitOfWork, kind: Oddity, entity_id: int) -> PatientSheet | Detail | DeviceOutbox:
    """Return the outbox, or the line or open sheet, whose sheet is locked."""
    if kind is Oddity.LINES_UNSENT:
        outbox = work.device_outboxes.get(entity_id)
        if outbox is None:
            raise NotFound
        return outbox
    if kind in SHEET_ODDITIES:
        judged = work.sheets.lock(entity_id)
        if not isinstance(judged, PatientSheet) or judged.closed:
            raise NotFound
        return judged
    sheet = work.sheets.lock_of_detail(entity_id)
    detail = work.details.get(entity_id)
    if sheet is None or sheet.closed or detail is None or detail.voided:
        raise NotFound
    return detail


def _note(
    work: UnitOfWork,
    actor: Actor,
    at: datetime,
    kind: Oddity,
    judged: PatientSheet | Detail | DeviceOutbox,
    *,
    undone: bool,
) -> None:
    changes: Changes = {"kind": (str(kind), None) if undone else (None, str(kind))}
    if isinstance(judged, PatientSheet):
        action = AuditAction.SHEET_JUDGEMENT_UNDONE if undone else AuditAction.SHEET_JUDGED_RIGHT
        noted = entry_by_id(actor, at, action, judged.id, changes, sheet_id=judged.id, patient_id=judged.patient_id)
    elif isinstance(judged, DeviceOutbox):
        # Of the user whose lines they are: the report itself is soon gone.
        action = AuditAction.USER_OUTBOX_JUDGEMENT_UNDONE if undone else AuditAction.USER_OUTBOX_JUDGED_RIGHT
        noted = entry_by_id(actor, at, action, judged.user_id, changes)
    else:
        action = AuditAction.DETAIL_JUDGEMENT_UNDONE if undone else AuditAction.DETAIL_JUDGED_RIGHT
        noted = entry_by_id(actor, at, action, judged.id, changes, sheet_id=judged.sheet_id)
    work.audit_log.append(noted)
