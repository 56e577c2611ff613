"""Development tools: benchmarks and fault injection. No tests."""
