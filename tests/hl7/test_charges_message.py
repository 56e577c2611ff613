"""DFT messages, checked with independent HL7 libraries."""

import string
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import hl7
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hl7.charset import ENCODINGS, encoding_of
from adapters.hl7.dft_message import Conventions, DftMessageWriter, PackSegment
from adapters.hl7.escapes import escape
from adapters.hl7.segments import quantity, segment
from adapters.simulator.charges import charges_in
from adapters.simulator.field_lengths import FIELD_LENGTHS
from application.billing.ports import ChargesMessage
from application.sheets.admission_data import DOCTOR, PATIENT_CLASS
from domain.billing.charges import BillingAccount, Charge, ChargedLine, ChargeKind, CreditReason, transaction_id
from domain.common.money import MAX_LINE_TOTAL, MAX_PRICE, MAX_QUANTITY
from tests.builders import NOON, TODAY, ZONE
from tests.hl7.charges import read, validated

HARD = "Ñandú|Ávila^de~la\\Torre & Cía\nsegunda línea"


def a_line(**particulars: Any) -> ChargedLine:
    filled_in: dict[str, Any] = {
        "detail_id": 991, "product_id": 5, "product_code": "G-1", "product_name": "Gasa estéril", "billing_code": None,
        "quantity": Decimal("2.500"), "unit_price": Decimal("5.00"), "total": Decimal("12.50"), "occurred_at": NOON,
        "area_id": 3, "area": "UCI",
    }  # fmt: skip
    return ChargedLine(**filled_in | particulars)


def a_charge(kind: ChargeKind = ChargeKind.CHARGE, line: ChargedLine | None = None, **particulars: Any) -> Charge:
    given: dict[str, Any] = {
        "transaction_id": "7_1",
        "sheet_id": 7,
        "turn": 1,
        "account": BillingAccount(patient_id=8),
        "line": line or a_line(),
    }
    return Charge(kind=kind, **given | particulars)


def a_credit(**particulars: Any) -> Charge:
    given: dict[str, Any] = {"transaction_id": "7_2", "turn": 2, "reverses": "7_1", "reason": CreditReason.VOIDED}
    return a_charge(ChargeKind.CREDIT, **given | particulars)


def a_message(
    *charges: Charge,
    room_codes: dict[int, str] | None = None,
    area_codes: dict[int, str] | None = None,
    admission: dict[str, str] | None = None,
    **of_sheet: Any,
) -> ChargesMessage:
    patient = {"id": 8, "name": "Ana", "first_surname": "Ríos", "second_surname": "Ñato", "record_number": "HC-1"}
    sheet: Any = {
        "id": 7, "doctor": "Dra. Vega", "patient_id": 8, "patient": patient, "room_id": 9,
        "room": {"id": 9, "name": "201", "area_id": 3}, "admission_date": TODAY, "deleted_at": NOON,
    }  # fmt: skip
    document: Any = {"sheet": sheet | of_sheet, "record_number": "HC-1", "date_of_birth": TODAY, "area": "UCI"}
    staff = {"id": 4, "name": "Íñigo", "first_surname": "Muñoz", "second_surname": None}
    line: Any = {"id": 991, "staff": staff, "user_id": 2, "room_id": 9}
    return ChargesMessage(
        control_id="7.1.1",
        written_at=NOON,
        account=charges[0].account if charges else BillingAccount(patient_id=8),
        document=document,
        charges=charges or (a_charge(),),
        lines={991: line},
        people={2: "Nuria Paz"},
        rooms={9: "201"},
        room_codes=room_codes or {},
        area_codes=area_codes or {},
        admission=admission or {},
    )


def write(message: ChargesMessage, **conventions: Any) -> str:
    writer = DftMessageWriter(conventions=Conventions(**conventions), currency="USD", zone=ZONE)
    return writer(message)


def field(body: str, name: str, *place: int) -> str:
    """The unescaped value at that place."""
    message = read(body)
    found = message.segment(name)[place[0]]
    for index in place[1:]:
        found = found[0][index - 1] if isinstance(found, hl7.Field) else found[index - 1]
    return str(message.unescape(str(found)))


