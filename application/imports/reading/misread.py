"""Mojibake: repair text that was read in the wrong encoding.

``AlgodÃ³n`` was ``Algodón``. If one program writes UTF-8 and another one reads it in an old encoding, each byte becomes
a letter. Two or three such letters that form a valid UTF-8 sequence are hardly ever intended: no word contains ``Ã³``,
but ``MAÇÃ`` and ``São`` are words.
"""

import re
from functools import lru_cache
from typing import NamedTuple

# The old encodings whose upper 128 bytes are mapped to letters. Undefined bytes are controls.
_OLD = ("cp1252", "mac-roman", "cp850")


def _bytes_of(codec: str) -> dict[str, int]:
    """Return the letters of the bytes from 128 to 255."""
    decoded = {bytes([byte]).decode(codec, errors="ignore"): byte for byte in range(128, 256)}
    # Bytes that are undefined in Windows-1252 become controls, as in Latin-1.
    controls = {chr(byte): byte for byte in range(128, 160)} if codec == "cp1252" else {}
    return controls | {letter: byte for letter, byte in decoded.items() if letter}


_BYTES = {codec: _bytes_of(codec) for codec in _OLD}


def _sequences(codec: str) -> re.Pattern[str]:
    """Compile a pattern for UTF-8 sequences that were misread in ``codec``.

    They are two or three letters for an accented letter, a sign, or a mark such as a dash.
    """

    def letters(first: int, last: int) -> str:
        return f"[{re.escape(''.join(letter for letter, byte in _BYTES[codec].items() if first <= byte <= last))}]"

    more = letters(0x80, 0xBF)
    return re.compile(f"{letters(0xC2, 0xC3)}{more}|{letters(0xE2, 0xE2)}{more}{more}")


_MISREAD = {codec: _sequences(codec) for codec in _OLD}
_PLAUSIBLE = re.compile(r"[\u0080-\u00ff\u2010-\u2044\u20ac\u2122\u2190-\u22ff\u2500-\u26ff]")
# After a word in capitals that ends in Ã or Â, these characters may be intended.
_BEHIND_A_WORD = frozenset("\N{NO-BREAK SPACE}»…—®")
_MAY_BE_BEHIND_A_WORD = frozenset("”’–™")
# Traces of a lost letter: a question mark within a word, a replacement character, or half of a sequence.
_LOST = re.compile(
    r"\N{REPLACEMENT CHARACTER}|(?<=[^\W\d_])\?(?=[^\W\d_])|(?<=[a-zñáéíóúü])[ÃÂ](?![A-ZÁÉÍÓÚÜÑ])|"
    r"(?<![^\W_])Ã(?=[a-zñáéíóúü])|[ãâ][\u00a1-\u00a9\u00ab-\u00b9\u00bb-\u00bf]|[\u0080-\u009f]"
)
_MAX_TIMES = 4


class Mended(NamedTuple):
    """A repaired text; ``is_whole`` is False if some of it is lost."""

    text: str
    is_whole: bool


@lru_cache(4_096)
def mended(text: str) -> Mended | None:
    """Repair misread letters; None if the text shows no sign of them."""
    meant, is_whole = text, True
    for _ in range(_MAX_TIMES):
        better, is_sure = _mended_once(meant)
        is_whole = is_whole and is_sure
        if better == meant:
            break
        meant = better
    is_whole = is_whole and not _LOST.search(meant)
    return None if is_whole and meant == text else Mended(meant, is_whole)


def _mended_once(text: str) -> tuple[str, bool]:
    """Undo one misreading.

    The second value is False if the text has another possible misreading that was kept.
    """
    is_sure = True
    for codec in _OLD:

        def mend(found: re.Match[str], bytes_of: dict[str, int] = _BYTES[codec]) -> str:
            nonlocal is_sure
            letters = found[0]
            meant = bytes(bytes_of[letter] for letter in letters).decode("utf-8", errors="replace")
            before, behind = text[: found.start()][-1:], text[found.end() :][:1]
            if letters[0] in "ÃÂ" and before.isupper() and not behind.isalpha():
                if letters[1] in _MAY_BE_BEHIND_A_WORD:
                    is_sure = False
                    return letters
                if letters[1] in _BEHIND_A_WORD:
                    return letters
            return meant if _PLAUSIBLE.fullmatch(meant) else letters

        better = _MISREAD[codec].sub(mend, text)
        if better != text:
            return better, is_sure
    return text, is_sure
