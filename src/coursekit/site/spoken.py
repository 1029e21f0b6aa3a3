r"""Write a formula as plain text, for the name of a control: browsers leave drawn formulas out of it."""

from __future__ import annotations

import re

SYMBOLS = {
    "to": "→", "infty": "∞", "cdot": "·", "times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ne": "≠", "neq": "≠", "approx": "≈", "propto": "∝", "in": "∈", "sum": "Σ", "dots": "…", "ldots": "…",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "quad": " ", "qquad": " ",
    "left": "", "right": "", "displaystyle": "",
}  # fmt: skip
FRACTION = re.compile(r"\\[td]?frac\s*(?:\{([^{}]*)\}|(\w))\s*(?:\{([^{}]*)\}|(\w))")
ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
FONT = re.compile(r"\\(?:text|math|operatorname)\w*\s*\{([^{}]*)\}")
SPACE = re.compile(r"\\[,;:! ]|~")
COMMAND = re.compile(r"\\([A-Za-z]+)")


def spoken(formula: str) -> str:
    r"""A formula of LaTeX as a line of text, simple ones exactly, others as nearly as a line can.

    >>> spoken(r"\tfrac12, \tfrac{1}{n}, -\infty")
    '1/2, 1/n, -∞'
    >>> spoken(r"\mathrm{d}H/\mathrm{d}\tau = \operatorname{Var}(z)/\tau^3")
    'dH/dτ = Var(z)/τ^3'
    """
    text = SPACE.sub(" ", formula)
    while (shorter := _innermost(text)) != text:
        text = shorter
    text = COMMAND.sub(lambda match: SYMBOLS.get(match[1], match[1]), text)
    return " ".join(re.sub(r"[{}\\$]", "", text).split())


def _innermost(text: str) -> str:
    """Write out the fractions, roots and fonts that hold no others."""
    text = FONT.sub(r"\1", text)
    text = ROOT.sub(r"√(\1)", text)
    return FRACTION.sub(lambda match: f"{match[1] or match[2]}/{match[3] or match[4]}", text)
