"""What the admission messages said about a visit, for billing.

It is kept in the sheet's external record with the other fields of the messages, the newest value of each. It is patient
data that only billing gets: no screen shows it, and no log contains it.
"""

from domain.common.text import fold
from domain.interop.external_record import ExternalRecord
from domain.sheets.sheet import PatientSheet

# Names in the external record: the patient class (PV1-2), the doctor (an XCN field), and segments by their names.
PATIENT_CLASS = "patient_class"
DOCTOR = "doctor_field"
SEGMENTS = ("DG1", "GT1", "IN1")
_NAMES = (PATIENT_CLASS, DOCTOR, *SEGMENTS)


def admission_data(sheet: PatientSheet) -> dict[str, str]:
    """Return the known values by their names.

    The doctor is omitted if the sheet has another one by now.
    """
    record = ExternalRecord.from_json(sheet.external_record)
    values = {name: value for name in _NAMES if (value := record.value(name))}
    if fold(record.value("doctor") or "") != fold(sheet.doctor):
        values.pop(DOCTOR, None)
    return values


def forget_admission_data(sheet: PatientSheet) -> None:
    """Remove the values: they belong to another patient."""
    if sheet.external_record is not None:
        sheet.external_record = ExternalRecord.from_json(sheet.external_record).without(_NAMES).to_json
