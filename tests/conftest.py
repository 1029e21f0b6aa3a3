"""What holds for all tests."""

import os

from hypothesis import settings

# before NumPy is imported: the matrices are small, and more threads for one of them only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("course", deadline=None)  # a slow machine is no failure
settings.load_profile("course")
