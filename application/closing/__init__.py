"""The end of a sheet: close, reopen, undo and delete it."""
