"""Texts of a closed restock list, for PDF and workbook."""

from datetime import tzinfo

from adapters.documents.columns import Value
from adapters.i18n import formats, messages
from application.restock.views import ClosedLineView, RestockDocumentView

COLUMNS = ("shelf", "code", "product", "unit", "used", "put_back", "by", "at")
NUMBERS = frozenset({"used", "put_back"})


def title_of(language: str, document: RestockDocumentView) -> str:
    """Return the title with the number of the list."""
    return messages.pdf(language, "restock.title").format(number=formats.whole(language, document["number"]))


def heading_of(language: str, column: str) -> str:
    """Return the heading of a column."""
    known = column if column in ("code", "product") else f"restock.{column}"
    return messages.pdf(language, known)


def facts_of(language: str, document: RestockDocumentView, zone: tzinfo) -> list[tuple[str, str]]:
    """Return area, closing and numbers of lines, with their labels."""
    closed_at = formats.moment(language, document["closed_at"], zone)
    facts = [
        ("area", document["area"]),
        ("restock.closed", f"{closed_at}, {document['by']}"),
        ("restock.lines", formats.whole(language, document["lines"])),
        ("restock.left_over", formats.whole(language, document["left_over"])),
    ]
    return [(messages.pdf(language, name), text) for name, text in facts]


def value_of(line: ClosedLineView, column: str) -> Value:
    """Return the value of a column; None if it is empty."""
    match column:
        case "used":
            return line["quantity"]
        case "put_back":
            return line["put_back"]
        case "by":
            return line["by"]
        case "at":
            return line["at"]
        case "shelf":
            return line["shelf"]
        case "product":
            return line["product"]["name"]
        case "code":
            return line["product"]["code"]
        case _:
            return line["product"]["unit"]
