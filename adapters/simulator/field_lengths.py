"""Standard lengths of fields, and cutting at them as strict receivers do."""

from typing import NamedTuple

# Maximum lengths of HL7 2.5.1 (appendix A), for the fields of charges messages. A repetition may have each.
FIELD_LENGTHS = {
    "MSH": {3: 227, 4: 227, 5: 227, 6: 227, 7: 26, 9: 15, 10: 20, 11: 3, 12: 60, 18: 16},
    "EVN": {2: 26},
    "PID": {1: 4, 3: 250, 5: 250, 6: 250, 7: 26},
    "PV1": {1: 4, 2: 1, 3: 80, 17: 250, 19: 250, 44: 26, 45: 26},
    "FT1": {
        1: 4, 2: 12, 3: 10, 4: 53, 5: 26, 6: 8, 7: 250, 9: 40, 10: 6, 11: 12, 12: 12, 13: 250, 16: 80, 20: 250, 21: 250,
        24: 250,
    },
    "NTE": {1: 4, 3: 65_536},
    "OBX": {1: 4, 2: 2, 3: 250, 5: 99_999, 11: 1},
}  # fmt: skip


class CutField(NamedTuple):
    """A field that was longer than its standard length, and what is left."""

    place: str
    length: int
    sent: str
    kept: str


def cut_fields(segments: list[list[str]]) -> tuple[list[list[str]], list[CutField]]:
    """Cut each field at its standard length; return also what was cut."""
    cut: list[CutField] = []
    return [_cut_segment(fields, cut) for fields in segments], cut


def _cut_segment(fields: list[str], cut: list[CutField]) -> list[str]:
    name, lengths = fields[0], FIELD_LENGTHS.get(fields[0], {})
    written = list(fields)
    for number, length in lengths.items():
        if number >= len(fields):
            continue
        repetitions = fields[number].split("~")
        kept = [one[:length] for one in repetitions]
        cut += [
            CutField(f"{name}-{number}", length, sent, left)
            for sent, left in zip(repetitions, kept, strict=True)
            if sent != left
        ]
        written[number] = "~".join(kept)
    return written
