"""Paired statistics of values per query: tests, intervals, corrections and power, with NumPy alone.

Nothing here knows of search: a function takes the differences between two systems, or the values of several,
one a query, and returns a frozen value.
"""
