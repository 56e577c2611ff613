"""Messages that lie in files: files and folders from which they are received, and a folder into which they are sent."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adapters.hl7.acknowledgement import AckCode
from adapters.hl7.charset import encoding_of
from adapters.hl7.receiver import Receiver, ReceiveResult
from adapters.hl7.splitting import split_messages
from application.outbound_messages import DeliveryResult, DeliveryStatus
from domain.inbound_message import InboundState
from domain.outbound_message import OutboundMessage

# Whoever writes a file has ended when it did not change for this time.
SECONDS_AT_REST = 2.0
ENDINGS = (".hl7", ".txt")
DONE = "done"


class NotKept(Exception):
    """A message of a file could not be kept: the file is taken once more later."""


@dataclass
class FileReport:
    """What became of the messages of a file."""

    taken: int = 0
    held: int = 0
    refused: int = 0
    # Of what was held or refused: its place in the file, what it is and why.
    lines: list[str] = field(default_factory=list)

    def add(self, number: int, taken: ReceiveResult) -> None:
        """Count one."""
        if taken.ack_code is AckCode.REJECT and taken.problem:
            self.refused += 1
            self.lines.append(f"{number}\tAR\t{taken.problem.place}\t{taken.problem.text}")
            return
        self.taken += 1
        kept = taken.kept
        if kept is not None and kept.state is InboundState.HELD and kept.reason is not None:
            self.held += 1
            self.lines.append(f"{number}\theld\t{kept.kind} {kept.control_id}\t{kept.reason.code.value}")


def take_file(receiver: Receiver, file: Path) -> FileReport:
    """Take all messages of a file, in their order. Raise ``NotKept``; what was kept until then is not done twice."""
    report = FileReport()
    for number, message in enumerate(split_messages(file.read_bytes()), 1):
        taken = receiver.take(message)
        if taken.ack_code is AckCode.ERROR:
            raise NotKept(f"{file}: message {number} could not be kept")
        report.add(number, taken)
    return report


def take_folder(receiver: Receiver, folder: Path) -> Iterator[tuple[Path, FileReport]]:
    """Take the files that are at rest, in the order of their names; what was taken goes into ``done``."""
    done = folder / DONE
    done.mkdir(exist_ok=True)
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() not in ENDINGS or not file.is_file():
            continue
        if time.time() - file.stat().st_mtime < SECONDS_AT_REST:
            continue
        report = take_file(receiver, file)
        if report.lines:
            (done / f"{file.name}.report.txt").write_text("\n".join(report.lines) + "\n", "utf-8")
        file.replace(done / file.name)
        yield file, report


class FolderWriter:
    """Sends messages into a folder, a file each, whole or not at all. The same message again is the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, message: OutboundMessage) -> DeliveryResult:
        """Write its file, so that it is there when the power fails."""
        being_written = self._folder / f".{message.control_id}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with being_written.open("wb") as file:
                file.write(message.body.encode(encoding_of(message.body), "replace"))
                file.flush()
                os.fsync(file.fileno())
            being_written.replace(self._folder / f"{message.control_id}.hl7")
            self._settle()
        except OSError as error:
            return DeliveryResult(DeliveryStatus.FAILED, error.strerror or str(error))
        return DeliveryResult(DeliveryStatus.ACCEPTED)

    def close(self) -> None:
        """Nothing is open."""

    def _settle(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
