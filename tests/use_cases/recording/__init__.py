"""Use cases of recording and correcting lines."""
