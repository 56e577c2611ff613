"""The ward at work: shift, board, worklist, overview, and finding a sheet."""
