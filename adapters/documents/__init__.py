"""Exports as CSV, XLSX and PDF.

Imports are in ``spreadsheets``.
"""
