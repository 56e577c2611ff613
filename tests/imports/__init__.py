"""What is made of the rows of files that come in: recognised, asked, kept, refused. Formats belong in spreadsheets/."""
