"""Encrypted backups, by the system's GnuPG.

An encrypted backup is an OpenPGP message of the backup file. GnuPG notices altered and truncated messages.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from adapters.sql.backups.problem import BackupProblem

_ZIP = b"PK"
_MEBIBYTE = 2**20


def is_encrypted(file: Path) -> bool:
    """Return whether a file is no ZIP archive, and may be an OpenPGP message."""
    with file.open("rb") as content:
        start = content.read(2)
    # The first octet of a binary OpenPGP packet has its highest bit set (RFC 9580, 4.2).
    return start != _ZIP and bool(start) and start[0] >= 0x80


@contextmanager
def encrypt_into(target: IO[bytes], recipient: str) -> Iterator[IO[bytes]]:
    """Yield a stream that is encrypted into the target.

    ``recipient`` is a key of the user's keyring, or the path of a file with a public key.
    """
    # The operator chose the key, so that its place in the web of trust does not matter.
    command = [_gpg(), "--batch", "--quiet", "--trust-model", "always", "--compress-algo", "none", "--encrypt"]
    command += ["--recipient-file" if Path(recipient).is_file() else "--recipient", recipient]
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
            raise BackupProblem(f"GnuPG cannot encrypt to “{recipient}”: {_last_line(complaints)}")


@contextmanager
def decrypt(file: Path) -> Iterator[IO[bytes]]:
    """Yield the decrypted content, in a temporary file without a name."""
    with tempfile.TemporaryFile() as content, tempfile.TemporaryFile() as complaints:
        with file.open("rb") as source:
            command = [_gpg(), "--quiet", "--decrypt"]
            decrypting = subprocess.run(command, stdin=source, stdout=content, stderr=complaints)  # noqa: S603
        if decrypting.returncode:
            raise BackupProblem(
                f"{file} cannot be decrypted: {_last_line(complaints)} It was altered or cut, or its private key is "
                "not in the keyring of this user."
            )
        content.seek(0)
        yield content


def _gpg() -> str:
    gpg = shutil.which("gpg")
    if gpg is None:
        raise BackupProblem("Encrypted backups need GnuPG: install the package gnupg.")
    return gpg


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").strip().splitlines()
    return f"{lines[-1].removeprefix('gpg: ')}." if lines else "it gave no reason."
