"""ZIP archives of workbooks, unpacked in chunks within safe limits."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.parsers import expat

from adapters.spreadsheets.limits import MAX_RATIO, MAX_UNPACKED_BYTES, UNPACKED_AT_ANY_RATIO, refusal
from domain.common.errors import Code

_CHUNK = 1 << 16
_ENCRYPTED = 0x1
# An archive with a larger directory is no workbook.
_MAX_LISTING = 2_000_000
_TAIL = 66_000


class Archive:
    """The parts of an archive, by lower-case name: programs differ in case."""

    def __init__(self, file: zipfile.ZipFile, size: int) -> None:
        self._file = file
        self._size = size
        self._parts = {part.filename.replace("\\", "/").lstrip("/").lower(): part for part in file.infolist()}

    def reject_unsafe(self) -> None:
        """Raise ``Refused`` if encrypted or too large when unpacked.

        The size is the one that the archive declares.
        """
        if any(part.flag_bits & _ENCRYPTED for part in self._parts.values()):
            raise refusal(Code.FILE_ENCRYPTED)
        if sum(part.file_size for part in self._parts.values()) > MAX_UNPACKED_BYTES:
            raise refusal(Code.FILE_UNPACKS_TOO_LARGE, most=MAX_UNPACKED_BYTES // 1_000_000)

    def has(self, part: str) -> bool:
        return part.lower() in self._parts

    def has_one_called(self, end: str) -> bool:
        """Return whether a part has this name in some folder."""
        return any(name.endswith(end) for name in self._parts)

    def chunks(self, part: str, most: int) -> Iterator[bytes]:
        """Yield a part in chunks, enforcing limits on the actual size."""
        if not self.has(part):
            raise refusal(Code.FILE_DAMAGED, line=0)
        packed = min(self._parts[part.lower()].compress_size, self._size)
        read = 0
        with self._file.open(self._parts[part.lower()]) as file:
            while chunk := file.read(_CHUNK):
                read += len(chunk)
                if read > most:
                    raise refusal(Code.FILE_UNPACKS_TOO_LARGE, most=most // 1_000_000)
                if read > max(UNPACKED_AT_ANY_RATIO, packed * MAX_RATIO):
                    raise refusal(Code.FILE_TOO_MANY_CELLS)
                yield chunk


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open the archive in a file."""
    with translate_damage():
        _limit_directory(path)
        with zipfile.ZipFile(path) as file:
            yield Archive(file, path.stat().st_size)


@contextmanager
def translate_damage() -> Iterator[None]:
    """Translate the errors of ZIP and XML readers into a refusal."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        expat.ExpatError,
        struct.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OverflowError,
        OSError,
    ):
        raise refusal(Code.FILE_DAMAGED, line=0) from None


def _limit_directory(path: Path) -> None:
    """Refuse an archive whose directory is too large for memory.

    This is checked before the directory is read.
    """
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - _TAIL, 0))
        tail = file.read()
    end, end_64 = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    sizes = [struct.unpack_from("<I", tail, end + 12)[0]] if end >= 0 else []
    if end_64 >= 0:
        sizes = [struct.unpack_from("<Q", tail, end_64 + 40)[0]]
    if sizes and sizes[0] > _MAX_LISTING:
        raise refusal(Code.FILE_UNPACKS_TOO_LARGE, most=MAX_UNPACKED_BYTES // 1_000_000)
