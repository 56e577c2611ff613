"""Reads files that come in: text, XLSX, XLS, ODS, HTML, SpreadsheetML, Synthea. What rows mean is elsewhere."""
