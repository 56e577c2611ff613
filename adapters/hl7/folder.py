"""Messages in files: folders to receive from, and a folder to send to.

Other programs may write into these folders. Links in them are not followed, and existing files are not overwritten.
"""

import os
import stat
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from adapters.files.whole_files import write_file
from adapters.hl7.acknowledgement import AckCode
from adapters.hl7.charset import encoding_of
from adapters.hl7.receiver import Receiver, ReceiveResult
from adapters.hl7.splitting import count_batches, declared_counts
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus
from domain.interop.inbound_message import InboundState
from domain.interop.outbound_message import OutboundMessage

# A file without changes for this time is complete.
MIN_FILE_AGE_SECONDS = 2.0
ENDINGS = (".hl7", ".txt")
DONE = "done"
MAX_FILE_BYTES = 50_000_000
# After this number of rejected messages the rest of a file is not read.
MAX_REFUSED = 1_000

_REPORT = ".report.txt"
# File systems allow 255 bytes.
_MAX_NAME_BYTES = 255 - len(_REPORT)


class MessageNotStored(Exception):
    """A message of a file could not be stored: the file is retried later."""


@dataclass
class FileReport:
    """The outcome of the messages in a file."""

    taken: int = 0
    held: int = 0
    refused: int = 0
    # The trailers of batches declare another number of messages than the file has.
    is_incomplete: bool = False
    # One line per held or rejected message: position in the file, message and reason.
    lines: list[str] = field(default_factory=list)

    def add(self, number: int, taken: ReceiveResult) -> None:
        """Count one message."""
        if taken.problem:
            self.refused += 1
            self.lines.append(f"{number}\tA{taken.ack_code}\t{taken.problem.place}\t{taken.problem.text}")
            return
        self.taken += 1
        kept = taken.kept
        if kept is not None and kept.state is InboundState.HELD and kept.reason is not None:
            self.held += 1
            self.lines.append(f"{number}\theld\t{kept.kind} {kept.control_id}\t{kept.reason.code.value}")

    def compare_counts(self, declared: Mapping[str, int], found: Mapping[str, int]) -> None:
        """Note trailers that declare another number than was found."""
        nouns = {"BTS": "messages", "FTS": "batches"}
        for name, count in declared.items():
            if count != found[name]:
                self.is_incomplete = True
                self.lines.append(f"0\tfile\t{name}-1\tIt declares {count} {nouns[name]}, and {found[name]} were found")


def process_file(receiver: Receiver, file: Path) -> FileReport:
    """Process all messages of a file in order.

    Raise ``MessageNotStored``; on a retry, earlier messages are not processed twice.
    """
    return _process(receiver, file, file.read_bytes())


def process_folder(receiver: Receiver, folder: Path) -> Iterator[tuple[Path, FileReport]]:
    """Process complete files in order of name, and move them to ``done``.

    Raise ``MessageNotStored`` if nothing can be stored or set aside. A file that cannot be read does not end the run:
    its report says why.
    """
    with _open_folder(folder / DONE) as done:
        for file in sorted(folder.iterdir()):
            if file.suffix.lower() not in ENDINGS:
                continue
            try:
                if not _is_complete(file):
                    continue
                report = _process(receiver, file, _read_file(file))
            except FileNotFoundError:
                # The file was removed in the meantime.
                continue
            except OSError as error:
                report = FileReport(lines=[f"0\tfile\t\tIt cannot be read: {error.strerror}"])
            try:
                _set_aside(file, report, done)
            except OSError as error:
                report.lines.append(f"0\tfile\t\tIt cannot be put into {DONE}: {error.strerror}")
            yield file, report


def _process(receiver: Receiver, file: Path, content: bytes) -> FileReport:
    report = FileReport()
    number = 0
    for number, taken in enumerate(receiver.process(content), 1):
        if taken.ack_code is AckCode.ERROR and taken.store_is_unavailable:
            raise MessageNotStored(f"{file}: message {number} could not be kept")
        report.add(number, taken)
        if report.refused >= MAX_REFUSED:
            report.lines.append(f"{number}\tfile\t\tThe rest was not read: {MAX_REFUSED:,} messages were refused")
            break
    else:
        report.compare_counts(declared_counts(content), {"BTS": number, "FTS": count_batches(content)})
    return report


@contextmanager
def _open_folder(folder: Path) -> Iterator[int]:
    """Open a folder, creating it if necessary.

    Raise ``MessageNotStored`` if it is a link.
    """
    try:
        folder.mkdir(exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise MessageNotStored(
            f"{folder}: files cannot be put aside there ({error.strerror}). It must be a folder"
        ) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_complete(file: Path) -> bool:
    status = file.lstat()
    return stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime >= MIN_FILE_AGE_SECONDS


def _read_file(file: Path) -> bytes:
    """Read a file. Raise ``OSError`` for links and too large files."""
    # Do not block if the file was replaced in the meantime, for example by a pipe.
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        content = opened.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise OSError(0, f"it is larger than {MAX_FILE_BYTES // 1_000_000} MB. Split it")
    return content


def _set_aside(file: Path, report: FileReport, done: int) -> None:
    """Move the file into the folder under an unused name, with its report."""
    name = _fit_name(file.name)
    if _is_there(name, done) or _is_there(name + _REPORT, done):
        name = _fit_name(file.name, f".{uuid.uuid4().hex}")
    os.rename(file, name, dst_dir_fd=done)
    if report.lines:
        with os.fdopen(_create_file(name + _REPORT, done), "w", encoding="utf-8") as written:
            written.write("\n".join(report.lines) + "\n")


def _fit_name(name: str, mark: str = "") -> str:
    """Insert ``mark`` before the ending, and cut to the maximum length."""
    stem, ending = Path(name).stem, Path(name).suffix
    room = _MAX_NAME_BYTES - len(os.fsencode(mark + ending))
    if len(os.fsencode(stem)) > room:
        stem = os.fsencode(stem)[:room].decode(errors="ignore")
    return stem + mark + ending


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _create_file(name: str | Path, folder: int | None = None) -> int:
    """Create a file for writing. Raise ``OSError`` if the name exists."""
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=folder)


class FolderWriter:
    """Writes messages into a folder, atomically, one file per message.

    Sending the same message again replaces its file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, message: OutboundMessage) -> DeliveryResult:
        """Write the message's file and sync it to disk."""
        try:
            self.write(message.control_id, message.body.encode(encoding_of(message.body), "replace"))
        except OSError as error:
            problem = error.strerror or str(error)
            return DeliveryResult(DeliveryStatus.FAILED, problem, problem)
        return DeliveryResult(DeliveryStatus.ACCEPTED)

    def write(self, name: str, content: bytes) -> None:
        """Write a file with that name and sync it to disk. Raise ``OSError``."""
        self._folder.mkdir(parents=True, exist_ok=True)
        # An account that may read the folder receives the messages: that of the other system.
        mode = 0o600 | (self._folder.stat().st_mode & 0o044)
        with write_file(self._folder / f"{name}.hl7", replace=True, mode=mode) as file:
            file.write(content)

    def close(self) -> None:
        """Do nothing: no resources are held."""
