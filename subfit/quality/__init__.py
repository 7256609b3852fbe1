"""What a client's quality control rejects, beyond the limits: found, told and mended."""
