"""What `docs/check.py` is made of."""
