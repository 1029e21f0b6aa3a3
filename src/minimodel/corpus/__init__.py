"""The verb corpus: a probabilistic grammar of verbs, tenses and persons in each language, and what follows from it."""
