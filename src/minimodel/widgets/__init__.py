"""Live pictures for notebooks and static pages. Names are imported when first used: only a widget needs anywidget."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minimodel.widgets.bundle import esm, static_script, static_style
    from minimodel.widgets.decode_stepper import DecodeStepper
    from minimodel.widgets.distribution_explorer import Case, DistributionExplorer, explore
    from minimodel.widgets.four_samplers import FourSamplers
    from minimodel.widgets.model_data import model_script_name, static_model_script

_HOMES = {
    "esm": "bundle",
    "static_script": "bundle",
    "static_style": "bundle",
    "DecodeStepper": "decode_stepper",
    "Case": "distribution_explorer",
    "DistributionExplorer": "distribution_explorer",
    "explore": "distribution_explorer",
    "FourSamplers": "four_samplers",
    "model_script_name": "model_data",
    "static_model_script": "model_data",
}

__all__ = [
    "Case",
    "DecodeStepper",
    "DistributionExplorer",
    "FourSamplers",
    "esm",
    "explore",
    "model_script_name",
    "static_model_script",
    "static_script",
    "static_style",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
