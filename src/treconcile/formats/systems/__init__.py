"""What other systems write: mappings, the engine that reads by them, and the presets."""
