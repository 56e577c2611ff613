"""How letters are written in a text file: told by its mark or by itself, or found out from what its bytes make."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from adapters.spreadsheets.limits import refusal
from adapters.spreadsheets.text_encoding_guess import likeliest_of
from application.imports.reading.table import Detection, Encoding, Question
from domain.errors import Code

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


class Coding(NamedTuple):
    """A codec; ``mixed`` where lines that are UTF-8 stand between the others, and are read as what they are."""

    codec: str
    mixed: bool = False

    def lines(self, path: Path, longest: int) -> Iterator[str]:
        """The lines of the text, with their ends; a line beyond that length comes in pieces."""
        if not self.mixed:
            with path.open(encoding=self.codec, newline="") as text:
                yield from iter(lambda: text.readline(longest), "")
            return
        with path.open("rb") as file:
            first = True
            for piece in iter(lambda: file.readline(longest), b""):
                for line in piece.removeprefix(codecs.BOM_UTF8 if first else b"").splitlines(keepends=True):
                    yield line.decode("utf-8" if _is_utf_8(line) else self.codec)
                first = False


class Letters(NamedTuple):
    """How letters are written, why that is so, and what has to be asked where it is not certain."""

    coding: Coding
    finding: Detection
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
            if wrong and name is Encoding.UTF_8:
                return _not_utf_8(path, wrong)
            if wrong:
                raise refusal(Code.FILE_DAMAGED, line=wrong)
            return Letters(Coding(codec), Detection("encoding", name, "encoding.marked"))
    unmarked = _utf_16_without_mark(start)
    if unmarked and not _first_undecodable(path, unmarked):
        return Letters(Coding(unmarked), Detection("encoding", unmarked, "encoding.half_empty"))
    line = _first_undecodable(path, "utf-8")
    told = _declared(start[:_DECLARED_WITHIN]) if may_tell else None
    if told and not (line and any(_utf_8_lines(path))) and not _first_undecodable(path, _CODECS[told]):
        return Letters(Coding(_CODECS[told]), Detection("encoding", told, "encoding.told"))
    if not line:
        code = "encoding.ascii" if all(chunk.isascii() for chunk in _chunks(path)) else "encoding.valid_utf8"
        return Letters(Coding("utf-8"), Detection("encoding", Encoding.UTF_8, code))
    return _not_utf_8(path, line)


def _not_utf_8(path: Path, line: int) -> Letters:
    """The one of the old encodings that the lines which are not UTF-8 speak for; ``line`` is the first of these."""
    likeliest = likeliest_of(_other_lines(path))
    mixed = next(_utf_8_lines(path), None)
    # A few bytes that make no word in any encoding are damage. Whole words are of another program.
    if mixed and likeliest.points <= 0 and _is_damage(path):
        raise refusal(Code.FILE_ENCODING_BROKEN, line=line)
    coding = Coding(_old_codec(path, likeliest.encoding), mixed is not None)
    params: dict[str, object] = {"line": line}
    code = "encoding.not_utf8"
    if mixed:
        code, params = "encoding.mixed", {"line": line, "other_line": mixed[0]}
    elif likeliest.encoding is not Encoding.WINDOWS_1252:
        code = "encoding.letters"
        params = {"line": likeliest.line, "word": likeliest.word, "other": likeliest.as_other}
    finding = Detection("encoding", likeliest.encoding, code, params)
    if likeliest.is_clear:
        return Letters(coding, finding)
    options = (likeliest.encoding, likeliest.other)
    params = {"line": likeliest.line, "word": likeliest.word, "other": likeliest.as_other}
    asked = Question("encoding", "encoding.unclear", options, suggestion=likeliest.encoding, params=params)
    return Letters(coding, finding, (asked,))


def _old_codec(path: Path, encoding: Encoding) -> str:
    """Five bytes mean nothing in Windows-1252: a file with them is read as Latin-1."""
    codec = _CODECS[encoding]
    if codec == "cp1252" and any(not _is_readable(line, codec) for _, line in _other_lines(path)):
        return "latin-1"
    return codec


def _chosen(path: Path, chosen: Encoding, start: bytes) -> Letters:
    codec = _CODECS[chosen]
    finding = Detection("encoding", chosen, "encoding.chosen")
    is_old = chosen in (Encoding.WINDOWS_1252, Encoding.CP850, Encoding.MAC_ROMAN)
    if is_old and any(_utf_8_lines(path)) and any(_other_lines(path)):
        return Letters(Coding(_old_codec(path, chosen), mixed=True), finding)
    wrong = _first_undecodable(path, codec)
    if wrong:
        raise refusal(Code.FILE_ENCODING_WRONG, encoding=chosen, line=wrong)
    codec = "utf-16" if codec.startswith("utf-16") and start[:2] in (b"\xff\xfe", b"\xfe\xff") else codec
    return Letters(Coding(codec), finding)


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


def _is_damage(path: Path) -> bool:
    """Whether few characters beyond ASCII are not UTF-8, and many are."""
    good = bad = 0
    for _, line in _lines_with_accents(path):
        text = line.decode("utf-8", errors="replace")
        broken = text.count("\N{REPLACEMENT CHARACTER}")
        good += sum(1 for letter in text if letter > "\x7f") - broken
        bad += broken
    return bad <= max(good * _DAMAGE, 1) and good > 10 * bad


def _utf_8_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with accents in UTF-8, and their numbers."""
    return ((number, line) for number, line in _lines_with_accents(path) if _is_utf_8(line))


def _other_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are in no UTF-8, and their numbers."""
    return ((number, line) for number, line in _lines_with_accents(path) if not _is_utf_8(line))


def _is_utf_8(line: bytes) -> bool:
    return _is_readable(line, "utf-8")


def _is_readable(line: bytes, codec: str) -> bool:
    try:
        line.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _lines_with_accents(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with anything beyond ASCII, and their numbers."""
    with path.open("rb") as file:
        for number, piece in enumerate(iter(lambda: file.readline(_CHUNK), b""), 1):
            if not piece.isascii():
                # The mark of the file is no accent, and old Macs end lines with a return alone.
                lines = piece.removeprefix(codecs.BOM_UTF8 if number == 1 else b"").splitlines(keepends=True)
                yield from ((number, line) for line in lines if not line.isascii())


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
