"""Data of admission messages for billing: kept as it came."""

import pytest

from adapters.hl7.adt_parser import MAX_KEPT_LENGTH, AdtParser
from adapters.hl7.adt_paths import PATHS
from application.sheets.admission_data import DOCTOR, PATIENT_CLASS
from tests.builders import ZONE
from tests.hl7.messages import adt

READ = AdtParser(zone=ZONE)
INSURANCE = "IN1|1|P\\T\\1^Plan ñ|A-1|Aseguradora|||||G-7|||20910101|20911231|||Paz&de&la^Ana^^^^^L"


def test_class_doctor_and_segments_are_kept_as_they_came() -> None:
    sent = adt("A01", patient_class="E", doctor="D7^Vega^Luz^^^Dra.~D8^Paz", diagnosis="Sepsis \\.br\\ abdominal")
    assert READ(f"{sent}DG1|2||A41^Otra^I10|||W\rGT1|1||Paz^Ana\r{INSURANCE}\r").billing == {
        PATIENT_CLASS: "E",
        DOCTOR: "D7^Vega^Luz^^^Dra.",
        "DG1": "DG1|1||J18^Sepsis \\.br\\ abdominal^I10|||A\rDG1|2||A41^Otra^I10|||W",
        "GT1": "GT1|1||Paz^Ana",
        "IN1": INSURANCE,
    }


def test_absent_data_is_missing_and_a_deleted_doctor_is_none() -> None:
    assert READ(adt("A28")).billing == {PATIENT_CLASS: "N"}
    assert READ(adt("A01", doctor='""', patient_class="")).billing == {DOCTOR: None}


def test_a_doctor_at_a_configured_component_has_no_field() -> None:
    parser = AdtParser(zone=ZONE, paths=PATHS | {"doctor": ("PV1-7.2",)})
    assert DOCTOR not in parser(adt("A01", doctor="D7^Vega^Luz")).billing


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("IN1|1|P\\XF1\\a^x", "IN1|1|Pña^x"),
        ("IN1|1|P\x0b1^x", "IN1|1|P\\X0B\\1^x"),
    ],
)
def test_bytes_and_control_characters_are_converted(sent: str, kept: str) -> None:
    assert READ(f"{adt('A01', character_set='8859/1')}{sent}\r").billing["IN1"] == kept


def test_other_delimiters_become_the_usual_ones() -> None:
    usual = str.maketrans("|^~\\&#@", "#@*!%|^")
    sent = adt("A01", doctor="D7^Ve\\S\\ga^L@z") + "IN1|1|A#1^B\\T\\2&C~D\r"
    billing = READ(sent.translate(usual)).billing
    assert billing["IN1"] == "IN1|1|A\\F\\1^B%2&C~D"
    assert billing[DOCTOR] == "D7^Ve@ga^L\\S\\z"


def test_segments_beyond_the_limit_are_omitted_whole() -> None:
    long = f"IN1|{{}}|{'A' * (MAX_KEPT_LENGTH // 2 - 10)}"
    sent = "\r".join([*(long.format(number) for number in (1, 2, 3)), ""])
    assert READ(adt("A01") + sent).billing["IN1"] == "\r".join(long.format(number) for number in (1, 2))