def test_a_charge_message_has_all_segments() -> None:
    body = write(a_message(), sender=("CONSUMO", "HSJ"), receiver=("BILLING", "HIS"), authority="HSJ")
    validated(body)
    assert body.split("\r") == [
        "MSH|^~\\&|CONSUMO|HSJ|BILLING|HIS|20910503060000-0600||DFT^P03^DFT_P03|7.1.1|P|2.5.1||||||UNICODE UTF-8",
        "EVN||20910503060000-0600",
        "PID|1||HC-1^^^HSJ^MR||Ríos^Ana|Ñato|20910503",
        "PV1|1|I|UCI^201||||||||||||||^Dra. Vega||7^^^CONSUMO^VN" + "|" * 25 + "20910503|20910503060000-0600",
        "FT1|1|7_1|7.1|20910503060000-0600|20910503060000-0600|CG|G-1^Gasa estéril^L|||2.5|12.50&USD|5.00&USD|"
        "3^UCI^L|||UCI^201||||4^Muñoz^Íñigo|^Dra. Vega|||2^Nuria Paz",
        "",
    ]


def test_a_credit_names_the_charge_and_the_reason() -> None:
    body = write(a_message(a_credit(note="Se usó en otro\npaciente")))
    validated(body)
    assert [one.partition("|")[2] for one in body.split("\r") if one.startswith(("FT1", "NTE"))] == [
        "1|7_2|7.2|20910503060000-0600|20910503060000-0600|CD|G-1^Gasa estéril^L||VOIDED|2.5|12.50&USD|5.00&USD|"
        "3^UCI^L",
        "1||REVERSES 7_1~Se usó en otro\\.br\\paciente",
    ]


def test_pack_data_is_written_in_the_configured_segment() -> None:
    line = a_line(gtin="7501031311309", lot="L|1", serial="S^9", expiry=date(2092, 1, 31))
    message = a_message(a_charge(line=line), a_credit(line=line))
    in_obx = write(message)
    validated(in_obx)
    assert field(in_obx, "OBX", 5) == "(01)07501031311309(17)920131(10)L|1(21)S^9"
    in_zco = write(message, pack=PackSegment.ZCO)
    validated(in_zco)
    assert in_zco.count("\rZCO|1|7501031311309|L\\F\\1|20920131|S\\S\\9") == 2
    assert "L\\F\\1" not in write(message, pack=PackSegment.NONE)


def test_without_a_record_number_the_patient_id_is_sent() -> None:
    message = a_message()
    message.document["record_number"] = None
    body = write(message)
    validated(body)
    assert "PID|1||8^^^CONSUMO^PI||" in body


def test_the_visit_number_is_sent_if_known() -> None:
    body = write(a_message(a_charge(account=BillingAccount(patient_id=8, visit_number="V-77"))))
    validated(body)
    assert field(body, "PV1", 19) == "V-77"


def test_without_a_product_code_the_product_id_is_sent() -> None:
    body = write(a_message(a_charge(line=a_line(product_code=None))))
    assert field(body, "FT1", 7, 1) == "P5"
    both = write(a_message(a_charge(line=a_line(billing_code="B-1"))))
    assert field(both, "FT1", 7, 4) == "B-1"


@pytest.mark.parametrize("charset", ENCODINGS)
def test_texts_survive_in_every_character_set(charset: str) -> None:
    patient = {"id": 8, "name": HARD, "first_surname": "Muñoz", "second_surname": "Ödön ő €", "record_number": "HC-1"}
    body = write(a_message(patient=patient), charset=charset)
    validated(body)
    sent = body.encode(encoding_of(body))
    assert encoding_of(body) == ENCODINGS[charset]
    received = hl7.parse(sent.decode(ENCODINGS[charset]))
    name = received.unescape(str(received.segment("PID")[5][0][1]))
    expected = HARD if charset != "ASCII" else "Nandu|Avila^de~la\\Torre & Cia\nsegunda linea"
    assert name.replace("\r", "\n") == expected
    second = {
        "UNICODE UTF-8": "Ödön ő €", "8859/1": "Ödön o ?", "8859/15": "Ödön o €", "ASCII": "Odon o ?",
    }  # fmt: skip
    assert str(received.segment("PID")[6]) == second[charset]


def test_a_wide_delimiter_is_escaped_after_transliteration() -> None:
    patient = {"id": 8, "name": "A\uff5cB\uff3eC\uff06D\uff5eE", "first_surname": "R", "second_surname": None}
    body = write(a_message(patient=patient), charset="8859/1")
    validated(body)
    assert field(body, "PID", 5, 2) == "A|B^C&D~E"


