"""Grading: a student's code in a sandbox, the tests outside it, and plain values in between."""

import sys

# jsonschema would compile a grammar of web addresses, which takes seconds; without it, it leaves them unchecked
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
