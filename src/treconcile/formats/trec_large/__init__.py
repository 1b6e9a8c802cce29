"""Large TREC runs, taken apart in their bytes, a piece at a time."""
