"""What methods of one family share: papers' rules, coverage, trees, sentences, terms, filters of a first stage."""
