"""Parsing of ADT messages, with test messages validated by HL7 2.5.1."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hl7apy.consts import VALIDATION_LEVEL
from hl7apy.parser import parse_message

from adapters.hl7 import adt_parser
from adapters.hl7.acknowledgement import AckCode, acknowledgement
from adapters.hl7.adt_parser import MAX_FIELD_LENGTH, MAX_REPETITIONS, AdtParser, describe
from adapters.hl7.adt_paths import InvalidPathMap, read_map
from adapters.hl7.charset import decode_message
from adapters.hl7.mllp import MAX_MESSAGE_BYTES
from adapters.hl7.rejection import MessageRejected
from adapters.hl7.splitting import MAX_LINES, split_messages
from domain.common.errors import Code
from tests.builders import NOON, ZONE
from tests.hl7.messages import adt

READ = AdtParser(zone=ZONE)


@pytest.mark.parametrize("kind", ["A01", "A02", "A03", "A04", "A08", "A11", "A12", "A13", "A28", "A31", "A40"])
def test_the_messages_of_the_tests_are_valid_hl7(kind: str) -> None:
    sent = adt(kind, prior="OLD" if kind == "A40" else None, visit=None if kind == "A40" else "V-7")
    parse_message(sent, validation_level=VALIDATION_LEVEL.STRICT, find_groups=True).validate()


def test_an_acknowledgement_is_valid_hl7() -> None:
    for problem in (None, MessageRejected(Code.REFUSED_CONTROL_ID_MISSING, "MSH-10")):
        said = acknowledgement(
            adt("A01"), AckCode.REJECT if problem else AckCode.ACCEPT, NOON.astimezone(ZONE), problem
        )
        message = parse_message(said, validation_level=VALIDATION_LEVEL.TOLERANT)
        assert message.msh.msh_9.value == "ACK^A01^ACK"
        assert (message.msh.msh_5.value, message.msh.msh_7.value) == ("HIS", "20910503060000-0600")
        assert message.msa.msa_1.value == ("AR" if problem else "AA")


@pytest.mark.parametrize("version", ["2.2", "2.3.1", "2.4", "2.5", "2.7.1", "2.9"])
def test_an_error_has_the_form_of_the_senders_version(version: str) -> None:
    problem = MessageRejected(Code.REFUSED_PROCESSING_ID, "MSH-11", value="T|1", allowed="P")
    said = acknowledgement(adt("A01", version=version), AckCode.REJECT, NOON, problem)
    assert said is not None
    error = said.split("\r")[2]
    text = "MSH-11 is “T 1”; taken here are: P."
    if version < "2.5":
        assert error == f"ERR|MSH^1^11^202&{text}&HL70357"
    else:
        assert error == f"ERR||MSH^1^11|202^^HL70357|E|||{text}"


# MSH-15 and MSH-16, and the codes for a stored and a refused message.
MODES = {
    "original": ("", "", "AA", "AR"),
    "always": ("AL", "", "CA", "CR"),
    "always both": ("AL", "AL", "CA", "CR"),
    "only errors": ("ER", "NE", None, "CR"),
    "only success": ("SU", "NE", "CA", None),
    "never accept": ("NE", "AL", "AA", "AR"),
    "never": ("NE", "NE", None, None),
}


@pytest.mark.parametrize("mode", MODES)
def test_an_acknowledgement_is_in_the_senders_mode(mode: str) -> None:
    accept, application, stored, refused = MODES[mode]
    sent = adt("A01").replace("|2.5.1||||||UNICODE UTF-8", f"|2.5.1|||{accept}|{application}||UNICODE UTF-8")
    problem = MessageRejected(Code.REFUSED_TIME_MISSING, "MSH-7")
    answers = [
        acknowledgement(sent, AckCode.ACCEPT, NOON),
        acknowledgement(sent, AckCode.REJECT, NOON, problem),
    ]
    assert [one and one.split("\r")[1].split("|")[1] for one in answers] == [stored, refused]


@pytest.mark.parametrize("version", ["2.2", "2.3", "2.3.1", "2.4", "2.5.1", "2.6", "2.7.1", "2.8.2", "2.9", ""])
def test_versions_are_read(version: str) -> None:
    assert READ(adt("A01", version=version)).visit_number == "V-7"


def test_names_are_read_from_their_components() -> None:
    read = READ(adt("A01", name="de la Cruz&de la&Cruz^María^del Carmen", second_surname="Nu\\T\\ez"))
    assert read.person == {
        "first_surname": "de la Cruz", "name": "María del Carmen", "second_surname": "Nu&ez",
        "date_of_birth": "1980-02-29",
    }  # fmt: skip


NAMES = {
    "a prefix of its own": ("&de la&Cruz^Ana", "de la Cruz"),
    "its own part alone": ("&&Cruz^Ana", "Cruz"),
    "as a whole": ("de la Cruz&de la&Cruz&von&Braun^Ana", "de la Cruz"),
}


@pytest.mark.parametrize("case", NAMES)
def test_every_part_of_a_surname_is_kept(case: str) -> None:
    name, surname = NAMES[case]
    assert READ(adt("A01", name=name)).person["first_surname"] == surname


def test_a_backslash_without_escape_sequence_is_kept() -> None:
    read = READ(
        adt("A01", visit="V\\12", number="H\\1", name="Paz\\Ruiz^Ana S\\N", diagnosis="Fractura 4\\5 metatarso")
    )
    assert (read.visit_number, read.record_number) == ("V\\12", "H\\1")
    assert (read.person["first_surname"], read.person["name"]) == ("Paz\\Ruiz", "Ana S\\N")
    assert read.particulars["diagnosis"] == "Fractura 4\\5 metatarso"


def test_line_breaks_in_one_line_texts_become_spaces() -> None:
    diagnosis = "\\H\\Sepsis\\N\\\\.br\\abdominal"
    read = READ(adt("A01", name="Paz\\.br\\Ruiz^Ana", diagnosis=diagnosis, doctor="D7^Ve\\X0A\\ga^Luz"))
    assert (read.person["first_surname"], read.particulars["doctor"]) == ("Paz Ruiz", "Ve ga Luz D7")
    assert read.particulars["diagnosis"] == "Sepsis\nabdominal"


DIAGNOSES = {
    "words": ("DG1|1||J18^Neumonía^I10|||A", "Neumonía"),
    "a description beside the code": ("DG1|1||J18|Neumonía basal||A", "Neumonía basal"),
    "words of another system": ("DG1|1||J18^^I10^486^Neumonía|||A", "Neumonía"),
    "the code alone": ("DG1|1||J18.9|||A", "J18.9"),
    "the first one": ("DG1|1||J18|||A\rDG1|2||A41^Sepsis|||A", "J18"),
    "the admitting one": ("DG1|1||J18^Neumonía|||F\rDG1|2||A41|||A", "A41"),
    "the reason of admission": ("PV2|||J18^Neumonía", "Neumonía"),
    "the code of the reason": ("PV2|||J18", "J18"),
}


@pytest.mark.parametrize("case", DIAGNOSES)
def test_a_diagnosis_has_its_words_or_its_code(case: str) -> None:
    segments, diagnosis = DIAGNOSES[case]
    assert READ(f"{adt('A01')}{segments}\r").particulars["diagnosis"] == diagnosis


MOMENTS = {
    "EVN-6": ("event_at", "20910503060000-0600\rPID", "2091-05-03T06\rPID"),
    "EVN-2": ("recorded_at", "EVN|A01|20910503060000-0600", "EVN|A01|2091-05"),
    "MSH-7": ("sent_at", "HOSPITAL|20910503060000-0600||ADT", "HOSPITAL|2091||ADT"),
    "PV1-44": ("admitted_at", "|20910502233000\r", "|20910502233000~20910503\r"),
    "PID-7": ("date_of_birth", "|19800229|F", "|19800229&19800301|F"),
}


@pytest.mark.parametrize("place", MOMENTS)
def test_an_unreadable_time_is_reported_with_its_place(place: str) -> None:
    name, written, instead = MOMENTS[place]
    sent = adt("A01", admitted="20910502233000")
    assert written in sent
    [unreadable] = READ(sent.replace(written, instead)).unreadable_moments
    assert (unreadable.name, unreadable.place, unreadable.value in instead) == (name, place, True)


@pytest.mark.parametrize("written", ["20910502233000^S", "20910502233000^^", " 20910502233000 "])
def test_the_precision_of_a_time_is_ignored(written: str) -> None:
    read = READ(adt("A01", admitted=written))
    assert (read.admission_date, read.unreadable_moments) == (date(2091, 5, 2), ())


@pytest.mark.parametrize("written", ["20910502^20910503", "20910502~20910503", "20910502&20910503", "2091-05-02 tarde"])
def test_two_times_in_one_field_are_unreadable(written: str) -> None:
    read = READ(adt("A01", admitted=written))
    assert [one.place for one in read.unreadable_moments] == ["PV1-44"]


@pytest.mark.parametrize(
    ("sent_at", "code", "params"),
    [
        ("", Code.REFUSED_TIME_MISSING, {"place": "MSH-7"}),
        ("ayer", Code.REFUSED_TIME_UNREADABLE, {"place": "MSH-7", "value": "ayer"}),
        ("18000101", Code.REFUSED_TIME_UNREADABLE, {"place": "MSH-7", "value": "18000101"}),
    ],
)
def test_an_unreadable_time_of_sending_is_quoted(sent_at: str, code: Code, params: dict[str, str]) -> None:
    written = "20910503060000-0600"
    sent = adt("A01").replace(f"|{written}||ADT", f"|{sent_at}||ADT").replace(f"|{written}||||{written}", "|1800|||")
    with pytest.raises(MessageRejected) as rejected:
        READ(sent if sent_at else sent.replace("|1800", "|"))
    assert (rejected.value.reason.code, rejected.value.reason.params) == (code, params)


NUMBERS = {
    "of type MR": ("8^^^SEG^SS~7^^^HOSP^MR", None, "7"),
    "by who gave it": ("8^^^SEG^SS~7^^^HOSP^MR", "SEG", "8"),
    "else the first": ("8^^^SEG^SS~7^^^HOSP^PI", None, "8"),
    "alone": ("8", None, "8"),
    "none": ("", None, None),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_the_record_number_is_chosen_by_type_or_authority(case: str) -> None:
    field, authority, number = NUMBERS[case]
    sent = adt("A01").replace("MRN-7^^^HOSPITAL^MR", field)
    assert AdtParser(zone=ZONE, authority=authority)(sent).record_number == number


def test_times_without_offset_use_the_hospitals_time_zone() -> None:
    sent = adt("A01").replace("20910503060000-0600", "20910503060000").replace("\rPV1", "\rPV1", 1)
    assert READ(sent).event_at == datetime(2091, 5, 3, 12, tzinfo=UTC)
    assert READ(adt("A01", admitted="20910502233000")).admission_date == date(2091, 5, 2)


@pytest.mark.parametrize("born", ["29990101", "19809999", "ayer", "1980-02-30", "19800229x", "1980"])
def test_an_impossible_birth_date_is_omitted_and_reported(born: str) -> None:
    read = READ(adt("A01", born=born))
    assert "date_of_birth" not in read.person
    assert [(one.name, one.value) for one in read.unreadable_moments] == [("date_of_birth", born)]


def test_two_quotes_delete_and_empty_fields_keep_a_value() -> None:
    read = READ(adt("A08", second_surname='""', born="", diagnosis='""'))
    assert (read.person["second_surname"], read.particulars["diagnosis"]) == (None, None)
    assert "date_of_birth" not in read.person
    assert "doctor" not in read.particulars


REFUSED = {
    "no control id": (adt("A01", control_id="X1").replace("|X1|", "||"), 101),
    "no admission": (adt("A01").replace("ADT^A01^ADT_A01", "ORU^R01^ORU_R01"), 200),
    "a test": (adt("A01").replace("|P|2.5.1", "|T|2.5.1"), 202),
    "another version": (adt("A01", version="3.0"), 203),
    "no HL7": ("GET / HTTP/1.1\r\n", 100),
    "a header alone": ("MSH|", 100),
    "nothing": ("", 100),
    "too long a name": (adt("A01", visit="V" * 300), 102),
    "a control character in a number": (adt("A01", visit="V\x07"), 102),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_invalid_message_is_rejected_with_its_code(case: str) -> None:
    sent, code = REFUSED[case]
    with pytest.raises(MessageRejected) as refused:
        READ(sent)
    assert refused.value.error_code == code


CHARACTER_SETS = {
    "utf-8": [
        "UNICODE UTF-8",
        "UNICODE UTF8",
        "Unicode",
        "UTF-8",
        "utf-8",
        "utf8",
        "UTF_8",
        "",
        "UNICODE UTF-8~8859/1",
    ],
    "latin-1": ["8859/1", "ISO-8859-1", "iso8859-1", "ISO 8859-1", "ISO_8859-1", "8859-1", "LATIN1", "latin-1", ""],
    "cp1252": ["8859/1", "ISO-8859-1", "WINDOWS-1252", "cp1252", "Windows 1252", "ANSI"],
    "iso8859-15": ["8859/15", "ISO-8859-15", "iso8859-15", "LATIN-9"],
    "ascii": ["ASCII", "US-ASCII", "us ascii", "ISO IR6", "UTF-8", "8859/1"],
}


@pytest.mark.parametrize(
    ("encoding", "named"), [(one, name) for one, names in CHARACTER_SETS.items() for name in names]
)
def test_text_is_decoded_as_the_message_declares(encoding: str, named: str) -> None:
    given = {"cp1252": "Íñigo “Ño”", "iso8859-15": "Íñigo €", "ascii": "Inigo"}.get(encoding, "Íñigo")
    decoded = decode_message(adt("A01", name=f"Paz^{given}", character_set=named).encode(encoding))
    assert READ(decoded.text).person["name"] == given
    assert decoded.contradicted is None


@pytest.mark.parametrize(
    ("named", "encoding"),
    [
        ("UNICODE UTF-8", "latin-1"),
        ("ASCII", "latin-1"),
        ("ASCII", "utf-8"),
        ("8859/1", "utf-8"),
        ("ISO IR87", "utf-8"),
        ("UNICODE UTF-16", "cp1252"),
    ],
)
def test_bytes_that_contradict_the_declaration_are_reported(named: str, encoding: str) -> None:
    decoded = decode_message(adt("A01", name="Muñoz^Íñigo", character_set=named).encode(encoding))
    assert decoded.contradicted == named
    assert READ(decoded.text).person["name"] == "Íñigo"


def test_paths_of_fields_are_configurable(tmp_path: Path) -> None:
    file = tmp_path / "map.toml"
    file.write_text('[paths]\nvisit_number = "PID-18.1"\ndoctor = ["PV1-9"]\n')
    reader = AdtParser(zone=ZONE, paths=read_map(file))
    sent = adt("A01").replace("|19800229|F", "|19800229|F||||||||||ACC-1")
    assert reader(sent).visit_number == "ACC-1"


@pytest.mark.parametrize(
    "text", ["[paths]\nvisit = 'PV1-19'", "[paths]\nlocation = 'PV1'", "[paths", "[paths]\nclass = 3"]
)
def test_an_invalid_path_map_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.toml").write_text(text)
    with pytest.raises(InvalidPathMap):
        read_map(tmp_path / "map.toml")


def test_batch_headers_around_messages_are_skipped() -> None:
    one, other = adt("A01"), adt("A03")
    batch = f"FHS|^~\\&|HIS\nBHS|^~\\&|HIS\n{one}{other}BTS|2\nFTS|1\n".replace("\r", "\r\n")
    assert [READ(found.content.decode()).kind for found in split_messages(batch.encode())] == ["A01", "A03"]


SENDERS = {
    "CR": "\r", "CRLF": "\r\n", "LF": "\n", "CR CR LF": "\r\r\n", "blank lines": "\r\r\r", "blanks": "\r \t\r",
    "LF CR": "\n\r",
}  # fmt: skip


@pytest.mark.parametrize("end", SENDERS.values(), ids=SENDERS)
def test_segments_may_have_any_line_ending(end: str) -> None:
    one, other = adt("A01", control_id="1"), adt("A03", control_id="2")
    [found] = split_messages((end + one.replace("\r", end)).encode())
    assert found.content.decode() == one.rstrip("\r")
    found_two = list(split_messages(f"\ufeff{one}\x1c\ufeff{other}".replace("\r", end).encode()))
    assert [READ(each.content.decode()).control_id for each in found_two] == ["1", "2"]


def test_a_line_without_segment_name_continues_the_previous() -> None:
    [found] = split_messages(adt("A01", diagnosis="Fractura\nabierta").encode())
    assert READ(found.content.decode()).particulars["diagnosis"] == "Fractura abierta"


def test_an_oversized_message_is_cut_and_the_next_is_complete() -> None:
    endless = adt("A01", control_id="1") + "DG1|1\r" * MAX_LINES
    first, second = split_messages((endless + adt("A03", control_id="2")).encode())
    assert (first.is_too_long, second.is_too_long) == (True, False)
    assert first.content.startswith(b"MSH|")
    assert first.content.count(b"\r") < MAX_LINES
    assert READ(second.content.decode()).control_id == "2"
    [large] = split_messages((adt("A01") + "x" * MAX_MESSAGE_BYTES).encode())
    assert large.is_too_long


@pytest.mark.parametrize("line", ["x", " ", "\x0b", "BTS|1", "DG1|1"])
def test_every_kind_of_line_counts_for_the_limit(line: str) -> None:
    [found] = split_messages((adt("A01") + f"{line}\r" * MAX_LINES).encode())
    assert found.is_too_long


def steps(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Number of parts extracted while the message is parsed."""
    taken = 0

    def counted(*given: Any) -> str | None:
        nonlocal taken
        taken += 1
        return part(*given)

    part = adt_parser._part
    with monkeypatch.context() as patched:
        patched.setattr(adt_parser, "_part", counted)
        READ(text)
    return taken


