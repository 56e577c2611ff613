"""Messages that lie in files: a folder into which a system writes them, or one file."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adapters.hl7.acknowledgement import Answer
from adapters.hl7.receiver import Receiver, Taken
from adapters.hl7.texts import messages_in
from domain.inbound_message import InboundState

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

    def add(self, number: int, taken: Taken) -> None:
        """Count one."""
        if taken.answer is Answer.REFUSED and taken.problem:
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
    for number, message in enumerate(messages_in(file.read_bytes()), 1):
        taken = receiver.take(message)
        if taken.answer is Answer.FAILED:
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
