"""Benchmarks: how many times as fast as what people use, measured side by side in one run. See ``make bench``."""

import os

# before NumPy and torch are imported, which read these once
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
