"""Grading: a student's code in a sandbox, the tests outside it, and plain values in between."""
