"""Writer of ADT messages, as hospital systems send them."""

from dataclasses import dataclass
from datetime import datetime

# Message structures of HL7 table 0354, if they are named after another event.
_STRUCTURES = {
    "A04": "A01",
    "A07": "A06",
    "A08": "A01",
    "A11": "A09",
    "A13": "A01",
    "A28": "A05",
    "A31": "A05",
    "A40": "A39",
}
# Events about a patient, without a visit.
_ABOUT_PATIENTS = ("A28", "A31")
# PV1-44 is the last field that is written.
_VISIT_FIELDS = 44


def write_moment(at: datetime) -> str:
    """Return a moment to the second, with the UTC offset that it has."""
    return at.strftime("%Y%m%d%H%M%S%z")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdtMessage:
    """An ADT message. Texts are written as they are, without escapes.

    Without a ``visit`` it has no PV1, with an empty one no PV1-19. ``recorded`` and ``sent`` are EVN-2 and MSH-7, by
    default the time of the event.
    """

    kind: str
    at: datetime
    control_id: str
    number: str | None
    name: str
    visit: str | None = None
    second_surname: str = ""
    born: str = ""
    sex: str = "F"
    prior: str | None = None
    location: str | None = None
    diagnosis: str | None = None
    doctor: str | None = None
    admitted: str = ""
    patient_class: str = "I"
    recorded: str = ""
    sent: str = ""
    source: str = "HIS"
    facility: str = "HOSPITAL"
    processing: str = "P"
    character_set: str = "UNICODE UTF-8"
    version: str = "2.5.1"

    def text(self) -> str:
        """Return the message. Each segment ends with a carriage return."""
        at = write_moment(self.at)
        structure = _STRUCTURES.get(self.kind, self.kind)
        facility = self.facility
        lines = [
            f"MSH|^~\\&|{self.source}|{facility}|CONSUMO|{facility}|{self.sent or at}||ADT^{self.kind}^ADT_{structure}"
            f"|{self.control_id}|{self.processing}|{self.version}||||||{self.character_set}",
            f"EVN|{self.kind}|{self.recorded or at}||||{at}",
            f"PID|1||{self._identifier(self.number)}||{self.name}|{self.second_surname}|{self.born}|{self.sex}",
        ]
        if self.prior is not None:
            lines.append(f"MRG|{self._identifier(self.prior)}")
        if self.visit is not None:
            lines.append(self._visit())
        if self.diagnosis is not None:
            lines.append(f"DG1|1||J18^{self.diagnosis}^I10|||A")
        return "\r".join(lines) + "\r"

    def _identifier(self, number: str | None) -> str:
        return f"{number}^^^{self.facility}^MR" if number else ""

    def _visit(self) -> str:
        is_about_patient = self.kind in _ABOUT_PATIENTS
        fields = [""] * _VISIT_FIELDS
        fields[0] = "1"
        fields[1] = "N" if is_about_patient else self.patient_class
        fields[2] = "" if is_about_patient else self.location or ""
        fields[6] = self.doctor or ""
        fields[18] = "" if is_about_patient else self.visit or ""
        fields[43] = self.admitted
        return "PV1|" + "|".join(fields).rstrip("|")
