"""The only code that knows AstrBot."""
