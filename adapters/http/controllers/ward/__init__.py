"""Shift, board, worklist and overview."""

from adapters.http.controllers.ward import board, overview, shift, worklist

ROUTES = (
    overview.OverviewController,
    worklist.WorklistController,
    board.WardController,
    shift.NoticeController,
    shift.ShiftController,
)
