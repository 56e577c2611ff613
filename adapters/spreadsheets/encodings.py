"""Detection of a text file's encoding.

It is known by a byte order mark or a declaration, or guessed from the decoded words.
"""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from adapters.spreadsheets.limits import refusal
from adapters.spreadsheets.text_encoding_guess import likeliest_of
from application.imports.reading.table import Detection, Encoding, Question
from domain.common.errors import Code

_CODECS: dict[Encoding, str] = {
    Encoding.UTF_8: "utf-8-sig",
    Encoding.UTF_16_LE: "utf-16-le",
    Encoding.UTF_16_BE: "utf-16-be",
    Encoding.WINDOWS_1252: "cp1252",
    Encoding.CP850: "cp850",
    Encoding.MAC_ROMAN: "mac-roman",
}
# Supported encodings that files declare, by codec name. UTF-16 is recognized without a declaration.
_DECLARABLE = {
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
# UTF-16 without a byte order mark has at least this share of zero bytes, and this share of them on one side.
_HALF_EMPTY, _SAME_SIDE = 0.2, 0.95
# If the share of bytes that are not UTF-8 is at most this, they are damage and not another encoding.
_DAMAGE = 0.01
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARED_WITHIN = 2_048


class Coding(NamedTuple):
    """A codec; in a ``mixed`` file, each valid UTF-8 line is read as UTF-8."""

    codec: str
    mixed: bool = False

    def lines(self, path: Path, longest: int) -> Iterator[str]:
        """Yield the lines with their ends; longer lines are split into pieces."""
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
    """A detected encoding with the reason, and a question if it is uncertain."""

    coding: Coding
    finding: Detection
    questions: tuple[Question, ...] = ()


def letters_of(path: Path, chosen: Encoding | None, *, may_tell: bool = False) -> Letters:
    """Detect the encoding of a file. Raise ``Refused`` if it is damaged.

    ``may_tell``: the file may declare its encoding, as HTML does.
    """
    with path.open("rb") as file:
        start = file.read(_CHUNK)
    if chosen:
        return _use_chosen(path, chosen, start)
    for mark, name, codec in _MARKS:
        if start.startswith(mark):
            wrong = _first_undecodable(path, codec)
            if wrong and name is Encoding.UTF_8:
                return _guess_legacy(path, wrong)
            if wrong:
                raise refusal(Code.FILE_DAMAGED, line=wrong)
            return Letters(Coding(codec), Detection("encoding", name, "encoding.marked"))
    unmarked = _utf_16_without_mark(start)
    if unmarked and not _first_undecodable(path, unmarked):
        return Letters(Coding(unmarked), Detection("encoding", unmarked, "encoding.half_empty"))
    line = _first_undecodable(path, "utf-8")
    declared = _declared(start[:_DECLARED_WITHIN]) if may_tell else None
    if declared and not (line and any(_utf_8_lines(path))) and not _first_undecodable(path, _CODECS[declared]):
        return Letters(Coding(_CODECS[declared]), Detection("encoding", declared, "encoding.told"))
    if not line:
        code = "encoding.ascii" if all(chunk.isascii() for chunk in _chunks(path)) else "encoding.valid_utf8"
        return Letters(Coding("utf-8"), Detection("encoding", Encoding.UTF_8, code))
    return _guess_legacy(path, line)


def _guess_legacy(path: Path, line: int) -> Letters:
    """Guess the legacy encoding from the lines that are not UTF-8.

    ``line`` is the first of these.
    """
    likeliest = likeliest_of(_other_lines(path))
    mixed = next(_utf_8_lines(path), None)
    # A few bytes that make no word in any encoding are damage. Whole words come from another program.
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
    question = Question("encoding", "encoding.unclear", options, suggestion=likeliest.encoding, params=params)
    return Letters(coding, finding, (question,))


def _old_codec(path: Path, encoding: Encoding) -> str:
    """Return the codec. Latin-1 replaces Windows-1252 for undefined bytes.

    Five bytes are undefined in Windows-1252.
    """
    codec = _CODECS[encoding]
    if codec == "cp1252" and any(not _is_readable(line, codec) for _, line in _other_lines(path)):
        return "latin-1"
    return codec


def _use_chosen(path: Path, chosen: Encoding, start: bytes) -> Letters:
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
    declaration = _CHARSET.search(start)
    try:
        return _DECLARABLE.get(codecs.lookup(declaration[1].decode("ascii")).name) if declaration else None
    except (LookupError, UnicodeDecodeError):
        return None


def _utf_16_without_mark(start: bytes) -> Encoding | None:
    """Detect UTF-16 without a byte order mark.

    In Latin text, every other byte is zero.
    """
    empty = start.count(0)
    if empty < _HALF_EMPTY * len(start):
        return None
    behind = start[1::2].count(0)
    if behind >= _SAME_SIDE * empty:
        return Encoding.UTF_16_LE
    return Encoding.UTF_16_BE if empty - behind >= _SAME_SIDE * empty else None


def _first_undecodable(path: Path, codec: str) -> int:
    """Return the number of the first line that cannot be decoded; 0 if none."""
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
    """Return whether few non-ASCII characters are not UTF-8 among many."""
    good = bad = 0
    for _, line in _lines_with_accents(path):
        text = line.decode("utf-8", errors="replace")
        broken = text.count("\N{REPLACEMENT CHARACTER}")
        good += sum(1 for letter in text if letter > "\x7f") - broken
        bad += broken
    return bad <= max(good * _DAMAGE, 1) and good > 10 * bad


def _utf_8_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the non-ASCII lines in UTF-8, with their numbers."""
    return ((number, line) for number, line in _lines_with_accents(path) if _is_utf_8(line))


def _other_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not UTF-8, with their numbers."""
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
    """Yield the non-ASCII lines, with their numbers."""
    with path.open("rb") as file:
        for number, piece in enumerate(iter(lambda: file.readline(_CHUNK), b""), 1):
            if not piece.isascii():
                # The byte order mark is no accent, and old Macs end lines with a carriage return only.
                lines = piece.removeprefix(codecs.BOM_UTF8 if number == 1 else b"").splitlines(keepends=True)
                yield from ((number, line) for line in lines if not line.isascii())


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
