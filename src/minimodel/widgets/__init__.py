"""Live pictures for notebooks and static pages. Names are imported when first used: only a widget needs anywidget."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minimodel.widgets.bundle import esm, static_script, static_style
    from minimodel.widgets.cost_explorer import CostExplorer
    from minimodel.widgets.decode_stepper import DecodeStepper
    from minimodel.widgets.distribution_explorer import Case, DistributionExplorer, explore
    from minimodel.widgets.four_samplers import FourSamplers
    from minimodel.widgets.model_data import model_script_name, static_model_script
    from minimodel.widgets.nucleus_explorer import NucleusExplorer
    from minimodel.widgets.tradeoff_explorer import TradeoffExplorer

_HOMES = {
    "esm": "bundle",
    "static_script": "bundle",
    "static_style": "bundle",
    "DecodeStepper": "decode_stepper",
    "CostExplorer": "cost_explorer",
    "Case": "distribution_explorer",
    "DistributionExplorer": "distribution_explorer",
    "explore": "distribution_explorer",
    "FourSamplers": "four_samplers",
    "NucleusExplorer": "nucleus_explorer",
    "model_script_name": "model_data",
    "static_model_script": "model_data",
    "TradeoffExplorer": "tradeoff_explorer",
}

__all__ = [
    "Case",
    "CostExplorer",
    "DecodeStepper",
    "DistributionExplorer",
    "FourSamplers",
    "NucleusExplorer",
    "TradeoffExplorer",
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
