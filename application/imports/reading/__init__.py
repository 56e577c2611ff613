"""What a table means: its columns, numbers, dates and cells, found out or asked. Nothing is changed here."""
