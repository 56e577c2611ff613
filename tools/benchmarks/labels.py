"""Labels read back from the pictures that printers get: ``python -m tools.benchmarks.labels``.

Needs ``pdftoppm`` (poppler-utils).
"""

import io
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pypdfium2
import zxingcpp
from PIL import Image

from adapters.documents.pdf.labels import bars_fit, labels_pdf
from application.labels.ports import LabelSize, LabelSubject, PrintedLabel, PrintedLabels
from domain.scanning.label import LabelKind, label_text

LABELS = 200
DOTS_PER_INCH = (203.0, 203.2, 300.0)
NAME = "Catéter venoso central Ñ de tres lúmenes con recubrimiento antimicrobiano, calibre {0} Fr " * 3
SYMBOLS = zxingcpp.BarcodeFormats((zxingcpp.BarcodeFormat.QRCode, zxingcpp.BarcodeFormat.Code128))
TIMES = {LabelSize.BAND_ADULT: 3, LabelSize.BAND_CHILD: 2}


def main() -> None:
    """Print how many of 200 labels are read, by size, symbol and resolution."""
    heads = [f"{program} {dpi:g}" for dpi in DOTS_PER_INCH for program in ("pdfium", "poppler")]
    sys.stdout.write(f"| size | symbol | {' | '.join(heads)} | wrong |\n|---|---|{'---|' * (len(heads) + 1)}\n")
    for what, size in (
        *((LabelSubject.PRODUCT, size) for size in (LabelSize.ROLL_50X25, LabelSize.ROLL_57X32)),
        *((LabelSubject.PRODUCT, size) for size in (LabelSize.A4_3X8, LabelSize.LETTER_3X10)),
        *((LabelSubject.BAND, size) for size in (LabelSize.BAND_ADULT, LabelSize.BAND_CHILD)),
        (LabelSubject.KIT, LabelSize.A6),
    ):
        for symbol in ("QR", "Code 128") if what is LabelSubject.PRODUCT else ("QR",):
            measure(what, size, symbol)


def measure(what: LabelSubject, size: LabelSize, symbol: str) -> None:
    """Print one row."""
    labels = [a_label(number, size, symbol) for number in range(1, LABELS + 1)]
    expected = Counter({label.bars or label.text: TIMES.get(size, 1) for label in labels})
    pdf = labels_pdf(PrintedLabels(what=what, size=size, start_at=1, labels=tuple(labels)), "es")
    cells, wrong = [], 0
    for dpi in DOTS_PER_INCH:
        for draw in (by_pdfium, by_poppler):
            read = Counter(found.text for page in draw(pdf, dpi) for found in read_symbols(page))
            cells.append(f"{(read & expected).total()} of {expected.total()}")
            wrong += (read - expected).total()
    sys.stdout.write(f"| {size} | {symbol} | {' | '.join(cells)} | {wrong} |\n")
    sys.stdout.flush()


def a_label(number: int, size: LabelSize, symbol: str) -> PrintedLabel:
    """Return a label like no other, with a long name."""
    code = f"MC-{number:04}-{'ABC'[number % 3]}"
    has_bars = symbol == "Code 128" and bars_fit(code, size)
    return PrintedLabel(
        text=label_text(LabelKind.PRODUCT, number * 4_937, 100_000 + number * 4_321),
        name=NAME.format(number),
        below="Ofelia",
        number=code,
        born=date(1951, 2, 3),
        has_qr=not has_bars,
        bars=code if has_bars else None,
    )


def read_symbols(page: Image.Image) -> list[zxingcpp.Barcode]:
    """Return the symbols on a page."""
    return zxingcpp.read_barcodes(page.convert("L"), formats=SYMBOLS, try_downscale=False, try_invert=False)


def by_pdfium(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Yield the pages in black and white as Chromium's printing draws them."""
    for page in pypdfium2.PdfDocument(io.BytesIO(pdf)):
        yield page.render(scale=dpi / 72).to_pil().convert("L").convert("1", dither=Image.Dither.NONE)


def by_poppler(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Yield the pages in black and white as Linux print servers draw them."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["pdftoppm", "-mono", "-r", f"{dpi:g}", "-", f"{folder}/page"]
        subprocess.run(command, input=pdf, check=True)
        for file in sorted(Path(folder).iterdir()):
            with Image.open(file) as page:
                yield page


if __name__ == "__main__":
    main()
