"""``consumo export-patient``."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import rich_click as click

from adapters.cli.common import AS_USER, LANGUAGE, NewFolder, console, must_be_current
from adapters.cli.wiring import actor_of, container_of
from adapters.documents.audit_words import AuditWords
from adapters.documents.html_page import Section, html_page
from adapters.documents.pdf.account import account_pdf
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.fhir.everything import everything_of
from adapters.fhir.narrowing import SearchContext
from adapters.files.whole_files import write_file
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats
from adapters.i18n.catalogue import catalogue
from adapters.settings.read_settings import Settings, read_settings
from adapters.wiring.container import Container
from adapters.wiring.hospital import now
from application.audit.audit_log import access_entry
from application.audit.views import AuditQuery
from application.billing.views import OutboundMessageQuery
from application.common.entities import AuditAction
from application.inbound.views import InboundMessageQuery, InboundMessageView
from application.sheets.detail_views import DetailQuery, Voided
from application.sheets.views import SheetQuery
from domain.common.policy import Actor
from domain.common.text import full_name
from domain.people.patient import Patient

_INDEX, _DATA, _FHIR = "index.html", "patient.json", "fhir.json"
_ISSUED = "account-"
_JSON = msgspec.json.Encoder(decimal_format="number")


@click.command("export-patient")
@click.argument("record_number")
@click.argument("folder", metavar="DIR", type=NewFolder())
@LANGUAGE
@AS_USER
def export_patient(record_number: str, folder: Path, *, language: str, email: str | None) -> None:
    """Write everything about one patient into DIR, a new folder.

    RECORD_NUMBER is the patient's present or a former one. Records that were merged into the patient's are included.

    index.html is for people: the records, the sheets with their lines, the messages, and who looked at the patient.
    Each sheet and account is a PDF. patient.json has all of it for programs, fhir.json as FHIR R4. The export is in
    the audit log.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        actor, use_cases = actor_of(container, email), container.use_cases()
        found = {*use_cases.fhir.find_patients_by_number(actor, record_number).values()}
        if len(found) != 1:
            raise click.ClickException(f"No patient has the record number “{record_number}”: look at the wristband.")
        with console.status("Collecting…"):
            export = _Export(settings, container, actor, found.pop(), language)
            files = export.files()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, content in files.items():
        with write_file(folder / name, replace=False) as file:
            file.write(content)
    console.print(f"{folder / _INDEX}: everything about the patient, in {len(files)} files.", markup=False)


