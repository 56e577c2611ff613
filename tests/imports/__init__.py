"""Tests of importing rows: recognizing, asking, storing and refusing.

Tests of file formats belong in spreadsheets/.
"""
