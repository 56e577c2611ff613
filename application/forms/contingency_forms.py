"""Record, discard and list contingency forms."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from application.audit.access_log import AccessLog
from application.audit.audit_log import entry
from application.catalogue.views import ProductQuery
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable, answer_once
from application.common.redaction import redact_for
from application.common.store_errors import DuplicateEntry
from application.common.use_case import permitted
from application.forms.views import (
    FormProductView,
    FormSheetView,
    FormsView,
    FormView,
    FormWithProductsView,
    RecordedFormView,
)
from application.forms.work import Begin, BeginReadOnly, Read, UnitOfWork, Views
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.record_details import DetailsDraft, recorded_details_view
from application.sheets.lines.recorder import Recorder
from application.sheets.offline.late_entries import LateEntryDraft, validate_late_entry
from application.sheets.several_details import MAX_BATCH_SIZE
from application.sheets.views import SheetQuery, SheetView
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.forms.contingency_form import ContingencyForm, FormState, form_entry_digest
from domain.sheets.late_entry import LateEntry
from domain.sheets.sheet import AreaSheet, PatientSheet, Sheet

MAX_LISTED_FORMS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRecordDraft(Draft):
    """What was noted on a form, with one time of use for all.

    ``acknowledged`` counts for the form and for each line. With ``as_late_entry``, a form of a closed sheet becomes a
    late entry.
    """

    sheet_id: int | None = None
    items: tuple[DetailDraft, ...] | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None
    as_late_entry: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardFormDraft(Draft):
    """The reason for discarding a form."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RecordForm:
    """Record a form on a sheet, once for all users.

    The form is locked, and its number makes the entry digests. So the store refuses a second recording even if the form
    itself was restored from a backup. The form answers for the time of use: it may be long ago for any role.
    """

    begin: Begin
    clock: Clock
    recorder: Recorder

    @permitted(Permission.READ_SHEETS, Permission.READ_CATALOGUE, Permission.ADD_DETAILS)
    def __call__(
        self,
        actor: Actor,
        number: int,
        draft: FormRecordDraft,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[RecordedFormView]:
        try:
            with self.begin() as work:
                done = answer_once(
                    work.idempotency_store,
                    actor.user_id,
                    idempotency_key,
                    RecordedFormView,
                    lambda: self._record(work, actor, number, draft),
                    self.clock,
                )
        except DuplicateEntry:
            # The details exist, but the form is older than they are: it is from a backup.
            reason = Reason(Code.FORM_RECORDED_BEFORE, params={"number": number})
            raise Refused(reason) from None
        return Replayable(redact_for(actor, done.answer, RecordedFormView), done.replayed)

    def _record(self, work: UnitOfWork, actor: Actor, number: int, draft: FormRecordDraft) -> RecordedFormView:
        if work.contingency_forms.get(number) is None:
            raise NotFound
        checks = Validator(draft.parse_errors, draft.acknowledged or ())
        sheet_id = checks.required_id("sheet_id", draft.sheet_id)
        if draft.occurred_at is None:
            checks.add_error(Code.REQUIRED, "occurred_at")
        checks.raise_if_invalid()
        sheet = work.sheets.lock(sheet_id)
        form = work.contingency_forms.lock(number)
        assert form is not None, "forms are never deleted"
        form.ensure_pending(_name_of(work.views, form.decided_by))
        if sheet is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "sheet_id")
        checks.raise_if_invalid()
        assert sheet is not None, "refused above"
        self._check_patient(work, checks, actor, form, sheet)
        checks.raise_if_invalid()
        items = tuple(
            replace(
                item,
                occurred_at=draft.occurred_at,
                acknowledged=(*(item.acknowledged or ()), *(draft.acknowledged or ())),
            )
            for item in draft.items or ()
        )
        if sheet.closed and draft.as_late_entry:
            return self._submit(work, actor, form, sheet, LateEntryDraft(items=items, occurred_at=draft.occurred_at))
        installation = work.views.installation_number()
        digests = [form_entry_digest(installation, number, place) for place in range(MAX_BATCH_SIZE)]
        recording = DetailsDraft(items=items).on_sheet(sheet_id)
        recording = recording._replace(digests=digests, form_id=number, has_window=False)
        try:
            lines = self.recorder.record_in(work, actor, recording)
        except Refused as refused:
            raise Refused(*_once(refused.reasons)) from None
        self._decide(work, actor, form, sheet.id, self.clock())
        recorded = recorded_details_view(self.recorder.views_of(lines))
        answer = RecordedFormView(
            number=number, consumption_sheet_id=sheet.id, late_entry_id=None, items=recorded["items"]
        )
        if "warnings" in recorded:
            answer["warnings"] = recorded["warnings"]
        return answer

    def _check_patient(
        self, work: UnitOfWork, checks: Validator, actor: Actor, form: ContingencyForm, sheet: Sheet
    ) -> None:
        """Report a sheet of another patient than the printed one.

        It is a question for supervisors, and an error for others.
        """
        printed = work.sheets.get(form.sheet_id) if form.sheet_id else None
        if printed is None:
            return
        if _subject(printed) == _subject(sheet):
            return
        patient, other = _names_of(work.views, printed, sheet)
        if actor.can(Permission.MANAGE_LATE_ENTRIES):
            checks.require_acknowledgement(
                Code.FORM_OF_ANOTHER, "sheet_id", number=form.id, patient=patient, other=other
            )
        else:
            checks.add_error(Code.FORM_OF_ANOTHER, "sheet_id", number=form.id, patient=patient, other=other)

    def _submit(
        self, work: UnitOfWork, actor: Actor, form: ContingencyForm, sheet: Sheet, draft: LateEntryDraft
    ) -> RecordedFormView:
        """Store the form as a late entry of a closed sheet."""
        now = self.clock()
        body, occurred_at = validate_late_entry(draft, form_id=form.id)
        digest = form_entry_digest(work.views.installation_number(), form.id, 0)
        if work.late_entries.find("digest", digest) or work.details.find_by_entry_digest([digest]):
            raise DuplicateEntry
        late = LateEntry(
            sheet_id=sheet.id,
            user_id=actor.user_id,
            digest=digest,
            body=body,
            occurred_at=min(occurred_at, now),
            arrived_at=now,
        )
        work.late_entries.add(late)
        sheet.touch()
        work.sheets.save(sheet)
        work.audit_log.append(entry(actor, now, AuditAction.LATE_ENTRY_ARRIVED, after=late))
        self._decide(work, actor, form, sheet.id, now, late.id)
        return RecordedFormView(number=form.id, consumption_sheet_id=sheet.id, late_entry_id=late.id, items=[])

    def _decide(
        self,
        work: UnitOfWork,
        actor: Actor,
        form: ContingencyForm,
        sheet_id: int,
        now: datetime,
        late_entry_id: int | None = None,
    ) -> None:
        before = replace(form)
        form.record(sheet_id, by=actor, at=now, late_entry_id=late_entry_id)
        work.contingency_forms.save(form)
        work.audit_log.append(entry(actor, now, AuditAction.FORM_RECORDED, before=before, after=form))


