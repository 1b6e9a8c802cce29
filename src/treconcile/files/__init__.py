"""Files and streams: opened, unpacked, bounded, hashed, and written whole or not at all."""
