"""What one sight sees of one scope, kept in memory: so a recall in a scope in use touches no database."""
