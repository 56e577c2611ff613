"""Performance benchmarks; they write docs/performance.md.

Tests need nothing of this.
"""