def test_a_patient_without_given_name_has_only_a_surname() -> None:
    body = write(a_message(patient={"id": 8, "name": "", "first_surname": "RN de Paz", "second_surname": None}))
    validated(body)
    assert field(body, "PID", 5) == "RN de Paz"


WRITABLE = st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from("|^~\\&\r\n\x0b\x1c"))


@given(WRITABLE)
def test_no_text_contains_delimiters_after_escaping(text: str) -> None:
    written = escape(text)
    assert not set(written) & set("|^~&\r\n\x0b\x1c")
    taken = hl7.parse("MSH|^~\\&|A|B\r")
    assert taken.unescape(written).replace("\r", "\n") == text.replace("\r\n", "\n").replace("\r", "\n")


@given(st.dictionaries(st.integers(1, 9), st.text(alphabet=string.ascii_letters + "|^&~\\"), min_size=1))
def test_a_field_is_written_at_its_number(fields: dict[int, str]) -> None:
    parts = segment("ZZZ", fields).split("|")
    assert parts[0] == "ZZZ"
    assert {number: parts[number] if number < len(parts) else "" for number in fields} == {
        number: escape(text) for number, text in fields.items()
    }


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        ("2.000", "2"),
        ("2.500", "2.5"),
        ("0.125", "0.125"),
        ("0.000", "0"),
        ("100", "100"),
        ("999999.999", "999999.999"),
    ],
)
def test_a_quantity_has_no_trailing_zeros(amount: str, written: str) -> None:
    assert quantity(Decimal(amount)) == written


def test_the_largest_total_is_exact() -> None:
    line = replace(a_line(), total=MAX_LINE_TOTAL, unit_price=Decimal("0.01"))
    body = write(a_message(a_charge(line=line)))
    validated(body)
    assert "|9999999999999.99|0.01&USD|" in body
    assert "\rNTE|1||AMOUNT 9999999999999.99\r" in body


def test_a_mapped_room_is_sent_with_the_hospitals_code() -> None:
    body = write(a_message(room_codes={9: "UCI^201^B"}))
    assert [field(body, "PV1", 3, place) for place in (1, 2, 3)] == ["UCI", "201", "B"]
    assert field(write(a_message()), "PV1", 3, 2) == "201"
    assert [field(body, "FT1", 16, place) for place in (1, 2, 3)] == ["UCI", "201", "B"]
    validated(body)


def test_the_visit_number_of_a_replaced_account_is_sent() -> None:
    charge = replace(a_charge(), account=BillingAccount(patient_id=8, visit_number="V-7"))
    assert field(write(a_message(charge)), "PV1", 19) == "V-7"


# --- admission data ----------------------------------------------------------------------------------------------

INSURANCE = "IN1|1|P\\T\\1^Plan ñ|A-1|Aseguradora|||||G-7|||20910101|20911231|||Paz&de&la^Ana^^^^^L"


def test_admission_data_is_sent_as_it_came() -> None:
    admission = {
        PATIENT_CLASS: "E",
        DOCTOR: "D7^Vega^Luz^^^Dra.",
        "DG1": "DG1|1||A41^Sepsis \\.br\\ abdominal^I10|||A\rDG1|2||J18^Otra^I10|||W",
        "GT1": "GT1|1||Paz^Ana",
        "IN1": INSURANCE,
    }
    body = write(a_message(admission=admission))
    validated(body)
    assert (field(body, "PV1", 2), field(body, "PV1", 17)) == ("E", "D7^Vega^Luz^^^Dra.")
    assert field(body, "FT1", 21) == "D7^Vega^Luz^^^Dra."
    assert body.endswith("\r".join(["", admission["DG1"], admission["GT1"], INSURANCE, ""]))


def test_an_area_is_sent_with_the_hospitals_code() -> None:
    body = write(a_message(area_codes={3: "U-2"}))
    assert field(body, "FT1", 13) == "U-2^UCI^L"
    assert (field(body, "PV1", 3), field(body, "FT1", 16)) == ("U-2^201", "U-2^201")


# --- lengths ------------------------------------------------------------------------------------------------------

# Numbers of large hospitals after many years.
SHEET, LINE, CLOSING = 9_999_999, 999_999_999, 99


