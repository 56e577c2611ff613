"""XLS workbooks are read in a process of its own, with limits."""

import io
import os
import pickle
from pathlib import Path

import pytest

from adapters.spreadsheets import xls
from adapters.spreadsheets.open_table import open_table
from adapters.spreadsheets.xls_process import _Unpickler, read_in_own_process
from application.imports.reading.table import Choices
from domain.common.errors import Code
from tests.assertions import refused
from tests.spreadsheets.workbooks import xls as make_xls


def test_the_server_itself_never_opens_an_old_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xls, "_Book", None)
    table = open_table(make_xls(tmp_path, ["a"], ["b"]), Choices())
    assert [row.cells for row in table.rows(table.sheets[0])] == [["a"], ["b"]]


def test_a_workbook_that_needs_too_much_memory_is_refused(tmp_path: Path) -> None:
    file = make_xls(tmp_path, *[[f"text {number}"] for number in range(5_000)])
    assert next(read_in_own_process(file, 0)) == 5_000
    with refused((Code.FILE_DAMAGED, "file")):
        list(read_in_own_process(file, 0, memory=1_000_000))


def test_a_reader_that_works_too_long_is_refused(tmp_path: Path) -> None:
    file = make_xls(tmp_path, *[[number] * 200 for number in range(5_000)])
    with refused((Code.FILE_DAMAGED, "file")):
        list(read_in_own_process(file, 0, seconds=1))


def test_only_plain_data_comes_back() -> None:
    with pytest.raises(pickle.UnpicklingError):
        _Unpickler(io.BytesIO(pickle.dumps(os.system))).load()
