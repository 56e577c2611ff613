"""Shift, board, worklist and overview."""
