"""What is handed out: CSV, XLSX and PDF. What their addresses answer belongs in http/."""
