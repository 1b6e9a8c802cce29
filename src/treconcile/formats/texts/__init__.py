"""Queries and documents with their texts: TREC markup, lines of id and text, JSON."""
