"""How features are made small."""

from quchong.sketches.minhash import MinHash, estimate

__all__ = ["MinHash", "estimate"]