@dataclass
class _Export:
    """Collects what use cases tell about a patient, each noted as a look."""

    settings: Settings
    container: Container
    actor: Actor
    patient_id: int
    language: str

    def files(self) -> dict[str, bytes]:
        """Return the content of each file."""
        data, papers = self._collect()
        files = {
            _INDEX: html_page(self.language, self._words["title"], self._sections(data)).encode(),
            _DATA: msgspec.json.format(_JSON.encode(data)),
            _FHIR: msgspec.json.format(_JSON.encode(self._fhir())),
            **papers,
        }
        # What cannot be logged is not written.
        with self.container.begin()() as work:
            entry = access_entry(self.actor, now(), AuditAction.PATIENT_EXPORTED, self.patient_id)
            work.audit_log.append(entry)
        return files

    @property
    def _words(self) -> dict[str, str]:
        return catalogue(self.language)["patient_file"]

    @property
    def _profile(self) -> HospitalProfile:
        return self.container.hospital().profile

    def _collect(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        use_cases, actor, patient_id = self.container.use_cases(), self.actor, self.patient_id
        # First, so that the looks of this export are not among them.
        words = AuditWords(self.language, self._profile)
        readers = [
            *map(words.history, use_cases.audit.read_access_log.iterate(actor, AuditQuery(patient_id=patient_id)))
        ]
        patient = use_cases.patients.reader.one(actor, patient_id)
        with self.container.begin_read_only()() as work:
            merged = work.patients.find_many("merged_into", [patient_id])
            records = [*filter(None, [work.patients.get(patient_id)]), *merged]
            numbers = work.former_record_numbers.of(patient_id)
        sheets: list[dict[str, Any]] = []
        papers: dict[str, bytes] = {}
        for sheet in use_cases.sheets.reader.iterate(actor, SheetQuery(closed=None, patient_id=patient_id)):
            of_sheet = self._papers(sheet["id"], is_open=sheet["deleted_at"] is None)
            papers |= of_sheet
            sheets.append({**sheet, **self._about_sheet(sheet["id"]), "papers": [*of_sheet]})
        data = {
            "exported_at": now(),
            "patient": patient,
            "records": records,
            "former_record_numbers": numbers,
            "sheets": sheets,
            "messages_received": [*self._received(records, numbers, sheets)],
            "readers": readers,
        }
        return data, papers

    def _about_sheet(self, sheet_id: int) -> dict[str, Any]:
        use_cases, actor = self.container.use_cases(), self.actor
        lines = DetailQuery(consumption_sheet_id=sheet_id, voided=Voided.INCLUDE)
        sent = OutboundMessageQuery(consumption_sheet_id=sheet_id)
        messages = [*use_cases.outbound_messages.reader.iterate(actor, sent)]
        with self.container.begin_read_only()() as work:
            unlisted = work.unlisted_items.find_many("sheet_id", [sheet_id])
            forms = {
                form.id: form
                for field in ("sheet_id", "recorded_sheet_id")
                for form in work.contingency_forms.find_many(field, [sheet_id])
            }
        closings = use_cases.sheets.list_closings(actor, sheet_id)["items"]
        return {
            "details": [*use_cases.details.list_of_sheet.iterate(actor, lines)],
            "unlisted_items": unlisted,
            "contingency_forms": [*forms.values()],
            "late_entries": use_cases.late_entries.list(actor, sheet_id)["items"],
            "closings": [
                {**one, "document": use_cases.sheets.read_closing(actor, sheet_id, one["turn"])} for one in closings
            ],
            "messages_sent": [use_cases.outbound_messages.read(actor, one["id"]) for one in messages],
            "history": [*use_cases.sheets.read_history.iterate(actor, sheet_id, AuditQuery())],
        }

    def _papers(self, sheet_id: int, *, is_open: bool) -> dict[str, bytes]:
        """Return each closing and account of a sheet as PDF, and an open one."""
        use_cases, actor, profile, language = self.container.use_cases(), self.actor, self._profile, self.language
        name = f"{self._words['sheet']}-{sheet_id}"
        turns: list[int | None] = [one["turn"] for one in use_cases.sheets.list_closings(actor, sheet_id)["items"]]
        if is_open or not turns:
            turns.append(None)
        papers = {
            f"{name}-{turn}.pdf" if turn else f"{name}.pdf": sheet_pdf(
                profile, use_cases.sheets.print(actor, sheet_id, turn), language
            )
            for turn in turns
        }
        for moment in use_cases.accounts.read(actor, sheet_id)["issued"]:
            if moment["since"].startswith(_ISSUED):
                view = use_cases.accounts.print(actor, sheet_id, moment["since"], with_prices=True)
                papers[f"{name}-{moment['since']}.pdf"] = account_pdf(profile, view, language)
        return papers

    def _received(
        self, records: list[Patient], numbers: list[str], sheets: list[dict[str, Any]]
    ) -> Iterator[InboundMessageView]:
        """Yield received messages that name the patient or a visit."""
        use_cases = self.container.use_cases()
        patients, own = {one.id for one in records}, {one["id"] for one in sheets}
        named = {*numbers, *(one.record_number for one in records), *(one.get("visit_number") for one in sheets)}
        ids: dict[int, None] = {}
        for number in sorted(filter(None, named)):
            query: InboundMessageQuery | None = InboundMessageQuery(q=number)
            while query:
                page = use_cases.inbound_messages.list(self.actor, query)
                for one in page["items"]:
                    if (
                        one["patient_id"] in patients
                        or one["consumption_sheet_id"] in own
                        or (one["patient_id"] is None and {one["record_number"], one["visit_number"]} & {number})
                    ):
                        ids[one["id"]] = None
                query = InboundMessageQuery(q=number, after=page["next"]) if page["next"] else None
        for message_id in sorted(ids):
            yield use_cases.inbound_messages.read(self.actor, message_id)

    def _fhir(self) -> dict[str, Any]:
        profile = self._profile
        server = f"{self.settings.public_address}/fhir/R4"
        context = SearchContext(self.container.use_cases(), self.actor, profile.currency, profile.zone, server)
        return everything_of(context, self.patient_id)

    def _sections(self, data: dict[str, Any]) -> Iterator[Section]:
        with formats.numbers_as(self._profile.number_format):
            yield from self._pages(data)

    def _pages(self, data: dict[str, Any]) -> Iterator[Section]:
        words = self._words
        former = ", ".join(data["former_record_numbers"])
        yield Section(
            words["records"],
            [
                words["about"].format(at=self._moment(data["exported_at"])),
                *([words["former"].format(numbers=former)] if former else []),
            ],
            [words["name"], words["born"], words["number"], words["record"]],
            [
                [
                    full_name(one.name, one.first_surname, one.second_surname),
                    formats.day(self.language, one.date_of_birth) if one.date_of_birth else "",
                    one.record_number or "",
                    words["present"] if one.merged_into is None else words["merged"],
                ]
                for one in data["records"]
            ],
        )
        for sheet in data["sheets"]:
            yield self._sheet(sheet)
        received = [
            [self._moment(one["received_at"]), one["source"], one["kind"], one["state"]]
            for one in data["messages_received"]
        ]
        yield Section(
            words["received"],
            [words["in_json"] if received else words["none"]],
            [words["at"], words["source"], words["kind"], words["state"]],
            received,
        )
        yield Section(
            words["readers"],
            [words["readers_about"]],
            [words["at"], words["who"], words["what"]],
            [[self._moment(one["at"]), one["who"], one["did"]] for one in data["readers"]],
        )

    def _sheet(self, sheet: dict[str, Any]) -> Section:
        words, closed = self._words, sheet["deleted_at"]
        stay = [
            words["stay"].format(
                day=formats.day(self.language, sheet["admission_date"]),
                room=sheet["room"]["name"],
                doctor=sheet["doctor"],
                diagnosis=sheet["diagnosis"],
            ),
            words["closed"].format(at=self._moment(closed)) if closed else words["open"],
            words["papers"].format(files=", ".join(sheet["papers"])),
        ]
        if sheet["unlisted_items"]:
            stay.append(words["unlisted"].format(items="; ".join(one.description for one in sheet["unlisted_items"])))
        return Section(
            words["sheet_title"].format(id=sheet["id"]),
            stay,
            [words["at"], words["product"], words["quantity"], words["total"], words["by"], words["state"]],
            [
                [
                    self._moment(one.get("occurred_at") or one["created_at"]),
                    one["product"]["name"],
                    formats.quantity(self.language, one["quantity"]),
                    formats.money(self.language, one["total"], self._profile.currency),
                    full_name(*(one["staff"][name] for name in ("name", "first_surname", "second_surname")))
                    if one.get("staff")
                    else "",
                    words["voided"] if one.get("voided") else "",
                ]
                for one in sheet["details"]
            ],
        )

    def _moment(self, moment: datetime) -> str:
        return formats.moment(self.language, moment, self._profile.zone)
