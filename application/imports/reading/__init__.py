"""Interpret tables: detect columns, numbers, dates and cells.

What cannot be detected is asked. No data is changed here.
"""
