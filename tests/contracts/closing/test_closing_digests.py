"""Contract of every store: closed sheets' paper is compared with what is stored."""

import gzip
import json

import pytest
from sqlalchemy import text

from adapters.sql.store import SqlStore
from application.sheets import closings
from tests.builders import Ward, proof_of
from tests.use_cases.closing.test_closing_digests import close_again, frozen


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Return the id of a closed sheet with two lines."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2", lot="L-1")
    ward.detail(sheet_id, "0.5", product_id=ward.product("Venda", "3.33").id)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    return sheet_id


def alter_line(ward: Ward) -> None:
    """Change the quantity of a line of the stored closing, past the program."""
    assert isinstance(ward.store, SqlStore)
    with ward.store._writing.begin() as connection:
        [(kept,)] = connection.execute(text("SELECT document FROM closings WHERE turn = 1"))
        document = json.loads(gzip.decompress(kept))
        document["days"][0]["categories"][0]["details"][0]["quantity"] = "3.000"
        altered = gzip.compress(json.dumps(document).encode())
        connection.execute(text("UPDATE closings SET document = :altered WHERE turn = 1"), {"altered": altered})


def remove_digests(ward: Ward) -> None:
    """Leave closings as an earlier version stored them."""
    assert isinstance(ward.store, SqlStore)
    with ward.store._writing.begin() as connection:
        connection.execute(text("UPDATE closings SET salt = NULL, digest = NULL"))


def test_an_altered_line_makes_the_paper_different(ward: Ward, sheet_id: int) -> None:
    proof = proof_of(ward, sheet_id)
    alter_line(ward)
    assert not ward.use_cases.sheets.check_paper(ward.nurse, proof)["same"]
    # A paper that is printed from the altered closing does not prove it either.
    assert not ward.use_cases.sheets.check_paper(ward.nurse, proof_of(ward, sheet_id))["same"]


def test_digests_of_older_closings_are_backfilled(ward: Ward, sheet_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closings, "BACKFILL_BATCH", 1)
    close_again(ward, sheet_id)
    remove_digests(ward)
    assert ward.use_cases.sheets.print(ward.admin, sheet_id)["proof"] is None
    first = ward.use_cases.sheets.backfill_digests()
    assert first == [(sheet_id, 1)]
    assert ward.use_cases.sheets.backfill_digests(first[-1]) == [(sheet_id, 2)]
    assert ward.use_cases.sheets.backfill_digests((sheet_id, 2)) == []
    before = frozen(ward, sheet_id, 1)
    assert ward.use_cases.sheets.check_paper(ward.nurse, proof_of(ward, sheet_id, 1))["same"]
    # A digest that exists is never replaced: an alteration would be hidden.
    alter_line(ward)
    with ward.store.begin() as work:
        work.closings.add_digest(sheet_id, 1, "0" * 32)
    assert frozen(ward, sheet_id, 1).digest == before.digest
