"""Contracts of recording and correcting lines."""
