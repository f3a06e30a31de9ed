"""The one log of the plugin, below the host's."""

import logging

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")
