"""Search for the items of test sets in a training corpus: n-gram rules of the literature, and containment of an item in one place."""
