"""Programs that are no tests: benchmarks, and faults that are brought about to see what is lost."""
