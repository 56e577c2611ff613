"""Reading of photographs: ``python -m tools.benchmarks.photos [pictures [first seed]]``.

The client's worker reads generated pictures of heaps in a Chromium. What was read is compared with what was drawn.
"""

import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.photos.heap import Symbol, a_heap, draw_heap
from tests.photos.reader import as_jpeg, compare, photo_reader, read_file
from tools.benchmarks.browsers import chromium

PICTURES = 500
# The curve has a row for each half pixel, up to this one.
LAST = 6.0


def main() -> None:
    """Print the read share by pixels per module, the errors and the times."""
    pictures, first = (int(one) for one in (*sys.argv[1:], *(str(PICTURES), "0")[len(sys.argv) - 1 :]))
    read: Counter[tuple[float, bool]] = Counter()
    drawn: Counter[tuple[float, bool]] = Counter()
    errors: Counter[str] = Counter()
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="consumo-photos-") as folder, chromium() as browser:
        page = browser.new_page()
        with photo_reader(page, Path(folder)):
            for seed in range(first, first + pictures):
                heap = draw_heap(seed, a_heap(seed))
                answer = read_file(page, as_jpeg(heap.image))
                found = compare(heap, answer["progress"]["symbols"])
                times.append(answer["milliseconds"] / 1000)
                read.update(row_of(one) for one in found.read if one.visible)
                drawn.update(row_of(one) for one in heap.symbols if one.visible)
                errors.update(
                    {
                        "wrong": len(found.wrong),
                        "doubled": len(found.doubled),
                        "hidden": len(found.hidden),
                        "unread": found.unread,
                        "imagined": found.imagined,
                    }
                )
    print_curve(read, drawn)
    sys.stdout.write(
        f"\n{pictures} pictures of 12 megapixels, with {drawn.total()} wholly visible symbols. Of those with at least "
        f"3 pixels for each module, {share(read, drawn)} were read.\n"
        f"Wrong texts: {errors['wrong']}, counted twice: {errors['doubled']}, hidden and counted: {errors['hidden']}. "
        f"Marked as unread: {errors['unread']} places with a symbol, {errors['imagined']} without.\n"
        f"Seconds for each picture: {statistics.median(times):.1f} in the median, "
        f"{statistics.quantiles(times, n=20)[-1]:.1f} for 95 %, {max(times):.1f} at most.\n"
    )


def row_of(symbol: Symbol) -> tuple[float, bool]:
    """Return the row and the column of the curve in which a symbol counts."""
    return min(LAST, int(symbol.module * 2) / 2), symbol.linear


def share(read: Counter[tuple[float, bool]], drawn: Counter[tuple[float, bool]]) -> str:
    """Return the share that was read of symbols that are large enough."""
    counts = [sum(count for (pixels, _), count in one.items() if pixels >= 3) for one in (read, drawn)]
    return f"{counts[0]} of {counts[1]} ({counts[0] / max(1, counts[1]):.1%})"


def print_curve(read: Counter[tuple[float, bool]], drawn: Counter[tuple[float, bool]]) -> None:
    """Print a table: what was read, of what was wholly visible."""
    sys.stdout.write("| pixels for each module | DataMatrix | linear |\n|---|--:|--:|\n")
    for pixels in sorted({row for row, _ in drawn}):
        cells = (f"{read[pixels, linear]} of {drawn[pixels, linear]}" for linear in (False, True))
        name = f"{pixels} to {pixels + 0.5}" if pixels < LAST else f"{LAST} and more"
        sys.stdout.write(f"| {name} | {' | '.join(cells)} |\n")


if __name__ == "__main__":
    main()
