"""Results as text, tables and JSON: values are rendered here, never computed."""
