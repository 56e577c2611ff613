"""The PDF of a sheet over HTTP."""

import io
from pathlib import Path

from httpx import Response
from pypdf import PdfReader

from tests.http.hospital import ON_EVERY_DATABASE, SHEETS, Hospital, hospital_on
from tests.http.security.test_no_price_for_ward_staff import CANNULA, GAUZE, secrets_in


def text_of(answer: Response) -> str:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def test_the_pdf_has_the_callers_language_and_a_neutral_name(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    answer = hospital.supervisor.get(f"{SHEETS}/{sheet}/pdf")
    assert answer.headers["content-disposition"] == f'attachment; filename="{sheet}.pdf"'
    assert f"Hoja de consumo n.º {sheet}" in text_of(answer)
    english = text_of(hospital.supervisor.speaking("en").get(f"{SHEETS}/{sheet}/pdf"))
    assert f"Consumption sheet no. {sheet}" in english
    assert "$5.00" in english
    assert hospital.supervisor.get(f"{SHEETS}/999/pdf").status_code == 404


@ON_EVERY_DATABASE
def test_the_pdf_for_ward_staff_has_no_price(database: str, tmp_path: Path) -> None:
    with hospital_on(database, tmp_path, prices=(GAUZE, CANNULA), LETTERHEAD="Hospital|Quito") as hospital:
        sheet = hospital.open_sheet()
        hospital.add_detail(sheet, quantity=2)
        assert "1,462,759,586.74" in text_of(hospital.supervisor.speaking("en").get(f"{SHEETS}/{sheet}/pdf"))
        for language in ("es", "en"):
            text = text_of(hospital.nurse.speaking(language).get(f"{SHEETS}/{sheet}/pdf"))
            assert "Quito" in text
            assert "$" not in text
            assert secrets_in(text) == []
