"""Scripts that produce the figures of `docs/benchmarks.md`."""
