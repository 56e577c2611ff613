"""A family's account on paper."""

import io
import re
from dataclasses import replace

import pypdfium2
import pytest
import zxingcpp

from adapters.documents.pdf.account import account_pdf
from adapters.i18n import formats
from adapters.i18n.catalogue import catalogue
from application.sheets.account_views import PrintedAccountView
from domain.common.policy import Actor
from tests.builders import Ward
from tests.documents.test_implant_card import HOSPITAL

QR = zxingcpp.BarcodeFormats((zxingcpp.BarcodeFormat.QRCode,))


def printed(ward: Ward, sheet_id: int, by: Actor) -> PrintedAccountView:
    of = ward.use_cases.accounts.issue(by, sheet_id)[0]["of"]
    return ward.use_cases.accounts.print(by, sheet_id, of, with_prices=True)


def text_of(pdf: bytes) -> str:
    return " ".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(io.BytesIO(pdf)))


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Return a sheet, beside that of another patient."""
    sheet_id = ward.sheet()["id"]
    gauze = ward.product("GASA EST. 10X10", "3.25", plain_name="Gasas")
    ward.detail(sheet_id, "4", product_id=gauze.id, lot="L-77")
    ward.detail(sheet_id, "2")
    other = ward.sheet(patient_id=ward.patient("Ramona", "Ajena").id)["id"]
    ward.detail(other, "9", product_id=ward.product("Marca secreta", "8.88", plain_name="Ajenos").id)
    return sheet_id


def test_the_paper_is_plain_and_its_code_is_read_back(ward: Ward, sheet_id: int) -> None:
    view = printed(ward, sheet_id, ward.admin)
    pdf = account_pdf(HOSPITAL, view, "es")
    told = text_of(pdf)
    day = formats.weekday("es", view["account"]["days"][0]["day"]).capitalize()
    for part in ("Gasas", "13,00", "Curación: 1 artículo", "25,00", "38,00", "puede cambiar", day):
        assert part in told
    for secret in ("GASA", "L-77", "Ajen", "Ramona", "secreta", "Apendicitis", "Paula"):
        assert secret not in told
    picture = pypdfium2.PdfDocument(io.BytesIO(pdf))[0].render(scale=300 / 72).to_pil()
    [found] = zxingcpp.read_barcodes(picture, formats=QR)
    assert found.text == view["proof"]
    assert ward.use_cases.sheets.check_paper(ward.nurse, found.text)["same"]


@pytest.mark.parametrize("language", ["es", "en"])
def test_ward_staff_print_no_amount(ward: Ward, sheet_id: int, language: str) -> None:
    told = text_of(account_pdf(HOSPITAL, printed(ward, sheet_id, ward.nurse), language))
    assert "Gasas" in told
    for secret in ("13", "25", "38", "3,25", "3.25", "$"):
        assert secret not in re.sub(r"CNSD[0-9 ]+", "", told).replace("2025", "").replace("2026", "")


def test_an_account_is_one_page_where_it_fits(ward: Ward, sheet_id: int) -> None:
    view = printed(ward, sheet_id, ward.admin)
    [day] = view["account"]["days"]
    [item, *_] = day["items"]

    def pages(rows: int) -> int:
        day["items"] = [item] * rows
        return len(pypdfium2.PdfDocument(io.BytesIO(account_pdf(HOSPITAL, view, "es"))))

    # A day that is longer is printed by category.
    assert [pages(rows) for rows in (20, 38, 41)] == [1, 1, 1]
    view["account"]["days"] = [day] * 5
    assert pages(30) > 2


def syllables(word: str) -> int:
    """Count the syllables of a Spanish word by its groups of vowels."""
    return max(1, len(re.findall(r"[aeoáéó]|[iuíúü]+(?![aeoáéó])", word)))


def test_the_sentences_are_easy_to_read() -> None:
    """They have 70 or more on Fernández Huerta's scale."""
    texts = [text for name, text in catalogue("es")["pdf"].items() if name.startswith("account.")]
    plain = " ".join(f"{re.sub('{.*?}', '', text).strip(' .:')}." for text in texts)
    words = re.findall(r"[a-záéíóúñü]+", plain.lower())
    sentences = [part for part in re.split(r"[.:]\s*", plain) if part]
    score = 206.84 - 60 * sum(map(syllables, words)) / len(words) - 1.02 * len(words) / len(sentences)
    assert score >= 70


def test_the_paper_has_the_letterhead(ward: Ward, sheet_id: int) -> None:
    hospital = replace(HOSPITAL, letterhead=("Hospital del Valle",))
    assert "Hospital del Valle" in text_of(account_pdf(hospital, printed(ward, sheet_id, ward.nurse), "es"))
