"""Exported documents: CSV, XLSX and PDF. HTTP answers belong in http/."""
