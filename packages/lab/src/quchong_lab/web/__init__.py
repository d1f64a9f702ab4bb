"""Page corpora with counted relations, and the experiments of Wei 2013 and the tree methods on them."""
