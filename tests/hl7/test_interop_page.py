"""The programs in docs/interop.md work."""

import re
import socketserver
import threading
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from adapters.hl7.mllp_client import MllpClient
from adapters.setting_values.destination import Destination
from adapters.settings.declared import NAMES
from adapters.simulator.field_lengths import FIELD_LENGTHS
from application.billing.outbound_messages import DeliveryStatus
from application.sheets.admission_data import DOCTOR, PATIENT_CLASS
from application.sheets.views import SheetQuery
from domain.billing.charges import BillingAccount, CreditReason
from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from domain.interop.outbound_message import OutboundMessage
from tests.builders import NOON, a_ward
from tests.hl7.charges import validated
from tests.hl7.messages import Post
from tests.hl7.test_charges_message import a_charge, a_credit, a_line, a_message, write
from tests.servers import ROOT


def test_the_receiver_of_the_page_books_charges(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [program] = [one for one in programs if "class Receiver" in one]
    *lines, last = program.strip().splitlines()
    assert last == 'socketserver.TCPServer(("127.0.0.1", 6661), Receiver).serve_forever()'
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)  # noqa: S102 - the example of the page
    body = write(a_message(a_charge(), a_credit()))
    message = OutboundMessage(sheet_id=7, control_id="7.1.1", body=body, charges=2, created_at=NOON, next_try_at=NOON)
    with socketserver.TCPServer(("127.0.0.1", 0), names["Receiver"]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = MllpClient(Destination(host="127.0.0.1", port=server.server_address[1]))
        answers = [client.send(message).status for _ in range(2)]
        client.close()
        server.shutdown()
    assert answers == [DeliveryStatus.ACCEPTED] * 2
    assert capsys.readouterr().out.splitlines()[:2] == [
        "7_1 CG G-1^Gasa estéril^L 2.5 12.50&USD",
        "7_2 CD G-1^Gasa estéril^L 2.5 12.50&USD",
    ]


def test_the_first_message_of_the_page_opens_a_sheet() -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [program] = [one for one in programs if "ADT^A01" in one]
    names: dict[str, Any] = {}
    exec(program.partition("with socket")[0], names)  # noqa: S102 - the example of the page
    ward = a_ward()
    assert Post(ward).send(names["message"]).state is InboundState.APPLIED
    [sheet] = ward.use_cases.sheets.reader.page(ward.admin, SheetQuery())["items"]
    assert (sheet["visit_number"], sheet["patient"]["first_surname"], sheet["room"]["name"]) == ("V-1", "Paz", "101")


def test_the_whole_charges_message_of_the_page_is_what_is_sent() -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    [shown] = [one for one in re.findall(r"```hl7\n(.*?)```", page, re.DOTALL) if "DFT^P03" in one]
    changed = a_line(quantity=Decimal("3.000"), total=Decimal("15.00"), billing_code="B-204")
    implant = a_line(
        detail_id=992, product_id=6, product_code="I-9", product_name="Placa & tornillos", quantity=Decimal(1),
        unit_price=Decimal("61250.00"), total=Decimal("61250.00"), gtin="7501031311309", lot="L-7", serial="S-9",
        expiry=date(2092, 1, 31),
    )  # fmt: skip
    visit: Any = {"turn": 2, "account": BillingAccount(patient_id=8, visit_number="V-1")}
    message = a_message(
        a_credit(transaction_id="7_2", reason=CreditReason.CHANGED, line=a_line(billing_code="B-204"), **visit),
        a_charge(transaction_id="7_3", line=changed, **visit),
        a_charge(transaction_id="7_4", line=implant, **visit),
        room_codes={9: "UCI^201^B"},
        area_codes={3: "UCI"},
        admission={
            PATIENT_CLASS: "I",
            DOCTOR: "D7^Vega^Luz^^^Dra.",
            "DG1": "DG1|1||S72.0^Fractura del cuello del fémur^I10|||A",
            "GT1": "GT1|1||Ríos^Luis",
            "IN1": "IN1|1|P2^Plan familiar|A-1|Aseguradora del Sur|||||G-7",
        },
    )
    detail: Any = {**message.lines[991], "id": 992}
    message = message._replace(control_id="7.2.1", lines={**message.lines, 992: detail})
    body = write(message, sender=("CONSUMO", "HOSPITAL"), receiver=("BILLING", "HOSPITAL"), authority="HOSPITAL")
    validated(body)
    assert shown.replace("\n", "\r") == body


def test_the_lengths_of_the_page_are_those_of_the_standard() -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    table = page.partition("### Field lengths")[2].partition("\n\n### ")[0]
    shown = {
        (segment, int(number)): int(length.replace(",", ""))
        for segment, numbers, length in re.findall(r"^\| (\w{3}) \| ([\d, ]+) \| ([\d,]+) \|", table, re.MULTILINE)
        for number in numbers.split(", ")
    }
    assert shown == {(name, number): length for name, of in FIELD_LENGTHS.items() for number, length in of.items()}


# Modules with reasons for holding a message; held_messages.py has those for refusing an administrator's answer.
HOLDING = [file.read_text() for file in (ROOT / "application/inbound").glob("*.py") if file.name != "held_messages.py"]


def test_the_page_says_who_acts_on_each_reason_for_holding() -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    table = page.partition("### Held messages: who does what")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (`.+?) \|", table, re.MULTILINE)
    listed = {code for row in rows for code in re.findall(r"`([\w.]+)`", row)}
    assert listed <= set(Code)
    held = {
        name for text in HOLDING for name in re.findall(r"(?:Refused\(Reason\(|context\.ask\()\s*Code\.(\w+)", text)
    }
    assert len(held) > 10
    assert {Code[name].value for name in held} <= listed


def test_the_page_lists_no_supported_sign_in_as_missing() -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    section = page[page.index("## Sign-in") :]
    missing = section.partition("are not supported")[0].rpartition(".")[2]
    assert "OIDC_ISSUER" in NAMES
    assert "OpenID Connect" in section
    assert not re.search("OIDC|OpenID", missing)
