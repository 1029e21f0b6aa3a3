"""The labs: one source each, the notebooks derived from it, and the checks that students see."""
