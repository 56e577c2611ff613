"""Bringing in files: read them (``reading``), turn rows into changes (``rows``), keep or undo them. No file format."""
