"""What holds for all tests."""

import os
import signal

from hypothesis import settings

# before NumPy is imported: the matrices are small, and more threads for one of them only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("course", deadline=None)  # a slow machine is no failure
settings.load_profile("course")

# A shell lets what it runs in the background ignore Ctrl-C, and so would everything that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
