"""Files on disk, completely or not at all, pictures, and digests."""
