"""Folders of messages: bad files stop nothing, and links are not followed."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.hl7 import folder as module
from adapters.hl7.folder import FileReport, FolderWriter, MessageNotStored, process_folder
from application.billing.outbound_messages import DeliveryStatus
from application.common.store_errors import StoreUnavailable, UnavailableReason
from domain.interop.outbound_message import OutboundMessage
from tests.builders import NOON, Ward, a_ward
from tests.hl7.messages import Post, a_post, adt, sheet_of


@pytest.fixture
def ward() -> Ward:
    return a_ward()


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


@pytest.fixture
def incoming(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


def written(folder: Path, name: str, text: str) -> Path:
    """Write a file whose old modification time marks it as complete."""
    file = folder / name
    file.write_text(text)
    os.utime(file, (1, 1))
    return file


def taken(post: Post, folder: Path) -> dict[str, FileReport]:
    return {file.name: report for file, report in process_folder(post.receiver, folder)}


def done(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "done").iterdir())


def test_a_message_of_year_1_is_refused_and_the_next_file_read(ward: Ward, post: Post, incoming: Path) -> None:
    bad = adt("A01", visit="V-1").replace("|2091", "|0001")
    written(incoming, "1.hl7", bad)
    written(incoming, "2.hl7", adt("A01"))
    assert [report.taken + report.refused for report in taken(post, incoming).values()] == [1, 1]
    assert {"1.hl7", "2.hl7"} <= set(done(incoming))
    assert sheet_of(ward)


@pytest.mark.parametrize("name", ["n" * 249 + ".hl7", "ñ" * 124 + ".hl7"])
def test_a_long_name_is_shortened_like_its_report(post: Post, incoming: Path, name: str) -> None:
    written(incoming, name, adt("A02", visit="V-0"))
    assert taken(post, incoming)[name].held == 1
    file, report = done(incoming)
    assert report == f"{file}.report.txt"
    assert file.endswith(".hl7")
    assert list(incoming.iterdir()) == [incoming / "done"]


def test_files_in_done_are_not_overwritten(ward: Ward, post: Post, incoming: Path) -> None:
    (incoming / "done" / "1.hl7").mkdir(parents=True)
    (incoming / "done" / "2.hl7").write_text("earlier")
    for name in ("1.hl7", "2.hl7"):
        written(incoming, name, adt("A01"))
    assert list(taken(post, incoming)) == ["1.hl7", "2.hl7"]
    assert (incoming / "done" / "2.hl7").read_text() == "earlier"
    assert len(done(incoming)) == 4
    assert sheet_of(ward)


@pytest.mark.parametrize("link", ["1.hl7.report.txt", "1.hl7"])
def test_no_report_is_written_through_a_link(post: Post, incoming: Path, tmp_path: Path, link: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (incoming / "done").mkdir()
    (incoming / "done" / link).symlink_to(precious)
    written(incoming, "1.hl7", adt("A02", visit="V-0"))
    taken(post, incoming)
    assert precious.read_text() == "precious"
    [report] = [name for name in done(incoming) if name.endswith(".report.txt") and name != link]
    assert "visit.unknown" in (incoming / "done" / report).read_text()


def test_a_link_created_during_the_move_is_not_followed(
    post: Post, incoming: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (incoming / "done").mkdir()
    (incoming / "done" / "1.hl7.report.txt").symlink_to(precious)
    monkeypatch.setattr(module, "_is_there", lambda *_: False)
    written(incoming, "1.hl7", adt("A02", visit="V-0"))
    written(incoming, "2.hl7", adt("A01"))
    first, second = taken(post, incoming).values()
    assert precious.read_text() == "precious"
    assert "cannot be put" in first.lines[-1]
    assert second.taken == 1


def test_a_done_folder_that_is_a_link_is_refused(post: Post, incoming: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (incoming / "done").symlink_to(elsewhere)
    written(incoming, "1.hl7", adt("A01"))
    with pytest.raises(MessageNotStored):
        taken(post, incoming)
    assert list(elsewhere.iterdir()) == []


def test_links_pipes_and_folders_are_ignored(post: Post, incoming: Path, tmp_path: Path) -> None:
    (incoming / "1.hl7").symlink_to(written(tmp_path, "other.hl7", adt("A01")))
    os.mkfifo(incoming / "2.hl7")
    (incoming / "3.hl7").mkdir()
    assert taken(post, incoming) == {}


def test_a_file_over_the_size_limit_is_moved_with_the_reason(
    ward: Ward, post: Post, incoming: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 1_000)
    written(incoming, "1.hl7", adt("A01", visit="V-1") * 10)
    written(incoming, "2.hl7", adt("A01"))
    reports = taken(post, incoming)
    assert (reports["1.hl7"].taken, reports["2.hl7"].taken) == (0, 1)
    assert "Split it" in (incoming / "done" / "1.hl7.report.txt").read_text()


def test_reading_a_file_stops_at_the_limit_of_refused_messages(
    post: Post, incoming: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_REFUSED", 5)
    written(incoming, "1.hl7", "MSH|\r" * 50)
    report = taken(post, incoming)["1.hl7"]
    assert (report.refused, len(report.lines)) == (5, 6)


def test_an_unexpected_error_of_a_message_does_not_stop_the_file(ward: Ward, post: Post, incoming: Path) -> None:
    receive = post.receiver.receive

    def broken(actor: Any, read: Any, text: str, **options: Any) -> Any:
        if read.control_id == "BAD":
            raise OverflowError
        return receive(actor, read, text, **options)

    object.__setattr__(post.receiver, "receive", broken)
    written(incoming, "1.hl7", adt("A01", visit="V-1", control_id="BAD") + adt("A01"))
    report = taken(post, incoming)["1.hl7"]
    assert (report.refused, report.taken) == (1, 1)
    assert sheet_of(ward)


def test_files_stay_while_the_database_is_unreachable(post: Post, incoming: Path) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable(UnavailableReason.UNREACHABLE)

    object.__setattr__(post.receiver, "receive", away)
    file = written(incoming, "1.hl7", adt("A01"))
    with pytest.raises(MessageNotStored):
        taken(post, incoming)
    assert file.exists()


def test_an_outgoing_file_is_not_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / ".7.1.1.part").symlink_to(precious)
    message = OutboundMessage(
        control_id="7.1.1", sheet_id=7, charges=1, body="MSH|^~\\&|", created_at=NOON, next_try_at=NOON
    )
    assert FolderWriter(out).send(message).status is DeliveryStatus.ACCEPTED
    assert precious.read_text() == "precious"
    assert not (out / "7.1.1.hl7").is_symlink()


@pytest.mark.parametrize(
    ("messages", "batches", "lines"),
    [
        (2, 1, []),
        (3, 1, ["0\tfile\tBTS-1\tIt declares 3 messages, and 2 were found"]),
        (2, 2, ["0\tfile\tFTS-1\tIt declares 2 batches, and 1 were found"]),
    ],
)
def test_the_counts_of_trailers_are_compared(
    post: Post, incoming: Path, messages: int, batches: int, lines: list[str]
) -> None:
    first, second = adt("A01"), adt("A03", at=NOON + timedelta(hours=1))
    text = f"FHS|^~\\&\rBHS|^~\\&\r{first}{second}BTS|{messages}\rFTS|{batches}\r"
    written(incoming, "batch.hl7", text)
    report = taken(post, incoming)["batch.hl7"]
    assert (report.taken, report.lines, report.is_incomplete) == (2, lines, bool(lines))


@pytest.mark.parametrize(("of_folder", "of_file"), [(0o700, 0o600), (0o750, 0o640), (0o755, 0o644)])
def test_an_outgoing_file_is_as_readable_as_its_folder(tmp_path: Path, of_folder: int, of_file: int) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    folder.chmod(of_folder)
    FolderWriter(folder).write("C-1", b"MSH")
    assert (folder / "C-1.hl7").stat().st_mode & 0o777 == of_file
    assert [one.name for one in folder.iterdir()] == ["C-1.hl7"]
