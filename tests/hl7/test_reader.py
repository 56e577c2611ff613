"""What a message says, as HL7 tells it; whoever wrote the tables of HL7 2.5.1 finds no fault with what tests send."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hl7apy.consts import VALIDATION_LEVEL
from hl7apy.parser import parse_message

from adapters.hl7.acknowledgement import AckCode, acknowledgement
from adapters.hl7.adt_parser import AdtParser, InvalidPathMap, MessageRejected, describe, read_map
from adapters.hl7.charset import decoded
from adapters.hl7.folder import messages_in
from tests.builders import NOON, ZONE
from tests.hl7.messages import adt

READ = AdtParser(zone=ZONE)


@pytest.mark.parametrize("kind", ["A01", "A02", "A03", "A04", "A08", "A11", "A12", "A13", "A28", "A31", "A40"])
def test_what_tests_send_is_hl7(kind: str) -> None:
    sent = adt(kind, prior="OLD" if kind == "A40" else None, visit=None if kind == "A40" else "V-7")
    parse_message(sent, validation_level=VALIDATION_LEVEL.STRICT, find_groups=True).validate()


def test_an_answer_is_hl7() -> None:
    for problem in (None, MessageRejected(101, "MSH-10", "Falta")):
        said = acknowledgement(
            adt("A01"), AckCode.REJECT if problem else AckCode.ACCEPT, NOON.astimezone(ZONE), problem
        )
        message = parse_message(said, validation_level=VALIDATION_LEVEL.TOLERANT)
        assert message.msh.msh_9.value == "ACK^A01^ACK"
        assert (message.msh.msh_5.value, message.msh.msh_7.value) == ("HIS", "20910503060000-0600")
        assert message.msa.msa_1.value == ("AR" if problem else "AA")


def test_names_stand_where_hl7_puts_them_and_are_not_split() -> None:
    read = READ(adt("A01", name="de la Cruz&de la&Cruz^María^del Carmen", second_surname="Nu\\T\\ez"))
    assert read.person == {
        "first_surname": "de la Cruz", "name": "María del Carmen", "second_surname": "Nu&ez",
        "date_of_birth": "1980-02-29",
    }  # fmt: skip


NUMBERS = {
    "of type MR": ("8^^^SEG^SS~7^^^HOSP^MR", None, "7"),
    "by who gave it": ("8^^^SEG^SS~7^^^HOSP^MR", "SEG", "8"),
    "else the first": ("8^^^SEG^SS~7^^^HOSP^PI", None, "8"),
    "alone": ("8", None, "8"),
    "none": ("", None, None),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_the_record_number_is_told_from_other_numbers(case: str) -> None:
    field, authority, number = NUMBERS[case]
    sent = adt("A01").replace("MRN-7^^^HOSPITAL^MR", field)
    assert AdtParser(zone=ZONE, authority=authority)(sent).record_number == number


def test_moments_are_the_hospital_s_where_no_zone_is_told() -> None:
    sent = adt("A01").replace("20910503060000-0600", "20910503060000").replace("\rPV1", "\rPV1", 1)
    assert READ(sent).event_at == datetime(2091, 5, 3, 12, tzinfo=UTC)
    assert READ(adt("A01", admitted="20910502233000")).admission_date == date(2091, 5, 2)


@pytest.mark.parametrize("born", ["29990101", "19809999", "ayer"])
def test_a_birth_that_cannot_be_is_not_told(born: str) -> None:
    assert "date_of_birth" not in READ(adt("A01", born=born)).person


def test_two_quotes_empty_and_what_is_not_sent_stays() -> None:
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
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_sending_again_cannot_help_is_refused(case: str) -> None:
    sent, code = REFUSED[case]
    with pytest.raises(MessageRejected) as refused:
        READ(sent)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("named", "encoding"),
    [("UNICODE UTF-8", "utf-8"), ("8859/1", "latin-1"), ("8859/15", "iso8859-15"), ("", "utf-8"), ("", "latin-1")],
)
def test_letters_are_read_as_the_message_says(named: str, encoding: str) -> None:
    sent = adt("A01", name="Muñoz^Íñigo", character_set=named)
    text, _ = decoded(sent.encode(encoding)) or ("", "")
    assert READ(text).person["name"] == "Íñigo"


def test_what_is_not_written_as_it_says_is_no_text() -> None:
    assert decoded(adt("A01", name="Muñoz^Íñigo").encode("latin-1")) is None


def test_a_hospital_says_where_things_stand(tmp_path: Path) -> None:
    file = tmp_path / "map.toml"
    file.write_text('[paths]\nvisit_number = "PID-18.1"\ndoctor = ["PV1-9"]\n')
    reader = AdtParser(zone=ZONE, paths=read_map(file))
    sent = adt("A01").replace("|19800229|F", "|19800229|F||||||||||ACC-1")
    assert reader(sent).visit_number == "ACC-1"


@pytest.mark.parametrize(
    "text", ["[paths]\nvisit = 'PV1-19'", "[paths]\nlocation = 'PV1'", "[paths", "[paths]\nclass = 3"]
)
def test_a_map_that_cannot_be_used_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.toml").write_text(text)
    with pytest.raises(InvalidPathMap):
        read_map(tmp_path / "map.toml")


def test_files_of_messages_may_have_headers_of_their_own() -> None:
    one, other = adt("A01"), adt("A03")
    batch = f"FHS|^~\\&|HIS\nBHS|^~\\&|HIS\n{one}{other}BTS|2\nFTS|1\n".replace("\r", "\r\n")
    assert [READ(found.decode()).kind for found in messages_in(batch.encode())] == ["A01", "A03"]


def test_people_read_where_each_thing_stands() -> None:
    told = dict(describe(adt("A01", control_id="77")))
    assert (told["MSH-9"], told["MSH-10"], told["PV1-3"]) == ("ADT^A01^ADT_A01", "77", "Urgencias^101")
