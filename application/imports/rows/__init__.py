"""What each row does, one file per kind of thing, through the use cases that people go through."""
