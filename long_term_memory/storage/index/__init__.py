"""What one access sees of one scope, searched in memory: a recall in a scope in use touches no database."""
