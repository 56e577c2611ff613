"""Queries of the ward: board, shift, worklist and overview."""
