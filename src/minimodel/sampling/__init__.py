"""The sampler: transforms of logits, ways to draw from them, and the strategies made of both."""
