"""Files that come in, by their format: text, XLSX, XLS, ODS, and hostile ones. What rows do belongs in imports/."""
