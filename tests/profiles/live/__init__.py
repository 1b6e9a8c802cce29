"""Real tools called on random data: what each is given, and what it answers."""

from profiles.live import by_query, libraries, of_ir_measures, of_torchmetrics

TOOLS = (*libraries.TOOLS, *of_ir_measures.TOOLS, *by_query.TOOLS, *of_torchmetrics.TOOLS)
"""Every tool that is called, where it is installed."""
