"""From verified pairs to who stays: a policy orders the documents, arcs run from loser to winner, each node is decided.

``policy`` reads "longest,earliest" and ranks documents by it, ``times`` reads the times it may need, ``survivors``
turns typed pairs into arcs and decides. Import from these modules.
"""
