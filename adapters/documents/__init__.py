"""Exports as CSV, XLSX and (in ``pdf``) PDF. Imports are in ``spreadsheets``."""
