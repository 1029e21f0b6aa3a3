"""Where the figures come from: figures without their machine say little."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Where it was measured: the processor's name as the system gives it, its cores, and the versions."""
    import numpy as np  # noqa: PLC0415 - for its version only
    import torch  # noqa: PLC0415
    import transformers  # noqa: PLC0415

    versions = {"numpy": np.__version__, "torch": torch.__version__, "transformers": transformers.__version__}
    place = {"processor": _processor(), "system": platform.system(), "cores": os.cpu_count()}
    return place | {"python": platform.python_version()} | versions


def _processor() -> str:
    """The name of the processor where Linux tells it, else its architecture."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.is_file() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{named[0]}, {platform.machine()}" if named else platform.machine()
