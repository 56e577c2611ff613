"""Issued documents are stored once for each turn, and an altered one is found."""

import gzip
from datetime import date

from sqlalchemy import text

from adapters.sql.sheets.documents import SqlDocuments
from adapters.sql.store import SqlStore
from application.sheets.closings import new_salt
from application.sheets.issued_documents import DocumentKind, NewDocument, Subject
from domain.common.money import ZERO
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once

OCTOBER = date(2026, 10, 1)


def test_an_altered_account_makes_its_paper_different(ward: Ward) -> None:
    assert isinstance(ward.store, SqlStore)
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    proof = ward.use_cases.accounts.issue(ward.nurse, sheet_id)[0]["proof"] or ""
    assert ward.use_cases.sheets.check_paper(ward.nurse, proof)["same"]
    with ward.store._writing.begin() as connection:
        [(kept,)] = connection.execute(text("SELECT document FROM documents"))
        altered = gzip.compress(gzip.decompress(kept).replace(b'"25.00"', b'"24.00"'))
        connection.execute(text("UPDATE documents SET document = :altered"), {"altered": altered})
    assert not ward.use_cases.sheets.check_paper(ward.nurse, proof)["same"]


def test_a_turn_of_a_subject_is_stored_once(ward: Ward) -> None:
    assert isinstance(ward.store, SqlStore)
    with ward.store._writing.begin() as connection:
        months = SqlDocuments(connection, DocumentKind.MONTH, dict[str, int])

        def add(subject: Subject, turn: int) -> int:
            new = NewDocument(subject, turn, ward.clock(), ward.admin.user_id, ZERO, {"lines": turn}, new_salt())
            added = months.add(new)
            return added.issued.id if added else 0

        hospital, area = Subject(month=OCTOBER), Subject(area_id=ward.area_id, month=OCTOBER)
        ids = [add(hospital, 1), add(area, 1), add(hospital, 1), add(area, 1), add(hospital, 2)]
        assert [bool(one) for one in ids] == [True, True, False, False, True]
        assert [(one.turn, one.subject) for one in months.about(hospital)] == [(1, hospital), (2, hospital)]
        kept = months.one(ids[4])
        assert kept is not None
        assert (kept.document, kept.is_intact) == ({"lines": 2}, True)
        # A kind does not find the documents of another one.
        assert SqlDocuments(connection, DocumentKind.ACCOUNT, dict[str, int]).one(ids[4]) is None


def test_accounts_that_are_issued_at_once_are_one(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    issue = ward.use_cases.accounts.issue
    answers = at_once([lambda: issue(ward.nurse, sheet_id)] * 4)
    assert {view["of"] for view, _ in answers} == {"account-1"}
    assert sorted(is_new for _, is_new in answers) == [False, False, False, True]
