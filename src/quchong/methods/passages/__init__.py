"""Methods that search for common runs of characters, tokens or fingerprints."""
