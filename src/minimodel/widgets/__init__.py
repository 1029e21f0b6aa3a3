"""Live pictures for notebooks and static pages. Names are imported when first used: only a widget needs anywidget."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minimodel.widgets.bundle import esm, static_script, static_style
    from minimodel.widgets.cost_explorer import CostExplorer
    from minimodel.widgets.distribution_explorer import Case, DistributionExplorer, explore
    from minimodel.widgets.nucleus_explorer import NucleusExplorer
    from minimodel.widgets.tradeoff_explorer import TradeoffExplorer

_HOMES = {
    "esm": "bundle",
    "static_script": "bundle",
    "static_style": "bundle",
    "CostExplorer": "cost_explorer",
    "Case": "distribution_explorer",
    "DistributionExplorer": "distribution_explorer",
    "explore": "distribution_explorer",
    "NucleusExplorer": "nucleus_explorer",
    "TradeoffExplorer": "tradeoff_explorer",
}

__all__ = [
    "Case",
    "CostExplorer",
    "DistributionExplorer",
    "NucleusExplorer",
    "TradeoffExplorer",
    "esm",
    "explore",
    "static_script",
    "static_style",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
