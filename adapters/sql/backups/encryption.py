"""Encrypted backups, by the system's GnuPG.

An encrypted backup is an OpenPGP message of the backup file. GnuPG notices altered and truncated messages.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import pairwise
from pathlib import Path
from typing import IO

from adapters.sql.backups.problem import BackupProblem

_ZIP = b"PK"
# Keys come from the operator alone: never from the network, and not from options of the user.
_OFFLINE = ("--no-options", "--no-auto-key-locate", "--no-auto-key-retrieve", "--disable-dirmngr")


def is_encrypted(file: Path) -> bool:
    """Return whether a file is no ZIP archive, and may be an OpenPGP message."""
    with file.open("rb") as content:
        start = content.read(2)
    # The first octet of a binary OpenPGP packet has its highest bit set (RFC 9580, 4.2).
    return start != _ZIP and bool(start) and start[0] >= 0x80


@contextmanager
def encrypt_into(target: IO[bytes], recipient: str) -> Iterator[IO[bytes]]:
    """Yield a stream that is encrypted into the target.

    ``recipient`` is a key of the user's keyring, or the path of a file with public keys: each of them decrypts it.
    """
    with (
        _keys_of_file(recipient)
        if "/" in recipient or Path(recipient).is_file()
        else nullcontext(["--recipient", recipient]) as keys,
        _encrypt(target, recipient, keys) as content,
    ):
        yield content


@contextmanager
def _keys_of_file(file: str) -> Iterator[list[str]]:
    """Yield options for the keys of a file, from a keyring of its own."""
    with tempfile.TemporaryDirectory(prefix="consumo-") as home:
        gpg = [_gpg(), f"--homedir={home}", "--no-autostart", *_OFFLINE, "--batch"]
        read = subprocess.run([*gpg, "--quiet", "--import", file], capture_output=True)  # noqa: S603
        listed = subprocess.run([*gpg, "--with-colons", "--list-keys"], capture_output=True, text=True)  # noqa: S603
        lines = [line.split(":") for line in listed.stdout.splitlines()]
        keys = [line[9] for before, line in pairwise(lines) if before[0] == "pub" and line[0] == "fpr"]
        if read.returncode or not keys:
            problem = _last_line(read.stderr) if read.returncode else "it has no public key."
            raise BackupProblem(f"GnuPG cannot encrypt to “{file}”: {problem}")
        yield [f"--homedir={home}", "--no-autostart", *(f"--recipient={key}" for key in keys)]


@contextmanager
def _encrypt(target: IO[bytes], recipient: str, keys: Sequence[str]) -> Iterator[IO[bytes]]:
    # The operator chose the key, so that its place in the web of trust does not matter.
    command = [_gpg(), *_OFFLINE, "--batch", "--quiet", "--trust-model", "always", "--compress-algo", "none"]
    command += [*keys, "--encrypt"]
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=target, stderr=complaints) as encrypting:  # noqa: S603
            assert encrypting.stdin
            try:
                yield encrypting.stdin
                encrypting.stdin.close()
            except BrokenPipeError:
                # GnuPG ended: its own complaint says why. What it did not read is given up.
                with suppress(BrokenPipeError):
                    encrypting.stdin.close()
            except BaseException:
                encrypting.kill()
                raise
        if encrypting.returncode:
            raise BackupProblem(f"GnuPG cannot encrypt to “{recipient}”: {_last_line_of(complaints)}")


@contextmanager
def decrypt(file: Path) -> Iterator[IO[bytes]]:
    """Yield the decrypted content, in a temporary file without a name."""
    with tempfile.TemporaryFile() as content, tempfile.TemporaryFile() as complaints:
        with file.open("rb") as source:
            command = [_gpg(), *_OFFLINE, "--quiet", "--decrypt"]
            decrypting = subprocess.run(command, stdin=source, stdout=content, stderr=complaints)  # noqa: S603
        if decrypting.returncode:
            raise BackupProblem(
                f"{file} cannot be decrypted: {_last_line_of(complaints)} It was altered or cut, or its private key is "
                "not in the keyring of this user."
            )
        content.seek(0)
        yield content


def _gpg() -> str:
    gpg = shutil.which("gpg")
    if gpg is None:
        raise BackupProblem("Encrypted backups need GnuPG: install the package gnupg.")
    return gpg


def _last_line_of(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    return _last_line(complaints.read())


def _last_line(complaints: bytes) -> str:
    lines = complaints.decode(errors="replace").strip().splitlines()
    return f"{lines[-1].removeprefix('gpg: ')}." if lines else "it gave no reason."
