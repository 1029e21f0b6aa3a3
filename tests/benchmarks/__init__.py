"""Benchmarks: how many times as fast as what people use, measured side by side in one run. See ``make bench``."""
