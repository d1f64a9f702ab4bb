"""Methods that look for runs in common: of characters, tokens and fingerprints."""
