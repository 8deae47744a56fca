"""Files for spreadsheet programs: CSV that a German Excel opens with a double click, and XLSX.

Text that looks like a formula stays text.
"""

import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import tablib
from django.utils import timezone
from django.utils.formats import number_format

Cell = str | int | Decimal | datetime | date | None

# Excel, LibreOffice and Google read these, and their full-width forms, as the beginning of a formula.
_FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def file_of(kind: str, title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a file of one of the kinds in CONTENT_TYPES. title: of the sheet in a workbook."""
    return csv_of(headings, rows) if kind == "csv" else xlsx_of(title, headings, rows)


def csv_of(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return CSV with semicolons, the language's decimal separator, and a byte order mark, so Excel detects UTF-8."""
    table = tablib.Dataset(*[[_csv_cell(cell) for cell in row] for row in rows], headers=list(headings))
    text: str = table.export("csv", delimiter=";")
    return text.encode("utf-8-sig")


def xlsx_of(title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a workbook with one sheet. Numbers and times are typed cells, every string is a text cell."""
    from openpyxl import Workbook  # noqa: PLC0415 (22 MB of memory, which most processes never need)

    workbook = Workbook(write_only=True)
    sheet: Any = workbook.create_sheet(
        title[:31]
    )  # Any: the stubs lack column_dimensions of a write-only sheet
    sheet.freeze_panes = "A2"
    for index, heading in enumerate(headings):
        sheet.column_dimensions[chr(ord("A") + index)].width = max(12, len(heading) + 4)
    for row in (headings, *rows):
        sheet.append([_xlsx_cell(sheet, cell) for cell in row])
    output = io.BytesIO()
    workbook.save(output)
    return output.getvalue()


def plain(text: str) -> str:
    """Return a text from a file without the apostrophe that `csv_of` puts before what looks like a formula."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA_BEGINNINGS) else text


def _csv_cell(cell: Cell) -> str | int | date:
    if cell is None:
        return ""
    if isinstance(cell, Decimal):
        return number_format(cell, decimal_pos=2, use_l10n=True, force_grouping=False)
    if isinstance(cell, datetime):
        return f"{timezone.localtime(cell):%Y-%m-%d %H:%M:%S}"
    if isinstance(cell, str) and cell.startswith(_FORMULA_BEGINNINGS):
        return f"'{cell}"
    return cell


def _xlsx_cell(sheet: Any, cell: Cell) -> Any:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 (as above)

    if isinstance(cell, datetime):
        made = WriteOnlyCell(sheet, timezone.localtime(cell).replace(tzinfo=None))
        made.number_format = "yyyy-mm-dd hh:mm:ss"
        return made
    value: Any = float(cell) if isinstance(cell, Decimal) else cell  # Any: the stubs lack days
    made = WriteOnlyCell(sheet, value)
    if isinstance(cell, str):
        made.data_type = "s"
    elif isinstance(cell, Decimal):
        made.number_format = "#,##0.00"
    return made
