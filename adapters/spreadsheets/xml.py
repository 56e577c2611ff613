"""Streaming XML reader with limits."""

from collections.abc import Callable, Iterable, Iterator
from xml.parsers import expat

from adapters.spreadsheets.limits import check_columns, must_have_fewer_elements, refusal
from application.imports.reading.cells import Cell
from domain.common.errors import Code

Attributes = dict[str, str]

# Limits of nesting depth, number of distinct names, and length of a tag, far above those of real workbooks.
_MAX_DEPTH = 200
_MAX_NAMES = 10_000
_MAX_TAG = 1_000_000


def read_xml(
    chunks: Iterable[bytes],
    begin: Callable[[str, Attributes], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], None] | None = None,
    count: Callable[[int], None] = must_have_fewer_elements,
) -> Iterator[None]:
    """Call ``begin``, ``end`` and ``text`` for elements and texts.

    Names are without prefixes, which programs choose freely. Yields after each chunk, and calls ``count`` with the
    number of elements so far. Raise ``Refused`` for unsafe content, ``ExpatError`` for damage. Document types are
    refused, and with them entities: workbooks have none, and XML bombs are made of them.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = given = elements = 0

    def refuse(*_: object) -> None:
        raise refusal(Code.FILE_WITH_ENTITIES)

    def began(name: str, attributes: Attributes) -> None:
        nonlocal depth, elements
        depth += 1
        elements += 1
        if depth > _MAX_DEPTH:
            raise refusal(Code.FILE_DAMAGED, line=0)
        begin(name.rpartition(":")[2], attributes)

    def ended(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name.rpartition(":")[2])

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = began, ended
    if text is not None:
        parser.CharacterDataHandler = text
    for chunk in chunks:
        parser.Parse(chunk)
        given += len(chunk)
        if given - parser.CurrentByteIndex > _MAX_TAG or len(parser.intern) > _MAX_NAMES:
            raise refusal(Code.FILE_DAMAGED, line=0)
        count(elements)
        yield
    parser.Parse(b"", True)
    yield


def read_whole_xml(chunks: Iterable[bytes], begin: Callable[[str, Attributes], None]) -> None:
    """Call ``begin`` for every element."""
    for _ in read_xml(chunks, begin):
        pass


def without_prefixes(attributes: Attributes) -> Attributes:
    """Return the attributes by their names without prefixes."""
    return {name.rpartition(":")[2]: value for name, value in attributes.items()}


def put(cells: list[Cell], column: int, cell: Cell, line: int) -> None:
    """Put a cell into its column. Raise ``Refused`` beyond the column limit."""
    check_columns(column + 1, line)
    missing = column - len(cells)
    if missing >= 0:
        cells.extend([""] * missing)
        cells.append(cell)
    else:
        cells[column] = cell
