"""Methods that search for passages: equal sequences of characters, tokens or fingerprints in both texts."""
