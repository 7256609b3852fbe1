"""The service: translations over HTTP, as LibreTranslate speaks, and folders that are watched."""
