"""The package from outside: its names, and what importing it costs."""

import subprocess
import sys

import pytest

import minimodel

NAMES = [
    *("apply_temperature", "top_k_filter", "top_p_filter", "min_p_filter", "apply_repetition_penalty"),
    *("apply_logit_bias", "softmax", "log_softmax", "Greedy", "Temperature", "TopK", "TopP", "MinP", "Chain", "sample"),
]


@pytest.mark.parametrize("name", NAMES)
def test_the_names_of_the_field_are_there(name):
    assert callable(getattr(minimodel, name))
    assert name in dir(minimodel)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'top_q_filter'"):
        minimodel.top_q_filter  # noqa: B018


def test_the_core_runs_with_numpy_alone():
    """Everything else that is installed is hidden from the import system."""
    program = """
import sys
allowed = {"numpy", "minimodel"} | set(sys.stdlib_module_names)
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in allowed:
            raise ModuleNotFoundError(f"{name} is hidden")
sys.meta_path.insert(0, Hide())
from minimodel.__main__ import main
sys.exit(main(["Tomorrow she", "--top-p", "0.9", "--top-k", "5", "--min-p", "0.1", "--repetition-penalty", "1.1"]))
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_imports_no_sampler():
    program = (
        "import minimodel, sys; sys.exit(any(name.startswith('minimodel.') or name == 'numpy' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
