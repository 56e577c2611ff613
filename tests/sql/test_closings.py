"""Frozen documents in the database: a stable and readable format."""

import gzip
from decimal import Decimal

from adapters.sql.repositories.closings import to_bytes, to_document
from tests.contracts.test_closings import OF_FORMAT_1


def test_format_1_is_read_and_unknown_fields_are_ignored() -> None:
    document = to_document(gzip.compress(OF_FORMAT_1.encode()))
    assert (document["format"], document["total"]) == (1, Decimal("25.00"))
    assert document["sheet"]["patient"]["name"] == "Ana"
    assert "unknown" not in document
    assert "something_new" not in document["sheet"]
    [line] = document["days"][0]["categories"][0]["details"]
    assert (line["quantity"], line["lot"]) == (Decimal("2.000"), "L-1")


def test_the_same_document_has_the_same_bytes() -> None:
    document = to_document(gzip.compress(OF_FORMAT_1.encode()))
    assert to_bytes(document) == to_bytes(to_document(to_bytes(document)))