@dataclass(frozen=True, slots=True)
class DiscardForm:
    """Decide, with a reason, that a form is never recorded."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor, number: int, draft: DiscardFormDraft) -> FormView:
        checks = Validator(draft.parse_errors)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        checks.raise_if_invalid()
        with self.begin() as work:
            form = work.contingency_forms.lock(number)
            if form is None:
                raise NotFound
            form.ensure_pending(_name_of(work.views, form.decided_by))
            before, now = replace(form), self.clock()
            form.discard(reason, by=actor, at=now)
            work.contingency_forms.save(form)
            work.audit_log.append(entry(actor, now, AuditAction.FORM_DISCARDED, before=before, after=form))
            return _views(work.views, [form])[0]


@dataclass(frozen=True, slots=True)
class ListForms:
    """List the contingency forms in a state, the oldest first."""

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, state: FormState) -> FormsView:
        with self.read() as views:
            count = views.contingency_form_count(state)
            found = views.contingency_forms(state, most=MAX_LISTED_FORMS)
            view = FormsView(count=count, items=_views(views, found))
        if any(item["sheet"] for item in view["items"]):
            self.access_log.note_list_read(actor, AuditAction.SHEET_LISTED)
        return view


@dataclass(frozen=True, slots=True)
class ReadForm:
    """Read a contingency form with its products."""

    begin_read_only: BeginReadOnly
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS, Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, number: int) -> FormWithProductsView:
        with self.begin_read_only() as work:
            form = work.contingency_forms.get(number)
            if form is None:
                raise NotFound
            [view] = _views(work.views, [form])
            products = _products(work.views, form)
        if view["sheet"]:
            self.access_log.note_sheet_read(actor, view["sheet"]["id"])
        return FormWithProductsView(**view, products=products)


def _products(views: Views, form: ContingencyForm) -> list[FormProductView]:
    """Return the printed products that still exist, in printed order."""
    if not form.products:
        return []
    query = ProductQuery(ids=frozenset(form.products), limit=len(form.products))
    found = {product["id"]: product for product in views.products.page(query)["items"]}
    return [
        FormProductView(
            id=product["id"],
            name=product["name"],
            code=product["code"],
            unit=product["unit"],
            active=product["active"],
        )
        for product in (found.get(product_id) for product_id in form.products)
        if product
    ]


def _subject(sheet: Sheet) -> tuple[str, int]:
    """Return whose the sheet is: the reference to a patient or an area."""
    if isinstance(sheet, AreaSheet):
        return "area_id", sheet.area_id
    assert isinstance(sheet, PatientSheet), "no third kind exists"
    return "patient_id", sheet.patient_id


def _names_of(views: Views, *sheets: Sheet) -> list[str]:
    """Return the names of the patients and areas of sheets."""
    subjects = [_subject(sheet) for sheet in sheets]
    names = {kind: views.names(kind, {key for one, key in subjects if one == kind}) for kind, _ in subjects}
    return [names[kind].get(key, "") for kind, key in subjects]


def _views(views: Views, forms: list[ContingencyForm]) -> list[FormView]:
    sheets = _sheets(views, {form.sheet_id for form in forms if form.sheet_id})
    areas = views.names("area_id", {form.area_id for form in forms if form.area_id})
    people = {form.printed_by for form in forms} | {form.decided_by for form in forms if form.decided_by}
    named, emails = views.names("user_id", people), views.names("account_id", people)

    def called(user_id: int | None) -> str | None:
        return None if user_id is None else named.get(user_id) or emails.get(user_id)

    return [
        FormView(
            number=form.id,
            state=form.state,
            blank=form.sheet_id is None,
            sheet=sheets.get(form.sheet_id or 0),
            area_id=form.area_id,
            area=areas.get(form.area_id or 0),
            printed_at=form.printed_at,
            printed_by=called(form.printed_by),
            decided_at=form.decided_at,
            decided_by=called(form.decided_by),
            recorded_sheet_id=form.recorded_sheet_id,
            late_entry_id=form.late_entry_id,
            reason=form.reason,
        )
        for form in forms
    ]


def _sheets(views: Views, ids: set[int]) -> dict[int, FormSheetView]:
    if not ids:
        return {}
    query = SheetQuery(ids=frozenset(ids), closed=None, limit=len(ids))
    return {sheet["id"]: _sheet(sheet) for sheet in views.sheets.page(query)["items"]}


def _sheet(sheet: SheetView) -> FormSheetView:
    return FormSheetView(id=sheet["id"], closed=sheet["closed"], patient=sheet["patient"], room=sheet["room"]["name"])


def _name_of(views: Views, user_id: int | None) -> str | None:
    if user_id is None:
        return None
    return views.names("user_id", {user_id}).get(user_id) or views.names("account_id", {user_id}).get(user_id)


def _once(reasons: Iterable[Reason]) -> list[Reason]:
    """Report errors about the time of use once, as all lines have the same."""
    found: dict[tuple[str | None, Code], Reason] = {}
    for reason in reasons:
        if reason.field and reason.field.endswith(".occurred_at"):
            reason = replace(reason, field="occurred_at")
        key = (reason.field, reason.code)
        found.setdefault(key, reason)
    return list(found.values())
