"""Judgments, runs, queries and documents from Python values and data frames, and back."""
