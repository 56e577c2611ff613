"""Certificates of test servers."""

import subprocess
from pathlib import Path


def certificate(folder: Path, name: str) -> Path:
    """Create a self-signed certificate with its key in one file."""
    file, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "1", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", str(key), "-out", str(file),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    file.write_bytes(file.read_bytes() + key.read_bytes())
    return file
