"""What is handed over on paper, as PDF."""
