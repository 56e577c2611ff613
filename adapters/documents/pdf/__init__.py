"""Sheets and reports as PDF: pages, fonts and charts. What stands on them is decided in the use cases."""
