"""What a student finds in place of an answer."""

CODE_STUBS = {
    "en": "# YOUR CODE HERE\nraise NotImplementedError",
    "es": "# TU CÓDIGO AQUÍ\nraise NotImplementedError",
}
TEXT_STUB = "✎ …"  # the same in both: nbgrader knows by it, in either, that nothing was written
