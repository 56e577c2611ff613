"""What is taken out as files of lines: CSV for programs and whoever asks for it, XLSX for people."""
