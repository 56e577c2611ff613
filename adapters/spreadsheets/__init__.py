"""Readers of imported files: text, XLSX, XLS, ODS, HTML, SpreadsheetML.

Also Synthea. The meaning of rows is in the use cases.
"""
