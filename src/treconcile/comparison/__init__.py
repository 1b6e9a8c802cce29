"""Comparison of numbers: one's own against those of reference tools, and the conventions between them."""
