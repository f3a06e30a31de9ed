"""A real AstrBot with the plugin switched on, to try the memory by hand or to have it tried."""
