"""What users bring of their own: functions that search or score, and files of values."""
