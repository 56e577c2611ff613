"""How letters are written in a text file: told by its mark or by itself, or found out from what its bytes make."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from adapters.spreadsheets.limits import refusal
from adapters.spreadsheets.text_encoding_guess import likeliest_of
from application.imports.reading.table import Encoding, Finding, Question
from domain.refusal import Code

_CODECS: dict[Encoding, str] = {
    Encoding.UTF_8: "utf-8-sig",
    Encoding.UTF_16_LE: "utf-16-le",
    Encoding.UTF_16_BE: "utf-16-be",
    Encoding.WINDOWS_1252: "cp1252",
    Encoding.CP850: "cp850",
    Encoding.MAC_ROMAN: "mac-roman",
}
# What files call the ones that they may be in, by the names of their codecs; UTF-16 is known without being told.
_TOLD = {
    "utf-8": Encoding.UTF_8,
    "cp1252": Encoding.WINDOWS_1252,
    "iso8859-1": Encoding.WINDOWS_1252,
    "cp850": Encoding.CP850,
    "cp437": Encoding.CP850,
    "mac-roman": Encoding.MAC_ROMAN,
}
_MARKS = (
    (codecs.BOM_UTF8, Encoding.UTF_8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, Encoding.UTF_16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, Encoding.UTF_16_BE, "utf-16"),
)
_CHUNK = 1 << 20
# Of UTF-16 without a mark at least so much is empty bytes, all on the same side.
_HALF_EMPTY, _SAME_SIDE = 0.2, 0.95
# So few bytes that are not UTF-8, among many that are, are no other encoding but damage.
_DAMAGE = 0.01
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARED_WITHIN = 2_048


class Letters(NamedTuple):
    """The codec, why it is the one, and what has to be asked where nobody can tell."""

    codec: str
    finding: Finding
    questions: tuple[Question, ...] = ()


def letters_of(path: Path, chosen: Encoding | None, *, may_tell: bool = False) -> Letters:
    """How letters are written in that file, which ``may_tell`` so itself. Raise ``Refused`` where it is damaged."""
    with path.open("rb") as file:
        start = file.read(_CHUNK)
    if chosen:
        return _chosen(path, chosen, start)
    for mark, name, codec in _MARKS:
        if start.startswith(mark):
            wrong = _first_undecodable(path, codec)
            if wrong:
                raise refusal(Code.FILE_DAMAGED, line=wrong)
            return Letters(codec, Finding("encoding", name, "encoding.marked"))
    unmarked = _utf_16_without_mark(start)
    if unmarked and not _first_undecodable(path, unmarked):
        return Letters(unmarked, Finding("encoding", unmarked, "encoding.half_empty"))
    told = _declared(start[:_DECLARED_WITHIN]) if may_tell else None
    if told and not _first_undecodable(path, _CODECS[told]):
        return Letters(_CODECS[told], Finding("encoding", told, "encoding.told"))
    line = _first_undecodable(path, "utf-8")
    if not line:
        code = "encoding.ascii" if all(chunk.isascii() for chunk in _chunks(path)) else "encoding.valid_utf8"
        return Letters("utf-8", Finding("encoding", Encoding.UTF_8, code))
    good, bad = _count_utf_8(path)
    if bad <= max(good * _DAMAGE, 1) and good > 10 * bad:
        raise refusal(Code.FILE_ENCODING_BROKEN, line=line)
    return _by_its_letters(path, line)


def _by_its_letters(path: Path, line: int) -> Letters:
    """The one of the old encodings that its letters speak for; ``line`` is the first that is not UTF-8."""
    likeliest = likeliest_of(_lines_with_accents(path))
    # Five bytes mean nothing in Windows-1252; whoever has them has the controls of Latin-1.
    codec = _CODECS[likeliest.encoding]
    codec = "latin-1" if codec == "cp1252" and _first_undecodable(path, codec) else codec
    if likeliest.encoding is Encoding.WINDOWS_1252:
        return Letters(codec, Finding("encoding", likeliest.encoding, "encoding.not_utf8", {"line": line}))
    params = {"line": likeliest.line, "word": likeliest.word, "other": likeliest.as_other}
    finding = Finding("encoding", likeliest.encoding, "encoding.letters", params)
    if likeliest.is_clear:
        return Letters(codec, finding)
    options = (likeliest.encoding, likeliest.other)
    asked = Question("encoding", "encoding.unclear", options, suggestion=likeliest.encoding, params=params)
    return Letters(codec, finding, (asked,))


def _chosen(path: Path, chosen: Encoding, start: bytes) -> Letters:
    codec = _CODECS[chosen]
    wrong = _first_undecodable(path, codec)
    if wrong:
        raise refusal(Code.FILE_ENCODING_WRONG, encoding=chosen, line=wrong)
    codec = "utf-16" if codec.startswith("utf-16") and start[:2] in (b"\xff\xfe", b"\xfe\xff") else codec
    return Letters(codec, Finding("encoding", chosen, "encoding.chosen"))


def _declared(start: bytes) -> Encoding | None:
    told = _CHARSET.search(start)
    try:
        return _TOLD.get(codecs.lookup(told[1].decode("ascii")).name) if told else None
    except (LookupError, UnicodeDecodeError):
        return None


def _utf_16_without_mark(start: bytes) -> Encoding | None:
    """Text in Latin letters is every other byte empty there."""
    empty = start.count(0)
    if empty < _HALF_EMPTY * len(start):
        return None
    behind = start[1::2].count(0)
    if behind >= _SAME_SIDE * empty:
        return Encoding.UTF_16_LE
    return Encoding.UTF_16_BE if empty - behind >= _SAME_SIDE * empty else None


def _first_undecodable(path: Path, codec: str) -> int:
    """The line with the first bytes that mean nothing in that encoding; 0 where there are none."""
    decoder = codecs.getincrementaldecoder(codec)()
    line = 1
    with path.open("rb") as file:
        while True:
            chunk = file.read(_CHUNK)
            try:
                line += decoder.decode(chunk, final=not chunk).count("\n")
            except UnicodeDecodeError as error:
                return line + chunk[: error.start].count(b"\n")
            if not chunk:
                return 0


def _count_utf_8(path: Path) -> tuple[int, int]:
    """How many characters beyond ASCII are whole in UTF-8, and how many are not."""
    good = bad = 0
    for _, line in _lines_with_accents(path):
        text = line.decode("utf-8", errors="replace")
        broken = text.count("\N{REPLACEMENT CHARACTER}")
        good += sum(1 for letter in text if letter > "\x7f") - broken
        bad += broken
    return good, bad


def _lines_with_accents(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with anything beyond ASCII, and their numbers."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_CHUNK), b""), 1):
            if not line.isascii():
                yield number, line


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
