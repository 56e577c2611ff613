"""Assertions shared by tests."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from domain.common.errors import Code, Refused


@contextmanager
def refused(*reasons: Code | tuple[Code, str]) -> Iterator[None]:
    """Expect exactly these reasons: codes, or codes at fields."""
    with pytest.raises(Refused) as caught:
        yield
    found = [reason.code if reason.field is None else (reason.code, reason.field) for reason in caught.value.reasons]
    assert found == list(reasons)
