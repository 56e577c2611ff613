"""Reads an XLS workbook in a process of its own.

The process has limits of memory and time, and none of the server's settings. It writes batches of rows to
its standard output.
"""

import io
import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from adapters.spreadsheets.limits import refusal
from domain.common.errors import Code, Refused

# A workbook of the largest accepted size takes half of both.
MAX_MEMORY_BYTES = 1_500_000_000
MAX_SECONDS = 120

_BATCH = 500
# Only plain data comes back, whatever the file made of the reader.
_TYPES = {
    ("application.imports.reading.cells", name) for name in ("RawRow", "Formula", "CellError", "FormattedNumber")
} | {
    ("decimal", "Decimal"),
    ("datetime", "datetime"),
    ("domain.common.errors", "Reason"),
    ("domain.common.errors", "Code"),
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _TYPES:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def read_in_own_process(
    path: Path, sheet: int | None = None, *, memory: int = MAX_MEMORY_BYTES, seconds: int = MAX_SECONDS
) -> Iterator[Any]:
    """Yield what the process reads of a workbook.

    It is the names and visibility of the sheets, or the number of rows of a sheet and then its rows.
    Raise ``Refused`` for files that cannot be read, within the limits.
    """
    command = [
        sys.executable,
        "-m",
        __name__,
        str(path),
        "" if sheet is None else str(sheet),
        str(memory),
        str(seconds),
    ]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(  # noqa: S603 - our own module, without a shell
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdout is not None, "it is a pipe"
        try:
            yield from _received(process.stdout)
        finally:
            process.kill()


def _received(stream: IO[bytes]) -> Iterator[Any]:
    while True:
        try:
            kind, batch = _Unpickler(stream).load()
        except (EOFError, pickle.UnpicklingError, ValueError, TypeError, AttributeError):
            # It ended before its last word, for lack of memory or time.
            raise refusal(Code.FILE_DAMAGED, line=0) from None
        if kind == "refused":
            raise Refused(*batch)
        yield from batch
        if kind == "last":
            return


def _send(kind: str, batch: list[Any]) -> None:
    pickle.dump((kind, batch), sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _run(path: Path, sheet: str, memory: int, seconds: int) -> None:
    from adapters.spreadsheets.xls import read_rows, read_sheets

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(limit, (0, 0))
    sys.stderr = io.StringIO()
    batch: list[Any] = []
    try:
        for item in read_rows(path, int(sheet)) if sheet else read_sheets(path):
            batch.append(item)
            if len(batch) == _BATCH:
                _send("more", batch)
                batch = []
        _send("last", batch)
    except Refused as refused:
        _send("refused", list(refused.reasons))


if __name__ == "__main__":
    # Without a last word the reader says that the file cannot be read.
    with suppress(MemoryError, BrokenPipeError):
        _run(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
