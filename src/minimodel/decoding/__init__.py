"""From a prompt to a text: the decode loop, with and without a cache, one prompt or many, and beam search."""
