"""Tests of file formats: text, XLSX, XLS, ODS, and hostile files.

Tests of importing rows belong in imports/.
"""
