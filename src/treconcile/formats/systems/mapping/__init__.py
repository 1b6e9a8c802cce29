"""Mappings: JSON and table formats described by data, and the one engine that reads them all."""