def cut(body: str) -> str:
    """Cut each field at its standard length, as some receivers do."""
    segments = []
    for written in body.rstrip("\r").split("\r"):
        name, *fields = written.split("|")
        first = 2 if name == "MSH" else 1
        assert not [
            n for n, text in enumerate(fields, first) if text and n not in FIELD_LENGTHS[name] and text != "^~\\&"
        ]
        kept = [text[: FIELD_LENGTHS[name].get(number, len(text))] for number, text in enumerate(fields, first)]
        segments.append("|".join([name, *kept]))
    return "\r".join([*segments, ""])


def the_longest_message() -> ChargesMessage:
    name = "Ñ & " * 50
    line = a_line(
        detail_id=LINE, product_id=LINE, product_code="C" * 80, product_name=name, billing_code="B" * 80,
        quantity=MAX_QUANTITY, unit_price=MAX_PRICE, total=MAX_LINE_TOTAL, area_id=LINE, area=name,
        gtin="7501031311309", lot="L" * 50, serial="S" * 50, expiry=date(2092, 1, 31),
    )  # fmt: skip
    particulars: dict[str, Any] = {"sheet_id": SHEET, "turn": CLOSING, "line": line}
    charge = a_charge(transaction_id=transaction_id(SHEET, 999_999), **particulars)
    reason = CreditReason.ACCOUNT_CHANGED
    credit = a_credit(
        transaction_id=transaction_id(SHEET, 1_000_000), reverses=charge.transaction_id, reason=reason,
        note="n" * 500, **particulars,
    )  # fmt: skip
    message = a_message(
        charge, credit,
        patient={"id": LINE, "name": name, "first_surname": name, "second_surname": name},
        id=SHEET, room_id=LINE, room={"id": LINE, "name": "H" * 60, "area_id": LINE}, doctor=name,
    )  # fmt: skip
    staff = {"id": LINE, "name": name, "first_surname": name, "second_surname": name}
    detail: Any = {"id": LINE, "staff": staff, "user_id": LINE, "room_id": LINE}
    document: Any = {**message.document, "record_number": "R" * 199, "area": name}
    return message._replace(
        control_id=f"{SHEET}.{CLOSING}.{99}", document=document, lines={LINE: detail}, people={LINE: name},
        rooms={LINE: "H" * 60},
    )  # fmt: skip


def test_cut_fields_lose_only_numbers_that_are_in_the_note() -> None:
    conventions = {"sender": ("CONSUMO", "HSJ"), "receiver": ("BILLING", "HIS"), "authority": "A" * 20}
    message = the_longest_message()
    body = write(message, **conventions)
    long = [
        place
        for whole, short in zip(body.split("\r"), cut(body).split("\r"), strict=True)
        for place, (text, kept) in enumerate(zip(whole.split("|"), short.split("|"), strict=True))
        if text != kept
    ]
    # Quantity and amount of the charge and of the credit.
    assert long == [10, 11, 10, 11]
    notes = [str(one[3]) for one in read(body).segments("NTE")]
    numbers = "QUANTITY 9999.999~AMOUNT 9999999999999.99"
    reverses = f"REVERSES {message.charges[0].transaction_id}"
    assert notes == [numbers, f"{reverses}~{'n' * 500}~{numbers}"]
    assert field(body, "FT1", 7, 4) == "B" * 80
    assert field(body, "PV1", 3, 2) == "H" * 60


@pytest.mark.parametrize(
    ("total", "written"),
    [
        ("12345678.90", "12345678.90"),
        ("12345.67", "12345.67&USD"),
        ("123456.78", "123456.78"),
    ],
)
def test_a_currency_that_does_not_fit_is_omitted(total: str, written: str) -> None:
    body = write(a_message(a_charge(line=replace(a_line(), total=Decimal(total)))))
    assert str(read(body).segment("FT1")[11]) == written
    assert "NTE" not in body


def test_the_simulator_reads_charges_like_other_libraries() -> None:
    body = write(a_message(a_charge(), a_credit()))
    message = read(body)
    assert [
        (one.transaction_id, one.kind, str(one.quantity), str(one.total), one.code) for one in charges_in(body)
    ] == [
        (str(one[2]), str(one[6]), str(one[10]), str(one[11]).partition("&")[0], str(one[7][0][0]))
        for one in message.segments("FT1")
    ]
    assert {one.visit for one in charges_in(body)} == {str(message.segment("PV1")[19][0][0])}
    assert {one.record for one in charges_in(body)} == {str(message.segment("PID")[3][0][0])}
