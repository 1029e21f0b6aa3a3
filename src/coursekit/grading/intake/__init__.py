"""Intake: whatever was handed in is made a notebook that can be graded, and every repair is told."""

from coursekit.grading.intake.gradable import Normalised, normalise
from coursekit.grading.intake.repair import Repair, told

__all__ = ["Normalised", "Repair", "normalise", "told"]
