"""Audit log entries in words: the same on the screen and in files."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache

from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats
from adapters.i18n.catalogue import catalogue
from application.audit.audit_log import Value
from application.audit.views import AuditChoiceView, HistoryView, NamedEntryView, Shown, WordedChangeView
from application.common.entities import SHEET, USER, AuditAction
from domain.common.text import counted
from domain.hospital.settings import NumberFormat

# Actions, or verbs of any kind of record, whose sentence says enough without the fields.
_WHOLE = frozenset(
    {
        *("created", "deleted", "sheet.opened", "detail.added", "detail.voided", "detail.deleted"),
        *("detail.judged_right", "detail.judgement_undone", "sheet.judged_right", "sheet.judgement_undone"),
        *("user.outbox_judged_right", "user.outbox_judgement_undone", "unlisted_item.noted"),
        *("product_code.added", "product_code.removed", "recall.opened", "set_aside.recorded", "restock_list.closed"),
        *("profile.completed", "import.done", "import.undone", "key.revoked"),
        *("user.created_by_oidc", "user.invited", "user.registered"),
    }
)
_NOTES = frozenset(
    {
        *("reason", "note", "address", "client", "failures", "groups", "moved_at", "patient_class", "message_id"),
        "former_record_number",
    }
)
# Fields with a label that are not shown: what they say is in the sentence, or is for programs.
_UNSHOWN = frozenset({"acknowledged", "at", "detail_id", "form_id", "import_id", "kind", "state", "system", "user_id"})
_MONEY = frozenset({"ask_above_total", "price", "total", "unit_price"})
_DAYS = frozenset({"admission_date", "date_of_birth", "expiry"})
_QUANTITIES = frozenset({"corrected_from", "quantity", "returned"})
_MOMENTS = frozenset(
    {
        *("admission_cancelled_at", "created_at", "discharge_proposed_at", "expires_at", "locked_since", "moved_at"),
        "occurred_at",
    }
)
# The prefixes of the words for codes.
_CODES = {
    "role": ("role",),
    "status": ("room",),
    "type": ("room_type",),
    "reason": ("return", "void_reason"),
    "use_reason": ("use_reason",),
    "unbilled": ("unbilled",),
}
_NUMBER_FORMATS = {NumberFormat.COMMA.value: "1.250,00", NumberFormat.POINT.value: "1,250.00"}


@dataclass(frozen=True, slots=True)
class AuditWords:
    """Words for the entries of the audit log."""

    language: str
    hospital: HospitalProfile

    def history(self, entry: NamedEntryView) -> HistoryView:
        """Return the entry in words."""
        with formats.numbers_as(self.hospital.number_format):
            in_words = list(self._changes(entry))
            return HistoryView(**entry, who=self._who(entry), did=self._did(entry), in_words=in_words)

    def kinds(self) -> list[AuditChoiceView]:
        """Return the kinds of entities that entries are about."""
        return [AuditChoiceView(value=kind, text=text) for kind, text in self._texts("kinds").items()]

    def actions_of(self, entity: str | None) -> list[AuditChoiceView]:
        """Return the actions that entries about a kind of entity may have."""
        names = self._texts("actions")
        return [
            AuditChoiceView(value=action, text=names.get(action) or names[_verb_of(action)])
            for action in AuditAction
            if action.entity == entity
        ]

    def _texts(self, part: str) -> dict[str, str]:
        return catalogue(self.language)[f"audit_{part}"]

    def _who(self, entry: NamedEntryView) -> str:
        email = entry["user"]["email"] if entry["user"] else None
        who = entry["person"] or email or self._texts("words")["someone"]
        key = entry["api_key"]
        return self._texts("words")["by_key"].format(who=who, key=key["name"]) if key else who

    def _did(self, entry: NamedEntryView) -> str:
        sentences, words, action = self._texts("sentences"), self._texts("words"), entry["action"]
        # The export of a list names no record, except for the details of one sheet.
        exported_one = sentences.get(f"{action}_one") if entry["entity_id"] else None
        sentence = exported_one or sentences.get(action) or sentences.get(_verb_of(action), words["unknown"])
        patient = entry["patient"] or _name_in(entry, "patient_id") or f"#{entry['sheet_id']}"
        name = entry["subject"] or _name_in(entry, "product_id") or _former_name(entry) or f"#{entry['entity_id']}"
        things, lists = self._texts("things"), self._texts("lists")
        thing = things.get(entry["entity"], things["other"])
        # A link for choosing a password may be requested for an unknown account.
        is_unknown_account = entry["entity"] == USER.name and entry["entity_id"] == 0
        return sentence.format(
            name=name,
            action=action,
            thing=words["no_account"]
            if is_unknown_account
            else thing.format(name=patient if entry["entity"] == SHEET.name else name),
            list=lists.get(entry["entity"], lists["other"]),
            sheet=things[SHEET.name].format(name=patient),
            counted=counted(self._value("quantity", _told(entry, "quantity")) or "", name),
        )

    def _changes(self, entry: NamedEntryView) -> Iterator[WordedChangeView]:
        words = self._texts("words")
        is_whole = not _WHOLE.isdisjoint((entry["action"], _verb_of(entry["action"])))
        for field, values in entry["changes"].items():
            label = _label(self.language, entry["entity"], field)
            if not label:
                continue
            if (names := entry["names"].get(field)) is None:
                before, after = (self._value(field, value) for value in values)
            else:
                before, after = (self._named(field, value, name) for value, name in zip(values, names, strict=True))
            shown = Shown.NOTE if field in _NOTES else Shown.DATA if is_whole else Shown.CHANGE
            if shown is Shown.CHANGE:
                text = words["before_and_after"].format(
                    field=label, before=before or words["nothing"], after=after or words["nothing"]
                )
            else:
                text = words["value"].format(field=label, value=after or before or words["nothing"])
            yield WordedChangeView(field=field, shown=shown, text=text)

    def _named(self, field: str, id: Value, name: str | None) -> str | None:
        if id is None:
            return None
        if field == "sheet_id":
            return self._texts("words")["sheet_number"].format(number=id, name=name or "").rstrip()
        return name or f"#{id}"

    def _value(self, field: str, value: Value) -> str | None:
        """Return a value in words.

        If an earlier version stored it in another form, it is returned as it is.
        """
        if value is None or value == "":
            return None
        text, words = str(value), catalogue(self.language)["values"]
        if isinstance(value, bool):
            return self._texts("words")["yes" if value else "no"]
        try:
            if field in _MONEY:
                return formats.money(self.language, Decimal(text), self.hospital.currency)
            if field in _QUANTITIES:
                return formats.quantity(self.language, Decimal(text))
            if field in _DAYS:
                return formats.day(self.language, date.fromisoformat(text[:10]))
            if field in _MOMENTS:
                return formats.moment(self.language, datetime.fromisoformat(text), self.hospital.zone)
        except (ValueError, ArithmeticError):
            return text
        if field == "filled":
            return ", ".join(_label(self.language, "", name) or name for name in text.split("; "))
        if field == "billed_waste":
            return ", ".join(words.get(f"use_reason.{reason}", reason) for reason in text.split("; "))
        if field == "number_format":
            return _NUMBER_FORMATS.get(text) or self._texts("words")["format_of_language"]
        found = (words.get(f"{prefix}.{text}") for prefix in _CODES.get(field, ()))
        return next(filter(None, found), text)


@cache
def _label(language: str, entity: str, field: str) -> str | None:
    """Return the label of a field; None if it is not shown."""
    if field in _UNSHOWN:
        return None
    own, common = catalogue(language)["audit_fields"], catalogue(language)["fields"]
    return own.get(f"{entity}.{field}") or own.get(field) or common.get(field)


def _verb_of(action: str) -> str:
    return action.partition(".")[2]


def _told(entry: NamedEntryView, field: str) -> Value:
    """Return the value of a field after the change, or else before it."""
    before, after = entry["changes"].get(field, (None, None))
    return before if after is None else after


def _name_in(entry: NamedEntryView, field: str) -> str | None:
    before, after = entry["names"].get(field, (None, None))
    return after or before


def _former_name(entry: NamedEntryView) -> str | None:
    """Return the logged name of a record. A deleted record has no other."""
    full = (_told(entry, field) for field in ("name", "first_surname", "second_surname"))
    name = " ".join(str(part) for part in full if part)
    return name or str(_told(entry, "email") or _told(entry, "file_name") or "") or None
