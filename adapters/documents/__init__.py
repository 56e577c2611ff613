"""What is handed out as files: CSV, XLSX and, in ``pdf``, paper. Files that come in are read in ``spreadsheets``."""
