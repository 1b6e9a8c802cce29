"""Real tools called on random data: what each is given, and what it answers."""

from profiles.live import of_ir_measures

TOOLS = (*of_ir_measures.TOOLS,)
"""Every tool that is called, where it is installed."""
