"""Closed sheets' paper is compared with what is stored."""

import pytest

from application.audit.views import AuditQuery
from application.closing.reopen_sheet import ReopenDraft
from application.sheets.ports import FrozenClosing
from domain.common.errors import Code, Refused
from domain.scanning.label import LabelKind, paper_label_text
from tests.builders import Ward, own_label, proof_of


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Return the id of a closed sheet with two lines."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2", lot="L-1")
    ward.detail(sheet_id, "0.5", product_id=ward.product("Venda", "3.33").id)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    return sheet_id


def close_again(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una venda"))
    ward.clock.advance(minutes=5)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)


def frozen(ward: Ward, sheet_id: int, turn: int | None = None) -> FrozenClosing:
    with ward.store.read() as views:
        found = views.closings.frozen(sheet_id, turn)
    assert found
    return found


def refused(ward: Ward, text: str) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as refusal:
        ward.use_cases.sheets.check_paper(ward.nurse, text)
    return [(reason.code, reason.field) for reason in refusal.value.reasons]


def test_an_unaltered_paper_is_the_same(ward: Ward, sheet_id: int) -> None:
    check = ward.use_cases.sheets.check_paper(ward.admin, proof_of(ward, sheet_id))
    assert (check["sheet_id"], check["turn"], check["same"]) == (sheet_id, 1, True)
    assert check["closed_at"] == frozen(ward, sheet_id).closed_at
    assert check["closing"] == ward.use_cases.sheets.read_closing(ward.admin, sheet_id, 1)


def test_another_digest_makes_the_paper_different(ward: Ward, sheet_id: int) -> None:
    with ward.store.read() as views:
        forged = paper_label_text(LabelKind.CLOSING, sheet_id, 1, "ab" * 32, views.installation_number())
    assert forged
    assert not ward.use_cases.sheets.check_paper(ward.nurse, forged)["same"]


def test_each_version_has_its_own_proof(ward: Ward, sheet_id: int) -> None:
    first = proof_of(ward, sheet_id)
    close_again(ward, sheet_id)
    second = proof_of(ward, sheet_id)
    assert first == proof_of(ward, sheet_id, 1) != second == proof_of(ward, sheet_id, 2)
    for turn, proof in enumerate((first, second), start=1):
        check = ward.use_cases.sheets.check_paper(ward.nurse, proof)
        assert (check["turn"], check["same"]) == (turn, True)


def test_equal_sheets_have_different_digests(ward: Ward, sheet_id: int) -> None:
    """The salt differs, so that no price can be guessed from a digest."""
    close_again(ward, sheet_id)
    assert frozen(ward, sheet_id, 1).digest != frozen(ward, sheet_id, 2).digest


def test_ward_staff_see_no_price_on_a_checked_paper(ward: Ward, sheet_id: int) -> None:
    check = ward.use_cases.sheets.check_paper(ward.nurse, proof_of(ward, sheet_id))
    assert check["same"]
    assert "Gasa" in str(check)
    for secret in ("price", "total", "12.50", "26.67", "CUR"):
        assert secret not in str(check)


def test_a_paper_is_read_as_scanned_or_typed(ward: Ward, sheet_id: int) -> None:
    proof = proof_of(ward, sheet_id)
    groups = "  ".join(proof[at : at + 16] for at in range(0, 61, 16))
    for text_read in (proof.lower(), groups, f" {proof}\n", f"]Q1{proof}"):
        assert ward.use_cases.sheets.check_paper(ward.nurse, text_read)["same"], text_read


def test_other_texts_and_papers_are_refused(ward: Ward, sheet_id: int) -> None:
    proof = proof_of(ward, sheet_id)
    with ward.store.read() as views:
        number = views.installation_number()
    digest = frozen(ward, sheet_id).digest or ""
    foreign = (
        paper_label_text(LabelKind.CLOSING, sheet_id, 1, digest, number - 1 if number > 100_000 else number + 1) or ""
    )
    assert refused(ward, " ") == [(Code.REQUIRED, "text")]
    assert refused(ward, foreign) == [(Code.PAPER_FOREIGN, "text")]
    assert refused(ward, paper_label_text(LabelKind.CLOSING, sheet_id, 2, digest, number) or "") == [
        (Code.PAPER_UNKNOWN, "text")
    ]
    damaged = proof[:-1] + str((int(proof[-1]) + 1) % 10)
    for other in ("742", damaged, own_label(ward, LabelKind.SHEET, sheet_id)):
        assert refused(ward, other) == [(Code.PAPER_UNREADABLE, "text")]


def test_the_audit_log_has_the_digest(ward: Ward, sheet_id: int) -> None:
    close_again(ward, sheet_id)
    with ward.store.read() as views:
        entries = views.audit.page(AuditQuery(sheet_id=sheet_id, action="sheet.closed"))["items"]
    noted = [entry["changes"]["document_digest"] for entry in reversed(entries)]
    assert noted == [[None, frozen(ward, sheet_id, turn).digest] for turn in (1, 2)]


def test_an_open_sheet_has_no_proof(ward: Ward) -> None:
    paper = ward.use_cases.sheets.print(ward.admin, ward.sheet()["id"])
    assert (paper["turn"], paper["proof"]) == (None, None)