@pytest.mark.parametrize(
    "line", ["DG1|1||J18^|||Z", "MRG|A^^^H^MR", "PID|1||A^^^H^MR", "PV1|1|I|a^b", "EVN|A01", "ZZZ|1"]
)
def test_repeated_segments_take_linear_time(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (steps(adt("A01") + f"{line}\r" * number, monkeypatch) for number in (200, 1_800))
    assert many <= few * 9
    assert many < 20 * 1_800


TOO_MUCH = {
    "repetitions of numbers": (adt("A01", number="~".join(["N^^^H"] * (MAX_REPETITIONS + 1))), "PID-3"),
    "a long name": (adt("A01", name="x" * (MAX_FIELD_LENGTH + 1)), "PID-5"),
    "a long diagnosis": (adt("A01", diagnosis="\\T\\" * MAX_FIELD_LENGTH), "DG1-3"),
    "the same separators": (adt("A01").replace("^~\\&", "^^\\&", 1), "MSH-2"),
}


@pytest.mark.parametrize("case", TOO_MUCH)
def test_a_message_that_is_expensive_to_parse_is_refused(case: str) -> None:
    text, place = TOO_MUCH[case]
    with pytest.raises(MessageRejected) as caught:
        READ(text)
    assert caught.value.place == place


def test_a_large_unused_field_is_accepted() -> None:
    assert READ(adt("A01", control_id="7") + f"OBX|1|ED|||{'QUJD' * 200_000}").control_id == "7"


def test_a_message_is_described_by_field() -> None:
    reported = dict(describe(adt("A01", control_id="77")))
    assert (reported["MSH-9"], reported["MSH-10"], reported["PV1-3"]) == ("ADT^A01^ADT_A01", "77", "Urgencias^101")
