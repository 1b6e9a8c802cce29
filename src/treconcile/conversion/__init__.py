"""Conversion: from any format that is read to any that is written."""
