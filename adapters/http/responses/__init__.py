"""What responses contain: problems, lists, files, progress."""
