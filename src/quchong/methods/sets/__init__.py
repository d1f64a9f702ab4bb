"""Methods that compare sets of features: shingles, spots, full stops, paths."""
